"""The objects that a bridge connects to a channel, as servants that the channel calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import CosNotifyComm__POA as Skeletons

from tck.adapters.corba.errors import theirs
from tck.adapters.corba.values import our_event, their_event
from tck.interworking import clients


class _Client:
    """A servant before an object of ours; a channel tells it of event types, too, which says nothing to a bridge."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def offer_change(self, added: Any, removed: Any) -> None:
        """Learn which event types are offered."""

    def subscription_change(self, added: Any, removed: Any) -> None:
        """Learn which event types are subscribed to."""


class _PushConsumer(_Client, Skeletons.StructuredPushConsumer):
    def push_structured_event(self, event: Any) -> None:
        with theirs():
            self.target.push_structured_event(our_event(event))

    def disconnect_structured_push_consumer(self) -> None:
        with theirs():
            self.target.disconnect_structured_push_consumer()


class _SequencePushConsumer(_Client, Skeletons.SequencePushConsumer):
    def push_structured_events(self, events: Any) -> None:
        with theirs():
            self.target.push_structured_events(tuple(map(our_event, events)))

    def disconnect_sequence_push_consumer(self) -> None:
        with theirs():
            self.target.disconnect_sequence_push_consumer()


class _PullConsumer(_Client, Skeletons.StructuredPullConsumer):
    def disconnect_structured_pull_consumer(self) -> None:
        with theirs():
            self.target.disconnect_structured_pull_consumer()


class _SequencePullConsumer(_Client, Skeletons.SequencePullConsumer):
    def disconnect_sequence_pull_consumer(self) -> None:
        with theirs():
            self.target.disconnect_sequence_pull_consumer()


class _PushSupplier(_Client, Skeletons.StructuredPushSupplier):
    def disconnect_structured_push_supplier(self) -> None:
        with theirs():
            self.target.disconnect_structured_push_supplier()


class _SequencePushSupplier(_Client, Skeletons.SequencePushSupplier):
    def disconnect_sequence_push_supplier(self) -> None:
        with theirs():
            self.target.disconnect_sequence_push_supplier()


class _PullSupplier(_Client, Skeletons.StructuredPullSupplier):
    def pull_structured_event(self) -> Any:
        with theirs():
            return their_event(self.target.pull_structured_event())

    def try_pull_structured_event(self) -> tuple[Any, bool]:
        with theirs():
            found = self.target.try_pull_structured_event()
            return their_event(found), found is not None

    def disconnect_structured_pull_supplier(self) -> None:
        with theirs():
            self.target.disconnect_structured_pull_supplier()


class _SequencePullSupplier(_Client, Skeletons.SequencePullSupplier):
    def pull_structured_events(self, max_number: int) -> list[Any]:
        with theirs():
            return [their_event(each) for each in self.target.pull_structured_events(max_number)]

    def try_pull_structured_events(self, max_number: int) -> tuple[list[Any], bool]:
        with theirs():
            found = [their_event(each) for each in self.target.try_pull_structured_events(max_number)]
            return found, bool(found)

    def disconnect_sequence_pull_supplier(self) -> None:
        with theirs():
            self.target.disconnect_sequence_pull_supplier()


SERVANTS: Final[dict[type, Callable[[Any], Any]]] = {
    clients.StructuredPushConsumer: _PushConsumer,
    clients.SequencePushConsumer: _SequencePushConsumer,
    clients.StructuredPullConsumer: _PullConsumer,
    clients.SequencePullConsumer: _SequencePullConsumer,
    clients.StructuredPushSupplier: _PushSupplier,
    clients.SequencePushSupplier: _SequencePushSupplier,
    clients.StructuredPullSupplier: _PullSupplier,
    clients.SequencePullSupplier: _SequencePullSupplier,
}
"""For each interface of clients the class of its servants."""


def reference(client: object) -> Any:
    """Return the reference by which a channel reaches a client; nil for None, whom the channel does not call."""
    for kind, servant in SERVANTS.items():
        if isinstance(client, kind):
            return servant(client)._this()
    if client is not None:
        raise TypeError(f"{client!r} is no client of a notification channel")
    return None
