"""Physical destinations: what the broker keeps for a queue or topic. Guarded by the broker lock.

A queue has one delivery queue. A topic has subscriptions, each with a delivery queue of its own; routing decides once,
when a message is sent, which of them get it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reference_provider.broker.delivery_queue import TAKEN, DeliveryQueue, DeliveryQueueOwner
from reference_provider.broker.fanout import Fanout
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.destinations import ReferenceDestination
from tck.api import OMITTED, DeliveryMode, Omitted, ResourceAllocationException

Predicate = Callable[[StoredMessage], bool]


@dataclass(frozen=True, slots=True)
class Override:
    """Delivery options that an administrator prescribes for a destination; OMITTED leaves them to the client."""

    delivery_mode: int | Omitted = OMITTED
    priority: int | Omitted = OMITTED
    time_to_live: int | Omitted = OMITTED
    delivery_delay: int | Omitted = OMITTED


NO_OVERRIDE = Override()


class PhysicalDestination:
    """A physical destination.

    Attributes:
        row: its id in the file; `in_file` says whether the row has been written.
        consumers: the number of open consumers.
        failing_sends: how many of the next sends fail, by an administrator's order.
        removed: whether the destination has been dropped; the next use of its name creates another.
    """

    __slots__ = ("consumers", "destination", "failing_sends", "in_file", "override", "removed", "row", "temporary")

    routes_anew = False  # whether routing may change between send and commit

    def __init__(self, destination: ReferenceDestination, row: int, *, temporary: bool) -> None:
        self.destination = destination
        self.row = row
        self.in_file = False
        self.temporary = temporary
        self.consumers = 0
        self.override = NO_OVERRIDE
        self.failing_sends = 0
        self.removed = False

    def check_accepting(self) -> None:
        """Raise ResourceAllocationException if an administrator has asked that the next sends fail."""
        if self.failing_sends > 0:
            self.failing_sends -= 1
            raise ResourceAllocationException(f"{self.destination} takes no messages at present", "DESTINATION_REFUSES")

    def route(self, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        """Return the delivery queues that get `entry`."""
        raise NotImplementedError

    def delivery_queues(self) -> Iterator[StoredDeliveryQueue]:
        """Yield all delivery queues of the destination."""
        raise NotImplementedError

    def stores(self, entry: StoredMessage, delivery_queues: list[StoredDeliveryQueue]) -> bool:
        """Return whether `entry` needs a row: it is PERSISTENT and goes to a delivery queue that outlives us."""
        if entry.delivery_mode != DeliveryMode.PERSISTENT:
            return False
        for delivery_queue in delivery_queues:  # noqa: SIM110 # any() costs more than the loop
            if delivery_queue.in_file:
                return True
        return False


class StoredDeliveryQueue(DeliveryQueue):
    """A delivery queue with its destination and its place in the file.

    Attributes:
        in_file: whether its stored messages outlive the process.
        subscription: row id of the durable subscription, None for a queue or a non-durable subscription.
        gone: whether the delivery queue has been removed; messages taken from it are then dropped.
    """

    __slots__ = ("gone", "in_file", "physical", "subscription")

    def __init__(
        self,
        owner: DeliveryQueueOwner,
        physical: PhysicalDestination,
        *,
        in_file: bool,
        subscription: int | None = None,
    ) -> None:
        super().__init__(owner)
        self.physical = physical
        self.in_file = in_file
        self.subscription = subscription
        self.gone = False

    def counts_of_next(self, entry: StoredMessage, limit: int) -> dict[int, int]:
        """Return the delivery counts that the next `limit` free messages after `entry` will have."""
        if limit < 1:
            return {}
        numbers = self.level(entry.priority).free_after(entry.number, limit)
        return {number: self.counts.get(number, 0) + 1 for number in numbers}

    def count_taken(self) -> int:
        """Count the messages that are delivered and not acknowledged."""
        return sum(level.states.count(TAKEN) for level in self.levels())


class PhysicalQueue(PhysicalDestination):
    """A queue."""

    __slots__ = ("delivery_queue",)

    def __init__(
        self, owner: DeliveryQueueOwner, destination: ReferenceDestination, row: int, *, temporary: bool
    ) -> None:
        super().__init__(destination, row, temporary=temporary)
        self.delivery_queue = StoredDeliveryQueue(owner, self, in_file=not temporary)

    def route(self, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        """Return the only delivery queue."""
        del entry
        return [self.delivery_queue]

    def delivery_queues(self) -> Iterator[StoredDeliveryQueue]:
        """Yield the only delivery queue."""
        yield self.delivery_queue


class Subscription:
    """One subscription of a topic.

    Attributes:
        key: client identifier and name of a named subscription, otherwise None.
        no_local: identity of the connection whose messages are left out, otherwise None.
        consumers: the number of open consumers.
        session: the session of an unnamed subscription (compared by identity only).
    """

    __slots__ = (
        "consumers",
        "delivery_queue",
        "durable",
        "key",
        "matches",
        "no_local",
        "selector",
        "session",
        "shared",
    )

    def __init__(
        self,
        delivery_queue: StoredDeliveryQueue,
        selector: str | None,
        matches: Predicate | None,
        *,
        no_local: str | None = None,
        shared: bool = False,
    ) -> None:
        self.delivery_queue = delivery_queue
        self.selector = selector
        self.matches = matches
        self.no_local = no_local
        self.shared = shared
        self.durable = False
        self.key: tuple[str | None, str] | None = None
        self.consumers = 0
        self.session: object = None

    def wants(self, entry: StoredMessage) -> bool:
        """Return whether the subscription gets `entry`."""
        return self.is_foreign(entry) and (self.matches is None or self.matches(entry))

    def is_foreign(self, entry: StoredMessage) -> bool:
        """Return whether noLocal lets `entry` through."""
        return self.no_local is None or self.no_local != entry.sender


class PhysicalTopic(PhysicalDestination):
    """A topic.

    Attributes:
        one_copy_per_session: the rule of version 1.0: only one subscriber of a session gets a message.
    """

    __slots__ = ("_fanout", "one_copy_per_session", "subscriptions")

    routes_anew = True

    def __init__(
        self, destination: ReferenceDestination, row: int, *, temporary: bool, one_copy_per_session: bool = False
    ) -> None:
        super().__init__(destination, row, temporary=temporary)
        self.one_copy_per_session = one_copy_per_session
        self.subscriptions: list[Subscription] = []
        self._fanout: Fanout[Subscription] = Fanout()

    def add(self, subscription: Subscription) -> None:
        """Add a subscription."""
        self.subscriptions.append(subscription)
        self._fanout.change()

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscription; no effect if it is not there."""
        if subscription in self.subscriptions:
            self.subscriptions.remove(subscription)
            self._fanout.change()

    def route(self, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        """Return the delivery queues of all subscriptions that want `entry`."""
        wanting = self._fanout.wanting(self.subscriptions, entry)
        if self.one_copy_per_session:
            wanting = self.first_of_each_session(wanting)
        return [one.delivery_queue for one in wanting]

    def first_of_each_session(self, subscriptions: list[Subscription]) -> list[Subscription]:
        """Keep one subscription of each session (4.2.2-31)."""
        chosen: dict[object, Subscription] = {}
        for one in subscriptions:
            chosen.setdefault(one.session or one, one)
        return list(chosen.values())

    def delivery_queues(self) -> Iterator[StoredDeliveryQueue]:
        """Yield the delivery queues of all subscriptions."""
        for one in self.subscriptions:
            yield one.delivery_queue
