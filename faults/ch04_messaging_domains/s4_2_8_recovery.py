"""Faults in 4.2.8: recovery and redelivery to topic subscribers."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import closed_collect
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalTopic
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode


@saboteur("4.2.8-1", "recover() drops the messages of non-durable subscribers")
def _(patch: Patch) -> None:
    original = ReferenceSession.recover

    def recover(self: ReferenceSession) -> None:
        self.state.unacknowledged = [
            one
            for one in self.state.unacknowledged
            if one.source.in_file or not isinstance(one.source.physical, PhysicalTopic)
        ]
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@saboteur("4.2.8-3", "closing a session acknowledges the messages of its durable subscribers")
def _(patch: Patch) -> None:
    def drop_unfinished(original: Callable[..., None], session: ReferenceSession) -> None:
        durable = [
            one
            for one in session.state.unacknowledged
            if one.source.in_file and isinstance(one.source.physical, PhysicalTopic)
        ]
        session.state.unacknowledged = [one for one in session.state.unacknowledged if one not in durable]
        session.state.acknowledge(durable, durable=True)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@saboteur("4.2.8-4", "closed non-durable subscribers get persistent messages when they return")
def _(patch: Patch) -> None:
    closed_collect(patch, lambda entry: entry.delivery_mode == DeliveryMode.PERSISTENT)
