"""Receivers, which take messages from delivery queues, and the slots where threads wait for them.

Guarded by the broker lock, except the wait itself, which the clock does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    Predicate,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.clock import Waiter

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker


class WaitSlot:
    """Where one thread waits for messages: a receiving client's, or that of a session with listeners.

    Attributes:
        blocked: a thread waits or is about to.
        open: a message may be handed over now.
        handed: a delivery that was handed over and not yet collected.
    """

    __slots__ = ("_return_waiter", "blocked", "broker", "handed", "open", "waiter")

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.waiter = Waiter()
        self.blocked = False
        self.open = False
        self.handed: Delivery | None = None
        self._return_waiter: Waiter | None = None

    def begin_wait(self, *, ready: bool) -> None:
        """Announce that the thread is going to wait. Needs B."""
        self.blocked = True
        self.open = ready

    def wait(self, timeout_ms: float | None) -> bool:
        """Wait until a message is handed over or the thread is woken; return False at the timeout."""
        return self.broker.clock.wait(self.waiter, timeout_ms)

    def end_wait(self) -> Delivery | None:
        """Return the delivery that was handed over, if any. Needs B."""
        self.blocked = self.open = False
        handed, self.handed = self.handed, None
        return handed

    def signal_returned(self) -> None:
        """Signal a thread that waits for this one: it no longer waits here. Needs B."""
        if self._return_waiter is not None:
            self.broker.clock.signal(self._return_waiter)
            self._return_waiter = None

    def leave(self) -> None:
        """Signal a thread that waits for this one: its call is about to return."""
        if self._return_waiter is None:
            return
        with self.broker.lock:
            waiter, self._return_waiter = self._return_waiter, None
        if waiter is not None:
            self.broker.clock.signal(waiter)

    def hand_over(self, delivery: Delivery) -> None:
        """Hand a delivery to the waiting thread. Needs B."""
        self.handed = delivery
        self.open = False
        self.broker.clock.signal(self.waiter)

    def wake(self) -> None:
        """Wake a waiting thread to look again. Needs B."""
        if self.blocked and self.handed is None:
            self.open = False
            self.broker.clock.signal(self.waiter)

    def when_returned(self) -> Waiter | None:
        """Return a waiter that is signalled when the waiting call returns; None if no thread waits. Needs B."""
        if not self.blocked:
            return None
        self._return_waiter = self._return_waiter or Waiter()
        return self._return_waiter


class Receiver:
    """The broker's view of a consumer: its delivery queue, its selector, and the slot of its thread.

    `deliver` creates the delivery (counted, owed by the session) when a message is taken for this receiver.
    """

    __slots__ = ("closed", "deliver", "delivery_queue", "matches", "physical", "selector", "slot", "subscription")

    def __init__(
        self,
        delivery_queue: StoredDeliveryQueue,
        selector: str | None,
        matches: Predicate | None,
        slot: WaitSlot,
        subscription: Subscription | None = None,
    ) -> None:
        self.physical: PhysicalDestination = delivery_queue.physical
        self.delivery_queue = delivery_queue
        self.selector = selector
        self.matches = matches
        self.slot = slot
        self.subscription = subscription
        self.closed = False
        self.deliver: Callable[[StoredDeliveryQueue, StoredMessage], Delivery] = _not_attached

    def is_open(self) -> bool:
        """Return whether a message may be handed over now."""
        return self.slot.open and not self.closed

    def hand_over(self, delivery_queue: DeliveryQueue, entry: StoredMessage) -> None:
        """Accept a message for the waiting thread."""
        del delivery_queue
        self.slot.hand_over(self.deliver(self.delivery_queue, entry))

    def take(self) -> Delivery | None:
        """Take the next message for this receiver; None if there is none."""
        entry = self.delivery_queue.take(self)
        return None if entry is None else self.deliver(self.delivery_queue, entry)

    def join_line(self) -> None:
        """Join the waiting line of the delivery queue."""
        self.delivery_queue.wait(self)

    def leave_line(self) -> None:
        """Leave the waiting line of the delivery queue."""
        self.delivery_queue.leave(self)

    def close(self) -> None:
        """Leave the delivery queue for good."""
        self.closed = True
        self.delivery_queue.forget(self)


def _not_attached(delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> Delivery:
    raise AssertionError(f"no session attached: {delivery_queue}, {entry}")
