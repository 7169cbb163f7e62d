"""Messages of another implementation, of each kind: the kit's own, for sends of messages that the provider did not create."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck.programs import foreign as messages
from tck.suite.support.values.kinds import Kind

ForeignMessage = messages.ForeignMessage
"""One without a body."""
ForeignTextMessage = messages.ForeignTextMessage
"""One with a text."""
ForeignObjectMessage = messages.ForeignObjectMessage
"""One with an object."""
ForeignMapMessage = messages.ForeignMapMessage
"""One with entries by name."""
ForeignStreamMessage = messages.ForeignStreamMessage
"""One with a sequence of items."""
ForeignBytesMessage = messages.ForeignBytesMessage
"""One with bytes."""

_FILL: Mapping[Kind, Callable[[Any, str], object]] = {
    "message": lambda _message, _content: None,
    "text": lambda message, content: setattr(message, "text", content),
    "bytes": lambda message, content: message.write_utf(content),
    "map": lambda message, content: message.set_string("body", content),
    "stream": lambda message, content: message.write_string(content),
    "object": lambda message, content: setattr(message, "object", content),
}


def foreign(kind: Kind = "text", content: str = "x") -> Any:
    """Create a foreign message of a kind; `content` becomes the text, or one item of the other kinds."""
    message = messages.foreign_message(kind)
    _FILL[kind](message, content)
    return message
