"""The size limits of a send."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from reference_provider.messages.model import Body, Limits, Snapshot
from tck.api import ResourceAllocationException

_PER_VALUE: Final = 16
"""What each value counts beside its text or bytes, in bytes."""

_SIZED: Final = frozenset({str, bytes})


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
    if isinstance(body, tuple):
        return _values(body)
    return sum(map(len, body)) + _values(body.values())


def header_size(snapshot: Snapshot) -> int:
    """Give the size of what the client put into header and properties, in bytes; texts count one per character."""
    size = len(snapshot.correlation or "") + len(snapshot.type or "")
    if snapshot.properties:
        size += sum(map(len, snapshot.properties)) + _values(snapshot.properties.values())
    return size


def _values(values: Collection[object]) -> int:
    size = len(values) * _PER_VALUE
    for value in values:
        if type(value) in _SIZED:
            size += len(value)  # type: ignore[arg-type] # one of the two
    return size
