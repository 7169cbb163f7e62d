"""Helpers for faults of topics and their subscriptions."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch


def rerouted(
    patch: Patch, fault: Callable[[PhysicalTopic, StoredMessage, list[Subscription]], list[Subscription]]
) -> None:
    """Let `fault` choose among the subscriptions of a topic that want a message."""

    def route(
        original: Callable[..., list[StoredDeliveryQueue]],
        broker: Broker,
        physical: PhysicalDestination,
        entry: StoredMessage,
    ) -> list[StoredDeliveryQueue]:
        delivery_queues = original(broker, physical, entry)
        if not isinstance(physical, PhysicalTopic):
            return delivery_queues
        wanting = [one for one in physical.subscriptions if one.wants(entry)]
        chosen = [one.delivery_queue for one in fault(physical, entry, wanting)]
        entry.stored = physical.stores(entry, chosen)
        return chosen

    patch.at(fault_points.ROUTED, route)


class Reappearing:
    """Entries that the next unnamed subscription of their topic gets, as new ones."""

    def __init__(self, patch: Patch) -> None:
        self.kept: defaultdict[PhysicalDestination, list[StoredMessage]] = defaultdict(list)

        def open_plain(original: Callable[..., Receiver], session: ReferenceSession, *arguments: Any) -> Receiver:
            receiver = original(session, *arguments)
            if receiver.subscription is not None:
                with session.broker.lock:
                    put_again(receiver, self.kept.pop(receiver.physical, []))
            return receiver

        patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


def put_again(receiver: Receiver, entries: list[StoredMessage]) -> None:
    """Append copies of entries, kept in memory only, to a receiver's stream. Needs the broker lock."""
    for entry in entries:
        again = copy.copy(entry)
        again.number = receiver.slot.broker.next_number()
        again.stored = False
        receiver.delivery_queue.put(again)


def closed_collect(patch: Patch, wanted: Callable[[StoredMessage], bool]) -> None:
    """Keep messages of a topic after its last non-durable consumer is closed, for the next one."""
    reappearing = Reappearing(patch)
    left: set[int] = set()

    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        if isinstance(consumer.receiver.physical, PhysicalTopic) and not consumer.session.closing:
            left.add(id(consumer.receiver.physical))

    def collect(physical: PhysicalTopic, entry: StoredMessage, wanting: list[Subscription]) -> list[Subscription]:
        if not physical.subscriptions and id(physical) in left and wanted(entry):
            reappearing.kept[physical].append(entry)
        return wanting

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    rerouted(patch, collect)


class Acknowledged:
    """The acknowledged entries of each durable stream."""

    def __init__(self, patch: Patch) -> None:
        self.entries: defaultdict[StoredDeliveryQueue, list[StoredMessage]] = defaultdict(list)

        def remove_from_queue(original: Callable[..., None], delivery: Delivery) -> None:
            original(delivery)
            if delivery.source.in_file and isinstance(delivery.source.physical, PhysicalTopic):
                self.entries[delivery.source].append(delivery.entry)

        patch.at(fault_points.REMOVED, remove_from_queue)


def after_durable_opened(patch: Patch, fault: Callable[[Receiver], object]) -> None:
    """Run `fault` on the receiver of each unshared durable subscription that is opened, under the broker lock."""

    def open_stored(
        original: Callable[..., Receiver], factory: ConsumerFactory, *arguments: object, shared: bool
    ) -> Receiver:
        receiver = original(factory, *arguments, shared=shared)
        if not shared:
            with factory.broker.lock:
                fault(receiver)
        return receiver

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
