"""Faults in 2.3: administered objects."""

from __future__ import annotations

from reference_provider.client.connection_factories import Factory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import JMSException


@saboteur("2.3-1", "createConnection fails until a vendor's setter has been called on the factory")
def _(patch: Patch) -> None:
    def connect(self: Factory, *arguments: object) -> ReferenceConnection:
        raise JMSException("call set_broker_address first")

    patch.replace(Factory, "connect", connect)
