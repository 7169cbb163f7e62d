"""The interfaces that clients of a notification channel implement, and that its proxies have too, named after the IDL.

Imports this package's values only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeAlias

from tck.interworking.events import StructuredEvent

Batch: TypeAlias = tuple[StructuredEvent, ...]
"""Events that travel in one call; the one at index 0 comes first."""


class StructuredPushConsumer(ABC):
    """Gets single events from a channel that pushes."""

    @abstractmethod
    def push_structured_event(self, event: StructuredEvent) -> None:
        """Take an event; an exception makes the channel try again, `Disconnected` ends the connection."""

    @abstractmethod
    def disconnect_structured_push_consumer(self) -> None:
        """Learn that the other side has ended the connection."""


class SequencePushConsumer(ABC):
    """Gets batches from a channel that pushes."""

    @abstractmethod
    def push_structured_events(self, events: Batch) -> None:
        """Take a batch; an exception makes the channel try again, `Disconnected` ends the connection."""

    @abstractmethod
    def disconnect_sequence_push_consumer(self) -> None:
        """Learn that the other side has ended the connection."""


class StructuredPullConsumer(ABC):
    """Pulls single events from a channel."""

    @abstractmethod
    def disconnect_structured_pull_consumer(self) -> None:
        """Learn that the other side has ended the connection."""


class SequencePullConsumer(ABC):
    """Pulls batches from a channel."""

    @abstractmethod
    def disconnect_sequence_pull_consumer(self) -> None:
        """Learn that the other side has ended the connection."""


class PushSupplier(ABC):
    """Pushes untyped events, values of any type, into a channel."""

    @abstractmethod
    def disconnect_push_supplier(self) -> None:
        """Learn that the other side has ended the connection."""


class StructuredPushSupplier(ABC):
    """Pushes single events into a channel."""

    @abstractmethod
    def disconnect_structured_push_supplier(self) -> None:
        """Learn that the other side has ended the connection."""


class SequencePushSupplier(ABC):
    """Pushes batches into a channel."""

    @abstractmethod
    def disconnect_sequence_push_supplier(self) -> None:
        """Learn that the other side has ended the connection."""


class StructuredPullSupplier(ABC):
    """Has single events that a channel pulls."""

    @abstractmethod
    def pull_structured_event(self) -> StructuredEvent:
        """Return the next event; wait until there is one.

        Raises:
            Disconnected: The connection has ended, also during the wait.
        """

    @abstractmethod
    def try_pull_structured_event(self) -> StructuredEvent | None:
        """Return the next event, or None if there is none now.

        Raises:
            Disconnected: The connection has ended.
        """

    @abstractmethod
    def disconnect_structured_pull_supplier(self) -> None:
        """Learn that the other side has ended the connection."""


class SequencePullSupplier(ABC):
    """Has batches that a channel pulls."""

    @abstractmethod
    def pull_structured_events(self, max_number: int) -> Batch:
        """Return at least one and at most `max_number` events; wait until there is one.

        Raises:
            Disconnected: The connection has ended, also during the wait.
        """

    @abstractmethod
    def try_pull_structured_events(self, max_number: int) -> Batch:
        """Return at most `max_number` events; an empty batch if there is none now.

        Raises:
            Disconnected: The connection has ended.
        """

    @abstractmethod
    def disconnect_sequence_pull_supplier(self) -> None:
        """Learn that the other side has ended the connection."""
