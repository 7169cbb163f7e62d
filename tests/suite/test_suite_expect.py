"""The judgements of `expect`: what they refute, what they leave open, and that none passes without a witness."""

from __future__ import annotations

import pytest

from tck import api
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import Broken, KitFault, Undecided
from tck.suite.support.values.seen import body, standard_name


def test_equal_marks_a_telling_value(live_case: Case) -> None:
    expect.equal("JMSType", "order", "order")
    assert live_case.marks.witnesses == ["JMSType was 'order'"]


@pytest.mark.parametrize("inert", [None, 0, False, "", b"", []])
def test_equal_refuses_an_inert_value_without_a_witness(live_case: Case, inert: object) -> None:
    with pytest.raises(KitFault, match="idle provider"):
        expect.equal("JMSType", inert, inert)
    live_case.witness("something arrived")
    expect.equal("JMSType", inert, inert)


@pytest.mark.parametrize(("seen", "wanted"), [(5, 4), (True, 1), (0, False), ("4", 4), (None, "x")])
@pytest.mark.usefixtures("live_case")
def test_equal_refutes_what_differs_in_value_or_kind(seen: object, wanted: object) -> None:
    with pytest.raises(Broken) as caught:
        expect.equal("JMSPriority", seen, wanted)
    assert caught.value.expected == f"JMSPriority is {wanted!r}"
    assert caught.value.observed == f"JMSPriority was {seen!r}"


@pytest.mark.usefixtures("live_case")
def test_a_table_names_only_what_differs() -> None:
    with pytest.raises(Broken) as caught:
        expect.equal("headers", {"a": 1, "b": 2}, {"a": 1, "b": 3})
    assert caught.value.observed == "headers: b was 2"


@pytest.mark.usefixtures("live_case")
def test_a_table_with_a_missing_key_is_refuted() -> None:
    with pytest.raises(Broken):
        expect.equal("headers", {}, {"a": 1})


@pytest.mark.usefixtures("live_case")
def test_a_table_that_wants_nothing_is_a_fault_of_the_test() -> None:
    with pytest.raises(KitFault):
        expect.equal("headers", {"a": 1}, {})


@pytest.mark.usefixtures("live_case")
def test_raises_needs_the_call_to_work_first() -> None:
    def refused() -> None:
        raise api.IllegalStateException("no")

    with pytest.raises(KitFault):
        expect.raises(api.IllegalStateException, refused, what="commit()")
    expect.raises(api.IllegalStateException, refused, what="commit()", though_works=lambda: "committed")


@pytest.mark.usefixtures("live_case")
def test_raises_refutes_silence_and_another_type() -> None:
    def other() -> None:
        raise api.JMSException("no")

    with pytest.raises(Broken, match="returned None"):
        expect.raises(api.IllegalStateException, lambda: None, what="commit()", though_works=lambda: "x")
    with pytest.raises(Broken, match="raised JMSException"):
        expect.raises(api.IllegalStateException, other, what="commit()", though_works=lambda: "x")


def test_only_sees_what_came_before_the_marker(live_case: Case) -> None:
    link = live_case.link()
    link.send("unwanted")
    with pytest.raises(Broken, match="unwanted"):
        expect.only(link, [])
    expect.only(link, [])
    assert any("marker" in sight for sight in live_case.marks.witnesses)


def test_only_has_what_a_marker_may_overtake(live_case: Case) -> None:
    """Order is kept within a mode and a priority only; the reference provider lets higher priorities overtake."""
    link = live_case.link()
    link.send("low", priority=1)
    link.send("normal")
    expect.only(link, ["low", "normal"])
    link.send("low again", priority=1)
    with pytest.raises(Broken, match="low again"):
        expect.only(link, ["never sent"])
    with pytest.raises(Broken, match=r"\[\] came"):
        expect.only(link, ["never sent"])


@pytest.mark.parametrize("cut", [False, True])
def test_only_waits_for_what_is_delivered_again_after_a_cut(live_case: Case, cut: bool) -> None:
    """When a provider notices that a link is lost is its own affair: a marker may come first."""
    link, other = live_case.link(), live_case.link()
    other.send("seen")
    live_case.provider.administer("override", destination=link.destination, delivery_delay=50)
    link.send("late")
    live_case.provider.administer("override", destination=link.destination, delivery_delay=0)
    if cut:
        live_case.provider.sever(other.client.connection)
        expect.only(link, ["late"])
    else:
        with pytest.raises(Broken, match=r"\[\] came"):
            expect.only(link, ["late"])


def test_a_missing_message_is_refuted_when_another_path_delivers(live_case: Case) -> None:
    link = live_case.link(selector="color = 'red'")
    link.send("not red")
    with pytest.raises(Broken, match="only"):
        expect.arrives(link, ["not red"])


