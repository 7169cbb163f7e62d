"""Comparison: redelivery, and what a failure may lose or bring again."""

import pytest
from programs_support import (
    NOTHING,
    OK,
    again,
    allowances,
    browsed,
    delivering,
    do,
    drained,
    end,
    got,
    judge,
    kinds,
    raises,
    sent,
    view,
)

RECEIVE = do("receive", "r1", on="k1")
DRAIN = do("drain", on="k1")
BROWSE = do("browse", on="b1")
START = (do("start", on="c1"), OK)
RECOVER = (do("recover", on="s1"), OK)
ROLLBACK = (do("rollback", on="s1"), OK)
RESTART, KILL, SEVER = (do("restart"), OK), (do("kill"), OK), (do("sever", on="c1"), OK)


# -- flags and counts of redelivery ------------------------------------------------------------------------------------


@pytest.mark.parametrize("taken_back", [RECOVER, ROLLBACK, (do("close", on="k1"), OK)])
def test_a_message_that_was_taken_back_unseen_may_be_flagged(taken_back):
    rows = [taken_back, (RECEIVE, got(view()), got(again(0)))]
    assert allowances(judge(rows, [sent(0)])) == ["flagged", "flagged"]


@pytest.mark.parametrize("failure", [RESTART, KILL, SEVER])
def test_a_message_that_a_failure_took_back_unseen_may_be_flagged(failure):
    rows = [failure, (RECEIVE, got(view()), got(again(0)))]
    assert allowances(judge(rows, [sent(0)])) == ["flagged", "count"]


@pytest.mark.parametrize("other", [START, (do("commit", on="s1"), OK), (do("acknowledge", on="m1"), OK)])
def test_a_message_that_was_not_taken_back_may_not_be_flagged(other):
    rows = [other, (RECEIVE, got(view()), got(again(0)))]
    assert kinds(judge(rows, [sent(0)])) == ["header JMSRedelivered", "property JMSXDeliveryCount"]


@pytest.mark.parametrize("taken_back", [RECOVER, ROLLBACK, RESTART, KILL, SEVER])
def test_the_flag_of_a_redelivered_message_is_needed(taken_back):
    rows = [(RECEIVE, got(view())), taken_back, (RECEIVE, got(again(0)), got(view(count=2)))]
    assert kinds(judge(rows, [sent(0)])) == ["header JMSRedelivered"]


@pytest.mark.parametrize("failure", [RESTART, KILL, SEVER])
def test_a_message_that_nobody_was_shown_before_a_failure_need_not_be_flagged(failure):
    rows = [failure, (RECEIVE, got(again(0)), got(view()))]
    assert allowances(judge(rows, [sent(0)])) == ["again", "again"]


def test_a_count_that_no_row_owns_may_differ_above_one():
    higher = (RECEIVE, got(again(0)), got(again(0, count=3)))
    assert allowances(judge([ROLLBACK, ROLLBACK, higher], [sent(0)])) == ["flagged"]
    assert allowances(judge([ROLLBACK, higher], [sent(0)])) == ["count"]
    for count, differing in ((2, []), (1, ["property JMSXDeliveryCount"])):
        lower = (RECEIVE, got(again(0, count=3)), got(again(0, count=count)))
        assert kinds(judge([ROLLBACK, lower], [sent(0)])) == differing


@pytest.mark.parametrize("failure", [RESTART, KILL, SEVER])
def test_a_failure_may_forget_the_count_and_not_the_property(failure):
    before = [(RECEIVE, got(view())), failure]
    rows = [*before, (RECEIVE, got(again(0, count=3)), got(again(0, count=2)))]
    assert allowances(judge(rows, [sent(0)])) == ["count"]
    without = {**again(0), "properties": {}}
    found = judge([*before, (RECEIVE, got(again(0)), got(without))], [sent(0)])
    assert kinds(found) == ["property JMSXDeliveryCount"]


def test_a_browser_does_not_count_deliveries():
    rows = [(BROWSE, browsed(view()), browsed(again(0)))]
    assert set(allowances(judge(rows, [sent(0)]))) == {"again"}
    rows = [(BROWSE, browsed(view()), browsed(view(headers={"JMSPriority": 9})))]
    assert kinds(judge(rows, [sent(0)])) == ["header JMSPriority"]


# -- failures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("failure", [RESTART, KILL])
@pytest.mark.parametrize("step", [RECEIVE, DRAIN])
def test_a_failure_of_the_provider_may_lose_what_is_not_persistent(failure, step):
    ours, theirs = (got(view()), NOTHING) if step is RECEIVE else (drained(view()), drained())
    rows = [failure, (step, ours, theirs)]
    assert allowances(judge(rows, [sent(0, mode=1)])) == ["lost"]
    assert kinds(judge(rows, [sent(0, mode=2)])) == ["missing"]


@pytest.mark.parametrize("other", [START, RECOVER, ROLLBACK, SEVER])
def test_only_a_failure_of_the_provider_may_lose_messages(other):
    rows = [other, (DRAIN, drained(view()), drained())]
    assert kinds(judge(rows, [sent(0, mode=1)])) == ["missing"]


def test_what_is_lost_before_the_failure_is_missing():
    rows = [(DRAIN, drained(view()), drained()), RESTART]
    assert kinds(judge(rows, [sent(0, mode=1)])) == ["missing"]


@pytest.mark.parametrize("failure", [RESTART, KILL, SEVER])
def test_after_a_failure_a_message_may_be_redelivered_if_it_says_so(failure):
    rows = [failure, (DRAIN, drained(), drained(again(0)))]
    assert allowances(judge(rows, [sent(0)])) == ["repeated"]
    assert kinds(judge([failure, (DRAIN, drained(), drained(view(0)))], [sent(0)])) == ["extra"]


