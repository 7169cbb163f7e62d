"""Faults in 7.9: messages beside delayed ones, and those that expire before they are due."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.delays import is_delayed, kept_until, remains
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage

LONG = 1_800_000
"""A delay from which on a message holds up others, ms."""


@saboteur("7.9-6", "a message with a delay of more than half an hour holds up those that are sent after it")
def _(patch: Patch) -> None:
    def admit(original: Callable[..., None], broker: Broker, source: StoredDeliveryQueue, entry: StoredMessage) -> None:
        ahead = [one.delivery_time for one in broker.schedule.waiting_for(source) if remains(broker, one) > LONG]
        kept_until(original, broker, source, entry, max(entry.delivery_time, *ahead, 0))

    patch.at(fault_points.ARRIVED, admit)


@saboteur("7.9-11", "the time to live of a delayed message counts from its delivery time")
def _(patch: Patch) -> None:
    def is_expired(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        expired = original(broker, entry)
        if not is_delayed(entry):
            return expired
        return expired and entry.expiration + entry.delivery_time - entry.timestamp <= broker.clock.now()

    patch.at(fault_points.EXPIRY_CHECKED, is_expired)
