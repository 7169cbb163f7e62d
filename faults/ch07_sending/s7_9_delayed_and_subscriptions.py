"""Faults in 7.9: which subscriptions get a delayed message."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.delays import enter_late, is_delayed, subscription_of
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage


@saboteur("7.9-7", "a new non-durable subscription gets the delayed messages of its topic that are not due yet")
def _(patch: Patch) -> None:
    enter_late(patch, lambda subscription: not subscription.durable)


@saboteur("7.9-8", "a new durable subscription gets the delayed messages of its topic that are not due yet")
def _(patch: Patch) -> None:
    enter_late(patch, lambda subscription: subscription.durable)


@saboteur("7.9-9", "a delayed message reaches only subscriptions that have a consumer when it is due")
def _(patch: Patch) -> None:
    def offer(original: Callable[..., None], broker: Broker, source: StoredDeliveryQueue, entry: StoredMessage) -> None:
        subscription = subscription_of(source)
        if subscription is None or subscription.consumers or not is_delayed(entry):
            original(broker, source, entry)
        else:
            broker.discard(source, entry)

    patch.at(fault_points.OFFERED, offer)
