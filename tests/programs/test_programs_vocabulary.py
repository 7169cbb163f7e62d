"""The vocabulary of programs: what each of the newer operations does, shows and refuses."""

import pytest
from vocabulary_support import opened, run

SEND = {"do": "send", "on": "p1", "message": "m1"}
CONSUMER = {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"}
AWAIT = {"do": "await", "on": "k1"}
COLLECT = {"do": "collect", "as": "m2", "on": "k1"}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("reference")) as found:
        yield found


@pytest.fixture
def shown(reference):
    def outcomes(*steps):
        expectation = run(reference, *steps)
        assert expectation.unclear is None
        return [each.get("ok", each) for each in expectation.seen[-len(steps) :]]

    return outcomes


@pytest.fixture
def refused(reference):
    def reason(*steps):
        return run(reference, *steps).unclear or ""

    return reason


# -- a receive that waits ----------------------------------------------------------------------------------------------


def test_a_receive_that_waits_gets_the_message_that_is_sent_meanwhile(shown):
    *_, got = shown(CONSUMER, AWAIT, SEND, COLLECT)
    assert got["got"]["send"] == 0
    assert got["got"]["body"] == ["string", ""]


def test_a_receive_to_which_nothing_comes_ends_before_a_unit_of_time_is_over(shown):
    other = {"do": "consumer", "as": "k2", "on": "s2", "of": "q2"}
    *_, nothing, _, received = shown(
        {"do": "queue", "as": "q2"}, {"do": "producer", "as": "p2", "on": "s2", "to": "q2"},
        {"do": "set", "on": "p2", "what": "ttl", "value": 1}, {"do": "send", "on": "p2", "message": "m1"},
        CONSUMER, AWAIT, COLLECT, other, {"do": "receive", "as": "m3", "on": "k2"},
    )  # fmt: skip
    assert nothing == {"got": None}
    assert received["got"]["send"] == 0


@pytest.mark.parametrize(
    "step",
    [
        {"do": "receive", "as": "m3", "on": "k1"},
        {"do": "commit", "on": "s1"},
        {"do": "producer", "as": "p2", "on": "s1", "to": "q1"},
        AWAIT,
    ],
)
def test_a_session_in_which_a_receive_waits_is_used_by_no_other_call(refused, step):
    assert "waits in a receive" in refused(CONSUMER, AWAIT, step)
    assert refused(CONSUMER, AWAIT, SEND, COLLECT, step) == ""


def test_how_a_waiting_receive_ends_in_a_failure_is_open(refused):
    assert "is open" in refused(CONSUMER, AWAIT, {"do": "kill"}, COLLECT)
    assert "is open" in refused(CONSUMER, AWAIT, {"do": "close", "on": "c1"}, COLLECT)


def test_what_no_receive_waits_for_is_not_collected(refused):
    assert "nothing waits" in refused(CONSUMER, COLLECT)
    assert "nothing waits" in refused(CONSUMER, AWAIT, SEND, COLLECT, COLLECT)


def test_a_receive_waits_on_while_its_connection_is_stopped(shown):
    other = (
        {"do": "connect", "as": "c2", "api": "classic"},
        {"do": "start", "on": "c2"},
        {"do": "session", "as": "s3", "on": "c2"},
    )
    consumer = {**CONSUMER, "on": "s3"}
    stop, start, waits = {"do": "stop", "on": "c2"}, {"do": "start", "on": "c2"}, {"do": "waits", "on": "k1"}
    *_, before, _, after, _, got = shown(*other, consumer, AWAIT, stop, waits, SEND, waits, start, COLLECT)
    assert before == after == {"waits": True}
    assert got["got"]["send"] == 0


# -- listeners, drains, sizes, requests, equal keys ---------------------------------------------------------------------


def test_what_a_listener_changes_stays_with_its_copy(reference):
    expectation = run(
        reference,
        {"do": "consumer", "as": "k1", "on": "s2", "of": "q1"},
        {"do": "producer", "as": "p2", "on": "s1", "to": "q1"},
        {"do": "listen", "on": "k1", "does": "change and throw"},
        {"do": "send", "on": "p2", "message": "m1"},
        {"do": "commit", "on": "s1"},
    )
    (given,) = (each["delivered"]["by"]["k1"] for each in expectation.seen if each.get("delivered", {}).get("by"))
    first, second = given
    assert second["headers"]["JMSRedelivered"] is True
    assert [each["body"] for each in (first, second)] == [["string", ""]] * 2
    assert second["headers"]["JMSType"] == ["null", None]


