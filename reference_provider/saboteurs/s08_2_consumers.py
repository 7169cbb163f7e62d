"""Faults in 8.2, 8.3 and 8.7: what consumers tell of themselves, and destinations that are none."""

from __future__ import annotations

from typing import Any

from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver, ReferenceSubscriber
from reference_provider.client.domain_specific import ReferenceQueueSession, ReferenceTopicSession
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import MessageListener, NullPointerException


def _null_is_no_argument(patch: Patch, owner: Any, name: str) -> None:
    """Have a method raise NullPointerException when its first argument is null."""
    original = getattr(owner, name)

    def method(self: Any, destination: object, *others: object, **named: object) -> object:
        if destination is None:
            raise NullPointerException("null")
        return original(self, destination, *others, **named)

    patch.replace(owner, name, method)


@saboteur("8.2-6", "getQueue() of a receiver is null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceReceiver, "queue", property(lambda self: None))


@saboteur("8.2-7", "createReceiver(null) raises NullPointerException")
def _(patch: Patch) -> None:
    _null_is_no_argument(patch, ReferenceQueueSession, "create_receiver")


@saboteur("8.3.1-17", "getTopic() of a subscriber is null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "topic", property(lambda self: None))


@saboteur("8.3.1-18", "getNoLocal() is always false")
def _(patch: Patch) -> None:
    patch.replace(ReferenceSubscriber, "no_local", property(lambda self: False))


@saboteur("8.3.1-19", "createSubscriber(null) raises NullPointerException")
def _(patch: Patch) -> None:
    _null_is_no_argument(patch, ReferenceTopicSession, "create_subscriber")


@saboteur("8.3.3-40", "creating a durable consumer on null raises NullPointerException")
def _(patch: Patch) -> None:
    _null_is_no_argument(patch, ReferenceSession, "open_durable")


@saboteur("8.7-15", "getMessageListener() gives a wrapper of the listener")
def _(patch: Patch) -> None:
    original: Any = ReferenceConsumer.message_listener

    def get(self: ReferenceConsumer) -> MessageListener | None:
        listener = original.fget(self)
        return None if listener is None else _Passing(listener)

    patch.replace(ReferenceConsumer, "message_listener", property(get, original.fset))


class _Passing(MessageListener):
    """Hands messages on to a listener."""

    def __init__(self, listener: MessageListener) -> None:
        self._listener = listener

    def on_message(self, message: Any) -> None:
        """Hand a message on."""
        self._listener.on_message(message)
