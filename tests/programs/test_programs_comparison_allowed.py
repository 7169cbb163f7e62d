"""Comparison: what the specification leaves open is allowed, by its rule; what is next to it is not."""

import pytest
from programs_support import (
    NOTHING,
    OK,
    again,
    allowances,
    browsed,
    delivering,
    differences,
    do,
    drained,
    end,
    expected,
    got,
    judge,
    kinds,
    raises,
    sent,
    view,
)

from tck.programs.comparing.comparison import compare
from tck.programs.expectation import Execution

RECEIVE = do("receive", "r1", on="k1")
NEXT = do("receive", on="k1")
DRAIN = do("drain", on="k1")
BROWSE = do("browse", on="b1")
BODY = do("receive_body", on="k1", type="string")
RECOVER = (do("recover", on="s1"), OK)
SEVER = (do("sever", on="c1"), OK)
BOTH, TURNED = drained(view(0), view(1)), drained(view(1), view(0))


# -- order (6.2.9) -----------------------------------------------------------------------------------------------------

OPEN_ORDERS = [
    ({}, {"producer": "p2"}),
    ({}, {"mode": 1}),
    ({"mode": 1}, {}),
    ({}, {"priority": 9}),
    ({"delay": 2}, {}),
    ({}, {"delay": 2}),
    ({"delay": 1}, {"delay": 2}),
]
LAID_DOWN = [
    ({}, {}),
    ({"mode": 1}, {"mode": 1}),
    ({"priority": 9}, {"priority": 9}),
    ({"priority": 9}, {"priority": 4}),
    ({"delay": 2}, {"delay": 2}),
    ({"ttl": 2}, {"ttl": 5}),
]


@pytest.mark.parametrize(("first", "second"), OPEN_ORDERS)
def test_order_that_is_open(first, second):
    sends = [sent(0, **first), sent(1, **second)]
    assert allowances(judge([(DRAIN, BOTH, TURNED)], sends)) == ["order"]
    one_by_one = [(RECEIVE, got(view(0)), got(view(1))), (NEXT, got(view(1)), got(view(0)))]
    assert set(allowances(judge(one_by_one, sends))) == {"order"}
    listened = [(do("start", on="c1"), delivering(OK, k1=[view(0), view(1)]), delivering(OK, k1=[view(1), view(0)]))]
    assert allowances(judge(listened, sends)) == ["order"]


@pytest.mark.parametrize(("first", "second"), LAID_DOWN)
def test_order_that_is_laid_down(first, second):
    sends = [sent(0, **first), sent(1, **second)]
    assert kinds(judge([(DRAIN, BOTH, TURNED)], sends)) == ["order"]
    one_by_one = [(RECEIVE, got(view(0)), got(view(1))), (NEXT, got(view(1)), got(view(0)))]
    assert kinds(judge(one_by_one, sends)) == ["order"]
    listened = [(do("start", on="c1"), delivering(OK, k1=[view(0), view(1)]), delivering(OK, k1=[view(1), view(0)]))]
    assert kinds(judge(listened, sends)) == ["order"]


def test_order_of_messages_to_two_destinations_is_open():
    assert allowances(judge([(DRAIN, BOTH, TURNED)], [sent(0), sent(1, destination="q2")])) == ["order"]


def test_a_later_message_of_higher_priority_need_not_overtake():
    sends = [sent(0), sent(1, priority=9)]
    assert allowances(judge([(DRAIN, TURNED, BOTH)], sends)) == ["order"]


def test_redelivered_messages_come_in_any_order():
    sends = [sent(0), sent(1)]
    ours, theirs = drained(again(0), again(1)), drained(again(1), again(0))
    assert allowances(judge([RECOVER, (DRAIN, ours, theirs)], sends)) == ["again"]
    one_by_one = [RECOVER, (RECEIVE, got(again(0)), got(again(1))), (NEXT, got(again(1)), got(again(0)))]
    assert set(allowances(judge(one_by_one, sends))) == {"again"}


def test_first_deliveries_keep_their_order_after_a_recover_too():
    rows = [RECOVER, (DRAIN, BOTH, TURNED)]
    assert kinds(judge(rows, [sent(0), sent(1)])) == ["order"]


