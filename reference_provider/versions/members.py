"""Which member of which type of the messaging API came with which version, in the names of `tck.api`.

A type counts as it is in Java: a member that a subtype declares anew has a row for the subtype if it is older there.
What has no row is as old as the API. Imports `tck.api` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from reference_provider.messages import Version
from tck import api

_FIRST: Final[Version] = "1.0"
_COMMON: Final[Version] = "1.1"
_SIMPLIFIED: Final[Version] = "2.0"

SINCE: Final[Mapping[type, Mapping[str, Version]]] = {
    api.AutoCloseable: {"__enter__": _SIMPLIFIED, "__exit__": _SIMPLIFIED},
    api.ConnectionFactory: {"create_connection": _COMMON, "create_context": _SIMPLIFIED},
    api.XAConnectionFactory: {"create_xa_connection": _COMMON, "create_xa_context": _SIMPLIFIED},
    api.Connection: {
        "create_connection_consumer": _COMMON,
        "create_durable_connection_consumer": _COMMON,
        "create_session": _COMMON,
        "create_shared_connection_consumer": _SIMPLIFIED,
        "create_shared_durable_connection_consumer": _SIMPLIFIED,
    },
    api.QueueConnection: {"create_connection_consumer": _FIRST},
    api.TopicConnection: {"create_connection_consumer": _FIRST, "create_durable_connection_consumer": _FIRST},
    api.XAConnection: {"create_xa_session": _COMMON},
    api.Session: {
        "acknowledge_mode": _COMMON,
        "create_browser": _COMMON,
        "create_consumer": _COMMON,
        "create_durable_consumer": _SIMPLIFIED,
        "create_durable_subscriber": _COMMON,
        "create_producer": _COMMON,
        "create_queue": _COMMON,
        "create_shared_consumer": _SIMPLIFIED,
        "create_shared_durable_consumer": _SIMPLIFIED,
        "create_temporary_queue": _COMMON,
        "create_temporary_topic": _COMMON,
        "create_topic": _COMMON,
        "unsubscribe": _COMMON,
    },
    api.QueueSession: {"create_browser": _FIRST, "create_queue": _FIRST, "create_temporary_queue": _FIRST},
    api.TopicSession: {
        "create_durable_subscriber": _FIRST,
        "create_temporary_topic": _FIRST,
        "create_topic": _FIRST,
        "unsubscribe": _FIRST,
    },
    api.XASession: {"session": _COMMON},
    api.MessageProducer: {"delivery_delay": _SIMPLIFIED, "destination": _COMMON, "send": _COMMON},
    api.QueueSender: {"send": _FIRST},
    api.Message: {"get_body": _SIMPLIFIED, "is_body_assignable_to": _SIMPLIFIED, "jms_delivery_time": _SIMPLIFIED},
    api.BytesMessage: {"body_length": _COMMON},
}
"""The version that brought each member, by the type that declares it."""

_VERSIONS: Final = get_args(Version)


def reaches(version: str, first: str) -> bool:
    """Return whether a version is the same as another or later."""
    return _VERSIONS.index(version) >= _VERSIONS.index(first)


def is_whole(version: str) -> bool:
    """Return whether a version has every member of the API."""
    return reaches(version, _SIMPLIFIED)


def missing(kind: type, version: str) -> Iterator[tuple[str, Version]]:
    """Yield the members of a class that a version does not have, each with the version that brought it."""
    since: dict[str, Version] = {}
    for each in kind.__mro__:
        for member, first in SINCE.get(each, {}).items():
            since[member] = min(first, since.get(member, first), key=_VERSIONS.index)
    yield from ((member, first) for member, first in since.items() if not reaches(version, first))
