"""Objects of the API created step by step, for tests about the creation itself."""

from __future__ import annotations

from typing import TypeVar

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.harness.running import RunningCase

_Object = TypeVar("_Object")


def unrecorded(value: _Object) -> _Object:
    """Return the provider's own object behind a recorded one: the evidence does not keep alive what this one makes."""
    return getattr(value, "raw_", value)


def connection_of(case: RunningCase) -> api.Connection:
    """Create a connection of the case's interface that has not been started; it is closed with the case."""
    made: api.Connection
    if case.api == "classic":
        made = case.provider.connection_factory().create_connection()
    elif case.domain == "queue":
        made = case.provider.queue_connection_factory().create_queue_connection()
    else:
        made = case.provider.topic_connection_factory().create_topic_connection()
    case.opened(made)
    return made


def named_anew(client: Client, destination: api.Destination) -> api.Destination:
    """Create a client's own object for a queue or a topic, by its name."""
    made: api.Destination
    if isinstance(destination, api.Queue):
        made = client.session.create_queue(destination.queue_name)
    else:
        assert isinstance(destination, api.Topic)  # noqa: S101 - there is no third kind
        made = client.session.create_topic(destination.topic_name)
    return made
