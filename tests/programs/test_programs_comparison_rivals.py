"""Comparison: where consumers compete, who gets a message is open; that one of them gets it is not."""

from dataclasses import replace

import pytest
from programs_support import (
    NOTHING,
    OK,
    again,
    allowances,
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
SEVER = (do("sever", on="c1"), OK)
RIVALS = {"k1": end(contended=True), "k2": end(contended=True)}
OTHERS = do("drain", on="k2")


def test_which_of_two_consumers_gets_a_message_is_open():
    rows = [(DRAIN, drained(view(0), view(1)), drained(view(1))), (OTHERS, drained(), drained(view(0)))]
    assert allowances(judge(rows, [sent(0), sent(1)], **RIVALS)) == []


def test_each_message_comes_to_one_of_the_consumers():
    rows = [(DRAIN, drained(view(0), view(1)), drained(view(1))), (OTHERS, drained())]
    found = judge(rows, [sent(0), sent(1)], **RIVALS)
    assert differences(found) == [(1, "missing", "the message of send 1", "none of the consumers gets it")]


def test_a_drain_that_is_refused_has_shown_nothing():
    rows = [(NEXT, got(view(0)), NOTHING), (DRAIN, raises("IllegalStateException"), raises("IllegalStateException"))]
    assert differences(judge(rows, [sent(0)], k1=end(contended=True))) == []


def test_no_other_message_comes_to_any_of_the_consumers():
    rows = [(DRAIN, drained(view(0))), (OTHERS, drained(), drained(view(1)))]
    found = judge(rows, [sent(0), sent(1)], **RIVALS)
    assert differences(found) == [(1, "extra", "no such message", "the message of send 2")]


def test_listeners_compete_too():
    ours, theirs = delivering(OK, k2=[view(0)]), delivering(OK, k2=[])
    rows = [(do("listen", on="k2"), ours, theirs), (DRAIN, drained(view(1)), drained(view(1), view(0)))]
    assert allowances(judge(rows, [sent(0), sent(1)], **RIVALS)) == []
    rows = [(do("listen", on="k2"), ours, theirs), (DRAIN, drained(view(1)))]
    assert kinds(judge(rows, [sent(0), sent(1)], **RIVALS)) == ["missing"]


def test_content_is_compared_where_consumers_compete():
    rows = [(DRAIN, drained(view(0)), drained(again(0)))]
    assert set(allowances(judge(rows, [sent(0)], **RIVALS))) == {"again"}
    rows = [(DRAIN, drained(view(0)), drained(view(0, body=None)))]
    assert kinds(judge(rows, [sent(0)], **RIVALS)) == ["body"]


def test_what_comes_to_competing_consumers_after_a_failure_is_open():
    rows = [SEVER, (DRAIN, drained(view(0)), drained()), (OTHERS, drained())]
    assert allowances(judge(rows, [sent(0)], **RIVALS)) == []


def test_competing_consumers_are_not_compared_where_the_run_ended_early():
    rows = [(DRAIN, drained(view(0)), drained()), (OTHERS, drained(), drained(view(0)))]
    assert allowances(judge(rows, [sent(0)], done=1, **RIVALS)) == []


def test_competing_consumers_are_not_compared_after_a_difference():
    rows = [
        (do("start", on="c1"), OK, raises("JMSException")),
        (DRAIN, drained(view(0)), drained()),
        (OTHERS, drained()),
    ]
    assert kinds(judge(rows, [sent(0)], **RIVALS)) == ["refused"]


def test_competing_consumers_are_not_compared_where_one_received_a_body():
    rows = [
        (do("receive_body", on="k2", type="string"), NOTHING, got(["string", "x"])),
        (DRAIN, drained(view(0)), drained()),
    ]
    assert allowances(judge([*rows, (OTHERS, drained())], [sent(0)], **RIVALS)) == ["contended"]
    rows = [(do("receive_body", on="k2", type="string"), NOTHING), (DRAIN, drained(view(0)), drained())]
    assert allowances(judge([*rows, (OTHERS, drained())], [sent(0)], **RIVALS)) == []


def test_competing_consumers_are_not_compared_where_a_drain_was_long_before():
    rows = [(DRAIN, drained(view(0)), drained()), (NEXT, NOTHING), (do("receive", on="k2"), NOTHING)]
    assert allowances(judge(rows, [sent(0)], **RIVALS)) == []


def test_what_is_made_of_the_message_of_a_competing_consumer_is_not_compared():
    rows = [(RECEIVE, got(view(0)), got(view(1))), (do("look", on="r1"), {"ok": view(0)}, {"ok": view(1)})]
    assert allowances(judge(rows, [sent(0), sent(1)], **RIVALS)) == []


def test_without_a_drain_a_message_may_wait_for_competing_consumers():
    rows = [(RECEIVE, got(view(0)), NOTHING), (do("receive", on="k2"), NOTHING)]
    assert allowances(judge(rows, [sent(0)], **RIVALS)) == []


def test_an_open_consumer_that_does_not_receive_may_hold_messages():
    rows = [
        (do("consumer", "k1", on="s1", of="q1"), OK),
        (do("consumer", "k2", on="s2", of="q1"), OK),
        (DRAIN, drained(view(0), view(1)), drained(view(0))),
    ]
    assert allowances(judge(rows, [sent(0), sent(1)], **RIVALS)) == []


def rivals(*steps):
    """Two consumers of a queue, and what they do."""
    return [
        (do("queue", "q1"), OK),
        (do("connect", "c1", api="classic"), OK),
        (do("start", on="c1"), OK),
        (do("session", "s1", on="c1"), OK),
        (do("session", "s2", on="c1"), OK),
        (do("producer", "p1", on="s1", to="q1"), OK),
        (do("consumer", "k1", on="s1", of="q1"), OK),
        (do("consumer", "k2", on="s2", of="q1"), OK),
        *steps,
    ]


LOST = (DRAIN, drained(view(0), view(1)), drained(view(0)))
MISSING = ["missing"]


@pytest.mark.parametrize(
    ("steps", "what"),
    [
        ([LOST, (OTHERS, drained())], MISSING),
        ([(OTHERS, drained()), LOST], MISSING),
        ([(do("close", on="k2"), OK), LOST], MISSING),
        ([LOST, (OTHERS, drained()), (do("close", on="k1"), OK)], MISSING),
        ([(do("listen", on="k2"), OK), LOST], MISSING),
        ([LOST], []),
        ([LOST, (do("close", on="k2"), OK)], []),
        ([(do("listen", on="k2"), OK), (do("unlisten", on="k2"), OK), LOST], []),
        ([(do("stop", on="c1"), OK), (do("listen", on="k2"), OK), LOST], []),
        ([(OTHERS, drained()), (do("send", on="p1", message="m1"), OK), LOST], []),
        ([(OTHERS, drained()), (do("advance", units=1), OK), LOST], []),
        ([(OTHERS, drained()), (do("receive", on="k2"), NOTHING), LOST], []),
    ],
)  # fmt: skip
def test_a_message_is_missing_once_no_consumer_can_hold_it(steps, what):
    assert kinds(judge(rivals(*steps), [sent(0), sent(1)], **RIVALS)) == what


def test_a_program_that_the_reference_provider_did_not_finish():
    rows = rivals(LOST, (OTHERS, drained()), (do("send", on="p1", message="m1"), OK))
    expectation = replace(expected(rows, [sent(0), sent(1)], **RIVALS), seen=tuple(row[1] for row in rows[:-1]))
    assert kinds(compare(expectation, Execution([row[-1] for row in rows]))) == ["missing"]


def test_what_expired_before_the_consumers_were_drained_is_not_missing():
    steps = [(RECEIVE, got(view(0)), NOTHING), (do("advance", units=2), OK), (DRAIN, drained()), (OTHERS, drained())]
    assert kinds(judge(rivals(*steps), [sent(0, ttl=1)], **RIVALS)) == []
    assert kinds(judge(rivals(*steps), [sent(0)], **RIVALS)) == ["missing"]
