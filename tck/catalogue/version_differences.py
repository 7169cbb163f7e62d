"""What the versions of the specification ask for differently, in short: `data/version-differences.toml`.

Rows say what is in force in a version; this says what was asked for before and what is asked for now, one entry for each
behaviour, with the rows whose cases show it. Imports the catalogue's own modules only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tck.catalogue.errors import CatalogueError
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.loader import DATA, load_catalogue
from tck.catalogue.versions import TABLE

VERSION_DIFFERENCES = "version-differences.toml"

_NAMES = tuple(version.name for version in TABLE)
_KEYS = {"number", "title", "said", "rows", "why"}


@dataclass(frozen=True, slots=True)
class BehaviourDifference:
    """A behaviour that at least two versions ask for differently.

    Attributes:
        number: Its place in the list, from 1.
        title: The behaviour.
        said: By the version or draft that changed it, what is asked for from then on; the oldest version comes first.
        rows: Ids of the rows whose cases show it; may be empty.
        why: Why no case can show it, or all of it; empty if cases do.
    """

    number: int
    title: str
    said: Mapping[str, str]
    rows: tuple[str, ...]
    why: str

    def says(self, name: str) -> str:
        """Return what a version or draft asks for.

        Raises:
            ValueError: There is no version of that name.
        """
        known = _NAMES[: _NAMES.index(name) + 1]
        return next(self.said[each] for each in reversed(known) if each in self.said)


def load_version_differences(directory: Path = DATA) -> tuple[BehaviourDifference, ...]:
    """Read and check all of them.

    Raises:
        CatalogueError: The first entry that breaks a rule, with file, line and key.
    """
    file = directory / VERSION_DIFFERENCES
    try:
        text = file.read_text(encoding="utf-8")
        entries = tomllib.loads(text).get("difference", [])
    except OSError as error:
        raise CatalogueError(file, 0, "", f"cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise CatalogueError(file, line, "", message) from None
    lines = LineIndex(text)
    for at, entry in enumerate(entries):
        if fault := _fault(at, entry, directory):
            key, message = fault
            path = ("difference", at, key) if key in entry else ("difference", at)
            raise CatalogueError(file, lines.line(path), key, message)
    return tuple(
        BehaviourDifference(
            entry["number"],
            entry["title"],
            MappingProxyType(entry["said"]),
            tuple(entry["rows"]),
            entry.get("why", ""),
        )
        for entry in entries
    )


def changed_between(first: str, second: str, directory: Path = DATA) -> tuple[BehaviourDifference, ...]:
    """Return the behaviours that two versions or drafts ask for differently.

    Raises:
        ValueError: There is no version of one of the names.
    """
    return tuple(each for each in load_version_differences(directory) if each.says(first) != each.says(second))


def _fault(at: int, entry: Mapping[str, object], directory: Path) -> tuple[str, str] | None:
    """Return the key of an entry that breaks a rule, and the rule."""
    if unknown := sorted(entry.keys() - _KEYS):
        return unknown[0], "expected the keys number, title, said, rows and why only"
    said, rows, why = entry.get("said"), entry.get("rows"), entry.get("why", "")
    if entry.get("number") != at + 1:
        return "number", f"expected {at + 1}: they are counted in the order of the file"
    if not _is_text(entry.get("title")):
        return "title", "expected a text"
    if not isinstance(said, Mapping) or not all(map(_is_text, said.values())):
        return "said", "expected a table of texts by version"
    if len(said) < 2 or [name for name in _NAMES if name in said] != list(said) or _NAMES[0] not in said:
        return "said", f"expected what each version that changed it says, the oldest first: {', '.join(_NAMES)}"
    if not isinstance(rows, list) or not all(isinstance(id_, str) for id_ in rows) or len(set(rows)) != len(rows):
        return "rows", "expected a list of ids of rows, each once"
    if unknown_rows := [id_ for id_ in rows if id_ not in load_catalogue(directory)]:
        return "rows", f"there is no row {unknown_rows[0]}"
    if not rows and not _is_text(why):
        return "why", "expected rows that show it, or the reason why none does"
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
