"""How two versions of the specification differ, row by row: what only one of them has in force, and what a draft said otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from tck.catalogue.model import Assertion, Catalogue
from tck.catalogue.version_differences import BehaviourDifference, changed_between
from tck.catalogue.versions import BY_NAME, SpecVersion


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
    version = BY_NAME[name]
    rows = (row for row in catalogue.values() if row.applies_to(version.draft_of or name))
    return VersionRows(version, tuple(row for row in rows if not version.draft_of or version.text in row.sections))


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
