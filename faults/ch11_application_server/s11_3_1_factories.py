"""Faults in 11.3.1: the connections and contexts of XA connection factories, their credentials, and their lookup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import (
    ReferenceXAConnectionFactory,
    ReferenceXAQueueConnectionFactory,
    ReferenceXATopicConnectionFactory,
)
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueConnection, ReferenceTopicConnection
from reference_provider.client.xa.objects import ReferenceXAConnection
from reference_provider.provider import ReferenceProvider
from tck.api import OMITTED, IllegalArgumentException, JMSException, JMSSecurityException


def _ordinary_after_close(patch: Patch, owner: type, name: str, ordinary: Callable[[Any], Any]) -> None:
    """Create an ordinary connection or context where a factory's last one has been closed."""
    last: dict[int, Any] = {}

    def create(original: Callable[..., Any], factory: Any, *credentials: object) -> Any:
        before = last.get(id(factory))
        if before is not None and before[0] is factory and before[1]():
            return ordinary(factory)
        made = original(factory, *credentials)
        last[id(factory)] = (factory, lambda: _is_closed(made))
        return made

    around(patch, owner, name, create)


def _is_closed(made: Any) -> bool:
    connection = getattr(made, "connection", made)
    return bool(connection.closed)


@saboteur("11.3.1-1", "a factory creates an ordinary Connection once its last XAConnection is closed")
def _(patch: Patch) -> None:
    _ordinary_after_close(
        patch,
        ReferenceXAConnectionFactory,
        "create_xa_connection",
        lambda factory: factory.connect(ReferenceConnection, OMITTED, OMITTED),
    )


@saboteur("11.3.1-2", "a factory creates an ordinary JMSContext once its last XAJMSContext is closed")
def _(patch: Patch) -> None:
    _ordinary_after_close(
        patch,
        ReferenceXAConnectionFactory,
        "create_xa_context",
        lambda factory: ReferenceContext.on_new_connection(
            factory.connect(ReferenceConnection, OMITTED, OMITTED), OMITTED
        ),
    )


@saboteur("11.3.1-3", "a domain-specific factory creates an ordinary connection once its last XA connection is closed")
def _(patch: Patch) -> None:
    _ordinary_after_close(
        patch,
        ReferenceXAQueueConnectionFactory,
        "create_xa_queue_connection",
        lambda factory: factory.connect(ReferenceQueueConnection, OMITTED, OMITTED),
    )
    _ordinary_after_close(
        patch,
        ReferenceXATopicConnectionFactory,
        "create_xa_topic_connection",
        lambda factory: factory.connect(ReferenceTopicConnection, OMITTED, OMITTED),
    )


def _connects(patch: Patch, fault: Callable[[object, object], None]) -> None:
    """Run `fault` with the user and password before an XA connection is made."""

    def connect(
        original: Callable[..., Any], factory: Any, kind: type[ReferenceConnection], user: Any, password: Any
    ) -> Any:
        if issubclass(kind, ReferenceXAConnection):
            fault(user, password)
        return original(factory, kind, user, password)

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("11.3.1-4", "XA factories know the first user only")
def _(patch: Patch) -> None:
    users: list[object] = []

    def fault(user: object, password: object) -> None:
        del password
        if user is not OMITTED:
            users.append(user)
            if user != users[0]:
                raise JMSSecurityException(f"{user} is not known here")

    _connects(patch, fault)


@saboteur("11.3.1-5", "XA factories refuse an empty password with a plain JMSException")
def _(patch: Patch) -> None:
    def fault(user: object, password: object) -> None:
        del user
        if password == "":
            raise JMSException("no password")

    _connects(patch, fault)


@saboteur("11.3.1-6", "XA factories cannot be bound")
def _(patch: Patch) -> None:
    def bind(original: Callable[..., None], provider: object, name: str, obj: object) -> None:
        if isinstance(obj, ReferenceXAConnectionFactory):
            raise IllegalArgumentException(f"{obj!r} is no administered object")
        original(provider, name, obj)

    around(patch, ReferenceProvider, "bind", bind)
