"""Faults in 4.2.11: reliability, by delivery mode and kind of subscription."""

from faults.kit import *


def _nonpersistent(entries):
    return [entry for entry in entries if entry.delivery_mode == DeliveryMode.NON_PERSISTENT]


@saboteur("4.2.11-2", "the next non-durable subscriber gets non-persistent messages again")
def _(patch):
    reappearing = Reappearing(patch)

    def remove_from_queue(original, delivery):
        original(delivery)
        if isinstance(delivery.source.physical, PhysicalTopic) and not delivery.source.in_file:
            reappearing.kept[delivery.source.physical].extend(_nonpersistent([delivery.entry]))

    patch.at(fault_points.REMOVED, remove_from_queue)


@saboteur("4.2.11-3", "a resumed durable subscription delivers acknowledged non-persistent messages again")
def _(patch):
    acknowledged = Acknowledged(patch)
    after_durable_opened(
        patch, lambda receiver: put_again(receiver, _nonpersistent(acknowledged.entries[receiver.delivery_queue]))
    )


@saboteur(
    "4.2.11-4",
    "a non-durable subscription keeps thirty persistent messages at most",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    persistent = entry.delivery_mode == DeliveryMode.PERSISTENT
    return original(subscription, entry) and not (
        persistent and not subscription.durable and len(subscription.delivery_queue) >= 30
    )


@saboteur(
    "4.2.11-5",
    "closing a consumer loses the first persistent message of its durable subscription",
    at=fault_points.CONSUMER_CLOSED,
)
def _(original, consumer):
    original(consumer)
    delivery_queue = consumer.receiver.delivery_queue
    if delivery_queue.in_file and isinstance(consumer.receiver.physical, PhysicalTopic):
        for entry in list(delivery_queue.free_entries())[:1]:
            delivery_queue.remove(entry.number, entry.priority)
