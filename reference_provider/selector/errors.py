"""Errors in a selector, with their position."""

from __future__ import annotations

from typing import Final

from tck.api import InvalidSelectorException

_SHOWN: Final = 120


class SelectorError(Exception):
    """An error at one character of a selector; becomes an InvalidSelectorException once the text is known."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position


def invalid(text: str, reason: str, position: int | None = None) -> InvalidSelectorException:
    """Return the exception for a selector; `position` counts characters from 0, in the message from 1."""
    if position is None:
        return InvalidSelectorException(f"{reason}, in the selector {_excerpt(text, 0)}", ERROR_CODE)
    return InvalidSelectorException(
        f"{reason}, at character {position + 1} of the selector {_excerpt(text, position)}", ERROR_CODE
    )


ERROR_CODE: Final = "INVALID_SELECTOR"


def _excerpt(text: str, position: int) -> str:
    """Quote a selector; of a long one, the part around the error."""
    if len(text) <= _SHOWN:
        return repr(text)
    start = max(0, min(position - _SHOWN // 2, len(text) - _SHOWN))
    end = start + _SHOWN
    return ("..." if start else "") + repr(text[start:end]) + ("..." if end < len(text) else "")
