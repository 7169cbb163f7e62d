"""Event acknowledgment of a bridge: `Consuming` on its proxy supplier, `Supplying` on its proxy consumer.

Whether events are acknowledged is read from the proxy when the bridge connects; then the connection and the events of the channel are made
persistent (sections 2.6.2 and 4.2). A consumer acknowledges once the message is sent, as a JMS session with AUTO_ACKNOWLEDGE does, or once
an application has acknowledged it: see `applications`. A supplier that pushes waits for the acknowledgment of each item before the
next, so the order is kept whatever is lost. Imports `tck.api` and `tck.interworking` only.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from reference_interworking.bridge.applications import Awaiting
from reference_interworking.reliable import Repetitions, Series, Terms, number_of, with_number
from tck.api import Clock, Message
from tck.interworking import EVENT_RELIABILITY, PERSISTENT, StructuredEvent
from tck.interworking.channel import Channel
from tck.interworking.clients import Batch
from tck.interworking.qos import CONNECTION_RELIABILITY, ChannelError, Disconnected

_LOG: Final = logging.getLogger(__name__)
_OFF: Final = Terms(on=False, interval=1, retries=0)


class GaveUp(Exception):  # noqa: N818 - what has happened
    """All retries of a call have failed; delivery on the connection stops."""


class Side:
    """What both sides have in common.

    Args:
        proxy: The proxy of the bridge.
        clock: The provider's.
    """

    def __init__(self, proxy: Any, clock: Clock) -> None:  # noqa: ANN401 - one of eight kinds
        self.proxy, self.clock = proxy, clock
        self.terms = _OFF

    def agree(self, channel: Channel) -> None:
        """Read how events are delivered on the connection, before it is made."""
        self.terms = Terms.of(self.proxy.get_qos())
        if self.terms.on:
            self.persist(channel)

    def persist(self, channel: Channel) -> None:
        """Make events and connection persistent."""
        channel.set_qos({EVENT_RELIABILITY: PERSISTENT})
        self.proxy.set_qos({CONNECTION_RELIABILITY: PERSISTENT})

    def repeated(self, what: str, call: Callable[[], Any]) -> Any:  # noqa: ANN401 - what the call gives
        """Make a call, again after RetryInterval while it raises, or raise GaveUp; Disconnected is passed on."""
        for left in range(self.terms.retries, -1, -1):
            try:
                return call()
            except Disconnected:
                raise
            except ChannelError as error:
                _LOG.warning("%s raised %s: %s; %d retries are left", what, type(error).__name__, error, left)
            if left:
                self.clock.event().wait(self.terms.interval)
        raise self.gave_up(what)

    def gave_up(self, what: str) -> GaveUp:
        """Report that all retries have failed; return what to raise."""
        _LOG.error("all retries of %s have failed; the bridge stops", what)
        return GaveUp(f"all retries of {what} have failed")


class Consuming(Side):
    """The consumer side: checks for repetition, hands on, acknowledges.

    Args:
        proxy: A proxy supplier.
        clock: The provider's.
        hand: Sends an event to the destination; what it raises, the channel learns.
        applications: Those that acknowledge, if any do.
    """

    def __init__(
        self,
        proxy: Any,  # noqa: ANN401 - one of four kinds
        clock: Clock,
        hand: Callable[[StructuredEvent], None],
        applications: Awaiting | None = None,
    ) -> None:
        super().__init__(proxy, clock)
        self.hand = hand
        self.applications = applications
        self.seen = Repetitions()
        self._part: tuple[int | None, int] = None, 0  # a batch of which some events have been handed on, and how many
        # held from the look for a repetition until what came is sent: a channel that was restarted may repeat a push that still runs
        self._one = threading.Lock()

    @property
    def pulls(self) -> bool:
        """Whether what the bridge pulls is acknowledged."""
        return self.terms.on

    def agree(self, channel: Channel) -> None:
        """Read how events are delivered on the connection.

        Raises:
            InvalidExternalEndPoints: Applications cannot acknowledge what it carries.
        """
        super().agree(channel)
        if self.terms.on and self.applications:
            self.applications.agree(self.proxy)

    def take(self, events: Batch) -> None:
        """Take what the channel pushes. A failed acknowledgment is not repeated: the channel will push again."""
        number = self._taken(events)
        if number is not None:
            try:
                self.stored(number)
            except ChannelError as error:
                _LOG.warning("acknowledge of %d raised %s: %s", number, type(error).__name__, error)

    def pull(self, try_pull: Callable[[], Batch]) -> bool:
        """Pull once, hand on what comes and acknowledge it; pulls and acknowledgments that fail are repeated, each with all retries.

        Returns:
            Whether something came.

        Raises:
            GaveUp: All retries have failed.
            Disconnected: The connection has ended.
        """
        events: Batch = self.repeated("pull", try_pull) if self.terms.on else try_pull()
        number = self._taken(events)
        if number is not None:
            self.repeated("acknowledge", lambda: self.stored(number))
        return bool(events)

    def stored(self, number: int) -> None:
        """Acknowledge what has been handed on."""
        self.proxy.acknowledge((number,))

    def sent(self, send: Callable[[], None], message: Message) -> None:
        """Send a message of the event that is handed on."""
        if self.applications:
            self.applications.sent(send, message)
        else:
            send()

    def acknowledged(self, message_ids: Iterable[str]) -> None:
        """Learn what an application has acknowledged, and acknowledge the events of it in one call. One that fails is not repeated: the channel
        gives the events again.
        """
        numbers = self.applications.acknowledged(message_ids) if self.applications else ()
        if numbers:
            try:
                self.proxy.acknowledge(numbers)
            except ChannelError as error:
                _LOG.warning("acknowledge of %s raised %s: %s", numbers, type(error).__name__, error)

    def _taken(self, events: Batch) -> int | None:
        """Hand on what has not been; return the number to acknowledge, None for none."""
        with self._one:
            number = self._handed(events)
        awaited = number is not None and self.applications and self.applications.awaits(number)
        return None if awaited else number

    def _handed(self, events: Batch) -> int | None:
        """Do so under the lock."""
        number = number_of(events) if self.terms.on else None
        if self.applications:
            self.applications.begin(number)
        if number is not None and self.seen.has(number):
            return number
        part, done = self._part
        if part != number or number is None:
            done = 0
        for at, event in enumerate(events):
            if at >= done:
                self.hand(event)
                self._part = number, at + 1
        if number is not None:
            self.seen.note(number)
        self._part = None, 0
        return number


@dataclass(slots=True)
class _Given:
    """A batch that was pulled, and when it is given again."""

    number: int
    events: Batch
    due: int


class Supplying(Side):
    """The supplier side: numbers, keeps until the acknowledgment, repeats."""

    pulls: Final = False
    """The channel keeps nothing for this side."""

    def __init__(self, proxy: Any, clock: Clock) -> None:  # noqa: ANN401 - one of four kinds
        super().__init__(proxy, clock)
        self._lock = threading.Lock()  # guards what follows; the locks of a clock come after it
        self.series = Series()
        self._awaited: dict[int, Any] = {}
        self._given: list[_Given] = []

    def acknowledged(self, message_ids: Iterable[str]) -> None:
        """Do nothing: applications get nothing from here."""

    def acknowledge(self, numbers: tuple[int, ...]) -> None:
        """Forget what has these numbers."""
        with self._lock:
            self._given = [each for each in self._given if each.number not in numbers]
            for each in numbers:
                if each in self._awaited:
                    self._awaited[each].set()

    def push(self, events: Batch, hand: Callable[[Batch], None], wanted: Callable[[], bool] = lambda: True) -> None:
        """Push and wait for the acknowledgment; push again after RetryInterval.

        Args:
            events: A batch.
            hand: Pushes it.
            wanted: Asked before each repetition: whether the events are still to be pushed from here. They are not once the connection to
                JMS is lost, which delivers them again to the next one.

        Raises:
            GaveUp: All retries have failed.
            Disconnected: The connection has ended, or the events are not wanted any more.
        """
        if not self.terms.on:
            hand(events)
            return
        stored = self.clock.event()
        with self._lock:
            number = self.series.give()
            self._awaited[number] = stored
        try:
            self._push(number, with_number(events, number), hand, stored, wanted)
        finally:
            with self._lock:
                del self._awaited[number]

    def _push(
        self,
        number: int,
        events: Batch,
        hand: Callable[[Batch], None],
        stored: Any,  # noqa: ANN401 - an event of the clock
        wanted: Callable[[], bool],
    ) -> None:
        for tried in range(self.terms.retries + 1):
            if tried and not wanted():
                raise Disconnected(f"{number} is not pushed again: the connection to JMS was lost")
            try:
                hand(events)
            except Disconnected:
                raise
            except ChannelError as error:
                _LOG.warning("push of %d raised %s: %s", number, type(error).__name__, error)
            if stored.wait(self.terms.interval):
                return
        raise self.gave_up("push")

    def answer(self, take: Callable[[], Batch]) -> Batch:
        """Return what is to be given again to a pull, or else what `take` gives, with its number."""
        if not self.terms.on:
            return take()
        with self._lock:
            now = self.clock.now()
            again = next((each for each in self._given if each.due <= now), None)
            if again is not None:
                again.due = now + self.terms.interval
                return again.events
        events = take()
        if not events:
            return ()
        with self._lock:
            number = self.series.give()
            given = _Given(number, with_number(events, number), self.clock.now() + self.terms.interval)
            self._given.append(given)
        return given.events
