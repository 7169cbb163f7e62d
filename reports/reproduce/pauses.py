"""Times that passed between two calls because the case waited, such as until a message has expired.

Events hold no waits, only times; results hold the bounded waits of a real clock. A gap that is as long as one of those, or any
gap on a virtual clock, which moves for waits alone, is a pause of the program.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from tck.reports.reproduce.recorded import Recorded
from tck.reports.reproduce.slicing import Slice

_SHORTEST: Final = 20
"""Milliseconds on a virtual clock below which a gap is none."""
_NEARLY: Final = 0.9
"""The part of a wait that a gap must have at least: clocks differ."""


def pauses(recorded: Recorded, part: Slice, waits: Collection[float], *, virtual: bool) -> Mapping[int, int]:
    """Return the pause before a call, in milliseconds, by the number of the call.

    Args:
        recorded: All calls.
        part: The calls that the program makes.
        waits: The waits of the case, in milliseconds.
        virtual: Whether the clock of the run was virtual.
    """
    if not (waits or virtual):
        return {}
    shortest = _SHORTEST if virtual else _NEARLY * min(waits)
    kept = {each.begin for each in part.calls}
    ended: dict[str, int] = {}
    passed: dict[str, int] = {}
    found: dict[int, int] = {}
    for call in recorded.calls:
        gap = call.began_ms - ended.get(call.thread, call.began_ms)
        if gap >= shortest:
            passed[call.thread] = passed.get(call.thread, 0) + gap
        if call.begin in kept and passed.get(call.thread):
            found[call.begin] = passed.pop(call.thread)
        ended[call.thread] = call.ended_ms
    return found
