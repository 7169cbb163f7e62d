"""Messages that selectors tell apart: red ones and blue ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tck import api

if TYPE_CHECKING:
    from tck.suite.support.link import Link

RED = "colour = 'red'"
"""Selects the red messages."""

BLUE = "colour = 'blue'"
"""Selects the blue messages."""


def coloured(link: Link, text: str) -> api.TextMessage:
    """Create a text message whose property `colour` is the first word of its text."""
    message = link.text(text)
    message.set_string_property("colour", text.split(maxsplit=1)[0])
    return message


def send_coloured(link: Link, texts: Iterable[str]) -> None:
    """Send messages whose property `colour` is the first word of their texts."""
    for text in texts:
        link.send(coloured(link, text))
