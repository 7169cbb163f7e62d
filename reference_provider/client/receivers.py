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

    __slots__ = ("_broker", "_leaver", "blocked", "handed", "open", "waiter")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.waiter = Waiter()
        self.blocked = False
        self.open = False
        self.handed: Delivery | None = None
        self._leaver: Waiter | None = None

    def sit_down(self, *, ready: bool) -> None:
        """Announce that the thread is going to wait. Needs B."""
        self.blocked = True
        self.open = ready

    def wait(self, timeout_ms: float | None) -> bool:
        """Wait until something is handed over or someone wakes the thread; return False when the time is over."""
        return self._broker.clock.wait(self.waiter, timeout_ms)

    def get_up(self) -> Delivery | None:
        """Give what was handed over. Needs B."""
        self.blocked = self.open = False
        handed, self.handed = self.handed, None
        return handed

    def forget_leaver(self) -> None:
        """Tell who waits for it that nobody waits here now. Needs B."""
        if self._leaver is not None:
            self._broker.clock.signal(self._leaver)
            self._leaver = None

    def leave(self) -> None:
        """Tell who waits for it that the thread's call is about to return."""
        if self._leaver is None:
            return
        with self._broker.lock:
            leaver, self._leaver = self._leaver, None
        if leaver is not None:
            self._broker.clock.signal(leaver)

    def hand_over(self, delivery: Delivery) -> None:
        """Give a delivery to the waiting thread. Needs B."""
        self.handed = delivery
        self.open = False
        self._broker.clock.signal(self.waiter)

    def wake(self) -> None:
        """Let a waiting thread look again. Needs B."""
        if self.blocked and self.handed is None:
            self.open = False
            self._broker.clock.signal(self.waiter)

    def when_left(self) -> Waiter | None:
        """Give a waiter that is signalled when the call that waits here returns, None if nobody sits here. Needs B."""
        if not self.blocked:
            return None
        self._leaver = self._leaver or Waiter()
        return self._leaver


class Receiver:
    """A consumer as the broker sees it: a stream, what it wants of it, and the desk of the thread that waits for it.

    `deliver` makes the delivery (counted, owed) when a message is taken for this receiver.
    """

    __slots__ = ("closed", "deliver", "desk", "matches", "place", "selector", "stream", "subscription")

    def __init__(
        self,
        stream: StoredDeliveryQueue,
        selector: str | None,
        matches: Predicate | None,
        desk: WaitSlot,
        subscription: Subscription | None = None,
    ) -> None:
        self.place: PhysicalDestination = stream.place
        self.stream = stream
        self.selector = selector
        self.matches = matches
        self.desk = desk
        self.subscription = subscription
        self.closed = False
        self.deliver: Callable[[StoredDeliveryQueue, StoredMessage], Delivery] = _not_attached

    def is_open(self) -> bool:
        """Whether a message may be handed over right now."""
        return self.desk.open and not self.closed

    def hand_over(self, stream: DeliveryQueue, entry: StoredMessage) -> None:
        """Accept a message for the waiting thread."""
        del stream
        self.desk.hand_over(self.deliver(self.stream, entry))

    def take(self) -> Delivery | None:
        """Take the next message for this receiver, if one is there."""
        entry = self.stream.take(self)
        return None if entry is None else self.deliver(self.stream, entry)

    def line_up(self) -> None:
        """Wait in the line of the stream."""
        self.stream.wait(self)

    def step_out(self) -> None:
        """Leave the line of the stream."""
        self.stream.leave(self)

    def close(self) -> None:
        """Leave the stream for good."""
        self.closed = True
        self.stream.forget(self)


def _not_attached(stream: StoredDeliveryQueue, entry: StoredMessage) -> Delivery:
    raise AssertionError(f"no session attached: {stream}, {entry}")
