"""The owner of each difference: the row that a provider breaks when an outcome is not the specified one, after what had happened.

Read from `data/owners.toml` and checked: fields and values are enumerated there, the rows are judged, and no two entries can fit
one difference equally well. Imports the catalogue's own modules only.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from tck.catalogue.errors import CatalogueError
from tck.catalogue.lines import syntax_error
from tck.catalogue.loader import DATA, load_catalogue

FILE: Final = "owners.toml"

Facts = Mapping[str, Sequence[str]]
"""The facts of a difference: by field, its values. Those of `had` are events in the order in which they happened."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the file.

    Attributes:
        conditions: Field and value of each.
        rows: The owner, and then rows that may own the difference as well; empty where the specification leaves it open.
        weight: How specific it is: the number of conditions, one more for each value that is a case of another one.
        fields: The places of its fields among all, negative, so that the more telling ones are greater.
    """

    conditions: tuple[tuple[str, str], ...]
    rows: tuple[str, ...]
    weight: int
    fields: tuple[int, ...]

    @property
    def after(self) -> str | None:
        """The event that owns."""
        return next((value for field, value in self.conditions if field == "after"), None)

    def fits(self, facts: Facts) -> bool:
        """Return whether all conditions hold."""
        return all(value in facts.get(_field(field), ()) for field, value in self.conditions)

    def rank(self, facts: Facts) -> tuple[int, int, tuple[int, ...]]:
        """Return how well it fits: the entry whose event happened last wins, then the most specific one, then the most telling one."""
        had = facts.get("had", ())
        last = max((at for at, event in enumerate(had) if event == self.after), default=-1)
        return last, self.weight, self.fields

    def __str__(self) -> str:
        return ", ".join(f"{field} = {value}" for field, value in self.conditions)


@dataclass(frozen=True, slots=True)
class DifferenceOwners:
    """The entries, by what differs; by field and value, the value that it is a case of; signs of selectors with their rows."""

    by_difference: Mapping[str, Sequence[Entry]]
    wider: Mapping[tuple[str, str], str]
    selectors: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries."""
        return [entry for entries in self.by_difference.values() for entry in entries]

    def find(self, facts: Facts) -> Entry | None:
        """Return the entry that owns a difference; None if there is none."""
        whole = {
            field: [each for value in values for each in reversed(_line(field, value, self.wider))]
            for field, values in facts.items()
        }
        asked = (entry for differs in whole["differs"] for entry in self.by_difference.get(differs, ()))
        fitting = (entry for entry in asked if entry.fits(whole))
        return max(fitting, key=lambda entry: entry.rank(whole), default=None)

    def of_selector(self, text: str, others: Sequence[str] = (), *, valid: bool = True) -> tuple[str, ...]:
        """Return the rows that a selector may be about, the likeliest first; or those by which a text is none.

        Args:
            text: The selector.
            others: Selectors that let through what they should: a sign that these have too is less likely to be the cause.
            valid: Whether it is a selector.
        """
        signs = [each for each in self.selectors["valid" if valid else "invalid"] if _has(text, each[0], valid=valid)]
        signs.sort(key=lambda each: sum(_has(other, each[0], valid=valid) for other in others))
        return tuple(dict.fromkeys(row for _, rows in signs for row in rows))


def _has(text: str, sign: str, *, valid: bool) -> bool:
    """Return whether a selector has a sign, outside of the texts of its literals."""
    bare = re.sub(r"'[^'\\]*'", "''", text) if valid else text
    return bool(re.search(sign, bare, re.IGNORECASE if valid else 0))


@functools.cache
def load_owners(directory: Path = DATA) -> DifferenceOwners:
    """Read and check the owners of differences; once for each folder.

    Raises:
        CatalogueError: The file is not of its form, a value is not enumerated, a row is not judged, or two entries tie.
    """
    file = directory / FILE
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise CatalogueError(file, line, "", message) from None
    known: dict[str, set[str]] = {}
    wider: dict[tuple[str, str], str] = {}
    for field, values in data["fields"].items():
        for value, _, whole in (each.partition(" < ") for each in values):
            known.setdefault(field, set()).add(value)
            wider |= {(field, value): whole} if whole else {}
    order = {field: -at for at, field in enumerate(data["fields"])}
    lines = ((what, each) for what, given in data["owners"].items() for each in given)
    found = tuple(_entry(own, rows, wider, order) for what, each in lines for own, rows in _written(what, each))
    _check(found, known, wider, file)
    signs = {kind: [(sign, tuple(rows.split())) for sign, rows in each] for kind, each in data["selectors"].items()}
    by_difference: dict[str, list[Entry]] = {}
    for entry in found:
        by_difference.setdefault(dict(entry.conditions)["differs"], []).append(entry)
    return DifferenceOwners(by_difference, wider, signs)


def _check(
    found: Sequence[Entry], known: Mapping[str, set[str]], wider: Mapping[tuple[str, str], str], file: Path
) -> None:
    catalogue = load_catalogue(file.parent)
    for entry in found:
        for field, value in entry.conditions:
            if value not in known.get(_field(field), ()):
                raise CatalogueError(file, 0, str(entry), f"{field} = {value!r} is not among the values of [fields]")
        for id_ in entry.rows:
            if (row := catalogue.get(id_)) is None or not row.judged:
                raise CatalogueError(file, 0, str(entry), f"{id_} is no judged row, so it owns nothing")
    for one, other in combinations(found, 2):
        alike = (one.weight, one.fields) == (other.weight, other.fields)
        if alike and one.rows != other.rows and _may_meet(one, other, wider):
            raise CatalogueError(file, 0, str(one), f"may tie with: {other}; add a condition to one of them")


def _line(field: str, value: str, wider: Mapping[tuple[str, str], str]) -> Sequence[str]:
    """Return a value, and those that it is a case of, one by one."""
    line = [value]
    while (_field(field), line[-1]) in wider:
        line.append(wider[_field(field), line[-1]])
    return line


def _field(condition: str) -> str:
    return "had" if condition == "after" else condition


def _written(what: str, given: Mapping[str, Any]) -> Iterator[tuple[list[tuple[str, str]], str]]:
    """Yield the entries of a line, conditions and rows: one for each row of the field that has a table."""
    conditions = [("differs", what)] if "differs" not in given else []
    by, rows = "", {"": str(given.get("row", ""))}
    for field, value in given.items():
        if isinstance(value, dict):
            by, rows = field, value
        elif field != "row":
            conditions += [(field, each) for each in (value if isinstance(value, list) else [value])]
    yield from (([*conditions, *([(by, value)] if value else [])], ids) for value, ids in rows.items())


def _entry(
    conditions: list[tuple[str, str]], rows: str, wider: Mapping[tuple[str, str], str], order: Mapping[str, int]
) -> Entry:
    weight = sum(len(_line(field, value, wider)) for field, value in conditions)
    fields = sorted((order.get(_field(field), 0) for field, _ in conditions), reverse=True)
    return Entry(tuple(conditions), tuple(rows.split()), weight, tuple(fields))


def _may_meet(one: Entry, other: Entry, wider: Mapping[tuple[str, str], str]) -> bool:
    """Return whether two entries can fit one difference, and the order of events does not decide between them."""
    if one.after != other.after:
        return False
    theirs = {field: value for field, value in other.conditions if field != "had"}
    for field, value in one.conditions:
        yours = theirs.get(field, value)
        if yours not in _line(field, value, wider) and value not in _line(field, yours, wider):
            return False
    return True
