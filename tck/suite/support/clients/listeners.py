"""Message listeners of the tests."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tck import api
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body


class Listener(api.MessageListener):
    """A listener that calls a function with each message and its ordinal (from 1)."""

    def __init__(self, receive: Callable[[api.Message, int], None]) -> None:
        self._receive = receive
        self.calls = 0

    def on_message(self, message: api.Message) -> None:
        """Count the call and pass the message on."""
        self.calls += 1
        self._receive(message, self.calls)


class CollectingListener(api.MessageListener):
    """A listener that keeps the bodies it is given, in order."""

    def __init__(self, case: RunningCase) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._bodies: list[object] = []
        self._wanted = 0
        self._complete = case.provider.clock.event()

    def on_message(self, message: api.Message) -> None:
        """Keep the body."""
        with self._lock:
            self._bodies.append(body(message))
            complete = len(self._bodies) == self._wanted
        if complete:
            self._complete.set()

    @property
    def bodies(self) -> list[object]:
        """The bodies so far."""
        with self._lock:
            return list(self._bodies)

    def after(self, count: int) -> list[object]:
        """Wait for `count` messages in all, while each comes within the profile's deadline; return all bodies so far."""
        seen = -1
        while True:
            with self._lock:
                if not seen < len(self._bodies) < count:
                    return list(self._bodies)
                seen, self._wanted = len(self._bodies), count
                self._complete = self._case.provider.clock.event()
            self._complete.wait(self._case.timing.deadline)


class BlockingListener(api.MessageListener):
    """A listener that blocks in its first call until it is released."""

    def __init__(self, case: RunningCase) -> None:
        self._case = case
        self._entered = case.provider.clock.event()
        self._released = case.provider.clock.event()

    def on_message(self, message: api.Message) -> None:
        """Block until released, for a bounded time."""
        del message
        self._entered.set()
        self._released.wait(600_000 if self._case.provider.clock.virtual else 4 * self._case.timing.deadline)

    def entered(self) -> bool:
        """Wait until the listener has been called, at most until the profile's deadline; return whether it has."""
        return self._entered.wait(self._case.timing.deadline)

    def occupied(self) -> None:
        """Wait until the listener has been called.

        Raises:
            Undecided: it has not, within the profile's deadline.
        """
        if not self.entered():
            raise Undecided("the listener was never called")
        self._case.witness("a listener was called, and stays in the call")

    def release(self) -> None:
        """Let this call and all later ones return."""
        self._released.set()


class ConcurrencyCounter:
    """A counter of the listener calls that run at the same time; each call takes a while."""

    def __init__(self, case: RunningCase) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards the counts; no other lock is taken under it
        self._inside = 0
        self.most = 0

    def listener(self, gathering: CollectingListener) -> api.MessageListener:
        """Create a listener that counts its calls here and then passes the message on."""
        return _CountingListener(self, gathering)

    def enter(self) -> None:
        """Count the begin of a call, and let some time pass."""
        with self._lock:
            self._inside += 1
            self.most = max(self.most, self._inside)
        self._case.provider.clock.event().wait(self._case.timing.quiet)

    def leave(self) -> None:
        """Count the end of a call."""
        with self._lock:
            self._inside -= 1


class _CountingListener(api.MessageListener):
    def __init__(self, turnstile: ConcurrencyCounter, gathering: CollectingListener) -> None:
        self._turnstile = turnstile
        self._gathering = gathering

    def on_message(self, message: api.Message) -> None:
        self._turnstile.enter()
        self._turnstile.leave()
        self._gathering.on_message(message)
