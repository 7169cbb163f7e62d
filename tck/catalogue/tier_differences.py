"""The rows of a version or draft, and how two differ, row by row: what only one has in force, what a draft said otherwise.

Imports the catalogue's own modules only.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tck.catalogue.citations import Citation, OwnSections
from tck.catalogue.errors import CatalogueError
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.loader import DATA, load_catalogue
from tck.catalogue.model import INTERWORKING, SCENARIOS, Assertion, Catalogue
from tck.catalogue.version_differences import BehaviourDifference, changed_between
from tck.catalogue.versions import BY_NAME, OLDEST, SpecVersion

REPLACED = "replaced.toml"


@dataclass(frozen=True, slots=True)
class VersionRows:
    """A version, or a draft, with its rows.

    Attributes:
        version: The version.
        rows: Those in force in it, in the order of the catalogue; a draft has those of its version that its text states.
    """

    version: SpecVersion
    rows: tuple[Assertion, ...]

    def section(self, row: Assertion) -> str:
        """Return the section that states a row in the text of this version; empty if none is known."""
        return row.sections.get(self.version.text, "")

    def cited(self, row: Assertion) -> Citation:
        """Return the section of a row with its title, as it is told to a provider of this version."""
        return OwnSections.of(self.version.name).row(row)


@dataclass(frozen=True, slots=True)
class VersionDifferences:
    """How two versions differ.

    Attributes:
        first: The one.
        second: The other.
        only_first: Rows in force in the first alone.
        only_second: Rows in force in the second alone.
        drafted: Rows in force in both that the draft among the two says otherwise, as their `draft_difference` tells.
        behaviours: What the two ask for differently, in short.
    """

    first: VersionRows
    second: VersionRows
    only_first: tuple[Assertion, ...]
    only_second: tuple[Assertion, ...]
    drafted: tuple[Assertion, ...]
    behaviours: tuple[BehaviourDifference, ...]


def rows_of(name: str, catalogue: Catalogue) -> VersionRows:
    """Return a version with its rows.

    Raises:
        KeyError: There is no version or draft of that name.
    """
    return VersionRows(BY_NAME[name], tuple(row for row in catalogue.values() if in_force(row, name)))


def in_force(row: Assertion, name: str) -> bool:
    """Return whether a row is in force in a version, or in a draft: there, if its text states the row.

    A claim of a scenario is in force in a draft as in the version that it is a draft of.

    Raises:
        KeyError: There is no version or draft of that name.
    """
    version = BY_NAME[name]
    stated = not version.draft_of or version.text in row.sections or row.chapter in (INTERWORKING, SCENARIOS)
    return stated and row.applies_to(version.draft_of or name)


def documentary_note(name: str) -> str:
    """Return what is said of a tier that only shows what a text of the past said; empty for any other."""
    version = BY_NAME.get(name)
    if version is None or not version.documentary:
        return ""
    return f"{version.title} is a documentary tier: it shows what that text said, and no provider is measured by it"


@functools.cache
def load_replaced(directory: Path = DATA) -> Mapping[str, tuple[str, ...]]:
    """Return, for each rule of the oldest version that a later one replaced, the ids of the rows that hold since.

    Args:
        directory: The folder of the data; the kit's own by default.

    Raises:
        CatalogueError: A row has not ended with the oldest version, or what replaced it is unknown or not of a later one.
    """
    file = directory / REPLACED
    text = file.read_text(encoding="utf-8")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise CatalogueError(file, line, "", message) from None
    known = load_catalogue()
    for id_, others in document.items():
        line = LineIndex(text).line((id_,))
        if id_ not in known or known[id_].until != OLDEST:
            raise CatalogueError(file, line, id_, f"expected a row that ended with {OLDEST}")
        if not isinstance(others, list) or not others or any(known.get(other) is None for other in others):
            raise CatalogueError(file, line, id_, f"expected ids of rows, saw {others!r}")
        if any(known[other].until == OLDEST for other in others):
            raise CatalogueError(file, line, id_, f"expected rows of a later version, saw {', '.join(others)}")
    return MappingProxyType({id_: tuple(others) for id_, others in document.items()})


def holds_since(row: Assertion) -> str:
    """Return ids and titles of the rows that hold instead of a rule that only the oldest version has; empty for any other."""
    others = [load_catalogue()[id_] for id_ in load_replaced().get(row.id, ())]
    return "; ".join(f"{each.id} {each.title} (since {each.since})" for each in others)


def tier_note(row: Assertion, name: str) -> str:
    """Return what a documentary tier tells of a row: how the draft says it otherwise, or what replaced it; else empty."""
    version = BY_NAME.get(name)
    if version is None or not version.documentary:
        return ""
    if version.draft_of:
        return f"difference of the draft: {row.draft_difference}" if row.draft_difference else ""
    replaced = holds_since(row)
    return f"replaced by {replaced}" if replaced else ""


def tier_notes(name: str, catalogue: Catalogue) -> tuple[tuple[Assertion, str], ...]:
    """Return every row of which a documentary tier tells something, be it in force there or not, and what; none for another."""
    noted = ((row, tier_note(row, name)) for row in catalogue.values())
    return tuple((row, note) for row, note in noted if note)


def differences(first: str, second: str, catalogue: Catalogue) -> VersionDifferences:
    """Compare two versions.

    Raises:
        KeyError: There is no version or draft of one of the names.
    """
    one, other = rows_of(first, catalogue), rows_of(second, catalogue)
    ours, theirs = ({row.id for row in each.rows} for each in (one, other))
    one_is_a_draft = bool(one.version.draft_of) is not bool(other.version.draft_of)
    return VersionDifferences(
        one,
        other,
        tuple(row for row in one.rows if row.id not in theirs),
        tuple(row for row in other.rows if row.id not in ours),
        tuple(row for row in one.rows if row.id in theirs and row.draft_difference) if one_is_a_draft else (),
        changed_between(first, second),
    )
