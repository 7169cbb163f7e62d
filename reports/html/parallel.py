"""Write pages in several processes: forked children share the run in memory.

If the process cannot be forked, or the pages are few, they are written one after the other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from tck.processes import Channel, End, Pool, can_fork

Item = TypeVar("Item")

WORTH_IT = 100
"""The fewest items for which a second process saves time."""
MOST = 4
BATCHES = 64
"""The number of batches: enough that no process waits long for the last one."""


def each(items: Sequence[Item], work: Callable[[Item], None]) -> None:
    """Call `work` with every item, in some order, in this process or in children of it.

    Args:
        items: What there is to do.
        work: Does it for one item.

    Raises:
        RuntimeError: A child failed; its traceback is in the message.
    """
    processes = _processes(len(items))
    if processes < 2:
        for item in items:
            work(item)
        return
    count = min(BATCHES, len(items))

    def do(first: int, tickets: Iterator[int]) -> None:
        for item in _batches(items, count, first, tickets):
            work(item)

    def live(first: int, channel: Channel) -> None:
        do(first, channel.tickets())

    with Pool(range(processes, count)) as pool:
        for first in range(1, processes):
            pool.fork(partial(live, first))
        do(0, pool.tickets())
        while pool:
            _check(pool)


def _check(pool: Pool) -> None:
    for child, message in pool.wait():
        if message is None and child.end is not End.DONE:
            raise RuntimeError(child.failure or "a process that wrote pages ended before it was done")


def _batches(items: Sequence[Item], count: int, first: int, tickets: Iterable[int]) -> Iterator[Item]:
    """Yield the items of one batch of `count`, then those of every batch that no process has taken yet."""
    yield from items[first::count]
    for ticket in tickets:
        yield from items[ticket::count]


def _processes(items: int) -> int:
    return min(MOST, os.cpu_count() or 1) if items >= WORTH_IT and can_fork() else 1
