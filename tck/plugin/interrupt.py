"""^C ends a run also where foreign code swallows the KeyboardInterrupt: a finalizer, a callback out of C.

Python raises KeyboardInterrupt wherever the main thread happens to be. Where that is a place whose exceptions are
ignored the user would wait for the whole run; so the signal is kept, and asked for again between cases.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from tck.record import keep_exit_code


class Interrupts:
    """Keeps that SIGINT came, from its making until `restore`."""

    def __init__(self) -> None:
        self._came = False
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if before is signal.default_int_handler:  # another handler is the user's own, or another tool's
                self._before = before
                signal.signal(signal.SIGINT, self._note)

    def check(self) -> None:
        """Raise the interrupt that came and was swallowed.

        Raises:
            KeyboardInterrupt: SIGINT came.
        """
        if self._came:
            raise KeyboardInterrupt

    def restore(self) -> None:
        """Give the signal back."""
        keep_exit_code()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _note(self, signum: int, frame: FrameType | None) -> None:
        self._came = True
        signal.default_int_handler(signum, frame)
