"""How messages come out of streams into the hands of threads: receivers, and the desks where threads wait.

Guarded by the broker lock, except the wait itself, which is one of the clock.
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
        blocked: a thread waits, or is about to.
        open: a message may be handed over right now.
        handed: what was handed over and not yet collected.
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
        """Wait until something is handed over or someone wakes the thread; return False when the time is over."""
        return self.broker.clock.wait(self.waiter, timeout_ms)

    def end_wait(self) -> Delivery | None:
        """Give what was handed over. Needs B."""
        self.blocked = self.open = False
        handed, self.handed = self.handed, None
        return handed

    def signal_returned(self) -> None:
        """Tell who waits for it that nobody waits here now. Needs B."""
        if self._return_waiter is not None:
            self.broker.clock.signal(self._return_waiter)
            self._return_waiter = None

    def leave(self) -> None:
        """Tell who waits for it that the thread's call is about to return."""
        if self._return_waiter is None:
            return
        with self.broker.lock:
            waiter, self._return_waiter = self._return_waiter, None
        if waiter is not None:
            self.broker.clock.signal(waiter)

    def hand_over(self, delivery: Delivery) -> None:
        """Give a delivery to the waiting thread. Needs B."""
        self.handed = delivery
        self.open = False
        self.broker.clock.signal(self.waiter)

    def wake(self) -> None:
        """Let a waiting thread look again. Needs B."""
        if self.blocked and self.handed is None:
            self.open = False
            self.broker.clock.signal(self.waiter)

    def when_returned(self) -> Waiter | None:
        """Give a waiter that is signalled when the call that waits here returns, None if nobody sits here. Needs B."""
        if not self.blocked:
            return None
        self._return_waiter = self._return_waiter or Waiter()
        return self._return_waiter


class Receiver:
    """A consumer as the broker sees it: a stream, what it wants of it, and the desk of the thread that waits for it.

    `deliver` makes the delivery (counted, owed) when a message is taken for this receiver.
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
        """Whether a message may be handed over right now."""
        return self.slot.open and not self.closed

    def hand_over(self, delivery_queue: DeliveryQueue, entry: StoredMessage) -> None:
        """Accept a message for the waiting thread."""
        del delivery_queue
        self.slot.hand_over(self.deliver(self.delivery_queue, entry))

    def take(self) -> Delivery | None:
        """Take the next message for this receiver, if one is there."""
        entry = self.delivery_queue.take(self)
        return None if entry is None else self.deliver(self.delivery_queue, entry)

    def join_line(self) -> None:
        """Wait in the line of the stream."""
        self.delivery_queue.wait(self)

    def leave_line(self) -> None:
        """Leave the line of the stream."""
        self.delivery_queue.leave(self)

    def close(self) -> None:
        """Leave the stream for good."""
        self.closed = True
        self.delivery_queue.forget(self)


def _not_attached(delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> Delivery:
    raise AssertionError(f"no session attached: {delivery_queue}, {entry}")