def test_a_drain_may_leave_the_bodies_unread(shown):
    *_, got = shown(SEND, CONSUMER, {"do": "drain", "on": "k1", "look": "headers"})
    assert [each["send"] for each in got["got"]] == [0]
    assert "body" not in got["got"][0]


def test_more_than_two_hundred_messages_are_all_drained(shown):
    many = {"do": "send_many", "on": "p1", "of": "s2", "first": 1, "count": 210}
    *_, got = shown(many, CONSUMER, {"do": "drain", "on": "k1"})
    assert len(got["got"]) == 210


def test_a_requestor_puts_its_own_reply_destination_in_the_place_of_a_preset_one(shown):
    *_, got = shown(
        {"do": "connect", "as": "c2", "api": "queue"}, {"do": "start", "on": "c2"},
        {"do": "session", "as": "s3", "on": "c2", "mode": "auto"}, {"do": "request", "on": "s3", "preset": True},
    )  # fmt: skip
    assert got["to"] == [True]
    assert got["answer"] == "answer"


def test_a_correlation_with_an_earlier_message_is_reported_by_its_send(shown):
    *_, got = shown(
        SEND, {"do": "message", "as": "m2", "on": "s2", "kind": "message", "headers": {"correlation_of": "m1"}},
        {"do": "send", "on": "p1", "message": "m2"}, CONSUMER, {"do": "drain", "on": "k1"},
    )  # fmt: skip
    assert got["got"][1]["headers"]["JMSCorrelationID"] == "the id of send 0"


@pytest.mark.parametrize("step", [{"do": "kill"}, {"do": "close", "on": "c1"}, {"do": "stop", "on": "c1"}])
def test_how_much_a_listener_gets_before_it_is_stopped_at_once_is_left_to_chance(refused, step):
    listen = {"do": "listen", "on": "k1", "does": "take"}
    assert "left to chance" in refused(SEND, CONSUMER, listen, step)
    assert refused(SEND, CONSUMER, listen, {"do": "advance", "units": 0}, step) == ""


# -- names, metadata, exception listeners ------------------------------------------------------------------------------


def test_destinations_whose_names_differ_in_case_only_are_two(shown):
    *_, first, second = shown(
        {"do": "queue", "as": "q2", "name": "Twin"}, {"do": "queue", "as": "q3", "name": "twin"},
        {"do": "producer", "as": "p2", "on": "s2", "to": "q2"}, {"do": "send", "on": "p2", "message": "m1"},
        {"do": "consumer", "as": "k3", "on": "s2", "of": "q3"}, {"do": "consumer", "as": "k2", "on": "s2", "of": "q2"},
        {"do": "drain", "on": "k3"}, {"do": "drain", "on": "k2"},
    )  # fmt: skip
    assert first["got"] == []
    assert [each["headers"]["JMSDestination"] for each in second["got"]] == ["q2"]


def test_one_name_is_given_once(refused):
    assert "the same destination" in refused(
        {"do": "queue", "as": "q2", "name": "a b"}, {"do": "topic", "as": "t2", "name": "a b"}
    )


def test_names_are_wanted_only_where_a_provider_takes_any(tmp_path):
    with opened(tmp_path, virtual=False) as found:
        assert "its own affair" in (run(found, {"do": "queue", "as": "q2", "name": "a b"}).unclear or "")


def test_a_connection_tells_its_metadata_and_keeps_an_exception_listener(shown):
    reported = shown(
        {"do": "metadata", "on": "c1"}, {"do": "on_exception", "on": "c1", "value": True},
        {"do": "on_exception", "on": "c1", "value": False},
    )  # fmt: skip
    assert reported[0]["version"] is reported[0]["provider"] is reported[0]["again"] is True
    assert reported[1:] == [{"kept": True}, {"kept": True}]


def test_a_session_has_no_metadata(refused):
    assert "only a connection or context" in refused({"do": "metadata", "on": "s1"})


# -- exception listeners that are called -------------------------------------------------------------------------------

