"""The objects that a bridge connects to a channel, as servants that the channel calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import CosNotifyComm__POA as Skeletons

from tck.adapters.corba.errors import theirs
from tck.adapters.corba.values import our_event, their_event
from tck.interworking import clients


class Client:
    """A servant before an object of ours; a channel tells it of event types, too, which says nothing to a bridge."""

    def __init__(self, target: Any) -> None:
        self._target = target

    def offer_change(self, added: Any, removed: Any) -> None:
        """Learn which event types are offered."""

    def subscription_change(self, added: Any, removed: Any) -> None:
        """Learn which event types are subscribed to."""


class PushConsumer(Client, Skeletons.StructuredPushConsumer):
    """Takes single events."""

    def push_structured_event(self, event: Any) -> None:
        with theirs():
            self._target.push_structured_event(our_event(event))

    def disconnect_structured_push_consumer(self) -> None:
        with theirs():
            self._target.disconnect_structured_push_consumer()


class SequencePushConsumer(Client, Skeletons.SequencePushConsumer):
    """Takes batches."""

    def push_structured_events(self, events: Any) -> None:
        with theirs():
            self._target.push_structured_events(tuple(map(our_event, events)))

    def disconnect_sequence_push_consumer(self) -> None:
        with theirs():
            self._target.disconnect_sequence_push_consumer()


class PullConsumer(Client, Skeletons.StructuredPullConsumer):
    """Pulls single events."""

    def disconnect_structured_pull_consumer(self) -> None:
        with theirs():
            self._target.disconnect_structured_pull_consumer()


class SequencePullConsumer(Client, Skeletons.SequencePullConsumer):
    """Pulls batches."""

    def disconnect_sequence_pull_consumer(self) -> None:
        with theirs():
            self._target.disconnect_sequence_pull_consumer()


class PushSupplier(Client, Skeletons.StructuredPushSupplier):
    """Pushes single events."""

    def disconnect_structured_push_supplier(self) -> None:
        with theirs():
            self._target.disconnect_structured_push_supplier()


class SequencePushSupplier(Client, Skeletons.SequencePushSupplier):
    """Pushes batches."""

    def disconnect_sequence_push_supplier(self) -> None:
        with theirs():
            self._target.disconnect_sequence_push_supplier()


class PullSupplier(Client, Skeletons.StructuredPullSupplier):
    """Has single events."""

    def pull_structured_event(self) -> Any:
        with theirs():
            return their_event(self._target.pull_structured_event())

    def try_pull_structured_event(self) -> tuple[Any, bool]:
        with theirs():
            found = self._target.try_pull_structured_event()
            return their_event(found), found is not None

    def disconnect_structured_pull_supplier(self) -> None:
        with theirs():
            self._target.disconnect_structured_pull_supplier()


class SequencePullSupplier(Client, Skeletons.SequencePullSupplier):
    """Has batches."""

    def pull_structured_events(self, max_number: int) -> list[Any]:
        with theirs():
            return [their_event(each) for each in self._target.pull_structured_events(max_number)]

    def try_pull_structured_events(self, max_number: int) -> tuple[list[Any], bool]:
        with theirs():
            found = [their_event(each) for each in self._target.try_pull_structured_events(max_number)]
            return found, bool(found)

    def disconnect_sequence_pull_supplier(self) -> None:
        with theirs():
            self._target.disconnect_sequence_pull_supplier()


_SERVANTS: Final[dict[type, Callable[[Any], Any]]] = {
    clients.StructuredPushConsumer: PushConsumer,
    clients.SequencePushConsumer: SequencePushConsumer,
    clients.StructuredPullConsumer: PullConsumer,
    clients.SequencePullConsumer: SequencePullConsumer,
    clients.StructuredPushSupplier: PushSupplier,
    clients.SequencePushSupplier: SequencePushSupplier,
    clients.StructuredPullSupplier: PullSupplier,
    clients.SequencePullSupplier: SequencePullSupplier,
}


def reference(client: object) -> Any:
    """Return the reference by which a channel reaches a client; nil for None, whom the channel does not call."""
    for kind, servant in _SERVANTS.items():
        if isinstance(client, kind):
            return servant(client)._this()
    if client is not None:
        raise TypeError(f"{client!r} is no client of a notification channel")
    return None
