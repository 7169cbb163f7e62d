"""Faults of single deliveries; see `tck.check.properties.delivery`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from faults.kit.common import as_received
from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from faults.kit.striking import now_and_then
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalTopic,
    StoredDeliveryQueue,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.clock import VirtualClock
from tck.api import Message

LATER_MS: Final = 50
"""Milliseconds by which the provider's clock lags."""


@breaks("not-before-send")
def _clock_behind(patch: Patch) -> None:
    """Let the provider's clock lag on threads that have received a message, so that messages arrive before they are sent."""
    monotonic_ns, behind = VirtualClock.monotonic_ns, threading.local()

    def taken(original: Callable[..., Delivery | None], receiver: Receiver) -> Delivery | None:
        delivery = original(receiver)
        if delivery is not None:
            behind.ns = LATER_MS * 1_000_000
        return delivery

    patch.at(fault_points.MESSAGE_TAKEN, taken)
    patch.replace(VirtualClock, "monotonic_ns", lambda self: monotonic_ns(self) - getattr(behind, "ns", 0))


@breaks("not-after-unsubscribe")
def _goes_on(patch: Patch) -> None:
    def close(original: Callable[..., None], connection: ReferenceConnection) -> None:
        if any(isinstance(each.physical, PhysicalTopic) and each.listener for each in _consumers(connection)):
            return
        original(connection)

    patch.at(fault_points.CONNECTION_CLOSED, close)


def _consumers(connection: ReferenceConnection) -> list[Any]:
    return [_Seen(consumer) for session in connection.sessions for consumer in session.consumers]


class _Seen:
    """A consumer's destination and listener."""

    def __init__(self, consumer: ReferenceConsumer) -> None:
        self.physical = consumer.receiver.physical
        self.listener = consumer.listener


@breaks("no-invention")
def _forged(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(message: Message, delivery: Delivery) -> None:
        if strikes():
            values: Any = message._properties  # type: ignore[attr-defined] # of every message of this provider
            message._properties = {  # type: ignore[attr-defined] # as above
                name: value + 0xFFFFFF if type(value) is int else value for name, value in values.items()
            }

    as_received(patch, fault)


@breaks("no-corruption")
def _body_changed(patch: Patch) -> None:
    strikes = now_and_then()

    def fault(message: Message, delivery: Delivery) -> None:
        text = getattr(message, "_text", None)
        if isinstance(text, str) and strikes():
            message._text = text[:-1] + "?"  # type: ignore[attr-defined] # of a text message

    as_received(patch, fault)


def _never_expires(patch: Patch) -> None:
    patch.at(fault_points.EXPIRY_CHECKED, lambda original, broker, entry: False)


breaks("not-after-expiry")(_never_expires)
breaks("expired-not-received")(_never_expires)


@breaks("no-local-honoured")
def _local_too(patch: Patch) -> None:
    def open_receiver(original: Callable[..., Receiver], *arguments: Any) -> Receiver:
        receiver = original(*arguments)
        if receiver.subscription is not None:
            receiver.subscription.no_local = None
        return receiver

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


@breaks("not-before-subscription")
def _old_news(patch: Patch) -> None:
    last: dict[int, StoredMessage] = {}

    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        original(broker, delivery_queue, entry)
        if isinstance(delivery_queue.physical, PhysicalTopic):
            last[id(delivery_queue.physical)] = entry

    def open_receiver(
        original: Callable[..., Receiver], factory: ConsumerFactory, physical: PhysicalDestination, *rest: Any
    ) -> Receiver:
        receiver = original(factory, physical, *rest)
        new = receiver.subscription is not None and receiver.subscription.consumers == 1
        if new and id(physical) in last and not receiver.delivery_queue.in_file:
            factory.broker.admit(receiver.delivery_queue, last[id(physical)])
        return receiver

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


@breaks("temporary-owner-only")
def _for_everybody(patch: Patch) -> None:
    patch.at(fault_points.TEMPORARY_CHECKED, lambda original, temporaries, physical: None)


@breaks("temporary-ends-with-connection")
def _outlives_its_connection(patch: Patch) -> None:
    patch.at(fault_points.TEMPORARY_CHECKED, lambda original, temporaries, physical: None)
    patch.replace(TemporaryDestinations, "delete_all", lambda self: None)
    patch.replace(TemporaryDestinations, "sweep", lambda self: None)
