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
        told = run(reference, *steps)
        assert told.unclear is None
        return [each.get("ok", each) for each in told.seen[-len(steps) :]]

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
