"""Java identifiers, decided per character by its Unicode category.

A property name and an identifier in a selector follow the same rule (3.5.1-1, 3.8.1.1-24, 3.8.1.1-25).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from unicodedata import category

_START: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Sc", "Pc"})
_PART: Final = _START | {"Nd", "Mn", "Mc", "Cf"}

_LONGEST_KNOWN: Final = 200  # limits the memory of remembered names

RESERVED_WORDS: Final = frozenset(
    {"NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"}
)
"""Words of the selector language in upper case; in any case they are no identifiers (3.8.1.1-28, -29, -108)."""


def is_start(character: str) -> bool:
    """Return whether an identifier may begin with this character: letters, currency signs, connectors such as `_`."""
    return category(character) in _START


def is_part(character: str) -> bool:
    """Return whether this character may follow in an identifier: a start, a digit, a mark, or one that Java ignores."""
    return category(character) in _PART or _is_ignorable_control(character)


def _is_ignorable_control(character: str) -> bool:
    return character <= "\x08" or "\x0e" <= character <= "\x1b" or "\x7f" <= character <= "\x9f"


def first_offence(name: str) -> int | None:
    """Return the index of the first character that is not allowed in an identifier, None if there is none."""
    for index, character in enumerate(name):
        if not (is_part(character) if index else is_start(character)):
            return index
    return None


def is_identifier(name: str) -> bool:
    """Return whether `name` has the form of an identifier; it may still be a reserved word."""
    return _known(name) if len(name) <= _LONGEST_KNOWN else _is_identifier(name)


@lru_cache(maxsize=4096)
def _known(name: str) -> bool:
    return _is_identifier(name)


def _is_identifier(name: str) -> bool:
    if name.isascii() and name.replace("$", "_").isidentifier():
        return True
    return bool(name) and first_offence(name) is None


def reserved_word(name: str, version: str = "3.1") -> str | None:
    """Return the reserved word that `name` is, in any case of letters, or None; ESCAPE is reserved since 1.0.2b."""
    if not name.isascii() or len(name) > len("BETWEEN"):
        return None
    word = name.upper()
    if word not in RESERVED_WORDS or (word == "ESCAPE" and version == "1.0"):
        return None
    return word
