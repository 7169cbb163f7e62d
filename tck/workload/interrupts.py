"""^C and SIGTERM while a workload runs: the first ends the work in good order, a second ^C leaves at once.

An exception that is raised wherever the main thread happens to be may leave a lock held that the actors need for a good
order, or be swallowed by a finalizer. So a signal is only remembered while the work asks for it ten times a second.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

from tck.termination import Terminated, Termination


class LeftAtOnce(KeyboardInterrupt):
    """A second ^C came. It passes wherever a KeyboardInterrupt passes, and ends no work in good order."""


class Interrupts:
    """The signals that came during a workload.

    Args:
        show: Shows a line to the user.
    """

    def __init__(self, show: Callable[[str], None] = lambda _: None) -> None:
        self.left = False
        """Whether a second ^C came."""
        self._show = show
        self._line = ""
        self._interrupted = False
        self._terminated = False
        self._asked = False
        self._heeded = False
        self._over = False

    def will_ask(self) -> None:
        """From here on `check` is called ten times a second: a first signal need not be raised where it comes."""
        self._asked = True

    def heed(self) -> None:
        """The work ends because of the first signal, which `check` raises no more."""
        self._heeded = True

    def over(self) -> None:
        """The work is over: a first ^C from here on changes nothing.

        Raises:
            KeyboardInterrupt: The first signal came before.
        """
        self.check()
        self._over = True

    def check(self) -> None:
        """Raise what came.

        Raises:
            LeftAtOnce: A second ^C.
            Terminated: SIGTERM, unless the work ends because of it, or is over.
            KeyboardInterrupt: A first ^C, likewise.
        """
        if self.left:
            raise LeftAtOnce
        self._say()
        if self._heeded or self._over:
            return
        if self._terminated:
            raise Terminated("SIGTERM")
        if self._interrupted:
            raise KeyboardInterrupt

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGINT."""
        if self._interrupted:
            self.left = True
            raise LeftAtOnce
        self._interrupted = True
        # The second may come while this is shown: then it is raised here, in place of the first.
        self._line = f"\ntck: {'judging the trace' if self._over else 'stopping'}; ^C once more to leave at once"
        self._say()
        if not (self._asked or self._over):
            raise KeyboardInterrupt

    def terminate(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGTERM; `timeout` sends two, of which the second changes nothing."""
        if self._terminated:
            return
        self._terminated = True
        if not self._asked or self._heeded or self._over:
            raise Terminated("SIGTERM")

    def _say(self) -> None:
        """Show the line that is due; next time, if the signal came while another line was being written."""
        line, self._line = self._line, ""
        if line:
            try:
                self._show(line)
            except RuntimeError:  # reentrant call of a stream
                self._line = line


@contextlib.contextmanager
def patient_interrupt(show: Callable[[str], None]) -> Iterator[Interrupts]:
    """Let the first ^C and SIGTERM end the work in good order, which takes seconds, and a second ^C end the process.

    Args:
        show: Shows a line to the user.

    Raises:
        LeftAtOnce: A second ^C came.
    """
    interrupts = Interrupts(show)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    termination = before[signal.SIGTERM]

    def terminate(number: int, frame: FrameType | None) -> None:
        if isinstance(termination, Termination):
            termination.came = True
        interrupts.terminate(number, frame)

    try:
        signal.signal(signal.SIGINT, interrupts.interrupt)
        if isinstance(termination, Termination):  # not a handler of somebody else
            signal.signal(signal.SIGTERM, terminate)
    except ValueError:  # not the main thread
        yield interrupts
        return
    try:
        yield interrupts
    except Exception as error:
        if interrupts.left:  # it came in a wait for a lock, say, whose release failed then
            raise LeftAtOnce from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
