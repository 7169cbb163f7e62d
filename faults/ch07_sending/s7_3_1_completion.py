"""Faults in 7.3.1: when onCompletion is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.asynchronous import unanswered, within
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination


@saboteur("7.3.1-1", "the send of a delayed message has no callback before the message is due")
def _(patch: Patch) -> None:
    unanswered(patch, lambda completion: completion.message.jms_delivery_time > completion.message.jms_timestamp > 0)


@saboteur("7.3.1-2", "an asynchronous send completes before its message is in the file")
def _(patch: Patch) -> None:
    sending = within(patch, fault_points.SENT_ASYNCHRONOUSLY)

    def stores(original: Callable[..., bool], physical: PhysicalDestination, *arguments: Any) -> bool:
        return not sending and original(physical, *arguments)

    patch.at(fault_points.STORED, stores)
