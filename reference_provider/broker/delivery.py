"""Deliveries: a message in the hands of one consumer, and what its session still owes for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.destinations import ReferenceDestination
from reference_provider.messages import PropertyValue, receipt_properties
from reference_provider.store import Statement
from tck.api import Destination


class Delivery:
    """One delivery of one message; also what `messages.from_snapshot` reads the received headers from.

    Attributes:
        count: how often the message has been delivered on this stream, this time included.
        consumer: whose it is (compared by identity only).
        acknowledge: what the client's `Message.acknowledge()` does.
        held: nobody has given the message back yet.
    """

    __slots__ = ("acknowledge", "consumer", "count", "entry", "held", "received_at", "source", "transaction")

    def __init__(
        self,
        source: StoredDeliveryQueue,
        entry: StoredMessage,
        consumer: object,
        acknowledge: Callable[[], None],
        received_at: int,
    ) -> None:
        self.source = source
        self.entry = entry
        self.consumer = consumer
        self.count = source.counts.get(entry.number, 0) + 1
        self.acknowledge = acknowledge
        self.received_at = received_at
        self.transaction: str | None = None
        self.held = True

    def repeat(self) -> None:
        """Count one more delivery of the message to the same consumer."""
        self.count += 1

    @property
    def message_id(self) -> str | None:
        """JMSMessageID: the sender's."""
        return self.entry.message_id

    @property
    def timestamp(self) -> int:
        """JMSTimestamp: the sender's."""
        return self.entry.timestamp

    @property
    def destination(self) -> Destination | None:
        """JMSDestination: where the message was sent."""
        return self.entry.destination

    @property
    def delivery_mode(self) -> int:
        """JMSDeliveryMode: what the message was sent with."""
        return self.entry.delivery_mode

    @property
    def expiration(self) -> int:
        """JMSExpiration: as computed at the send."""
        return self.entry.expiration

    @property
    def delivery_time(self) -> int:
        """JMSDeliveryTime: as computed at the send."""
        return self.entry.delivery_time

    @property
    def priority(self) -> int:
        """JMSPriority: what the message was sent with."""
        return self.entry.priority

    @property
    def redelivered(self) -> bool:
        """JMSRedelivered: whether the message was delivered before on this stream, to whomever."""
        return self.count > 1

    @property
    def properties(self) -> Mapping[str, PropertyValue]:
        """The JMSX properties set on receipt."""
        return receipt_properties(self.count, timestamp=self.received_at, transaction=self.transaction)

    @property
    def stored(self) -> bool:
        """Whether acknowledging the message means to change the file."""
        return self.entry.stored and self.source.in_file

    def forget_statements(self) -> list[Statement]:
        """Give the statements that remove the delivered message from the file."""
        return forget_statements(self.source, self.entry.number)

    def remove_from_queue(self) -> None:
        """Forget the message in memory: it has been acknowledged. Needs the broker lock."""
        self.source.remove(self.entry.number, self.entry.priority)

    def redeliver(self) -> None:
        """Put the message back in its place, to be delivered again. Needs the broker lock."""
        self._put_back(self.count)

    def undo(self) -> None:
        """Put the message back as if it had never been handed over. Needs the broker lock."""
        self._put_back(self.count - 1)

    def _put_back(self, deliveries: int) -> None:
        # Once: whoever comes second, as when a link breaks under a receive, would take it from its next consumer.
        if self.held and not self.source.gone:
            self.held = False
            self.source.put_back(self.entry, deliveries)


def forget_statements(delivery_queue: StoredDeliveryQueue, number: int) -> list[Statement]:
    """Give the statements that remove message `number` of a delivery queue from the file."""
    if delivery_queue.subscription is None:
        return [("delete from message where id = ?", (number,))]
    return [
        ("delete from delivery where message = ? and subscription = ?", (number, delivery_queue.subscription)),
        (
            "delete from message where id = ? and not exists (select 1 from delivery where message = ?)",
            (number, number),
        ),
    ]


def name_of(destination: Destination | None) -> str:
    """Give the readable name of a destination for messages to people."""
    return str(destination) if isinstance(destination, ReferenceDestination) else repr(destination)
