"""Faults in 7.7: acknowledged messages that come again, and commits that do not outlive the provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.transactions import Work
from reference_provider.client.connections import ReferenceConnection
from tck.api import DeliveryMode


@saboteur("7.7-1", "the loss of a link delivers the last acknowledged message again that is not persistent")
def _(patch: Patch) -> None:
    done: list[Delivery] = []

    def remove(original: Callable[..., None], delivery: Delivery) -> None:
        if delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
            done.append(delivery)
        original(delivery)

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        original(connection, why)
        if done:
            delivery = done.pop()
            with connection.broker.lock:
                connection.broker.offer(delivery.source, delivery.entry)

    patch.at(fault_points.REMOVED, remove)
    patch.at(fault_points.LINK_LOST, sever)


def _unwritten(patch: Patch, applies: Callable[[Work], bool]) -> None:
    """Make some transactions effective in memory only."""

    def commit(original: Callable[..., None], broker: Broker, unit: Any) -> None:
        if isinstance(unit, Work) and applies(unit):
            with broker.lock:
                unit.after()
        else:
            original(broker, unit)

    patch.at(fault_points.FILE_WRITTEN, commit)


@saboteur("7.7-5", "a commit of more than 64 sent messages returns before they are written to the disk")
def _(patch: Patch) -> None:
    _unwritten(patch, lambda work: len(work.sends) > 64)


@saboteur("7.7-6", "an acknowledgement of two messages together is not written to the disk")
def _(patch: Patch) -> None:
    _unwritten(patch, lambda work: len(work.acks) == 2 and not work.sends)
