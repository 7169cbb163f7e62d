"""The interfaces of CosNotifyComm as those of `tck.interworking.clients`: objects of another process, which one here calls."""

from __future__ import annotations

from typing import Any

from tck.adapters.corba.errors import ours
from tck.adapters.corba.values import our_event, their_event
from tck.interworking import StructuredEvent, clients
from tck.interworking.clients import Batch


class Remote:
    """An object of another process. All calls raise our exceptions.

    Args:
        remote: The reference, narrowed.
    """

    def __init__(self, remote: Any) -> None:
        self.remote = remote

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an operation by its name in the IDL; `_get_` and `_set_` stand before an attribute."""
        with ours():
            return getattr(self.remote, name)(*arguments)


def ending(operation: str) -> Any:
    """Return the method that ends a connection by an operation."""

    def disconnect(self: Remote) -> None:
        self.call(operation)

    return disconnect


class PushConsumer(Remote, clients.StructuredPushConsumer):
    """Takes single events."""

    disconnect_structured_push_consumer = ending("disconnect_structured_push_consumer")

    def push_structured_event(self, event: StructuredEvent) -> None:
        self.call("push_structured_event", their_event(event))


class SequencePushConsumer(Remote, clients.SequencePushConsumer):
    """Takes batches."""

    disconnect_sequence_push_consumer = ending("disconnect_sequence_push_consumer")

    def push_structured_events(self, events: Batch) -> None:
        self.call("push_structured_events", [their_event(each) for each in events])


class PullConsumer(Remote, clients.StructuredPullConsumer):
    """Pulls single events."""

    disconnect_structured_pull_consumer = ending("disconnect_structured_pull_consumer")


class SequencePullConsumer(Remote, clients.SequencePullConsumer):
    """Pulls batches."""

    disconnect_sequence_pull_consumer = ending("disconnect_sequence_pull_consumer")


class AnyPushSupplier(Remote, clients.PushSupplier):
    """Pushes untyped events."""

    disconnect_push_supplier = ending("disconnect_push_supplier")


class PushSupplier(Remote, clients.StructuredPushSupplier):
    """Pushes single events."""

    disconnect_structured_push_supplier = ending("disconnect_structured_push_supplier")


class SequencePushSupplier(Remote, clients.SequencePushSupplier):
    """Pushes batches."""

    disconnect_sequence_push_supplier = ending("disconnect_sequence_push_supplier")


class PullSupplier(Remote, clients.StructuredPullSupplier):
    """Has single events."""

    disconnect_structured_pull_supplier = ending("disconnect_structured_pull_supplier")

    def pull_structured_event(self) -> StructuredEvent:
        return our_event(self.call("pull_structured_event"))

    def try_pull_structured_event(self) -> StructuredEvent | None:
        found, there = self.call("try_pull_structured_event")
        return our_event(found) if there else None


class SequencePullSupplier(Remote, clients.SequencePullSupplier):
    """Has batches."""

    disconnect_sequence_pull_supplier = ending("disconnect_sequence_pull_supplier")

    def pull_structured_events(self, max_number: int) -> Batch:
        return tuple(map(our_event, self.call("pull_structured_events", max_number)))

    def try_pull_structured_events(self, max_number: int) -> Batch:
        found, there = self.call("try_pull_structured_events", max_number)
        return tuple(map(our_event, found)) if there else ()
