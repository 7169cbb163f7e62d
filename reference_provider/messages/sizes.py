"""The size limits of a send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reference_provider.messages.model import Body, BodyValue, Limits, Snapshot
from tck.api import ResourceAllocationException

_PER_VALUE: Final = 16
"""What each value counts beside its text or bytes, in bytes."""


def check(snapshot: Snapshot, limits: Limits) -> None:
    """Refuse a message that is larger than allowed.

    Raises:
        ResourceAllocationException: names the part that is too large, with both sizes.
    """
    body = snapshot.body
    size = len(body) if type(body) is str else body_size(body)
    if size > limits.body_bytes:
        raise ResourceAllocationException(f"the body takes {size} bytes; this provider accepts {limits.body_bytes}")
    header = header_size(snapshot)
    if header > limits.header_bytes:
        raise ResourceAllocationException(
            f"header and properties take {header} bytes; this provider accepts {limits.header_bytes}"
        )


def body_size(body: Body) -> int:
    """Return the size of a body in bytes; texts count one per character, other values a few bytes at least."""
    if body is None:
        return 0
    if isinstance(body, (str, bytes)):
        return len(body)
    if isinstance(body, tuple):
        return len(body) * _PER_VALUE + sum([len(value) for value in body if isinstance(value, (str, bytes))])
    return _members(body)


def header_size(snapshot: Snapshot) -> int:
    """Return the size of the client's header and properties in bytes; texts count one per character."""
    return len(snapshot.correlation or "") + len(snapshot.type or "") + _members(snapshot.properties)


def _members(values: Mapping[str, BodyValue]) -> int:
    sized = [value for value in values.values() if type(value) is str or type(value) is bytes]
    return len(values) * _PER_VALUE + sum(map(len, values)) + sum(map(len, sized))
