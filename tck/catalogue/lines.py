"""Line numbers for TOML documents, which the standard parser does not provide. Imports nothing of ours.

The document must have been parsed before: invalid TOML raises no error here, it only has no lines.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

TomlPath = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{},\n]',
    re.DOTALL,
)
_PART = re.compile(r"\s*(?:\"((?:\\.|[^\"\\])*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*")
_OPENING, _CLOSING = frozenset("[{"), frozenset("]}")


class LineIndex:
    """Finds the line of a table, a key or an element of a list.

    A path is the way through the parsed document: ``("deviation", 0, "link")``. Elements of a list directly behind a
    key have lines; deeper values have the line of their nearest ancestor.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[TomlPath, int] = {}
        self._table: TomlPath = ()
        self._counts: dict[TomlPath, int] = {}
        self._scan(text)

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line of a path, or of its nearest ancestor; 1 for the document itself."""
        for length in range(len(path), 0, -1):
            found = self._lines.get(tuple(path[:length]))
            if found is not None:
                return found
        return 1

    def __contains__(self, path: Sequence[str | int]) -> bool:
        return tuple(path) in self._lines

    def _scan(self, text: str) -> None:
        """Cut the text into statements: each ends at a line break outside of brackets and strings."""
        start, line, first, depth = 0, 1, 1, 0
        elements: list[int] = []
        for token in _TOKEN.finditer(text):
            mark = token.group()
            if mark == "\n":
                if depth == 0:
                    self._statement(text[start : token.start()], first, elements)
                    start, first, elements = token.end(), line + 1, []
                line += 1
                continue
            if depth == 1 and mark[0] in "\"'[{":
                elements.append(line)
            depth += (mark in _OPENING) - (mark in _CLOSING)
            line += mark.count("\n")
        self._statement(text[start:], first, elements)

    def _statement(self, text: str, line: int, elements: list[int]) -> None:
        text = text.strip()
        if not text or text[0] == "#":
            return
        if text.startswith("[["):
            self._table = self._resolve(_parts(text[2:]))
            count = self._counts[self._table] = self._counts.get(self._table, -1) + 1
            self._lines.setdefault(self._table, line)
            self._table = (*self._table, count)
            self._lines[self._table] = line
        elif text.startswith("["):
            self._table = self._resolve(_parts(text[1:]))
            self._lines[self._table] = line
        else:
            path = self._table
            for part in _parts(text):
                path = (*path, part)
                self._lines.setdefault(path, line)
            self._lines[path] = line
            for number, element in enumerate(elements):
                self._lines[(*path, number)] = element

    def _resolve(self, parts: Sequence[str]) -> TomlPath:
        """Resolve a table's name: inside a list of tables it means the latest of them."""
        path: TomlPath = ()
        for number, part in enumerate(parts):
            path = (*path, part)
            if path in self._counts and number < len(parts) - 1:
                path = (*path, self._counts[path])
        return path


def syntax_error(error: tomllib.TOMLDecodeError) -> tuple[int, str]:
    """Return the line and the message of a parser's error; line 0 where it names none."""
    match = re.fullmatch(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
    if match is None:
        return 0, f"not valid TOML: {error}"
    return int(match[2] or 0), f"not valid TOML: {match[1]}" + ("" if match[2] else " at the end of the document")


def _parts(text: str) -> list[str]:
    """Read a dotted key up to its end: ``]``, ``=`` or the end of the text."""
    parts: list[str] = []
    at = 0
    while (part := _PART.match(text, at)) is not None:
        parts.append(next(group for group in part.groups() if group is not None))
        at = part.end()
        if text[at : at + 1] != ".":
            break
        at += 1
    return parts
