"""Temporary destinations in the three interfaces."""

from __future__ import annotations

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body

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
        return body(link.poll(client.case.timing.deadline if lives else client.case.timing.quiet))
    except (api.JMSException, api.JMSRuntimeException):
        return None
