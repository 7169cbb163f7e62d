"""Temporary destinations in the three interfaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body, taken, tried

Temporary = api.TemporaryQueue | api.TemporaryTopic
"""A temporary destination of either domain."""


def name_of(destination: api.Destination) -> str | None:
    """Read the name of a queue or a topic."""
    return destination.queue_name if isinstance(destination, api.Queue) else destination.topic_name  # type: ignore[attr-defined] # else a topic


def reached(client: Client, destination: api.Destination, *, lives: bool = False) -> object:
    """Send to a destination and receive from it; return the body, or None if either is refused or no message comes.

    With `lives` the message has until the profile's deadline.
    """
    try:
        link = Link(client, destination)
        link.send("still there")
        return body(link.poll() if lives else link.look())
    except (api.JMSException, api.JMSRuntimeException):
        return None


def passing_uses(owner: Client, destination: Any) -> dict[str, Callable[[], object]]:
    """Return uses of a temporary destination that its owner consumes from, by words for them: by the owner and others, refused or ended.

    Two messages are sent to it at once. A use raises Undecided where the provider lets the destination be deleted.
    """
    case = owner.case
    other, passing, maker = connect(case), [connect(case) for _ in range(2)], owner.peer()
    for client in passing:
        client.sender(destination).send(client.text("of one that goes"))
        client.settle()
    return {
        "its delete was refused": lambda: _refused(destination.delete),
        "another connection was refused a consumer": lambda: tried(lambda: other.consumer(destination).close()),
        "a session of the owner was closed": maker.close_session,
        "the session of a sender was closed": passing[0].close_session,
        "the connection of a sender was closed": passing[1].close,
        "another temporary destination was deleted": lambda: owner.temporary().delete(),
        "a send of null was refused": lambda: tried(lambda: other.sender(destination).send(None)),  # type: ignore[arg-type]
        "the owner was stopped and started": lambda: _paused(owner),
    }


def _refused(delete: Callable[[], object]) -> None:
    if taken(delete):
        raise Undecided("a temporary destination was deleted though it has a consumer")


def _paused(owner: Client) -> None:
    owner.stop()
    owner.start()
