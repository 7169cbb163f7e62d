"""Clients whose delivery has never been started, and the ways to look for a message there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support.clients.client import MODES, Client
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient, connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import connection_of
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body, tried


def unstarted(
    case: RunningCase, ack: str | None = None, *, client_id: str | None = None, connection: Any = None
) -> Client:
    """Connect without starting delivery, or open a session on a connection that is there; a context has auto-start off."""
    ack = ack or case.ack
    if case.api == "simplified":
        client = connect(case, ack, client_id=client_id)
        client.connection.auto_start = False
        return client
    if connection is None:
        connection = connection_of(case)
    if client_id is not None:
        connection.client_id = client_id
    transacted = ack == "transacted"
    if case.api == "classic":
        session = connection.create_session(transacted=transacted, session_mode=MODES[ack])
        return ClassicClient(case, ack, connection, session)
    create = connection.create_queue_session if case.domain == "queue" else connection.create_topic_session
    return DomainClient(case, ack, case.domain, connection, create(transacted, MODES[ack]))


def silent_peer(client: Client, ack: str | None = None) -> Client:
    """Open another session on the same connection; a context has auto-start off."""
    peer = client.peer(ack)
    if client.case.api == "simplified":
        peer.connection.auto_start = False
    return peer


def looks(link: Link) -> Mapping[str, Callable[[], object]]:
    """Return each receive of a bounded time, by name; each shows the body that came, or None."""
    consumer: Any = link.consumer
    wait = int(link.case.timing.delay)
    reads: dict[str, Callable[[], object]] = {
        f"receive({wait})": lambda: body(consumer.receive(wait)),
        "receiveNoWait()": lambda: body(consumer.receive_no_wait()),
    }
    if link.case.api == "simplified":
        reads[f"receiveBody(String, {wait})"] = lambda: consumer.receive_body(str, wait)
        reads["receiveBodyNoWait(String)"] = lambda: consumer.receive_body_no_wait(str)
    return reads


def seen_at(link: Link) -> list[object]:
    """Return the bodies that any receive of a bounded time finds; one that the provider lacks finds nothing.

    The first receive waits longer than the profile's bounded wait, so what was sent before needs no wait of its own.
    """
    found = [tried(look) for look in looks(link).values()]
    return [each for each in found if each not in (None, "raises UnsupportedOperationException")]


def sent_to(case: RunningCase, destination: api.Destination, text: str) -> None:
    """Send a text from another client."""
    sender = Link(connect(case, "auto"), destination, consumes=False)
    sender.send(text)
    sender.client.close()


def sent_ahead(case: RunningCase, *texts: tuple[api.Destination, str]) -> Link:
    """Send texts from another client until each is at a consumer that holds it back; return a link of that client."""
    client = connect(case, "auto")
    for destination, text in texts:
        link = Link(client, destination, consumes=False)
        link.send(text)
    link.dispatched()
    return link
