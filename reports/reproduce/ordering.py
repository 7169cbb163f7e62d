"""The order of calls on several threads: which steps wait for which others, so that threads meet as they did.

A step is a call, its beginning or end, or a delivery's. A program decides when its own calls begin and when its listeners
return; each of these waits for the last step before it on every other thread, unless an earlier wait covers that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tck.reports.reproduce.slicing import Slice


@dataclass(slots=True)
class Order:
    """The waits of a program.

    Attributes:
        before: The steps that a step waits for, by the number of the waiting one.
        awaited: The steps that another one waits for.
        threads: The client's threads in the order of their first calls; the first is the main one.
        last: The last step of each other thread, which the end of the program waits for.
    """

    before: Mapping[int, tuple[int, ...]]
    awaited: frozenset[int]
    threads: tuple[str, ...]
    last: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    number: int
    thread: str
    chosen: bool
    """Whether the program decides when it happens."""


@dataclass(slots=True)
class _Seen:
    last: dict[str, int] = field(default_factory=dict)
    met: dict[str, dict[str, int]] = field(default_factory=dict)


def order_of(part: Slice, within: Mapping[int, object]) -> Order:
    """Return the waits that keep the recorded order of a slice; `within` are the calls made by listeners."""
    steps = [_Step(call.begin, call.thread, chosen=True) for call in part.calls]
    steps += [_Step(call.end, call.thread, chosen=False) for call in part.calls if call.end is not None]
    for each in part.deliveries:
        steps.append(_Step(each.begin, each.thread, chosen=False))
        if each.end is not None:
            steps.append(_Step(each.end, each.thread, chosen=True))
    steps.sort(key=lambda step: step.number)
    seen = _Seen()
    before: dict[int, tuple[int, ...]] = {}
    for step in steps:
        if step.chosen:
            mine = seen.met.setdefault(step.thread, {})
            others = {thread: at for thread, at in seen.last.items() if thread != step.thread}
            fresh = tuple(sorted(at for thread, at in others.items() if mine.get(thread, 0) < at))
            if fresh:
                before[step.number] = fresh
                mine.update(others)
        seen.last[step.thread] = step.number
    clients = tuple(dict.fromkeys(call.thread for call in part.calls if call.begin not in within))
    ends = tuple(sorted(at for thread, at in seen.last.items() if thread != (clients[0] if clients else "")))
    awaited = frozenset(at for each in before.values() for at in each) | frozenset(ends)
    return Order(before, awaited, clients, ends)
