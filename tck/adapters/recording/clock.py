"""The recorded clock of the provider: reading and waiting are no events, advancing is one."""

from __future__ import annotations

import inspect
import threading
from contextlib import AbstractContextManager

from tck import api
from tck.adapters.recording.log import INVOKE, OK, Recording
from tck.adapters.recording.shapes import Flow, Form, Member, Parameter

ADVANCE = Member(
    op="Clock.advance",
    name="advance",
    form=Form.CALL,
    parameters=(Parameter("ms", Flow.PLAIN, inspect.Parameter.POSITIONAL_OR_KEYWORD),),
    result=Flow.PLAIN,
    changes_body=False,
)


class RecordedClock(api.Clock):
    """The wrapper of the provider's clock."""

    __slots__ = ("_raw", "_rec")

    def __init__(self, raw: api.Clock, recorder: Recording) -> None:
        self._raw = raw
        self._rec = recorder

    @property
    def virtual(self) -> bool:
        """Return whether the clock is virtual."""
        return self._raw.virtual

    def now(self) -> int:
        """Return the time, epoch milliseconds."""
        return self._raw.now()

    def monotonic_ns(self) -> int:
        """Return the time in epoch nanoseconds, greater at each call."""
        return self._raw.monotonic_ns()

    def advance(self, ms: int) -> None:
        """Move a virtual clock forward; recorded."""
        r = self._rec
        seq = r.next()
        r.add((seq, r.now(), r.here.name, INVOKE, self, ADVANCE, (ms,), None))
        try:
            self._raw.advance(ms)
        except BaseException as error:
            r.fail(seq, self, ADVANCE, error)
            raise
        r.add((r.next(), r.now(), r.here.name, OK, self, ADVANCE, seq, None, None))

    def event(self) -> api.Event:
        """Make an event that waits on this clock."""
        return self._raw.event()

    def actor(self) -> AbstractContextManager[object]:
        """Count the calling thread as an actor."""
        return self._raw.actor()

    def interrupted(self) -> AbstractContextManager[object]:
        """Interrupt the calling thread within the block."""
        return self._raw.interrupted()

    def blocked(self, thread: threading.Thread) -> bool | None:
        """Return whether an actor waits inside a call of the provider; None if nobody can know."""
        return self._raw.blocked(thread)
