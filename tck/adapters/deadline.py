"""Calls of an adapter under a deadline: each on a thread of its own, and one that hangs is named. Imports nothing of ours."""

from __future__ import annotations

import contextlib
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import Final, Generic, TypeVar

T = TypeVar("T")
_LIBRARY: Final = sysconfig.get_path("stdlib")


class Hung(Exception):  # noqa: N818 - a state, which is no fault of the caller
    """Report a call that did not return in time; the message names it. Its thread is abandoned."""


class _Call(Generic[T]):
    """A call and its end."""

    def __init__(self, call: Callable[[], T], inside: Callable[[], AbstractContextManager[object]]) -> None:
        self._call = call
        self._inside = inside
        self.returned: list[T] = []
        self.raised: BaseException | None = None

    def run(self) -> None:
        """Make the call."""
        try:
            with self._inside():
                self.returned.append(self._call())
        except BaseException as error:  # noqa: BLE001 - the caller gets it
            self.raised = error


def in_time(
    call: Callable[[], T],
    seconds: float,
    *,
    waiting: Callable[[str], None] | None = None,
    every: float = 9.0,
    inside: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
) -> T:
    """Make a call on a thread of its own; return what it returns, raise what it raises.

    Args:
        call: The call.
        seconds: Its deadline.
        waiting: Called again and again, with the name of the inner call, while it lasts.
        every: Seconds between two of these.
        inside: Makes the context that the thread runs it in.

    Raises:
        Hung: It did not return in time.
    """
    made = _Call(call, inside)
    thread = threading.Thread(target=made.run, name="tck-deadline", daemon=True)
    thread.start()
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        thread.join(min(every, left))
        if not thread.is_alive():
            break
        if waiting is not None and until - time.monotonic() > 0:
            waiting(call_of(thread))
    if thread.is_alive():
        raise Hung(f"no return within {seconds:g} seconds, in {call_of(thread)}")
    if made.raised is not None:
        raise made.raised
    return made.returned[0]


def call_of(thread: threading.Thread) -> str:
    """Return the call that a thread is in: its innermost frame outside of Python's own library."""
    frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - public by its documentation
    while frame is not None and is_library(frame):
        frame = frame.f_back
    return shown(frame) if frame is not None else "no call that is known"


def is_library(frame: FrameType) -> bool:
    """Return whether a frame is of Python's own library."""
    file = frame.f_code.co_filename
    return file.startswith("<") or (file.startswith(_LIBRARY) and "-packages" not in file)


def shown(frame: FrameType) -> str:
    """Return the function of a frame, with its place."""
    return f"{frame.f_code.co_qualname} ({Path(frame.f_code.co_filename).name}:{frame.f_lineno})"
