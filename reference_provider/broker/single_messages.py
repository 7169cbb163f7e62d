"""The two most frequent units: one message sent, one delivery acknowledged, both outside of transactions.

They do what `Work` does with many, without lists of one: a sixth less for each message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.broker.message_rows import rows_of

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.broker.delivery import Delivery
    from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
    from reference_provider.broker.stored_message import StoredMessage
    from reference_provider.store import Statement


class Sending:
    """The send of one message."""

    __slots__ = ("_broker", "_entry", "_place", "_streams")

    durable = True

    def __init__(self, broker: Broker, place: PhysicalDestination, entry: StoredMessage) -> None:
        self._broker = broker
        self._place = place
        self._entry = entry
        self._streams: list[StoredDeliveryQueue] = []

    def perform(self) -> None:
        """Make it effective: in memory only if it does not have to outlive the process, else by a commit."""
        broker, place, entry = self._broker, self._place, self._entry
        if place.failing_sends:
            place.check_accepting()
        with broker.lock:
            self._streams = broker.route(place, entry)
            if not entry.stored:
                broker.check_open()
                broker.arrive(place, entry, self._streams)
                return
        broker.commit(self)

    def statements(self) -> list[Statement]:
        """Give the statements that store it; where subscriptions may have come and gone, it is routed anew."""
        place, entry = self._place, self._entry
        if place.routes_anew:
            with self._broker.lock:
                self._streams = self._broker.route(place, entry)
        return rows_of(place, entry, self._streams) if entry.stored else []

    def after(self) -> None:
        """Let it arrive. Needs B."""
        self._broker.arrive(self._place, self._entry, self._streams)


class Acknowledging:
    """The acknowledgement of one delivery; `durable` false means: written without a sync of its own."""

    __slots__ = ("_broker", "_delivery", "durable")

    def __init__(self, broker: Broker, delivery: Delivery, *, durable: bool) -> None:
        self._broker = broker
        self._delivery = delivery
        self.durable = durable

    def perform(self) -> None:
        """Make it effective: in memory only if the message is not in the file, else by a commit."""
        broker = self._broker
        if self._delivery.stored:
            broker.commit(self)
            return
        broker.check_open()
        with broker.lock:
            self._delivery.take_out()

    def statements(self) -> list[Statement]:
        """Give the statements that remove the message."""
        return self._delivery.forget_statements()

    def after(self) -> None:
        """Let the message disappear. Needs B."""
        self._delivery.take_out()
