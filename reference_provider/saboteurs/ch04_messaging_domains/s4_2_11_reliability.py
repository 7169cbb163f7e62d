"""Faults in 4.2.11: reliability, by delivery mode and kind of subscription."""

from __future__ import annotations

from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.subscription_faults import Acknowledged, Reappearing, put_again
from tck.api import DeliveryMode


def _nonpersistent(entries: list[StoredMessage]) -> list[StoredMessage]:
    return [entry for entry in entries if entry.delivery_mode == DeliveryMode.NON_PERSISTENT]


@saboteur("4.2.11-2", "the next non-durable subscriber gets non-persistent messages again")
def _(patch: Patch) -> None:
    reappearing = Reappearing(patch)
    taking = Delivery.remove_from_queue

    def remove_from_queue(self: Delivery) -> None:
        taking(self)
        if isinstance(self.source.physical, PhysicalTopic) and not self.source.in_file:
            reappearing.kept[self.source.physical].extend(_nonpersistent([self.entry]))

    patch.replace(Delivery, "remove_from_queue", remove_from_queue)


@saboteur("4.2.11-3", "a resumed durable subscription delivers acknowledged non-persistent messages again")
def _(patch: Patch) -> None:
    acknowledged = Acknowledged(patch)
    original = ConsumerFactory.open_durable

    def open_durable(self: ConsumerFactory, *arguments: Any) -> Receiver:
        receiver = original(self, *arguments)
        with self.broker.lock:
            put_again(receiver, _nonpersistent(acknowledged.entries[receiver.delivery_queue]))
        return receiver

    patch.replace(ConsumerFactory, "open_durable", open_durable)


@saboteur("4.2.11-4", "a non-durable subscription keeps thirty persistent messages at most")
def _(patch: Patch) -> None:
    original = Subscription.wants

    def wants(self: Subscription, entry: StoredMessage) -> bool:
        persistent = entry.delivery_mode == DeliveryMode.PERSISTENT
        return original(self, entry) and not (persistent and not self.durable and len(self.delivery_queue) >= 30)

    patch.replace(Subscription, "wants", wants)


@saboteur("4.2.11-5", "closing a consumer loses the first persistent message of its durable subscription")
def _(patch: Patch) -> None:
    original = ReferenceConsumer.detach

    def detach(self: ReferenceConsumer) -> None:
        original(self)
        delivery_queue = self.receiver.delivery_queue
        if delivery_queue.in_file and isinstance(self.receiver.physical, PhysicalTopic):
            for entry in list(delivery_queue.free_entries())[:1]:
                delivery_queue.remove(entry.number, entry.priority)

    patch.replace(ReferenceConsumer, "detach", detach)
