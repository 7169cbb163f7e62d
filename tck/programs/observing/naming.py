"""Destinations by kind and name, which are the same for every client library of a broker."""

from __future__ import annotations

from tck import api


def kind_and_name(destination: object) -> tuple[str, str]:
    """Return kind and name of a destination, as the provider has them."""
    if isinstance(destination, api.Queue):
        return "queue", str(destination.queue_name)
    if isinstance(destination, api.Topic):
        return "topic", str(destination.topic_name)
    return "destination", type(destination).__name__


def as_seen_by(provider: api.Provider, destination: api.Destination) -> api.Destination:
    """Return the object of another client library for a destination of the same broker."""
    kind, name = kind_and_name(destination)
    made: api.Destination = getattr(provider, f"create_{kind}")(name)
    return made