def test_after_an_order_that_is_open_other_messages_may_come():
    rows = [
        (RECEIVE, got(view(0)), got(view(1))),
        (NEXT, got(view(1)), got(view(2))),
        (DRAIN, drained(view(2)), drained(view(0))),
    ]
    sends = [sent(0), sent(1, producer="p2"), sent(2, producer="p3")]
    assert set(allowances(judge(rows, sends))) == {"order"}


def test_a_message_that_the_reference_provider_may_still_hold():
    sends = [sent(0), sent(1, producer="p2")]
    rows = [(RECEIVE, got(view(0)), got(view(1))), (do("close", on="k1"), OK)]
    assert allowances(judge(rows, sends)) == ["order"]


def test_what_a_drain_did_not_return_the_reference_provider_does_not_hold():
    sends = [sent(0), sent(1, producer="p2"), sent(2, producer="p3")]
    rows = [(RECEIVE, got(view(0)), got(view(1))), (DRAIN, drained(view(2)), drained(view(2), view(0)))]
    assert kinds(judge(rows, sends)) == ["extra"]


@pytest.mark.parametrize("emptied", [(DRAIN, drained()), (NEXT, NOTHING)])
def test_a_message_that_the_reference_provider_cannot_hold_any_more(emptied):
    sends = [sent(0), sent(1, producer="p2")]
    assert kinds(judge([(RECEIVE, got(view(0)), got(view(1))), emptied], sends)) == ["extra"]


def test_a_message_that_the_reference_provider_gave_before():
    sends = [sent(0), sent(1, producer="p2")]
    rows = [(RECEIVE, got(view(1))), (NEXT, got(view(0)), got(view(1)))]
    assert kinds(judge(rows, sends)) == ["extra"]


def test_a_message_that_the_other_provider_may_still_hold():
    sends = [sent(0), sent(1, producer="p2"), sent(2, producer="p3")]
    rows = [(RECEIVE, got(view(0)), got(view(1))), (NEXT, got(view(1)), got(view(2)))]
    assert set(allowances(judge(rows, sends))) == {"order"}


def test_what_a_failure_may_have_lost_meanwhile_is_not_missing():
    rows = [(RECEIVE, got(view(0)), got(view(1))), (do("restart"), OK), (DRAIN, drained(view(1)), drained())]
    first = {"mode": 1, "producer": "p2"}
    assert set(allowances(judge(rows, [sent(0, **first), sent(1)]))) == {"order"}
    rows[1] = (do("sever", on="c9"), OK)
    assert kinds(judge(rows, [sent(0, **first), sent(1)])) == ["missing"]


def test_what_has_expired_meanwhile_is_not_missing():
    rows = [(RECEIVE, got(view(0)), got(view(1))), (do("advance", units=3), OK), (DRAIN, drained(view(1)), drained())]
    assert set(allowances(judge(rows, [sent(0, ttl=1, producer="p2"), sent(1)]))) == {"order"}
    assert kinds(judge(rows, [sent(0, producer="p2"), sent(1)])) == ["missing"]


def test_what_was_taken_back_may_wait_behind_others():
    rows = [
        (do("queue", "q1"), OK),
        (do("connect", "c1", api="classic"), OK),
        (do("session", "s1", on="c1", mode="transacted"), OK),
        (do("consumer", "k1", on="s1", of="q1"), OK),
        (do("receive", on="k1"), got(view(0))),
        (do("receive", on="k1"), got(view(1))),
        (do("rollback", on="s1"), OK),
        (NEXT, got(again(0)), got(again(1))),
    ]
    assert set(allowances(judge(rows, [sent(0), sent(1)]))) == {"again"}
    rows[6] = (do("commit", on="s1"), OK)
    assert kinds(judge(rows, [sent(0), sent(1)])) == ["extra"]


def test_an_open_order_does_not_hide_one_that_is_laid_down():
    sends = [sent(0), sent(1, producer="p2"), sent(2)]
    rows = [(DRAIN, drained(view(0), view(1), view(2)), drained(view(2), view(1), view(0)))]
    assert kinds(judge(rows, sends)) == ["order"]


# -- bodies without their messages -------------------------------------------------------------------------------------

OTHER_BODIES = [
    (got(["string", "a"]), got(["string", "b"])),
    (got(["string", "a"]), raises("MessageFormatRuntimeException")),
    (raises("MessageFormatRuntimeException"), got(["string", "a"])),
]


