"""Foreign messages: an implementation of each message type that no provider made, for sends that a provider must accept (3.12-1).

A message holds values as they were set: a typed setter keeps the box of its type, a typed getter returns the plain
value, and nothing converts. A property or entry that is not set reads as None. The headers that a send sets are None,
False or 0 until a provider sets them, as the fields of a new object in Java. Programs and cases send the same messages.

common     headers and properties
bodies     the messages without a body, with a text, an object, a map
streams    the messages with items and with bytes
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck.programs.foreign.bodies import ForeignMapMessage, ForeignMessage, ForeignObjectMessage, ForeignTextMessage
from tck.programs.foreign.common import Common
from tck.programs.foreign.streams import ForeignBytesMessage, ForeignStreamMessage

__all__ = [
    "ForeignBytesMessage",
    "ForeignMapMessage",
    "ForeignMessage",
    "ForeignObjectMessage",
    "ForeignStreamMessage",
    "ForeignTextMessage",
    "foreign_message",
]

_CLASSES: Final[Mapping[str, type[Common]]] = {
    "message": ForeignMessage,
    "text": ForeignTextMessage,
    "bytes": ForeignBytesMessage,
    "map": ForeignMapMessage,
    "stream": ForeignStreamMessage,
    "object": ForeignObjectMessage,
}


def foreign_message(kind: str) -> Any:
    """Return a new foreign message without a body: `message`, `text`, `bytes`, `map`, `stream` or `object`.

    Raises:
        KeyError: There is no such kind.
    """
    return _CLASSES[kind]()
