"""Write many pages at once: forked children share the run in memory, each writes as many as it has time for.

Where forking is impossible or unwise (no fork on the platform, other threads, a Java machine in the process) or not
worth it, the pages are written one after the other.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

WORTH_IT = 100
"""From how many items on a second process saves time."""
MOST = 4
BATCHES = 64
"""In how many parts the items are handed out: few enough for a pipe, enough that nobody waits long for the last."""


def each(items: Sequence[Item], work: Callable[[Item], None], left: Callable[[], str] = str) -> list[str]:
    """Call `work` with every item, in some order, in this process or in children of it.

    Args:
        items: what there is to do.
        work: does it for one item.
        left: called in each process after its last item; tells what the work has left behind there.

    Returns:
        What `left` told, one text for each process.

    Raises:
        RuntimeError: a child failed; its traceback is in the message.
    """
    children = _children(len(items))
    if children < 2:
        for item in items:
            work(item)
        return [left()]
    count = min(BATCHES, len(items))
    tickets = _tickets(range(children, count))
    running = [_fork(_batches(items, count, first, tickets), work, left) for first in range(1, children)]
    told: list[tuple[bool, str]] = []
    try:
        for item in _batches(items, count, 0, tickets):
            work(item)
    finally:
        told = list(map(_join, running))
        os.close(tickets)
    failures = [text for good, text in told if not good]
    if failures:
        raise RuntimeError(failures[0])
    return [left(), *(text for _, text in told)]


def _tickets(numbers: Iterable[int]) -> int:
    """Give a pipe that holds a byte for each number, and nothing behind the last."""
    reading, writing = os.pipe()
    os.write(writing, bytes(numbers))
    os.close(writing)
    return reading


def _batches(items: Sequence[Item], count: int, first: int, tickets: int) -> Iterator[Item]:
    """Give the items of one batch of `count`, then those of every batch that nobody has taken yet."""
    yield from items[first::count]
    while ticket := os.read(tickets, 1):
        yield from items[ticket[0] :: count]


def _children(items: int) -> int:
    unwise = not hasattr(os, "fork") or threading.active_count() > 1 or "jpype" in sys.modules
    return 1 if unwise or items < WORTH_IT else min(MOST, os.cpu_count() or 1)


def _fork(items: Iterable[Item], work: Callable[[Item], None], left: Callable[[], str]) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    try:
        for item in items:
            work(item)
        _write(writing, left())
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the parent raises it again
        _write(writing, traceback.format_exc())
    finally:
        os._exit(1)


def _write(pipe: int, text: str) -> None:
    view = memoryview(text.encode("utf-8", "replace"))
    while view:
        view = view[os.write(pipe, view) :]


def _join(running: tuple[int, int]) -> tuple[bool, str]:
    """Wait for a child; returns whether it came to its end, and what it told or the traceback."""
    child, reading = running
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return status == 0, text or f"a process that wrote pages ended with status {status}" * (status != 0)