@pytest.mark.parametrize(("ours", "theirs"), OTHER_BODIES)
@pytest.mark.parametrize("second", [second for first, second in OPEN_ORDERS if not first])
def test_another_body_where_the_order_is_open(ours, theirs, second):
    assert allowances(judge([(BODY, ours, theirs)], [sent(0), sent(1, **second)])) == ["order"]


@pytest.mark.parametrize(("ours", "theirs"), OTHER_BODIES)
def test_another_body_where_the_order_is_laid_down(ours, theirs):
    sends = [sent(0), sent(1), sent(2, destination="q2", producer="p2")]
    assert len(judge([(BODY, ours, theirs)], sends).differences) == 1


@pytest.mark.parametrize(("ours", "theirs"), OTHER_BODIES)
def test_another_body_after_messages_were_taken_back(ours, theirs):
    assert allowances(judge([RECOVER, (BODY, ours, theirs)], [sent(0)])) == ["order"]


@pytest.mark.parametrize(("ours", "theirs"), OTHER_BODIES)
def test_another_body_where_consumers_compete(ours, theirs):
    found = judge([(BODY, ours, theirs)], [sent(0)], k1=end(contended=True))
    assert allowances(found) in (["contended"], ["order"])


@pytest.mark.parametrize(("ours", "theirs"), OTHER_BODIES)
def test_another_body_after_a_difference_is_no_second_one(ours, theirs):
    rows = [(RECEIVE, got(view()), NOTHING), (BODY, ours, theirs)]
    assert kinds(judge(rows, [sent(0), sent(1)])) == ["missing"]


# -- browsers ----------------------------------------------------------------------------------------------------------


def test_a_browser_of_a_queue_in_use_may_show_other_messages():
    ours, theirs = browsed(view(0), view(1), open="in use"), browsed(view(1))
    assert allowances(judge([(BROWSE, ours, theirs)], [sent(0), sent(1)])) == ["in use"]
    assert kinds(judge([(BROWSE, browsed(view(0), view(1)), theirs)], [sent(0), sent(1)])) == ["missing"]


def test_a_browser_of_a_queue_in_use_shows_messages_as_they_are():
    ours, theirs = browsed(view(0), open="in use"), browsed(view(0, body=None))
    assert kinds(judge([(BROWSE, ours, theirs)], [sent(0)])) == ["body"]


def test_a_selector_on_a_queue_in_use_may_let_through_other_messages():
    step, ours, theirs = do("select", on="s1", of="q1", selectors=["i = 1"]), {"i = 1": [0]}, {"i = 1": []}
    assert allowances(judge([(step, {"ok": ours, "open": "in use"}, {"ok": theirs})])) == ["in use"]
    assert kinds(judge([(step, {"ok": ours}, {"ok": theirs})])) == ["value"]
    found = judge([(DRAIN, drained(view(0)), drained()), (step, {"ok": ours}, {"ok": theirs})], [sent(0)])
    assert kinds(found) == ["missing"]


def test_which_sends_have_one_timestamp_is_open_where_time_is_real():
    step = do("select", on="s1", of="q1", selectors=["JMSTimestamp = {time m1}", "i = 1"])
    expectation = expected([(step, {"ok": {"JMSTimestamp = {time m1}": [0, 1], "i = 1": [0]}})])
    seen = [{"ok": {"JMSTimestamp = {time m1}": [1], "i = 1": [0]}}]
    assert [each.rule for each in compare(expectation, Execution(seen, virtual=False)).allowed] == ["time"]
    assert kinds(compare(expectation, Execution(seen))) == ["value"]
    seen[0]["ok"]["i = 1"] = []
    assert kinds(compare(expectation, Execution(seen, virtual=False))) == ["value"]


def test_how_long_ago_a_message_was_received_is_open_where_time_is_real():
    ours, theirs = (got(view(properties={"JMSXRcvTimestamp": ["long", each]})) for each in ("now", "another time"))
    expectation = expected([(RECEIVE, ours)], [sent(0)])
    claimed = ("JMSXRcvTimestamp",)
    assert [each.rule for each in compare(expectation, Execution([theirs], virtual=False), claimed).allowed] == ["time"]
    assert kinds(compare(expectation, Execution([theirs]), claimed)) == ["property JMSXRcvTimestamp"]
    none = got(view(properties={"JMSXRcvTimestamp": ["string", "now"]}))
    assert kinds(compare(expectation, Execution([none], virtual=False), claimed)) == ["property JMSXRcvTimestamp"]


