"""Faults in 4.2.8: recovery and redelivery to topic subscribers."""

from __future__ import annotations

from reference_provider.broker.physical_destinations import PhysicalTopic
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.subscription_faults import closed_collect
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
    original = ReferenceSession.drop_unfinished

    def drop_unfinished(self: ReferenceSession) -> None:
        durable = [
            one
            for one in self.state.unacknowledged
            if one.source.in_file and isinstance(one.source.physical, PhysicalTopic)
        ]
        self.state.unacknowledged = [one for one in self.state.unacknowledged if one not in durable]
        self.state.acknowledge(durable, durable=True)
        original(self)

    patch.replace(ReferenceSession, "drop_unfinished", drop_unfinished)


@saboteur("4.2.8-4", "closed non-durable subscribers get persistent messages when they return")
def _(patch: Patch) -> None:
    closed_collect(patch, lambda entry: entry.delivery_mode == DeliveryMode.PERSISTENT)
