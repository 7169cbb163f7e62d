"""All subscriptions of a broker by name, and the units that store and delete durable ones."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.delivery_queue import DeliveryQueueOwner
from reference_provider.broker.message_rows import INSERT_DESTINATION
from reference_provider.broker.physical_destinations import PhysicalTopic, Predicate, StoredDeliveryQueue, Subscription

if TYPE_CHECKING:
    from reference_provider.store import Statement, Unit

_DELETE_UNSHARED_MESSAGES = (
    "delete from message where id in (select message from delivery where subscription = ?)"
    " and not exists (select 1 from delivery d where d.message = message.id and d.subscription <> ?)"
)
_INSERT_SUBSCRIPTION = "insert into subscription (id, destination, client_id, name, shared, selector, no_local) values (?, ?, ?, ?, ?, ?, ?)"

Key = tuple[str | None, str]  # client identifier and name


class SubscriptionBroker(DeliveryQueueOwner, Protocol):
    """The interface that subscriptions need from the broker."""

    def next_row(self) -> int:
        """Return a fresh row id."""
        ...

    def commit(self, unit: Unit) -> None:
        """Write a unit to the file and make it visible."""

    def remove_delivery_queue(self, delivery_queue: StoredDeliveryQueue) -> None:
        """Forget a delivery queue. Needs B."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a durable subscription; a change of any of them replaces the subscription."""

    physical: PhysicalTopic
    selector: str | None
    no_local: str | None

    def match(self, subscription: Subscription) -> bool:
        """Return whether `subscription` has these terms."""
        return (
            subscription.delivery_queue.physical is self.physical
            and subscription.selector == self.selector
            and subscription.no_local == self.no_local
        )


class Subscriptions:
    """The subscriptions by name. Guarded by the broker lock.

    `naming` is held while a durable subscription is created, replaced or deleted, from the first look until the commit
    is done; it is taken before all other locks.
    """

    __slots__ = ("_broker", "_durable", "_shared", "naming")

    def __init__(self, broker: SubscriptionBroker) -> None:
        self._broker = broker
        self.naming = threading.Lock()
        self._durable: dict[Key, Subscription] = {}
        self._shared: dict[Key, Subscription] = {}

    def durable(self, key: Key) -> Subscription | None:
        """Find a durable subscription, shared or not."""
        return self._durable.get(key)

    def shared(self, key: Key) -> Subscription | None:
        """Find a shared non-durable subscription."""
        return self._shared.get(key)

    def all_durable(self) -> list[Subscription]:
        """List all durable subscriptions."""
        return list(self._durable.values())

    def add_unshared(
        self, physical: PhysicalTopic, selector: str | None, matches: Predicate | None, no_local: str | None
    ) -> Subscription:
        """Add a subscription without a name, for one consumer. Needs B."""
        made = Subscription(
            StoredDeliveryQueue(self._broker, physical, in_file=False), selector, matches, no_local=no_local
        )
        physical.add(made)
        return made

    def add_shared(
        self, key: Key, physical: PhysicalTopic, selector: str | None, matches: Predicate | None
    ) -> Subscription:
        """Add a shared non-durable subscription. Needs B."""
        made = self.add_unshared(physical, selector, matches, None)
        made.shared = True
        made.key = key
        self._shared[key] = made
        return made

    def add_durable(self, key: Key, row: int, terms: Terms, matches: Predicate | None, *, shared: bool) -> Subscription:
        """Add a durable subscription to memory; its row is in the file already. Needs B."""
        delivery_queue = StoredDeliveryQueue(self._broker, terms.physical, in_file=True, subscription=row)
        made = Subscription(delivery_queue, terms.selector, matches, no_local=terms.no_local, shared=shared)
        made.durable = True
        made.key = key
        terms.physical.add(made)
        terms.physical.in_file = True
        self._durable[key] = made
        return made

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscription with its undelivered messages. Needs B."""
        physical = subscription.delivery_queue.physical
        if isinstance(physical, PhysicalTopic):
            physical.remove(subscription)
        table = self._durable if subscription.durable else self._shared
        if subscription.key is not None and table.get(subscription.key) is subscription:
            del table[subscription.key]
        self._broker.remove_delivery_queue(subscription.delivery_queue)

    def store(
        self, key: Key, terms: Terms, matches: Predicate | None, *, shared: bool, replaced: Subscription | None
    ) -> Subscription:
        """Write a durable subscription, replacing `replaced` if given; return it as it is in memory."""
        unit = _Creation(self, self._broker.next_row(), key, terms, matches, shared=shared, replaced=replaced)
        self._broker.commit(unit)
        return unit.made()

    def delete(self, subscription: Subscription) -> None:
        """Delete a durable subscription from the file and from memory."""
        self._broker.commit(_Deletion(self, subscription))


def deletion_statements(subscription: Subscription) -> list[Statement]:
    """Return the statements that delete a durable subscription and the messages that no other subscription has."""
    row = (subscription.delivery_queue.subscription,)
    return [
        (_DELETE_UNSHARED_MESSAGES, row * 2),
        ("delete from delivery where subscription = ?", row),
        ("delete from subscription where id = ?", row),
    ]


class _Deletion:
    durable = True

    def __init__(self, subscriptions: Subscriptions, subscription: Subscription) -> None:
        self._subscriptions = subscriptions
        self._subscription = subscription

    def statements(self) -> list[Statement]:
        return deletion_statements(self._subscription)

    def after(self) -> None:
        self._subscriptions.remove(self._subscription)


class _Creation:
    durable = True

    def __init__(
        self,
        subscriptions: Subscriptions,
        row: int,
        key: Key,
        terms: Terms,
        matches: Predicate | None,
        *,
        shared: bool,
        replaced: Subscription | None,
    ) -> None:
        self._subscriptions = subscriptions
        self._row = row
        self._key = key
        self._terms = terms
        self._matches = matches
        self._shared = shared
        self._replaced = replaced

    def statements(self) -> list[Statement]:
        physical = self._terms.physical
        statements = [] if self._replaced is None else deletion_statements(self._replaced)
        if not physical.in_file:
            statements.append(
                (INSERT_DESTINATION, (physical.row, physical.destination.kind, physical.destination.name))
            )
        statements.append(
            (
                _INSERT_SUBSCRIPTION,
                (
                    self._row,
                    physical.row,
                    self._key[0],
                    self._key[1],
                    int(self._shared),
                    self._terms.selector,
                    int(self._terms.no_local is not None),
                ),
            )
        )
        return statements

    def after(self) -> None:
        if self._replaced is not None:
            self._subscriptions.remove(self._replaced)
        self._subscriptions.add_durable(self._key, self._row, self._terms, self._matches, shared=self._shared)

    def made(self) -> Subscription:
        """Return the subscription as it is in memory."""
        found = self._subscriptions.durable(self._key)
        assert found is not None  # noqa: S101 # `after` has added it
        return found
