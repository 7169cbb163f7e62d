"""Bridges to destinations at which applications acknowledge: with CLIENT_ACKNOWLEDGE the channel learns of it only then (section 2.6.2).

The bridge notes the JMSMessageID of what it sends. An event whose message an application has acknowledged is acknowledged to the channel; one
that is sent again meanwhile is neither carried nor acknowledged. An event that becomes no message, since it has expired, is acknowledged at once.
RetryInterval and Retries have to leave applications their time: a channel that pushes gives up when no acknowledgment comes. Imports
`tck.api` and `tck.interworking` only.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

from reference_interworking.bridge.acknowledging import Consuming
from reference_interworking.bridge.bridges import ChannelToJms, ReferenceBridge
from reference_interworking.reliable import number_of
from tck import api as jms
from tck.interworking import StructuredEvent
from tck.interworking.bridge import EndpointError, EndpointErrorCode, EndpointRole, InvalidExternalEndPoints
from tck.interworking.channel import Channel, ProxyType
from tck.interworking.clients import Batch
from tck.interworking.qos import ChannelError

_LOG: Final = logging.getLogger(__name__)
_BATCHES: Final = (ProxyType.PUSH_SEQUENCE, ProxyType.PULL_SEQUENCE)


class Awaiting(Consuming):
    """The consumer side that acknowledges when the application has. Arguments are those of `Consuming`."""

    def __init__(self, proxy: Any, clock: jms.Clock, hand: Callable[[StructuredEvent], None]) -> None:  # noqa: ANN401 - one of four kinds
        super().__init__(proxy, clock, hand)
        self._number: int | None = None  # of the event that is handed on; guarded by `_one`
        self._guard = (
            threading.Lock()
        )  # guards what follows, also during a send: none is acknowledged before it is noted
        self._open: dict[int, set[str]] = {}  # messages that are not acknowledged, by the number of their event

    def agree(self, channel: Channel) -> None:
        """Read how events are delivered on the connection.

        Raises:
            InvalidExternalEndPoints: Batches are to be acknowledged, in which no event can be acknowledged alone.
        """
        super().agree(channel)
        if self.terms.on and self.proxy.type in _BATCHES:
            self.refuse()

    def refuse(self) -> None:
        """Refuse batches."""
        mismatch = EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE
        raise InvalidExternalEndPoints(EndpointError(EndpointRole.SOURCE, mismatch))

    def _handed(self, events: Batch) -> int | None:
        self._number = number_of(events) if self.terms.on else None
        return super()._handed(events)

    def sent(self, send: Callable[[], None], message: jms.Message) -> None:
        """Send a message of the event that is handed on, and note its id."""
        with self._guard:
            send()
            if self._number is not None and message.jms_message_id is not None:
                self._open.setdefault(self._number, set()).add(message.jms_message_id)

    def stored(self, number: int) -> None:
        """Acknowledge what no application has to acknowledge any more."""
        with self._guard:
            awaited = number in self._open
        if not awaited:
            super().stored(number)

    def acknowledged(self, message_ids: Iterable[str]) -> None:
        """Learn what an application has acknowledged, and acknowledge the events of it in one call. One that fails is not repeated: the channel
        gives the events again.
        """
        with self._guard:
            numbers = self.settled(self._open, set(message_ids))
        if numbers:
            try:
                self.proxy.acknowledge(numbers)
            except ChannelError as error:
                _LOG.warning("acknowledge of %s raised %s: %s", numbers, type(error).__name__, error)

    def settled(self, awaited: dict[int, set[str]], message_ids: set[str]) -> tuple[int, ...]:
        """Take messages off those that are awaited; return the numbers of which none is left."""
        for left in awaited.values():
            left.difference_update(message_ids)
        numbers = tuple(number for number, left in awaited.items() if not left)
        for number in numbers:
            del awaited[number]
        return numbers


class ForApplications(ChannelToJms):
    """What a bridge to a destination has in addition where applications acknowledge; mixed into its kind."""

    awaiting: ClassVar[type[Awaiting]] = Awaiting

    acknowledging: Awaiting

    def _begin_acknowledging(self) -> None:
        made = self.awaiting if self.consuming is Consuming else type("Awaiting", (self.awaiting, self.consuming), {})
        self.acknowledging = made(self._proxy, self._provider.clock, self.carry)

    def _prepare(self) -> None:
        super()._prepare()
        self._producer = _Noting(self._producer, self.acknowledging)  # type: ignore[assignment]


class _Noting:
    """A producer whose messages are noted."""

    def __init__(self, producer: jms.MessageProducer, notes: Awaiting) -> None:
        self._producer, self._notes = producer, notes

    def send(self, message: jms.Message, **options: Any) -> None:  # noqa: ANN401 - those of `MessageProducer.send`
        self._notes.sent(lambda: self._producer.send(message, **options), message)


def for_applications(kind: type[ReferenceBridge], awaiting: type[Awaiting]) -> type[ReferenceBridge]:
    """Return a kind of bridges that awaits applications: the kind itself, where it does not send to a destination."""
    if not issubclass(kind, ChannelToJms):
        return kind
    return type(kind.__name__, (ForApplications, kind), {"awaiting": awaiting})
