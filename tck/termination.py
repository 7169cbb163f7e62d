"""SIGTERM, which continuous integration sends at a timeout, ends a command as ^C does; both however it was started.

Imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class Terminated(KeyboardInterrupt):
    """SIGTERM came. It passes wherever a KeyboardInterrupt passes."""


class Termination:
    """Handles SIGTERM: the first raises Terminated, later ones do nothing.

    `timeout` sends two, one to the process and one to its group.
    """

    def __init__(self) -> None:
        self.came = False

    def __call__(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of a handler
        """Handle the signal."""
        if not self.came:
            self.came = True
            raise Terminated("SIGTERM")


@contextlib.contextmanager
def raised_on_sigterm() -> Iterator[Termination]:
    """Raise Terminated in the block where SIGTERM comes; a handler of somebody else stays."""
    handler = Termination()
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, handler)
    try:
        yield handler
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def heed_ignored_signals() -> None:
    """Handle SIGINT and SIGTERM by default where the parent has them ignored; for a process of its own, before it starts others.

    A shell without job control has its background jobs ignore SIGINT (`nohup bash .ci/run &`), and so do their children.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
