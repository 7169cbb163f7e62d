"""Times that must pass between calls: found for a case that waited, and for no other."""

from tck.reports.reproduce.pauses import pauses
from tck.reports.reproduce.recorded import read_calls
from tck.reports.reproduce.slicing import Slice, whole


def calls(*times):
    """Give calls of one thread that take no time, at these milliseconds."""
    events = []
    for number, at in enumerate(times):
        base = {
            "t_ns": at * 1_000_000, "thread": "main", "actor": "suite", "on": "session-1", "op": "Session.commit",
            "args": {}, "value": None,
        }  # fmt: skip
        events += [
            {**base, "seq": 2 * number + 1, "phase": "invoke", "call": None},
            {**base, "seq": 2 * number + 2, "phase": "ok", "call": 2 * number + 1},
        ]
    return read_calls(events)


def test_a_gap_without_a_wait_is_none():
    recorded = calls(0, 900)
    assert pauses(recorded, whole(recorded, 99), [], virtual=False) == {}


def test_a_gap_as_long_as_the_wait_is_a_pause():
    recorded = calls(0, 40, 200)
    assert pauses(recorded, whole(recorded, 99), [150.0], virtual=False) == {5: 160}


def test_on_a_virtual_clock_each_gap_is_a_pause():
    recorded = calls(0, 40, 200)
    assert pauses(recorded, whole(recorded, 99), [], virtual=True) == {3: 40, 5: 160}


def test_a_pause_before_a_call_that_is_left_out_comes_before_the_next():
    recorded = calls(0, 200, 210)
    part = Slice((recorded.calls[0], recorded.calls[2]), ())
    assert pauses(recorded, part, [150.0], virtual=False) == {5: 200}
