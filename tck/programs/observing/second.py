"""The second thread of a program: it makes one call at a time, when it is told to. Knows the clock only."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tck import api


class SecondThread:
    """A thread that lives as long as its program, and is an actor of the clock.

    Args:
        clock: The provider's; the thread waits on it between its calls, so that virtual time can pass.
    """

    def __init__(self, clock: api.Clock) -> None:
        self._clock = clock
        self._next = clock.event()
        self._task: tuple[Callable[[], None] | None, api.Event, api.Event]
        self._failure: BaseException | None = None
        begun = threading.Event()
        threading.Thread(target=self._work, args=(self._next, begun), name="explore-second", daemon=True).start()
        begun.wait(5)  # it must count as an actor before the first thread waits for it

    def _work(self, ready: api.Event, begun: threading.Event) -> None:
        with self._clock.actor():
            begun.set()
            while True:
                ready.wait(None)
                work, done, ready = self._task
                if work is None:
                    return
                try:
                    work()
                except BaseException as error:  # noqa: BLE001 - raised again by the first thread
                    self._failure = error
                done.set()

    def begin(self, work: Callable[[], None] | None) -> api.Event:
        """Have the thread do some work, or end if there is none; return the event that tells that it has done it."""
        done, after = self._clock.event(), self._clock.event()
        ready, self._next, self._task = self._next, after, (work, done, after)
        ready.set()
        return done

    def finish(self, done: api.Event) -> None:
        """Wait until it has done its work.

        Raises:
            BaseException: What the work raised, which is a fault of the kit.
        """
        done.wait(None)
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
