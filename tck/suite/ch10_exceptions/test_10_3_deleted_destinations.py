"""10.3 Standard exceptions: destinations that have ceased to exist."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.temporary_destinations import Temporary


def _used_and_deleted(case: Case) -> tuple[Client, Temporary]:
    """Create a temporary destination, send through it and delete it; return its client and the deleted destination."""
    client = case.client()
    temporary = client.temporary()
    link = Link(client, temporary)
    link.send("x")
    link.receive()
    link.consumer.close()
    expect.works("delete()", temporary.delete)
    return client, temporary


@asserts("10.3-23")
def test_a_deleted_destination_is_invalid(case: Case) -> None:
    """Sending to a temporary destination that was deleted, and consuming from it, raises InvalidDestinationException."""
    client, gone = _used_and_deleted(case)
    wrong = api.InvalidDestinationException
    expect.raises(wrong, lambda: client.consumer(gone), what="creating a consumer of what was deleted")
    expect.raises(wrong, lambda: client.sender(gone).send(client.text("x")), what="sending to what was deleted")


@asserts("10.3-24")
def test_a_deleted_destination_is_invalid_for_a_context(case: Case) -> None:
    """In the simplified interface the two raise InvalidDestinationRuntimeException."""
    client, gone = _used_and_deleted(case)
    wrong = api.InvalidDestinationRuntimeException
    expect.raises(wrong, lambda: client.consumer(gone), what="creating a consumer of what was deleted")
    expect.raises(wrong, lambda: client.sender(gone).send(client.text("x")), what="sending to what was deleted")


def _of_a_closed_connection(case: Case) -> tuple[Client, Temporary]:
    """Create a temporary destination on a connection, send to it from another one, and close the first; return the other."""
    owner, client = case.client(), case.client()
    temporary = owner.temporary()
    link = Link(owner, temporary)
    client.sender(temporary).send(client.text("while it lives"))
    client.settle()
    expect.arrives(link, ["while it lives"])
    owner.close()
    return client, temporary


@asserts("10.3-23", variant="closed-connection")
def test_a_destination_that_ended_with_its_connection_is_invalid(case: Case) -> None:
    """Sending to a temporary destination whose connection was closed raises InvalidDestinationException."""
    client, gone = _of_a_closed_connection(case)
    send = partial(_send_to, client, gone)
    expect.raises(api.InvalidDestinationException, send, what="sending to what ended with its connection")


@asserts("10.3-24", variant="closed-connection")
def test_a_destination_that_ended_with_its_connection_is_invalid_for_a_context(case: Case) -> None:
    """In the simplified interface it raises InvalidDestinationRuntimeException."""
    client, gone = _of_a_closed_connection(case)
    send = partial(_send_to, client, gone)
    expect.raises(api.InvalidDestinationRuntimeException, send, what="sending to what ended with its connection")


def _send_to(client: Client, destination: Temporary) -> None:
    client.sender(destination).send(client.text("too late"))
