"""Clients whose transactions are branches of distributed ones, in the three interfaces."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from tck.api import XAResource, Xid
from tck.suite.support.clients.client import Client, Login
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient, SimplifiedClient
from tck.suite.support.harness.running import RunningCase

_NUMBERS = itertools.count(1)


def new_xid(case: RunningCase, qualifier: bytes = b"b") -> Xid:
    """Make the identifier of a branch that no other case of any run uses."""
    return Xid(7, f"{case.name('x')}.{next(_NUMBERS)}".encode()[-Xid.MAXGTRIDSIZE :], qualifier)


@dataclass(frozen=True, slots=True)
class Branching:
    """A client for the application, the XA session or context behind it, and its resource."""

    client: Client
    owner: Any
    resource: XAResource

    def begin(self) -> Xid:
        """Start a new branch on the resource; return its identifier."""
        xid = new_xid(self.client.case)
        self.resource.start(xid, XAResource.TMNOFLAGS)
        return xid

    def end(self, xid: Xid) -> None:
        """End the work on a branch, with success."""
        self.resource.end(xid, XAResource.TMSUCCESS)

    def send(self, destination: Any, *texts: str, mode: int | None = None) -> None:
        """Send texts to a destination through a producer of their own, without ending the branch."""
        sender = self.client.sender(destination)
        for text in texts:
            sender.send(self.client.text(text), mode=mode)


def branching(case: RunningCase, *, client_id: str | None = None, domain: str | None = None) -> Branching:
    """Connect in the case's interface with an XA session; delivery is started.

    The domain-specific interface connects for the case's domain unless another is named.
    """
    connection = xa_connection_from(case, xa_factory_of(case, domain), domain=domain)
    if client_id is not None:
        connection.client_id = client_id
    made = branching_on(case, connection, domain)
    if case.api != "simplified":
        connection.start()
    return made


def xa_factory_of(case: RunningCase, domain: str | None = None) -> Any:
    """Return the provider's XA factory for the case's interface and domain."""
    if case.api != "domain-specific":
        return case.provider.xa_connection_factory()
    if (domain or case.domain) == "queue":
        return case.provider.xa_queue_connection_factory()
    return case.provider.xa_topic_connection_factory()


def xa_connection_from(
    case: RunningCase, factory: Any, login: Login | None = None, *, domain: str | None = None
) -> Any:
    """Create an XA connection, or an XA context in its place, that has not been started; it is closed with the case."""
    if case.api == "simplified":
        create = factory.create_xa_context
    elif case.api == "classic":
        create = factory.create_xa_connection
    elif (domain or case.domain) == "queue":
        create = factory.create_xa_queue_connection
    else:
        create = factory.create_xa_topic_connection
    made = create() if login is None else create(login.user, login.password)
    case.opened(made)
    return made


def branching_on(case: RunningCase, connection: Any, domain: str | None = None) -> Branching:
    """Open an XA session on an XA connection; an XA context is one already. Nothing is started."""
    client: Client
    if case.api == "simplified":
        return Branching(SimplifiedClient(case, "transacted", connection), connection, connection.xa_resource)
    if case.api == "classic":
        owner = connection.create_xa_session()
        client = ClassicClient(case, "transacted", connection, owner.session)
    elif (domain or case.domain) == "queue":
        owner = connection.create_xa_queue_session()
        client = DomainClient(case, "transacted", "queue", connection, owner.queue_session)
    else:
        owner = connection.create_xa_topic_session()
        client = DomainClient(case, "transacted", "topic", connection, owner.topic_session)
    return Branching(client, owner, owner.xa_resource)


def neighbour(side: Branching) -> Branching:
    """Open another XA session on the same connection; an XA context has one only, so it gets one of another connection."""
    case = side.client.case
    return branching(case) if case.api == "simplified" else branching_on(case, side.client.connection)
