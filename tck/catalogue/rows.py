"""Read the ``[[assertion]]`` files: a strict, line-oriented subset of TOML, so that every value has its line.

A line is empty, a comment, ``[[assertion]]``, or one key with its whole value. The result equals that of a TOML
parser (a test checks it), but ten times as fast: the 1.1 MB are read at every start of the kit. Independent of the
meaning of the keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tck.catalogue.errors import CatalogueError

HEADER = "[[assertion]]"
_STRING = re.compile(r'"[^"\\]*(?:\\["\\][^"\\]*)*"')
_ESCAPE = re.compile(r"\\(.)")
_LIST = re.compile(r'\[(?:"[^"\\]*"(?:, "[^"\\]*")*)?\]')
_ELEMENT = re.compile(r'"([^"]*)"')
_TABLE = re.compile(r'\{ "[^"\\]*" = "[^"\\]*"(?:, "[^"\\]*" = "[^"\\]*")* \}')
_PAIR = re.compile(r'"([^"]*)" = "([^"]*)"')


class RowReader:
    """Reads rows of several files, each distinct value once.

    Equal values of different rows are one object, so a later check of each distinct value is cheap too.
    """

    def __init__(self) -> None:
        self._values: dict[str, object] = {}

    def read(self, file: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each row with the line of its header. Lists come as tuples, tables as read-only mappings.

        Raises:
            CatalogueError: A line is of no known kind, a value is not TOML, a key comes twice.
        """
        row: dict[str, Any] | None = None
        start = 0
        values = self._values
        for number, line in enumerate(text.split("\n"), 1):
            if line[:1].islower():
                key, found, raw = line.partition(" = ")
                value = values.get(raw)
                if value is None:
                    value = values[raw] = self._learn(file, number, line, raw if found else "")
                if row is None:
                    raise CatalogueError(file, number, key, f"a key before the first {HEADER}; put it into a row")
                if key in row:
                    raise CatalogueError(file, number, key, "the key comes twice in this row; keep one of them")
                row[key] = value
            elif line.startswith(HEADER) and not line[len(HEADER) :].split("#")[0].strip():
                if row is not None:
                    yield start, row
                row, start = {}, number
            elif line.strip() and line[0] != "#":
                message = f"expected {HEADER}, a comment, or one key with its value on one line; saw {line.strip()!r}"
                raise CatalogueError(file, number, "", message)
        if row is not None:
            yield start, row

    @staticmethod
    def _learn(file: Path, number: int, line: str, raw: str) -> object:
        """Read a value that has not been read before."""
        try:
            return _parse(raw)
        except ValueError:
            message = f"expected one key with its whole value on one line, as in key = value; saw {line!r}"
            raise CatalogueError(file, number, "", message) from None


def _parse(raw: str) -> object:
    """Read one TOML value. The forms that nearly all values have are read here, the rest by the TOML parser."""
    if raw.isprintable():
        if _STRING.fullmatch(raw):
            return _ESCAPE.sub(r"\1", raw[1:-1]) if "\\" in raw else raw[1:-1]
        if _LIST.fullmatch(raw):
            return tuple(_ELEMENT.findall(raw))
        if _TABLE.fullmatch(raw):
            pairs = _PAIR.findall(raw)
            table = dict(pairs)
            if len(table) == len(pairs):
                return MappingProxyType(table)
    return _freeze(tomllib.loads(f"value = {raw}")["value"])


def _freeze(value: object) -> object:
    if isinstance(value, list):
        return tuple(_freeze(element) for element in value)
    if isinstance(value, dict):
        return MappingProxyType({key: _freeze(element) for key, element in value.items()})
    return value
