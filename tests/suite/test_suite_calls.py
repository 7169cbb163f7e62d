"""Calls on threads of their own, and the time that a case lets pass for them, by a clock that knows or does not know what they do."""

import threading

import pytest

from tck import api
from tck.record.rows import Wait
from tck.suite.support.case import Case
from tck.suite.support.harness.threads import Call

LONG = 10_000


class Watched(api.SystemClock):
    """A real clock that gives the answers of a list about its actors, the last one again and again."""

    def __init__(self, *answers):
        super().__init__()
        self._answers = list(answers)

    def blocked(self, _thread):
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


@pytest.fixture
def over():
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.parametrize(
    ("answers", "seen"),
    [((True,), True), ((False, True), True), ((None,), None), ((True, False, True, True, False), False)],
)
def test_only_a_call_that_is_seen_waiting_several_times_waits(over, answers, seen):
    assert Call(Watched(*answers), "call", over.wait, LONG).blocks_within(LONG if seen else 50) is seen


def test_a_call_that_has_returned_need_not_be_watched():
    assert Call(Watched(False), "call", lambda: 1, LONG).blocks_within(LONG)


@pytest.mark.parametrize(("answer", "waits"), [(True, 0), (False, 1), (None, 1)])
def test_a_call_that_is_not_seen_waiting_costs_a_bounded_wait(live_case: Case, monkeypatch, over, answer, waits):
    monkeypatch.setattr(type(live_case.provider), "clock", clock := Watched(answer))
    live_case.until_blocked(Call(clock, "call", over.wait, LONG), "it waits")
    assert [(each.why, each.timed) for each in live_case.marks.waits] == [("it waits", False)] * waits


def test_time_that_a_case_is_about_is_not_counted_as_a_wait_without_proof(live_case: Case, monkeypatch):
    monkeypatch.setattr(type(live_case.provider), "clock", Watched(None))
    live_case.pass_time(1, "the message expires")
    assert [Wait(each.ms, each.why, each.timed) for each in live_case.marks.waits] == [
        Wait(1, "the message expires", timed=True)
    ]