def test_a_missing_message_is_undecided_when_nothing_delivers(live_case: Case) -> None:
    link = live_case.link()
    live_case.provider.administer("override", destination=link.destination, delivery_delay=10**12)
    link.put("never due")
    with pytest.raises(Undecided):
        expect.arrives(link, ["never due"])


@pytest.mark.parametrize("wrong", [["b", "a"], ["a", "c"], ["a"]])
def test_arrives_demands_these_bodies_in_this_order(live_case: Case, wrong: list[str]) -> None:
    link = live_case.link()
    for text in ("a", "b"):
        link.send(text)
    if len(wrong) == 1:
        expect.arrives(link, wrong)
        with pytest.raises(Broken):
            expect.only(link, [])
    else:
        with pytest.raises(Broken):
            expect.arrives(link, wrong)


@pytest.mark.parametrize("ack", ["client", "transacted"])
def test_arrives_leaves_the_order_after_recover_open(live_case: Case, ack: str) -> None:
    """6.2.10-30 permits any order after recover(), none after a rollback."""
    link = live_case.link(ack)
    link.send_all(("a", "b", "c"))
    expect.arrives(link, ["a", "b"], settle=False)
    link.client.return_all()
    if ack == "client":
        expect.arrives(link, ["b", "a"])
        with pytest.raises(Broken):
            expect.arrives(link, ["d"])
    else:
        with pytest.raises(Broken):
            expect.arrives(link, ["b", "a"])


def test_arrives_keeps_what_recover_brought_before_the_rest(live_case: Case) -> None:
    link = live_case.link("client")
    link.send_all(("a", "b", "c"))
    expect.arrives(link, ["a", "b"], settle=False)
    link.client.recover()
    with pytest.raises(Broken):
        expect.arrives(link, ["a", "c", "b"])


@pytest.mark.parametrize("overtaken", [api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT])
def test_arrives_lets_non_persistent_messages_overtake(live_case: Case, overtaken: int) -> None:
    """6.2.9.2-7: a NON_PERSISTENT message may come before a PERSISTENT one that was sent earlier."""
    link = live_case.link()
    link.send("a", mode=api.DeliveryMode.NON_PERSISTENT)
    link.send("b", mode=overtaken)
    if overtaken == api.DeliveryMode.PERSISTENT:
        expect.arrives(link, ["b", "a"])
    else:
        with pytest.raises(Broken):
            expect.arrives(link, ["b", "a"])


def test_waits_and_returns_judge_a_blocked_call(live_case: Case) -> None:
    link = live_case.link()
    call = live_case.spawn("receive()", lambda: body(link.consumer.receive()))
    expect.waits(call, "receive()", "while nothing was sent")
    with pytest.raises(Broken, match="still waiting"):
        expect.returns(call, "receive()")
    live_case.link(destination=link.destination, consumes=False).send("x")
    assert expect.returns(call, "receive()") == "x"


def test_waits_refutes_a_call_that_gave_up(live_case: Case) -> None:
    link = live_case.link()
    call = live_case.spawn("receive(50)", lambda: link.poll(50))
    with pytest.raises(Broken, match="had returned"):
        expect.waits(call, "receive(50)", "while nothing was sent")


@pytest.mark.usefixtures("live_case")
def test_recording_needs_a_witness() -> None:
    with pytest.raises(KitFault):
        expect.record("anything")


def test_becomes_tells_a_wrong_start_from_a_wrong_end(live_case: Case) -> None:
    values = iter([1, 2, 1, 1, 3])
    expect.becomes("n", lambda: next(values), 1, 2, by=lambda: None)
    with pytest.raises(Broken):
        expect.becomes("n", lambda: next(values), 1, 2, by=lambda: None)
    with pytest.raises(Undecided):
        expect.becomes("n", lambda: next(values), 1, 2, by=lambda: None)
    assert len(live_case.marks.witnesses) == 1


def test_between_counts_its_ends(live_case: Case) -> None:
    expect.between("n", 5, 5, 5)
    with pytest.raises(Broken):
        expect.between("n", 6, 5, 5)
    assert live_case.marks.witnesses == ["n was 5"]


@pytest.mark.usefixtures("live_case")
@pytest.mark.parametrize("seen", [["a", "a"], ["a", None], ["", "b"]])
def test_distinct_refutes_repeats_and_gaps(seen: list[object]) -> None:
    with pytest.raises(Broken):
        expect.distinct("id", seen)


@pytest.mark.usefixtures("live_case")
def test_trace_without_anything_to_judge_is_undecided() -> None:
    with pytest.raises(Undecided):
        expect.trace("repeat-is-flagged")


class _OwnException(api.MessageEOFException):
    pass


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (api.MessageEOFException("no more"), "MessageEOFException"),
        (_OwnException("no more"), "MessageEOFException"),
        (api.NumberFormatException("no number"), "NumberFormatException"),
        (KeyError("x"), "KeyError"),
    ],
)
def test_an_exception_is_named_by_the_standard_type_it_derives_from(error: Exception, name: str) -> None:
    assert standard_name(error) == name
