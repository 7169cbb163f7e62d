"""The size limits of a send."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from reference_provider.messages.model import Body, Limits, PropertyValue, Snapshot
from tck.api import ResourceAllocationException

_PER_VALUE: Final = 16
"""What a number, a boolean or a null counts, in bytes."""


def check(snapshot: Snapshot, limits: Limits) -> None:
    """Refuse a message that is larger than allowed.

    Raises:
        ResourceAllocationException: says what is too large and by how much.
    """
    body = body_size(snapshot.body)
    if body > limits.body_bytes:
        raise ResourceAllocationException(f"the body takes {body} bytes; this provider accepts {limits.body_bytes}")
    header = header_size(snapshot)
    if header > limits.header_bytes:
        raise ResourceAllocationException(
            f"header and properties take {header} bytes; this provider accepts {limits.header_bytes}"
        )


def body_size(body: Body) -> int:
    """Give the size of a body in bytes; texts count one per character, values in maps and streams at least a few bytes."""
    if body is None:
        return 0
    if isinstance(body, (str, bytes)):
        return len(body)
    if isinstance(body, Mapping):
        return _sizes(body) + _sizes(body.values())
    return _sizes(body)


def header_size(snapshot: Snapshot) -> int:
    """Give the size of what the client put into header and properties, in bytes; texts count one per character."""
    properties: Mapping[str, PropertyValue] = snapshot.properties
    texts = len(snapshot.correlation or "") + len(snapshot.type or "")
    return texts + (_sizes(properties) + _sizes(properties.values()) if properties else 0)


def _sizes(values: Iterable[object]) -> int:
    return sum([len(value) if isinstance(value, (str, bytes)) else _PER_VALUE for value in values])
