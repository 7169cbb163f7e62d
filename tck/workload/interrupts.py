"""^C while a workload runs: the first stops the work, the second leaves at once. Imports nothing of ours."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def patient_interrupt(show: Callable[[str], None]) -> Iterator[Callable[[], None]]:
    """Let the first ^C end the work in good order, which takes seconds, and the second end the process.

    Yields what to call when the work is over: a first ^C after that changes nothing.

    Args:
        show: Shows a line to the user.
    """
    before = signal.getsignal(signal.SIGINT)
    over = threading.Event()

    def first(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        doing = "judging the trace" if over.is_set() else "stopping"
        show(f"\ntck: {doing}; ^C once more to leave at once")
        if not over.is_set():
            raise KeyboardInterrupt

    try:
        signal.signal(signal.SIGINT, first)
    except ValueError:  # not the main thread
        yield over.set
        return
    try:
        yield over.set
    finally:
        signal.signal(signal.SIGINT, before)
