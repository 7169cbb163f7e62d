"""The page of two tiers: the rows that only one of them has in force, and those that a draft says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tck.catalogue import Assertion
from tck.catalogue.citations import OwnSections
from tck.catalogue.tier_differences import VersionDifferences, VersionRows
from tck.reports.html.frame import Frame, Page
from tck.reports.labels import NO_CERTIFICATES


def write_tiers(found: VersionDifferences, required: Sequence[int], target: Path) -> Path:
    """Write one self-contained page on how two tiers differ; return its path.

    Args:
        found: The differences.
        required: The number of rows that each of the two requires.
        target: The file; its folder is created if missing.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    first, second = found.first, found.second
    parts = [
        (f"Only in {each.version.title}", each, rows, _by_section(each, rows))
        for each, rows in ((first, found.only_first), (second, found.only_second))
    ]
    if found.drafted:
        parts.append(
            ("In both, and said otherwise by the draft", second, found.drafted, _by_section(second, found.drafted))
        )
    title = f"{first.version.title} and {second.version.title}"
    frame = Frame([], {"subject": title, "not_a_certificate": NO_CERTIFICATES})
    context = {
        "title": title,
        "tiers": list(zip((first, second), required, strict=True)),
        "behaviours": found.behaviours,
        "parts": parts,
    }
    frame.write(target.parent, Page(target.name, "tiers", context, standalone=True))
    return target


def _by_section(tier: VersionRows, rows: tuple[Assertion, ...]) -> list[dict[str, Any]]:
    own = OwnSections.of(tier.version.name)
    grouped = ((number, list(group)) for number, group in groupby(rows, key=lambda row: row.section))
    return [
        {"own": own.section(number, group), "rows": [(row, tier.cited(row).own) for row in group]}
        for number, group in grouped
    ]