@pytest.mark.parametrize("other", [START, RECOVER, ROLLBACK])
def test_without_a_failure_no_message_is_redelivered(other):
    assert kinds(judge([other, (DRAIN, drained(), drained(again(0)))], [sent(0)])) == ["extra"]


def test_a_failure_need_not_lose_what_is_not_persistent():
    rows = [KILL, (DRAIN, drained(), drained(view(0)))]
    assert allowances(judge(rows, [sent(0, mode=1)])) == ["lost"]


def test_after_a_failure_a_message_of_no_known_send_may_come():
    rows = [KILL, (DRAIN, drained(), drained(view(None)))]
    assert allowances(judge(rows)) == ["lost"]


def test_a_flag_that_cannot_be_read_does_not_say_that_a_message_is_redelivered():
    unread = view(headers={"JMSRedelivered": {"raises": "JMSException"}})
    assert kinds(judge([KILL, (DRAIN, drained(), drained(unread))], [sent(0)])) == ["extra"]


CLIENT = [(do("queue", "q1"), OK), (do("connect", "c1", api="classic"), OK)]
ACKNOWLEDGE, COMMIT = do("acknowledge", on="r1"), do("commit", on="s1")


def received(mode, *steps, last=None, version="3.1"):
    """A message was received in a session of the mode; after other steps it comes to another consumer once more."""
    made = [(do("session", "s1", on="c1", mode=mode), OK), (do("consumer", "k1", on="s1", of="q1"), OK)]
    rows = [*CLIENT, *made, (RECEIVE, got(view())), *steps]
    return judge(
        [*rows, (do("drain", on="k2"), drained(), drained(last or again(0)))], [sent(0)], k2=end(), version=version
    )


@pytest.mark.parametrize("failure", [RESTART, KILL, SEVER])
@pytest.mark.parametrize(("mode", "settles"), [("transacted", COMMIT), ("client", ACKNOWLEDGE)])
def test_after_a_failure_a_message_that_was_settled_is_not_redelivered(mode, settles, failure):
    assert kinds(received(mode, (settles, OK), failure)) == ["extra"]


@pytest.mark.parametrize(
    ("mode", "steps"),
    [
        ("transacted", [RESTART]),
        ("client", [SEVER]),
        ("auto", [KILL]),
        ("transacted", [ROLLBACK, (COMMIT, OK), RESTART]),
        ("client", [RECOVER, (ACKNOWLEDGE, OK), RESTART]),
        ("dups_ok", [(ACKNOWLEDGE, OK), RESTART]),
    ],
)
def test_after_a_failure_a_message_that_was_not_settled_for_certain_may_be_redelivered(mode, steps):
    assert allowances(received(mode, *steps)) == ["repeated"]


@pytest.mark.parametrize("failure", [RESTART, KILL, SEVER])
def test_after_a_failure_a_message_that_is_redelivered_says_so(failure):
    assert kinds(received("dups_ok", failure, last=view(0))) == ["header JMSRedelivered"]


CLOSE = (do("close", on="k1"), OK)


def test_before_2_0_what_a_closed_consumer_had_not_acknowledged_may_be_redelivered():
    assert allowances(received("client", CLOSE, version="1.1")) == ["in hand"]


@pytest.mark.parametrize(
    ("mode", "version", "steps"),
    [
        ("client", "2.0", [CLOSE]),
        ("client", "1.1", []),
        ("client", "1.1", [(ACKNOWLEDGE, OK), CLOSE]),
        ("auto", "1.1", [CLOSE]),
    ],
)
def test_what_else_a_consumer_has_received_may_not_be_redelivered_when_it_is_closed(mode, version, steps):
    assert kinds(received(mode, *steps, version=version)) == ["extra"]


def test_a_commit_that_only_the_reference_provider_made_settles_nothing():
    assert kinds(received("transacted", (COMMIT, OK, raises("JMSException")), RESTART)) == ["refused"]


# -- failures and listeners --------------------------------------------------------------------------------------------

EARLIER, LATER = do("listen", on="k1"), do("queue", "q3")


def test_a_failure_loses_nothing_that_a_listener_had_to_receive_before():
    rows = [(EARLIER, delivering(OK, k1=[view(0)]), OK), RESTART, (LATER, delivering(OK, k1=[view(1)]))]
    assert kinds(judge(rows, [sent(0, mode=1), sent(1, mode=1)])) == ["missing"]
    rows = [(EARLIER, OK), RESTART, (LATER, delivering(OK, k1=[view(0), view(1)]), delivering(OK, k1=[view(1)]))]
    assert allowances(judge(rows, [sent(0, mode=1), sent(1, mode=1)])) == ["lost"]


def test_a_failure_excuses_no_second_delivery_to_a_listener_before_it():
    twice = delivering(OK, k1=[view(0), again(0)])
    rows = [(EARLIER, delivering(OK, k1=[view(0)]), twice), RESTART, (LATER, delivering(OK, k1=[view(1)]))]
    assert kinds(judge(rows, [sent(0), sent(1)])) == ["extra"]


def test_a_failure_after_the_last_expected_delivery_may_bring_it_again():
    rows = [(EARLIER, delivering(OK, k1=[view(0)])), SEVER, (LATER, OK, delivering(OK, k1=[again(0)]))]
    assert allowances(judge(rows, [sent(0)])) == ["repeated"]
