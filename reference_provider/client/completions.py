"""Completion callbacks of asynchronous sends: one thread per session, one callback at a time, in send order.

The caller's thread does the send itself, so that the order is kept; only the callback is asynchronous. No lock is held
while a callback runs.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_provider.clock import Waiter

if TYPE_CHECKING:
    from reference_provider.clock import ProviderClock
    from tck.api import CompletionListener, JMSException, Message

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Completion:
    """One callback to make: `error` is None when the message was sent."""

    sender: object
    listener: CompletionListener
    message: Message
    error: JMSException | None


class Completions:
    """The outstanding callbacks of one session.

    `_lock` guards the list and the states; under it nothing is called and no other lock is taken but the clock's.
    """

    __slots__ = ("_clock", "_lock", "_pending", "_running", "_stopped", "_thread", "_waiter", "_watchers")

    def __init__(self, clock: ProviderClock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pending: deque[Completion] = deque()
        self._running: Completion | None = None
        self._thread: int | None = None
        self._waiter: Waiter | None = None
        self._watchers: list[tuple[object, Waiter]] = []
        self._stopped = False

    def add(self, completion: Completion) -> None:
        """Queue a callback; the thread is started with the first one, and again after the end."""
        with self._lock:
            self._pending.append(completion)
            start = self._waiter is None
            waiter = self._waiter = self._waiter or Waiter()
        if start:
            self._clock.spawn(self._run, "reference-provider-completions")
        else:
            self._clock.signal(waiter)

    def is_current_thread(self) -> bool:
        """Return whether the calling thread is in a callback of this session."""
        return self._running is not None and self._thread == threading.get_ident()

    def wait_until_done(self, sender: object = None) -> None:
        """Wait until no callback is outstanding, of all producers or of one."""
        with self._lock:
            if not self._is_outstanding(sender):
                return
            watcher = Waiter()
            self._watchers.append((sender, watcher))
        self._clock.wait(watcher)

    def stop(self) -> None:
        """End the thread once all callbacks are made."""
        with self._lock:
            self._stopped = True
            waiter = self._waiter
        if waiter is not None:
            self._clock.signal(waiter)

    def _is_outstanding(self, sender: object) -> bool:
        unfinished = [*self._pending, *([self._running] if self._running is not None else [])]
        return any(sender is None or one.sender is sender for one in unfinished)

    def _run(self) -> None:
        self._thread = threading.get_ident()
        waiter = self._waiter
        assert waiter is not None  # noqa: S101 # made before the thread was started
        while True:
            with self._lock:
                completion = self._pending.popleft() if self._pending else None
                self._running = completion
                if completion is None and self._stopped:
                    self._waiter = None  # a send that a lost link overtook starts another thread for its callback
                    return
            if completion is None:
                self._clock.wait(waiter)
            else:
                self.call_listener(completion)
                self._finish()

    def call_listener(self, completion: Completion) -> None:
        """Call a completion listener."""
        try:
            if completion.error is None:
                completion.listener.on_completion(completion.message)
            else:
                completion.listener.on_exception(completion.message, completion.error)
        except Exception as error:  # noqa: BLE001 # a client's listener may raise anything; it changes nothing
            _LOG.warning("a completion listener raised %s: %s", type(error).__name__, error)

    def _finish(self) -> None:
        with self._lock:
            self._running = None
            done = [pair for pair in self._watchers if not self._is_outstanding(pair[0])]
            self._watchers = [pair for pair in self._watchers if pair not in done]
        for _, watcher in done:
            self._clock.signal(watcher)
