"""The broker: destinations, selectors, routing, and the arrival of messages in delivery queues.

B, the broker lock, guards every physical destination, delivery queue, subscription, the schedule, and the state of all
sessions. It is held for microseconds, never while waiting for a commit or calling a client. Order of locks: the right
to commit (see `reference_provider.store.commit`), then B, then the clock's own.

Imports every other module of the room except `recovery`, which opens a broker.
"""

from __future__ import annotations

import itertools
import logging
import threading
import uuid
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reference_provider import selector as selectors
from reference_provider.broker.delivery import forget_statements, name_of
from reference_provider.broker.delivery_marks import correct_delivery_counts
from reference_provider.broker.delivery_queue import DeliveryQueue
from reference_provider.broker.fanout import SelectorPredicate
from reference_provider.broker.message_rows import entry_of
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    Predicate,
    StoredDeliveryQueue,
)
from reference_provider.broker.redelivery import Redelivery
from reference_provider.broker.schedule import Schedule
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Subscriptions
from reference_provider.broker.xa_branches import Branches
from reference_provider.clock import ProviderClock
from reference_provider.destinations import ReferenceDestination, ReferenceQueue
from reference_provider.messages import Version
from reference_provider.store import Cleaning, Store, StoreOptions, Unit, damaged
from tck.api import Destination, InvalidDestinationException, JMSException

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a broker.

    Attributes:
        version: the version of the specification to follow.
        redelivery_limit: the largest number of deliveries of one message; 0 for no limit.
        dead_letter_queue: the queue for messages that reached the limit; without one they are dropped.
    """

    version: Version = "3.1"
    redelivery_limit: int = 0
    dead_letter_queue: str | None = None
    store: StoreOptions = field(default_factory=StoreOptions)


class Broker:
    """One opened provider: its memory and its file. A restart drops it and opens the next."""

    def __init__(self, file: Path, clock: ProviderClock, rules: Rules) -> None:
        self.lock = threading.Lock()  # B
        self.clock = clock
        self.closed = False
        self.marked_ahead = False  # whether delivery counts were written ahead of deliveries
        self.schedule = Schedule(clock, self.release_due)
        self.rules = rules
        self.subscriptions = Subscriptions(self)
        self.branches = Branches(self)
        self.redelivery = Redelivery(self, rules.redelivery_limit, rules.dead_letter_queue)
        self.store = Store(file, self.lock, rules.store)
        self.instance = uuid.uuid4().hex
        self._physical: dict[ReferenceDestination, PhysicalDestination] = {}
        self._names = itertools.count(1)
        self._numbers = itertools.count(1)
        self._rows = itertools.count(1)

    # --- identities -------------------------------------------------------------------------------------------

    def count_from(self, next_number: int, next_row: int) -> None:
        """Continue the message numbers and row ids of the file."""
        self._numbers = itertools.count(next_number)
        self._rows = itertools.count(next_row)

    def next_number(self) -> int:
        """Return the next number in the order of arrival."""
        return next(self._numbers)

    def next_row(self) -> int:
        """Return a fresh row id for a destination or subscription."""
        return next(self._rows)

    def unique_name(self, prefix: str) -> str:
        """Return a name that no provider has used before, on any file."""
        return f"{prefix}{self.instance}-{next(self._names)}"

    # --- destinations -----------------------------------------------------------------------------------------

    def physical_destination(self, destination: Destination | None) -> PhysicalDestination:
        """Return the physical destination of `destination`; queues and topics are created when first used.

        Needs B. Raises InvalidDestinationException for null, a foreign destination, or a deleted temporary destination.
        """
        if not isinstance(destination, ReferenceDestination):
            raise InvalidDestinationException(f"{name_of(destination)} is no destination of this provider")
        found = self._physical.get(destination)
        if found is None:
            if destination.kind not in {"queue", "topic"}:
                raise InvalidDestinationException(f"{destination} does not exist any more")
            found = self.add_physical_destination(destination, self.next_row())
        return found

    def find_physical_destination(self, destination: Destination) -> PhysicalDestination | None:
        """Return the physical destination of `destination`, or None. Needs B."""
        return self._physical.get(destination) if isinstance(destination, ReferenceDestination) else None

    def add_physical_destination(
        self, destination: ReferenceDestination, row: int, *, temporary: bool = False
    ) -> PhysicalDestination:
        """Create a physical destination. Needs B."""
        made: PhysicalDestination
        if isinstance(destination, ReferenceQueue):
            made = PhysicalQueue(self, destination, row, temporary=temporary)
        else:
            made = PhysicalTopic(
                destination, row, temporary=temporary, one_copy_per_session=self.rules.version == "1.0"
            )
        self._physical[destination] = made
        return made

    def remove_physical_destination(self, physical: PhysicalDestination) -> None:
        """Remove a physical destination with all its delivery queues and subscriptions. Needs B."""
        physical.removed = True
        self._physical.pop(physical.destination, None)
        if isinstance(physical, PhysicalTopic):
            for subscription in list(physical.subscriptions):
                self.subscriptions.remove(subscription)
        for delivery_queue in physical.delivery_queues():
            self.remove_delivery_queue(delivery_queue)

    def remove_delivery_queue(self, delivery_queue: StoredDeliveryQueue) -> None:
        """Remove a delivery queue; messages taken from it can no longer be redelivered. Needs B."""
        delivery_queue.gone = True
        self.schedule.drop(delivery_queue)

    def physical_destinations(self) -> Iterable[PhysicalDestination]:
        """Return all physical destinations. Needs B."""
        return self._physical.values()

    def pending(self, destination: Destination) -> int:
        """Count the messages held for `destination`: waiting, not yet due, or delivered and not acknowledged."""
        with self.lock:
            physical = self.find_physical_destination(destination)
            return (
                0
                if physical is None
                else sum(self.backlog(delivery_queue) for delivery_queue in physical.delivery_queues())
            )

    def backlog(self, delivery_queue: StoredDeliveryQueue) -> int:
        """Count the messages of one delivery queue that have not expired. Needs B."""
        expired = sum(1 for entry in delivery_queue.free_entries() if self.is_expired(entry))
        return len(delivery_queue) - expired + sum(1 for _ in self.schedule.waiting_for(delivery_queue))

    # --- selectors --------------------------------------------------------------------------------------------

    def predicate(self, selector: str | None, version: str) -> Predicate | None:
        """Compile a selector into a predicate of stored messages; null and "" select all.

        Raises InvalidSelectorException with position and reason.
        """
        compiled = selectors.compile_selector(selector, version) if selector else None
        return None if compiled is None else SelectorPredicate(compiled)

    # --- the way of a message ---------------------------------------------------------------------------------

    def route(self, physical: PhysicalDestination, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        """Decide which delivery queues get a sent message, number it, and decide whether it is stored. Needs B."""
        delivery_queues = physical.route(entry)
        if entry.number == 0:
            entry.number = next(self._numbers)
        entry.stored = physical.stores(entry, delivery_queues)
        return delivery_queues

    def arrive(
        self, physical: PhysicalDestination, entry: StoredMessage, delivery_queues: Sequence[StoredDeliveryQueue]
    ) -> None:
        """Put a sent message into its delivery queues. Needs B."""
        physical.in_file = physical.in_file or entry.stored
        for delivery_queue in delivery_queues:
            self.admit(delivery_queue, entry)

    def admit(self, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> None:
        """Put a sent message into a delivery queue, at once or when it is due. Needs B."""
        if delivery_queue.gone:
            return
        if entry.delivery_time <= self.clock.now():
            self.offer(delivery_queue, entry)
        else:
            self.schedule.add(delivery_queue, entry)

    def offer(self, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> None:
        """Make a due message available; an expired one is discarded. Needs B."""
        if entry.expiration and self.is_expired(entry):
            self.discard(delivery_queue, entry)
        else:
            delivery_queue.put(entry)

    def release_due(self) -> None:
        """Make available all messages that have become due; called by the clock."""
        with self.lock:
            self.release_due_now()

    def release_due_now(self) -> None:
        """Make available all messages that have become due. Needs B."""
        if self.schedule.is_empty():
            return
        for delivery_queue, entry in self.schedule.due():
            self.offer(delivery_queue, entry)

    def is_expired(self, entry: StoredMessage) -> bool:
        """Return whether `entry` has expired."""
        return entry.expiration != 0 and entry.expiration <= self.clock.now()

    def discard(self, delivery_queue: DeliveryQueue, entry: StoredMessage) -> None:
        """Discard an expired message; its row is deleted with the next commit. Needs B."""
        if entry.stored and isinstance(delivery_queue, StoredDeliveryQueue) and delivery_queue.in_file:
            self.store.run_with_next_commit(forget_statements(delivery_queue, entry.number))

    def load(self, delivery_queue: DeliveryQueue, numbers: array[int]) -> list[StoredMessage]:
        """Read messages whose bodies are no longer in memory. Needs B."""
        del delivery_queue
        return self.load_numbers(numbers)

    def load_numbers(self, numbers: Iterable[int]) -> list[StoredMessage]:
        """Read these messages from the file; JMSException if the file is damaged."""
        try:
            return [entry_of(row) for row in self.store.read_bodies(numbers)]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise damaged(self.store.path, error) from error

    def commit(self, unit: Unit) -> None:
        """Write a unit to the file; return when it is visible and as durable as it demands."""
        if self.closed:
            self.check_open()
        self.store.commit(unit)

    # --- life -------------------------------------------------------------------------------------------------

    def check_open(self) -> None:
        """Raise JMSException if the provider has stopped."""
        if self.closed:
            raise JMSException("the provider has stopped; open a new connection", "PROVIDER_STOPPED")

    def close(self) -> None:
        """Stop in good order: tidy the file up and close it."""
        self.closed = True
        self.schedule.stop()
        try:
            self.store.commit(Cleaning([]))
            if self.marked_ahead:
                correct_delivery_counts(self.store, self.physical_destinations(), self.subscriptions.all_durable())
        except JMSException as error:  # nothing is lost; the file is closed in any case
            _LOG.warning("%s could not be tidied up: %s", self.store.path, error)
        finally:
            self.store.close()

    def die(self) -> None:
        """Stop as a killed process would: write nothing more."""
        self.closed = True
        self.schedule.stop()
        self.store.abandon()
