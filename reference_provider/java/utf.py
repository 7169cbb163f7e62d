"""Java's modified UTF-8, the form of `readUTF` and `writeUTF` (3.11-15), and UTF-16 units.

NUL takes two bytes and a character beyond U+FFFF six, one group of three for each half of its surrogate pair.
"""

from __future__ import annotations

import re
from typing import Final

_BEYOND: Final = re.compile("[\U00010000-\U0010ffff]")


def encode(text: str) -> bytes:
    """Return the modified UTF-8 of a text; half a surrogate pair is kept."""
    units = text if text.isascii() else _BEYOND.sub(lambda match: split_pair(match[0]), text)
    return units.encode("utf-8", "surrogatepass").replace(b"\x00", b"\xc0\x80")


def decode(data: bytes) -> str:
    """Return the text of modified UTF-8; as in Java, a plain NUL and overlong forms are accepted.

    Raises:
        ValueError: malformed, with the position of the byte.
    """
    if data.isascii():
        return data.decode("ascii")
    units: list[str] = []
    index = 0
    while index < len(data):
        unit, index = _unit_at(data, index)
        units.append(unit)
    return join_pairs("".join(units))


def _unit_at(data: bytes, index: int) -> tuple[str, int]:
    """Decode the UTF-16 unit at this byte; return it and the index after it."""
    first = data[index]
    if first < 0x80:
        return chr(first), index + 1
    if first & 0xE0 == 0xC0:
        return chr((first & 0x1F) << 6 | _following(data, index + 1)), index + 2
    if first & 0xF0 == 0xE0:
        return chr((first & 0x0F) << 12 | _following(data, index + 1) << 6 | _following(data, index + 2)), index + 3
    raise ValueError(f"byte {index} (0x{first:02x}) cannot begin a character")


def _following(data: bytes, index: int) -> int:
    if index >= len(data):
        raise ValueError(f"the text ends within a character, at byte {index}")
    if data[index] & 0xC0 != 0x80:
        raise ValueError(f"byte {index} (0x{data[index]:02x}) cannot continue a character")
    return data[index] & 0x3F


def split_pair(character: str) -> str:
    """Return the surrogate pair of a character beyond U+FFFF."""
    offset = ord(character) - 0x10000
    return chr(0xD800 | offset >> 10) + chr(0xDC00 | offset & 0x3FF)


def join_pairs(units: str) -> str:
    """Join surrogate pairs to characters; lone halves stay."""
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