HEARD = {"do": "on_exception", "on": "c1", "value": True}
UNHEARD = {"do": "on_exception", "on": "c1", "value": False}
CUT = {"do": "sever", "on": "c1"}
PROBLEMS = {"do": "problems", "on": "c1"}
REFUSED = {"do": "commit", "on": "s2"}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((HEARD, CUT), {"called": True, "with": "JMSException", "replaced": False}),
        ((HEARD, HEARD, CUT), {"called": True, "with": "JMSException", "replaced": False}),
        ((HEARD, UNHEARD, CUT), {"called": False, "with": None, "replaced": False}),
        ((HEARD, REFUSED), {"called": False, "with": None, "replaced": False}),
        ((HEARD, REFUSED, {"do": "close", "on": "c1"}), {"called": False, "with": None, "replaced": False}),
    ],
)
def test_the_exception_listener_that_is_told_of_a_broken_link(shown, steps, expected):
    assert shown(*steps, PROBLEMS)[-1] == expected


def test_the_exception_listener_of_another_connection_is_not_called(shown):
    other = ({"do": "connect", "as": "c2", "api": "classic"}, {"do": "sever", "on": "c2"})
    assert shown(HEARD, *other, PROBLEMS)[-1]["called"] is False


def test_contexts_over_one_connection_have_one_exception_listener(shown):
    contexts = (
        {"do": "connect", "as": "x1", "api": "simplified"},
        {"do": "session", "as": "x2", "on": "x1"},
        {"do": "start", "on": "x2"},
    )
    steps = ({"do": "on_exception", "on": "x1", "value": True}, {"do": "on_exception", "on": "x2", "value": False})
    assert shown(*contexts, steps[0], {"do": "sever", "on": "x2"}, {"do": "problems", "on": "x1"})[-1]["called"] is True
    assert shown(*contexts, *steps, {"do": "sever", "on": "x1"}, {"do": "problems", "on": "x2"})[-1]["called"] is False


# -- two threads at the same time --------------------------------------------------------------------------------------

SIDES = (
    {"do": "queue", "as": "q2"}, {"do": "producer", "as": "p2", "on": "s1"}, {"do": "message", "as": "m2", "on": "s1", "kind": "text"},
    {"do": "consumer", "as": "k1", "on": "s1", "of": "q1"}, {"do": "consumer", "as": "k2", "on": "s2", "of": "q2"},
)  # fmt: skip


def first(do, **args):
    return {"do": do, "together": 1, **args}


def second(do, **args):
    return first(do, by="second", **args)


@pytest.mark.parametrize(
    "steps",
    [
        (first("send", on="p1", message="m1"), second("send", on="p2", message="m2", to="q1")),
        (first("send", on="p1", message="m1"), second("send", on="p2", message="m2", to="q2")),
        (first("receive", **{"as": "m3", "on": "k1"}), second("receive", **{"as": "m4", "on": "k2"})),
        (first("commit", on="s1"), second("recover", on="s2")),
    ],
)
def test_what_two_threads_may_do_at_the_same_time(refused, steps):
    assert refused(*SIDES, *steps) == ""


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((first("send", on="p1", message="m1"), second("recover", on="s2")), "same session or destination"),
        ((first("receive", on="k1"), second("send", on="p1", message="m1")), "same session or destination"),
        ((first("send", on="p2", message="m1", to="q2"), second("send", on="p1", message="m1")), "same session or destination"),
        ((first("drain", on="k1"), second("close", on="c1")), "same session or destination"),
        ((first("close", on="k1"), second("send", on="p1", message="m1")), "same session or destination"),
        ((first("browser", on="s1", of="q1"),), "browser is not made at the same time"),
        ((first("consumer", on="s1", of="t1", kind="durable", name="x"),), "may be that of the other thread"),
        ((first("send", on="p1", message="m1", mode=2, priority=4, ttl=1),), "depends on the time"),
        (({"do": "listen", "on": "k2"}, first("commit", on="s1")), "has no order"),
    ],
)  # fmt: skip
def test_what_two_threads_do_not_do_at_the_same_time(refused, steps, reason):
    plain = {"do": "stop", "on": "c1"}, {"do": "start", "on": "c1"}
    assert reason in refused(*SIDES, *plain, *steps)


def test_steps_with_another_number_are_made_afterwards(refused):
    later = {"do": "send", "on": "p1", "message": "m1", "together": 2, "by": "second"}
    assert refused(*SIDES, first("drain", on="k1"), later) == ""
