"""Clients whose transactions are branches of distributed ones, in the three interfaces."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from tck.api import XAResource, Xid
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient, SimplifiedClient
from tck.suite.support.harness.running import RunningCase

_NUMBERS = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Branching:
    """A client for the application, the XA session or context behind it, and its resource."""

    client: Client
    owner: Any
    resource: XAResource

    def begin(self) -> Xid:
        """Start a new branch on the resource; return its identifier."""
        xid = Xid(7, f"{self.client.case.name('x')}.{next(_NUMBERS)}".encode()[-64:], b"b")
        self.resource.start(xid, XAResource.TMNOFLAGS)
        return xid

    def end(self, xid: Xid) -> None:
        """End the work on a branch, with success."""
        self.resource.end(xid, XAResource.TMSUCCESS)


def branching(case: RunningCase) -> Branching:
    """Connect in the case's interface with an XA session; delivery is started."""
    if case.api == "simplified":
        context = case.provider.xa_connection_factory().create_xa_context()
        case.opened(context)
        return Branching(SimplifiedClient(case, "transacted", context), context, context.xa_resource)
    connection: Any
    if case.api == "classic":
        connection = case.provider.xa_connection_factory().create_xa_connection()
    elif case.domain == "queue":
        connection = case.provider.xa_queue_connection_factory().create_xa_queue_connection()
    else:
        connection = case.provider.xa_topic_connection_factory().create_xa_topic_connection()
    case.opened(connection)
    made = _session(case, connection)
    connection.start()
    return made


def _session(case: RunningCase, connection: Any) -> Branching:
    if case.api == "classic":
        owner = connection.create_xa_session()
        client: Client = ClassicClient(case, "transacted", connection, owner.session)
    elif case.domain == "queue":
        owner = connection.create_xa_queue_session()
        client = DomainClient(case, "transacted", case.domain, connection, owner.queue_session)
    else:
        owner = connection.create_xa_topic_session()
        client = DomainClient(case, "transacted", case.domain, connection, owner.topic_session)
    return Branching(client, owner, owner.xa_resource)
