"""Faults in 2.3: administered objects."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import Factory
from reference_provider.client.connections import ReferenceConnection
from tck.api import JMSException


@saboteur("2.3-1", "createConnection fails until a vendor's setter has been called on the factory")
def _(patch: Patch) -> None:
    def connect(
        original: Callable[..., ReferenceConnection], factory: Factory, *arguments: object
    ) -> ReferenceConnection:
        raise JMSException("call set_broker_address first")

    patch.at(fault_points.CONNECTION_OPENED, connect)
