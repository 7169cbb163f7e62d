"""^C ends a run also where foreign code swallows the KeyboardInterrupt: a finalizer, a callback out of C.

Python raises KeyboardInterrupt wherever the main thread happens to be. Where exceptions are ignored there, the user
would wait for the whole run; so the signal is remembered, and checked between cases.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from tck.record import keep_exit_code


class Interrupts:
    """Remembers a SIGINT, from construction until `restore`."""

    def __init__(self) -> None:
        self._came = False
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if before is signal.default_int_handler:  # another handler belongs to the user, or to another tool
                self._before = before
                signal.signal(signal.SIGINT, self._note)

    def check(self) -> None:
        """Raise an interrupt that was swallowed.

        Raises:
            KeyboardInterrupt: SIGINT came.
        """
        if self._came:
            raise KeyboardInterrupt

    def restore(self) -> None:
        """Restore the previous signal handler."""
        keep_exit_code()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _note(self, signum: int, frame: FrameType | None) -> None:
        self._came = True
        signal.default_int_handler(signum, frame)
