"""The order of threads: each step that a program chooses waits for the last one before it on every other thread."""

from tck.reports.reproduce.ordering import order_of
from tck.reports.reproduce.recorded import read_calls
from tck.reports.reproduce.slicing import whole


def event(seq, thread, phase, call=None):
    return {
        "seq": seq, "t_ns": 1_000_000_000_000_000_000 + seq, "thread": thread, "actor": "suite", "on": "session-1",
        "op": "Session.commit", "phase": phase, "call": call, "args": {}, "value": None,
    }  # fmt: skip


def order(*events):
    recorded = read_calls([event(*each) for each in events])
    return order_of(whole(recorded, 99), recorded.within)


def test_calls_of_one_thread_need_no_wait():
    found = order((1, "main", "invoke"), (2, "main", "ok", 1), (3, "main", "invoke"), (4, "main", "ok", 3))
    assert (dict(found.before), found.awaited, found.threads, found.last) == ({}, frozenset(), ("main",), ())


def test_a_call_waits_for_the_end_of_one_on_another_thread():
    found = order((1, "main", "invoke"), (2, "main", "ok", 1), (3, "other", "invoke"), (4, "other", "ok", 3))
    assert dict(found.before) == {3: (2,)}
    assert found.last == (4,)


def test_a_call_that_begins_during_another_waits_for_its_beginning_only():
    found = order((1, "main", "invoke"), (2, "other", "invoke"), (3, "other", "ok", 2), (4, "main", "ok", 1))
    assert dict(found.before) == {2: (1,)}


def test_what_a_thread_has_waited_for_is_not_waited_for_again():
    found = order(
        (1, "main", "invoke"),
        (2, "main", "ok", 1),
        (3, "other", "invoke"),
        (4, "other", "ok", 3),
        (5, "other", "invoke"),
        (6, "other", "ok", 5),
    )
    assert dict(found.before) == {3: (2,)}