# -- temporary destinations --------------------------------------------------------------------------------------------

TEMPORARY = (do("temporary", "t1", on="s1", kind="queue"), {"ok": {"name": True}})
FOREIGN = do("consumer", "k2", on="s2", of="t1")


@pytest.mark.parametrize(
    "seen", ["JMSException", "IllegalStateException", "JMSRuntimeException", "InvalidDestinationException"]
)
def test_a_consumer_of_a_foreign_temporary_destination_is_refused_by_any_exception_of_the_api(seen):
    rows = [TEMPORARY, (FOREIGN, raises("InvalidDestinationException"), raises(seen))]
    assert allowances(judge(rows)) == ["temporary"]


@pytest.mark.parametrize(
    ("before", "wanted", "seen", "what"),
    [
        (TEMPORARY, "InvalidDestinationException", OK, "accepted"),
        (TEMPORARY, "InvalidDestinationException", raises("ValueError"), "exception"),
        (TEMPORARY, "IllegalStateException", raises("JMSException"), "exception"),
        ((do("queue", "t1"), OK), "InvalidDestinationException", raises("JMSException"), "exception"),
    ],
)
def test_other_refusals_of_a_consumer_name_their_exception(before, wanted, seen, what):
    assert kinds(judge([before, (FOREIGN, raises(wanted), seen)])) == [what]


@pytest.mark.parametrize("seen", [raises("NoSuchElementException"), {"ok": {"got": None}}])
def test_the_enumeration_of_a_closed_browser_need_not_raise(seen):
    assert allowances(judge([(do("next", on="e1"), raises("IllegalStateException"), seen)])) == ["closed"]


# -- what follows from something else ----------------------------------------------------------------------------------


def test_what_is_made_of_another_message_is_not_compared():
    look, made = do("look", on="r1"), do("message", "m2", on="r1", kind="text")
    rows = [
        (RECEIVE, got(view(0)), got(view(1))),
        (look, {"ok": view(0)}, {"ok": view(1)}),
        (made, OK),
        (do("get", on="m2", what="x"), {"ok": 1}, {"ok": 2}),
        (do("get", on="m3", what="x"), {"ok": 1}, {"ok": 2}),
        (NEXT, got(view(1)), got(view(0))),
    ]
    found = judge(rows, [sent(0), sent(1, producer="p2")])
    assert differences(found) == [(4, "value", "1", "2")]


def test_what_is_made_of_the_same_message_is_compared():
    rows = [
        (RECEIVE, got(view(0)), got(view(0, headers={"JMSPriority": 9}))),
        (do("get", on="r1", what="x"), {"ok": 1}, {"ok": 2}),
    ]
    assert kinds(judge(rows, [sent(0)])) == ["header JMSPriority", "value"]


def test_what_is_made_of_a_message_of_another_kind_is_not_compared():
    rows = [(RECEIVE, got(view(0)), got(view(0, kind="map"))), (do("bodies", on="r1"), {"ok": 1}, {"ok": 2})]
    assert kinds(judge(rows, [sent(0)])) == ["kind"]


def test_what_is_made_of_a_result_that_differs_is_not_compared():
    step, use = do("producer", "p2", on="s1"), do("send", on="p2")
    rows = [(step, {"ok": {"kept": True}}, {"ok": {"kept": False}}), (use, OK, raises("JMSException"))]
    assert kinds(judge(rows)) == ["value kept"]


@pytest.mark.parametrize(
    ("ours", "theirs", "what"),
    [(OK, raises("JMSException"), "refused"), (raises("JMSException"), OK, "accepted")],
)
def test_after_a_call_that_differs_the_messages_that_come_are_not_compared(ours, theirs, what):
    rows = [(do("rollback", on="s1"), ours, theirs), (DRAIN, drained(view(0)), drained())]
    assert kinds(judge(rows, [sent(0)])) == [what]


def test_after_a_difference_the_messages_that_come_are_not_compared():
    rows = [
        (RECEIVE, got(view(0)), NOTHING),
        (DRAIN, drained(view(1)), drained()),
        (BROWSE, browsed(), browsed(view(1))),
    ]
    assert kinds(judge(rows, [sent(0), sent(1)])) == ["missing"]
