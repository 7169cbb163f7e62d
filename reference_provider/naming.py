"""A naming service for administered objects, kept in the file: a lookup returns an object equal to the bound one."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from reference_provider.client.connection_factories import (
    Factory,
    Parameters,
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
    ReferenceXAConnectionFactory,
    ReferenceXAQueueConnectionFactory,
    ReferenceXATopicConnectionFactory,
)
from reference_provider.destinations import ReferenceDestination, destination_of
from tck.api import IllegalArgumentException, JMSException

if TYPE_CHECKING:
    from reference_provider.server import Server
    from reference_provider.store import Statement

FACTORIES: Final[dict[str, type[Factory]]] = {
    "connection-factory": ReferenceConnectionFactory,
    "queue-connection-factory": ReferenceQueueConnectionFactory,
    "topic-connection-factory": ReferenceTopicConnectionFactory,
    "xa-connection-factory": ReferenceXAConnectionFactory,
    "xa-queue-connection-factory": ReferenceXAQueueConnectionFactory,
    "xa-topic-connection-factory": ReferenceXATopicConnectionFactory,
}
_KINDS: Final = {factory: kind for kind, factory in FACTORIES.items()}


class Naming:
    """Names and their bound objects. A name may be bound again; the last binding counts."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def bind(self, name: str, obj: object) -> None:
        """Bind a connection factory, queue or topic of this provider; IllegalArgumentException for anything else."""
        kind, value = stored_form(obj)
        self._server.broker.commit(_Binding(name, kind, value))

    def lookup(self, name: str) -> object:
        """Return the object bound to a name; nothing is created or connected. JMSException for an unknown name."""
        row = self._server.broker.store.read_one("select kind, value from name where name = ?", (name,))
        if row is None:
            raise JMSException(f"nothing is bound as {name!r}", "NAME_NOT_FOUND")
        kind, value = str(row[0]), str(row[1])
        if kind in FACTORIES:
            return FACTORIES[kind](self._server, Parameters(**json.loads(value)))
        return destination_of(kind, value)


def stored_form(obj: object) -> tuple[str, str]:
    """Return kind and value of an administered object in their stored form."""
    if isinstance(obj, Factory):
        return next(_KINDS[each] for each in type(obj).__mro__ if each in _KINDS), json.dumps(asdict(obj.parameters))
    if isinstance(obj, ReferenceDestination) and obj.kind in {"queue", "topic"}:
        return obj.kind, obj.name
    raise IllegalArgumentException(f"{obj!r} is no administered object of this provider")


class _Binding:
    durable = True

    def __init__(self, name: str, kind: str, value: str) -> None:
        self._values = (name, kind, value)

    def statements(self) -> list[Statement]:
        return [("insert or replace into name (name, kind, value) values (?, ?, ?)", self._values)]

    def after(self) -> None:
        return
