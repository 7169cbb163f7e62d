"""Deliveries: one message handed to one consumer, until it is acknowledged or redelivered."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.destinations import ReferenceDestination
from reference_provider.messages import PropertyValue, receipt_properties
from reference_provider.store import Statement
from tck.api import Destination


class Delivery:
    """One delivery of one message; `messages.from_snapshot` reads the received headers from it.

    Attributes:
        source: the delivery queue the message came from.
        count: the number of deliveries of the message from this queue, this one included.
        consumer: the consumer it was handed to (compared by identity only).
        acknowledge: called by the client's `Message.acknowledge()`.
        transaction: the identifier of the transaction it belongs to, None outside of one.
        held: the message has not gone back to its queue yet.
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

    def repeat(self, now: int) -> None:
        """Count one more delivery of the message to the same consumer, at this time in ms (3.5.9-13)."""
        self.count += 1
        self.received_at = now

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
        """JMSDeliveryMode: as given to the send."""
        return self.entry.delivery_mode

    @property
    def expiration(self) -> int:
        """JMSExpiration: as computed by the send."""
        return self.entry.expiration

    @property
    def delivery_time(self) -> int:
        """JMSDeliveryTime: as computed by the send."""
        return self.entry.delivery_time

    @property
    def priority(self) -> int:
        """JMSPriority: as given to the send."""
        return self.entry.priority

    @property
    def redelivered(self) -> bool:
        """JMSRedelivered: whether the message was delivered before from this queue, to any consumer."""
        return self.count > 1

    @property
    def properties(self) -> Mapping[str, PropertyValue]:
        """The JMSX properties set on receipt."""
        return receipt_properties(self.count, timestamp=self.received_at, transaction=self.transaction)

    @property
    def stored(self) -> bool:
        """Return whether acknowledging the message changes the file."""
        return self.entry.stored and self.source.in_file

    def forget_statements(self) -> list[Statement]:
        """Return the statements that remove the delivered message from the file."""
        return forget_statements(self.source, self.entry.number)

    def remove_from_queue(self) -> None:
        """Remove the message from its delivery queue: it has been acknowledged. Needs B."""
        self.source.remove(self.entry.number, self.entry.priority)

    def redeliver(self) -> None:
        """Put the message back in its position, to be delivered again. Needs B."""
        self._put_back(self.count)

    def undo(self) -> None:
        """Put the message back as if it had never been handed over: the delivery is not counted. Needs B."""
        self._put_back(self.count - 1)

    def _put_back(self, deliveries: int) -> None:
        # Only once: a second call, as when a link breaks during a receive, would take the message from its next consumer.
        if self.held and not self.source.gone:
            self.held = False
            self.source.put_back(self.entry, deliveries)


def forget_statements(delivery_queue: StoredDeliveryQueue, number: int) -> list[Statement]:
    """Return the statements that remove message `number` of a delivery queue from the file."""
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
    """Return the readable name of a destination for messages to people."""
    return str(destination) if isinstance(destination, ReferenceDestination) else repr(destination)
