"""Faults in 11.3.2: XA connections and the sessions that they create."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.xa.objects import (
    ReferenceXAConnection,
    ReferenceXAQueueConnection,
    ReferenceXAQueueSession,
    ReferenceXASession,
    ReferenceXATopicConnection,
    ReferenceXATopicSession,
)
from tck.api import UnsupportedOperationException


def _second(patch: Patch, owner: type, name: str) -> list[object]:
    """Return the list of the sessions that are not the first of their connection."""
    seen: list[object] = []
    later: list[object] = []

    def create(original: Callable[..., Any], connection: object) -> Any:
        session = original(connection)
        if any(one is connection for one in seen):
            later.append(session)
        seen.append(connection)
        return session

    around(patch, owner, name, create)
    return later


_NEIGHBOUR = {"11.3.3-1": "it works with the second session of a connection"}


@saboteur("11.3.2-1", "the second XASession of a connection has no Session", collateral=_NEIGHBOUR)
def _(patch: Patch) -> None:
    later = _second(patch, ReferenceXAConnection, "create_xa_session")
    patch.replace(
        ReferenceXASession, "session", property(lambda self: None if any(one is self for one in later) else self)
    )


@saboteur("11.3.2-2", "the second XA session of a domain-specific connection has no XAResource", collateral=_NEIGHBOUR)
def _(patch: Patch) -> None:
    for connection, name, session in (
        (ReferenceXAQueueConnection, "create_xa_queue_session", ReferenceXAQueueSession),
        (ReferenceXATopicConnection, "create_xa_topic_session", ReferenceXATopicSession),
    ):
        _without_resource(patch, session, _second(patch, connection, name))


def _without_resource(patch: Patch, kind: type, sessions: list[object]) -> None:
    """Take the resource away from these sessions of a class."""
    patch.replace(
        kind, "xa_resource", property(lambda self: None if any(one is self for one in sessions) else self.resource)
    )


@saboteur("11.3.2-3", "an XA connection has no metadata")
def _(patch: Patch) -> None:
    honest = vars(ReferenceConnection)["meta_data"]

    def meta_data(connection: ReferenceConnection) -> Any:
        if isinstance(connection, ReferenceXAConnection):
            raise UnsupportedOperationException("getMetaData")
        return honest.fget(connection)

    patch.replace(ReferenceConnection, "meta_data", property(meta_data))
