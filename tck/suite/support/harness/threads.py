"""Calls on threads of their own: for calls that block, or that run beside the test.

A thread of a case is an actor of the provider's clock: a virtual clock advances only when that thread blocks too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tck.api import Clock
from tck.patience import strain
from tck.suite.support.harness.outcome import Undecided

_Result = TypeVar("_Result")
_LOOK: Final = 5
"""Milliseconds between two looks at a call."""
_LOOKS: Final = 3
"""So many looks in a row that find it waiting show that it waits."""
_STRAINED: Final = 2
"""Times as many for each thread per processor, where several want one: a request passes several threads."""


class Call(Generic[_Result]):
    """One call running on its own thread."""

    def __init__(self, clock: Clock, name: str, call: Callable[[], _Result], deadline_ms: float) -> None:
        self._clock = clock
        self._name = name
        self._call = call
        self._deadline_ms = deadline_ms
        self._done = clock.event()
        self._started = threading.Event()
        self._value: _Result | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        self._started.wait(deadline_ms / 1000)

    def _run(self) -> None:
        with self._clock.actor():
            self._started.set()
            try:
                self._value = self._call()
            except BaseException as error:  # noqa: BLE001 - handed to the test by result()
                self._error = error
            finally:
                self._done.set()

    @property
    def returned(self) -> bool:
        """Whether the call has ended, by value or by exception."""
        return self._done.is_set()

    def blocks_within(self, milliseconds: float) -> bool | None:
        """Wait at most `milliseconds` until the call has returned or is seen to wait in the provider; None if nobody can know.

        One look is not enough, as a request to a broker waits for its answer, too: the longer, the more threads wait for a
        processor.
        """
        seen, strained = 0, strain()
        looks = _LOOKS if strained == 1 else int(_LOOKS * _STRAINED * strained)
        for _ in range(int(milliseconds * strained / _LOOK)):
            if self._done.wait(_LOOK):
                return True
            blocked = self._clock.blocked(self._thread)
            if blocked is None:
                return None
            seen = seen + 1 if blocked else 0
            if seen >= looks:
                return True
        return False

    def ends_within(self, milliseconds: float | None = None) -> bool:
        """Wait at most `milliseconds` (default: the profile's deadline) for the end of the call, and join its thread."""
        limit = self._deadline_ms if milliseconds is None else milliseconds
        if not self._done.wait(limit):
            return False
        self._thread.join(self._deadline_ms / 1000)
        return True

    def result(self, milliseconds: float | None = None) -> _Result:
        """Return the value of the call, or raise its exception.

        Raises:
            Undecided: it has not ended within `milliseconds` (default: the profile's deadline).
        """
        if not self.ends_within(milliseconds):
            raise Undecided(f"{self._name} had not returned after {milliseconds or self._deadline_ms:g} ms")
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]  # None is a value of Result here
