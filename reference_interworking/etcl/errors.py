"""What is wrong with a constraint, and where."""

from __future__ import annotations

from typing import Final

_SHOWN: Final = 120


class InvalidConstraint(ValueError):  # noqa: N818 - the exception's name in the Notification Service
    """A text is no constraint.

    Attributes:
        text: The text.
        position: Where the fault is, in characters from 0; the length of the text if it ends too early.
        reason: What is wrong there.
        expected: What could have been there instead, each in words; empty if something else is wrong.
    """

    def __init__(self, text: str, position: int, reason: str, expected: tuple[str, ...] = ()) -> None:
        wanted = f"; expected: {', '.join(expected)}" if expected else ""
        super().__init__(f"{reason}, at character {position + 1} of the constraint {_excerpt(text, position)}{wanted}")
        self.text = text
        self.position = position
        self.reason = reason
        self.expected = expected


class InvalidValue(ValueError):  # noqa: N818 - likewise
    """The value of a mapping constraint is not of the type of the filter's values."""


class Undefined(Exception):  # noqa: N818 - not an error: it decides a constraint
    """A part of a constraint has no value for an event: a field is missing, or types are unlike."""


class Misplaced(Exception):  # noqa: N818 - becomes InvalidConstraint once the text is known
    """A token is wrong at its place in a constraint."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position


def _excerpt(text: str, position: int) -> str:
    """Quote a constraint; of a long one, the part around the fault."""
    if len(text) <= _SHOWN:
        return repr(text)
    start = max(0, min(position - _SHOWN // 2, len(text) - _SHOWN))
    end = start + _SHOWN
    return ("..." if start else "") + repr(text[start:end]) + ("..." if end < len(text) else "")
