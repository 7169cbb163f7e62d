"""Write many pages at once: forked children share the run in memory, each writes its part.

Where forking is impossible or unwise (no fork on the platform, other threads, a Java machine in the process) or not
worth it, the pages are written one after the other.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

WORTH_IT = 100
"""From how many items on a second process saves time."""
MOST = 4


def each(items: Sequence[Item], work: Callable[[Item], None]) -> None:
    """Call `work` with every item, in some order, in this process or in children of it.

    Raises:
        RuntimeError: a child failed; its traceback is in the message.
    """
    children = _children(len(items))
    if children < 2:
        for item in items:
            work(item)
        return
    running = [_fork(items[start::children], work) for start in range(1, children)]
    failures: list[str] = []
    try:
        for item in items[::children]:
            work(item)
    finally:
        failures = [text for text in map(_join, running) if text]
    if failures:
        raise RuntimeError(failures[0])


def _children(items: int) -> int:
    unwise = not hasattr(os, "fork") or threading.active_count() > 1 or "jpype" in sys.modules
    return 1 if unwise or items < WORTH_IT else min(MOST, os.cpu_count() or 1)


def _fork(items: Sequence[Item], work: Callable[[Item], None]) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    try:
        for item in items:
            work(item)
    except BaseException:  # noqa: BLE001 - the parent raises it again
        os.write(writing, traceback.format_exc().encode()[-60_000:])
    finally:
        os._exit(0)


def _join(running: tuple[int, int]) -> str:
    """Wait for a child; returns the traceback it left, or nothing."""
    child, reading = running
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return text or ("" if status == 0 else f"a process that wrote pages ended with status {status}")
