"""Forked children of this process: numbers handed out to them, messages back, crashes and deadlines.

A new interpreter takes a second to import and collect. A fork takes milliseconds, and the child has everything in
memory that its parent has loaded. Suite runs share their cases among children, detection runs each saboteur in a
child of its own, and the HTML report writes its pages in several.

A child sends its messages as JSON, one per line, and a last line that says how it ended. If its pipe ends without
that line, it crashed. Tickets are numbers in one pipe that all children read: the next idle child takes the next
number. ^C reaches the children directly, since they belong to the process group of the terminal.

Imports timeouts, and temporary folders, which its children remove; nothing else of ours.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import selectors
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NoReturn, Self

from tck import temporary
from tck.patience import Stopwatch, multiplier

TICKET: Final = 4
"""Bytes of a ticket, few enough for a pipe to read and write them in one piece."""
BLOCK: Final = 1 << 16
"""Bytes read from a child at a time."""
PATIENCE: Final = 5.0
"""Seconds that running children may take to end when the pool is closed; a hung provider would take for ever."""


class End(Enum):
    """How a child ended.

    ``DONE``: its work returned. ``INTERRUPTED``: by SIGINT. ``FAILED``: its work raised, `Child.failure` is the
    traceback. ``TIMED_OUT``: it was killed at its deadline. ``CRASHED``: the process ended without a last line.
    """

    DONE = "done"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"


@dataclass(slots=True, eq=False)
class Child:
    """A child as its parent sees it.

    Attributes:
        pid: Its process id.
        end: How it ended; None while it runs.
        failure: The traceback of what its work raised.
    """

    pid: int
    end: End | None = None
    failure: str = ""


@dataclass(slots=True)
class _Running:
    child: Child
    pipe: int
    seconds: float
    watch: Stopwatch
    timed_out: bool = False
    unread: bytes = b""


def can_fork() -> bool:
    """Return whether this process can be forked: not on Windows, nor with other threads or a Java machine."""
    jpype = sys.modules.get("jpype")
    return hasattr(os, "fork") and threading.active_count() == 1 and not (jpype is not None and jpype.isJVMStarted())


def silence_stderr() -> None:
    """Discard everything that this process writes to stderr from here on."""
    with contextlib.suppress(OSError):  # a stderr without a file, or no null device
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno() if hasattr(sys.stderr, "fileno") else 2)


def _read(pipe: int, *, wait: bool = True) -> int | None:
    """Read a ticket; return None after the last, or, unless it waits, where there is none at this moment."""
    while True:
        if wait:
            select.select([pipe], [], [])
        with contextlib.suppress(BlockingIOError):  # another process was faster
            ticket = os.read(pipe, TICKET)
            return int.from_bytes(ticket) if ticket else None
        if not wait:
            return None


class _Line:
    """Tickets that wait, the first of them in a pipe from which children take them."""

    def __init__(self, tickets: Iterable[int]) -> None:
        self.waiting = deque(tickets)
        self.taking, self.giving = os.pipe()
        os.set_blocking(self.giving, False)
        os.set_blocking(self.taking, False)  # for all that share it: who waits for a ticket may come too late for it

    @property
    def left(self) -> int:
        """The number of tickets that nobody has taken."""
        import fcntl  # noqa: PLC0415 - not on Windows, which cannot fork
        import termios  # noqa: PLC0415 - likewise

        held = int.from_bytes(fcntl.ioctl(self.taking, termios.FIONREAD, bytes(4)), sys.byteorder)
        return len(self.waiting) + held // TICKET

    def give(self, *, more: bool) -> None:
        """Fill the pipe with tickets; close it after the last."""
        if self.giving < 0:
            return
        with contextlib.suppress(BlockingIOError):
            while self.waiting:
                os.write(self.giving, self.waiting[0].to_bytes(TICKET))
                self.waiting.popleft()
        if not self.waiting and not more:
            os.close(self.giving)
            self.giving = -1

    def tickets(self) -> Iterator[int]:
        """Yield tickets to the parent, until there are none."""
        while self.waiting:
            yield self.waiting.popleft()
        self.give(more=False)
        while (ticket := _read(self.taking)) is not None:
            yield ticket


class Channel:
    """The child's end of its connection to the parent: tickets to take, and messages to send."""

    def __init__(self, pipe: int, tickets: int, aside: int) -> None:
        self._pipe = pipe
        self._tickets = tickets
        self._aside = aside

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message of JSON values."""
        self._write({"message": message})

    def tickets(self) -> Iterator[int]:
        """Yield tickets until there are none, and then those of the line aside."""
        for pipe in (self._tickets, self._aside):
            while (ticket := _read(pipe)) is not None:
                yield ticket

    def ticket_at_hand(self, *, aside: bool = False) -> int | None:
        """Return a ticket, or one of the line aside, if there is one at this moment; None even if others may follow."""
        return _read(self._aside if aside else self._tickets, wait=False)

    def end(self, end: End, failure: str = "") -> None:
        """Send the last line."""
        self._write({"end": end.value, "failure": failure})

    def _write(self, row: Mapping[str, object]) -> None:
        view = memoryview(json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n")
        while view:
            view = view[os.write(self._pipe, view) :]


class Pool:
    """Children of this process, and the tickets that they share.

    Closing it withdraws the remaining tickets, waits a while for running children, and kills those that do not end.

    Args:
        tickets: The numbers to hand out.
        aside: A second line of numbers, for which children ask by themselves.
        more: Whether others may be added to the line aside, until `complete` is called.
    """

    def __init__(self, tickets: Iterable[int] = (), aside: Iterable[int] = (), *, more: bool = False) -> None:
        self._line = _Line(tickets)
        self._aside = _Line(aside)
        self._more = more
        self._running: dict[int, _Running] = {}
        self._closed = False
        self._selector = selectors.DefaultSelector()
        gc.freeze()  # children share this memory as long as nothing writes to it
        self._give()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """Count the children that run."""
        return len(self._running)

    @property
    def left(self) -> int:
        """The number of tickets that no child has taken."""
        return self._line.left

    @property
    def left_aside(self) -> int:
        """The number of tickets of the line aside that no child has taken."""
        return self._aside.left

    # -- children ------------------------------------------------------------------------------------------------

    def fork(self, work: Callable[[Channel], object], seconds: float = float("inf")) -> Child:
        """Start a child.

        Args:
            work: What it does.
            seconds: How long it may take, before it is killed.
        """
        reading, writing = os.pipe()
        # Without this, an interrupt between the fork and the child's first `try` would make the child run on as its parent.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            pid = os.fork()
            if not pid:
                self._live(work, Channel(writing, self._line.taking, self._aside.taking), reading, before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writing)
        child = Child(pid)
        self._running[reading] = _Running(child, reading, seconds * multiplier(), Stopwatch(pid))
        self._selector.register(reading, selectors.EVENT_READ)
        return child

    def _live(
        self, work: Callable[[Channel], object], channel: Channel, reading: int, signals: Collection[int]
    ) -> NoReturn:
        """Be a child: do the work, send how it ended, and exit without any clean-up of the parent's."""
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            self._selector.close()
            # A pipe ends for its reader when all writers have closed it, children that only inherited it included.
            for pipe in (reading, *self._running, *(each.giving for each in self._lines if each.giving >= 0)):
                os.close(pipe)
            work(channel)
            channel.end(End.DONE)
        except KeyboardInterrupt:
            with contextlib.suppress(BaseException):
                channel.end(End.INTERRUPTED)
        except BaseException:  # noqa: BLE001 - the parent must hear of it, whatever it is
            with contextlib.suppress(BaseException):
                channel.end(End.FAILED, traceback.format_exc())
        finally:
            try:
                temporary.remove_all()
            finally:
                os._exit(0)

    def wait(self, seconds: float = 1.0) -> Iterator[tuple[Child, Mapping[str, Any] | None]]:
        """Wait for messages; yield each with the child that sent it, and None for a child that has ended.

        Args:
            seconds: How long to wait for the first message.
        """
        for key, _ in self._selector.select(timeout=seconds):
            running = self._running[key.fd]
            yield from self._hear(running)
        self._give()
        for running in self._running.values():
            if not running.timed_out and running.watch.over(running.seconds):
                running.timed_out = True
                os.kill(running.child.pid, signal.SIGKILL)

    def _hear(self, running: _Running) -> Iterator[tuple[Child, Mapping[str, Any] | None]]:
        child = running.child
        block = os.read(running.pipe, BLOCK)
        *whole, running.unread = (running.unread + block).split(b"\n")
        for line in whole:
            row = json.loads(line)
            if "message" in row:
                yield child, row["message"]
            else:
                child.end, child.failure = End(row["end"]), row["failure"]
        if block:
            return
        self._selector.unregister(running.pipe)
        del self._running[running.pipe]
        os.close(running.pipe)
        os.waitpid(child.pid, 0)
        child.end = child.end or (End.TIMED_OUT if running.timed_out else End.CRASHED)
        yield child, None

    # -- tickets -------------------------------------------------------------------------------------------------

    @property
    def _lines(self) -> tuple[_Line, _Line]:
        return self._line, self._aside

    def tickets(self) -> Iterator[int]:
        """Yield tickets to this process too, until there are none."""
        return self._line.tickets()

    def add(self, ticket: int) -> None:
        """Add a ticket to the line aside, behind the others."""
        self._aside.waiting.append(ticket)
        self._give()

    def complete(self) -> None:
        """End the tickets: no others follow."""
        self._more = False
        self._give()

    def withdraw(self) -> None:
        """Withdraw the tickets that no child has taken."""
        self._more = False
        for line in self._lines:
            line.waiting.clear()
            line.give(more=False)
            while _read(line.taking) is not None:
                pass

    def _give(self) -> None:
        self._line.give(more=False)
        self._aside.give(more=self._more)

    def interrupt(self) -> None:
        """Send SIGINT to the children that run, as a terminal does at ^C."""
        for running in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(running.child.pid, signal.SIGINT)

    # -- the end -------------------------------------------------------------------------------------------------

    def close(self, seconds: float = PATIENCE) -> None:
        """End the pool; calling it again has no effect.

        Args:
            seconds: How long children that still run may take to end by themselves.
        """
        if self._closed:
            return
        self._closed = True
        gc.unfreeze()
        self.withdraw()
        until = time.monotonic() + seconds * multiplier()
        while self._running and (left := until - time.monotonic()) > 0:
            for _ in self.wait(left):
                pass
        for running in self._running.values():
            os.kill(running.child.pid, signal.SIGKILL)
            os.waitpid(running.child.pid, 0)
            os.close(running.pipe)
        self._running.clear()
        self._selector.close()
        for line in self._lines:
            os.close(line.taking)
