"""Faults in 2.7: the classic API."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.connection_factories import ReferenceConnectionFactory
from tck.api import IllegalStateRuntimeException, JMSContext


@saboteur("2.7-1", "a factory that has created a Connection refuses to create a JMSContext")
def _(patch: Patch) -> None:
    used: list[ReferenceConnectionFactory] = []
    connecting, creating = ReferenceConnectionFactory.create_connection, ReferenceConnectionFactory.create_context

    def create_connection(self: ReferenceConnectionFactory, *arguments: Any, **options: Any) -> Any:
        used.append(self)
        return connecting(self, *arguments, **options)

    def create_context(self: ReferenceConnectionFactory, **options: Any) -> JMSContext:
        if any(self is one for one in used):
            raise IllegalStateRuntimeException("the factory makes connections")
        return creating(self, **options)

    patch.replace(ReferenceConnectionFactory, "create_connection", create_connection)
    patch.replace(ReferenceConnectionFactory, "create_context", create_context)
