"""`SessionState`: the deliveries of one session that are not acknowledged, and its open transaction.

Guarded by the broker lock. Each way of acknowledging is one method; the session decides which is called when.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import DeliveryMarks, SingleAcknowledgement, Work
from tck.api import JMSException, Session

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.broker.physical_destinations import StoredDeliveryQueue
    from reference_provider.broker.stored_message import StoredMessage

_LARGEST_WINDOW: Final = 64
_AUTO: Final = Session.AUTO_ACKNOWLEDGE
_CLIENT: Final = Session.CLIENT_ACKNOWLEDGE
_BY_ITSELF: Final = frozenset({Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
_TRANSACTED: Final = Session.SESSION_TRANSACTED


class SessionState:
    """The unacknowledged deliveries and the open transaction of one session.

    Attributes:
        mode: the acknowledge mode that applies now; SESSION_TRANSACTED while a transaction is open.
        unacknowledged: deliveries of CLIENT_ACKNOWLEDGE that await acknowledgement, in the order of delivery.
        work: the open transaction.
    """

    __slots__ = ("_acknowledge", "_marked", "_window", "broker", "mode", "unacknowledged", "work")

    def __init__(self, broker: Broker, mode: int, acknowledge: Callable[[], None]) -> None:
        self.broker = broker
        self._acknowledge = acknowledge
        self.mode = mode
        self.unacknowledged: list[Delivery] = []
        self.work = Work(broker)
        self._marked: set[tuple[StoredDeliveryQueue, int]] = (
            set()
        )  # counts written to the file within the open transaction
        self._window = 1

    def transaction_id(self) -> str | None:
        """Return the identifier of the open transaction, None outside of one."""
        return self.work.identifier() if self.mode == _TRANSACTED else None

    # --- receiving --------------------------------------------------------------------------------------------

    def open_delivery(self, consumer: object, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> Delivery:
        """Create the delivery of `entry` to `consumer`; the session owes its acknowledgement from now on. Needs B."""
        delivery = Delivery(delivery_queue, entry, consumer, self._acknowledge, self.broker.clock.now())
        self.enter(delivery)
        return delivery

    def enter(self, delivery: Delivery) -> None:
        """Add a delivery to the transaction or to the unacknowledged ones, as the mode demands. Needs B."""
        if self.mode == _TRANSACTED:
            delivery.transaction = self.work.identifier()
            self.work.acks.append(delivery)
        elif self.mode == _CLIENT:
            self.unacknowledged.append(delivery)

    def cancel_delivery(self, delivery: Delivery) -> None:
        """Undo a hand-over that did not reach the client: the delivery is not counted. Needs B."""
        for unacknowledged in (self.work.acks, self.unacknowledged):
            if delivery in unacknowledged:
                unacknowledged.remove(delivery)
        delivery.undo()

    def mark(self, delivery: Delivery, *, listener: bool) -> None:
        """Write to the file that the message is about to be delivered, if a crash could cause its redelivery.

        If that fails, JMSException is raised and the message is not delivered: it is as if it had never been taken.

        In a transaction the counts of the following messages are written along with it, so that a long transaction does
        not cost a write for each message. The number grows from half the size of the last transaction by doubling (see
        `broker.delivery_marks`).
        """
        if (self.mode == _AUTO and not listener) or not delivery.stored:
            return
        key = (delivery.source, delivery.entry.number)
        if key in self._marked:
            return
        counts = {delivery.entry.number: delivery.count}
        if self.mode == _TRANSACTED:
            with self.broker.lock:
                counts |= delivery.source.counts_of_next(delivery.entry, self._window - 1)
            self.broker.marked_ahead |= len(counts) > 1
            self._window = min(self._window * 2, _LARGEST_WINDOW)
        try:
            self.broker.commit(DeliveryMarks(delivery.source, counts))
        except BaseException:
            with self.broker.lock:
                self.cancel_delivery(delivery)
            raise
        if self.mode == _TRANSACTED:
            self._marked.update((delivery.source, number) for number in counts)

    def settles(self, delivery: Delivery) -> bool:
        """Return whether the mode acknowledges a delivery by itself; never one that was made in a transaction."""
        return self.mode in _BY_ITSELF and delivery.transaction is None

    def settle(self, delivery: Delivery) -> None:
        """Acknowledge one delivery, if the mode does so by itself: AUTO durably, DUPS_OK lazily."""
        if self.settles(delivery):
            SingleAcknowledgement(self.broker, delivery, durable=self.mode == _AUTO).perform()

    def settle_or_return(self, delivery: Delivery) -> None:
        """Do as `settle`; if it fails with JMSException, the message, which the client has had, is redelivered."""
        try:
            self.settle(delivery)
        except JMSException:
            self.broker.redelivery.redeliver([delivery])
            raise

    def acknowledge(self, deliveries: list[Delivery], *, durable: bool) -> None:
        """Acknowledge deliveries in one unit."""
        work = Work(self.broker, durable=durable)
        work.acks = deliveries
        work.perform()

    def acknowledge_all(self, check_open: Callable[[], None]) -> None:
        """Acknowledge all messages that the session has consumed, by any of its consumers.

        `check_open` raises JMSException if the link has broken: then nothing can be acknowledged, all of it is
        redelivered.
        """
        with self.broker.lock:
            check_open()
            unacknowledged, self.unacknowledged = self.unacknowledged, []
        try:
            self.acknowledge(unacknowledged, durable=True)
        except BaseException:
            with self.broker.lock:
                self.unacknowledged[:0] = unacknowledged
            raise

    def redeliver_all(self) -> None:
        """Redeliver all unacknowledged messages, in the order of their delivery."""
        with self.broker.lock:
            unacknowledged, self.unacknowledged = self.unacknowledged, []
        self.broker.redelivery.redeliver(unacknowledged)

    # --- transactions -----------------------------------------------------------------------------------------

    def next_transaction(self) -> Work:
        """Begin the next transaction; return the one that was open."""
        with self.broker.lock:
            return self.next_transaction_within_lock()

    def next_transaction_within_lock(self) -> Work:
        """Begin the next transaction; return the one that was open. Needs B."""
        work, self.work = self.work, Work(self.broker)
        self._marked.clear()
        if work.acks:
            self._window = min(max(len(work.acks) // 2, 1), _LARGEST_WINDOW)
        return work
