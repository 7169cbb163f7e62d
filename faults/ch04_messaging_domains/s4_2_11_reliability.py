"""Faults in 4.2.11: reliability, by delivery mode and kind of subscription."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import Acknowledged, Reappearing, after_durable_opened, put_again
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from tck.api import DeliveryMode


def _nonpersistent(entries: list[StoredMessage]) -> list[StoredMessage]:
    return [entry for entry in entries if entry.delivery_mode == DeliveryMode.NON_PERSISTENT]


@saboteur("4.2.11-2", "the next non-durable subscriber gets non-persistent messages again")
def _(patch: Patch) -> None:
    reappearing = Reappearing(patch)

    def remove_from_queue(original: Callable[..., None], delivery: Delivery) -> None:
        original(delivery)
        if isinstance(delivery.source.physical, PhysicalTopic) and not delivery.source.in_file:
            reappearing.kept[delivery.source.physical].extend(_nonpersistent([delivery.entry]))

    patch.at(fault_points.REMOVED, remove_from_queue)


@saboteur("4.2.11-3", "a resumed durable subscription delivers acknowledged non-persistent messages again")
def _(patch: Patch) -> None:
    acknowledged = Acknowledged(patch)
    after_durable_opened(
        patch,
        lambda receiver: put_again(receiver, _nonpersistent(acknowledged.entries[receiver.delivery_queue])),
    )


@saboteur("4.2.11-4", "a non-durable subscription keeps thirty persistent messages at most")
def _(patch: Patch) -> None:
    def wants(original: Callable[..., bool], subscription: Subscription, entry: StoredMessage) -> bool:
        persistent = entry.delivery_mode == DeliveryMode.PERSISTENT
        return original(subscription, entry) and not (
            persistent and not subscription.durable and len(subscription.delivery_queue) >= 30
        )

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur("4.2.11-5", "closing a consumer loses the first persistent message of its durable subscription")
def _(patch: Patch) -> None:
    def detach(original: Callable[..., None], consumer: ReferenceConsumer) -> None:
        original(consumer)
        delivery_queue = consumer.receiver.delivery_queue
        if delivery_queue.in_file and isinstance(consumer.receiver.physical, PhysicalTopic):
            for entry in list(delivery_queue.free_entries())[:1]:
                delivery_queue.remove(entry.number, entry.priority)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
