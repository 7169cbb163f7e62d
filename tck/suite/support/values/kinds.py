"""The six kinds of message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from tck import api

Kind: TypeAlias = Literal["message", "text", "bytes", "map", "stream", "object"]
"""The name of a kind."""

KINDS: tuple[Kind, ...] = ("message", "text", "bytes", "map", "stream", "object")
"""All kinds."""

BODIED: tuple[Kind, ...] = ("text", "bytes", "map", "stream", "object")
"""The kinds that have a body."""

_TYPES: Mapping[str, type] = {
    "text": api.TextMessage,
    "bytes": api.BytesMessage,
    "map": api.MapMessage,
    "stream": api.StreamMessage,
    "object": api.ObjectMessage,
}


def kind_of(message: api.Message) -> str:
    """Return the kind of a message by the types it implements; several are joined by `and`, none is `message`."""
    return " and ".join(kind for kind, type_ in _TYPES.items() if isinstance(message, type_)) or "message"
