"""Rows of the catalogue as several commands render them, and the tier that selects them and in whose words they are told."""

from __future__ import annotations

from typing import Any

from tck.catalogue import Assertion
from tck.catalogue.citations import OwnSections
from tck.catalogue.tier_differences import tier_note
from tck.cli.support.console import Problem
from tck.profile import ProfileError, load_tier


def row_json(row: Assertion, *, tested: bool, tier: str = "") -> dict[str, Any]:
    """Render a row in short, as it is told to a provider of a tier if one is named; the keys are a contract, see docs/cli.md."""
    return {
        "id": row.id,
        "level": row.level.value,
        "title": row.title,
        "chapter": row.chapter,
        "section": row.section,
        "own": str(OwnSections.of(tier).row(row)) if tier else None,
        "tier_note": tier_note(row, tier) or None,
        "since": row.since,
        "until": row.until or None,
        "features": list(row.features),
        "hook": row.hook or None,
        "judged": row.judged,
        "tested": tested,
    }


def tier_version(tier: str) -> str:
    """Return the specification version of a tier, empty for none.

    Raises:
        Problem: there is no such tier.
    """
    try:
        return load_tier(tier).version if tier else ""
    except ProfileError as error:
        raise Problem(str(error)) from error
