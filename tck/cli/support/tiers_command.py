"""`tck tiers A B`: how two versions of the specification differ, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.tier_differences import VersionDifferences, VersionRows, differences, rows_of
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, table
from tck.profile import ProfileError, load_tier
from tck.profile.tiers import TIERS
from tck.record import Exit


@click.command("tiers")
@click.argument("names", nargs=-1, metavar="[TIER TIER]")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the differences as a page too.",
)
@choices.format_option
def command(names: tuple[str, ...], html: Path | None, form: str) -> int:
    """List the tiers, or show how two of them differ, row by row.

    A TIER is a version of the specification, such as 1.1, or 2.0-draft.
    """
    known = choices.catalogue()
    if len(names) not in {0, 2} or (html and not names):
        raise Problem(f"expected no tier or two to compare, saw {len(names)}; tiers are {', '.join(TIERS)}")
    if not names:
        return _list(known, form)
    try:
        required = [len(load_tier(name).required) for name in names]
    except ProfileError as error:
        raise Problem(str(error)) from error
    found = differences(names[0], names[1], known)
    written = _write(found, required, html) if html else None
    if form == "json":
        emit_json({**render(found), "written": str(written) if written else None})
    else:
        emit("\n".join([*_lines(found), *([str(written)] if written else [])]))
    return Exit.CONFORMANT


def render(found: VersionDifferences) -> dict[str, Any]:
    """Render the differences; the keys are a contract, see docs/cli.md."""
    one, other = found.first, found.second

    def row(each: Assertion) -> dict[str, Any]:
        return {
            "id": each.id,
            "level": each.level.value,
            "title": each.title,
            "statement": each.statement,
            "sections": [one.section(each) or None, other.section(each) or None],
            "own": [str(one.cited(each)), str(other.cited(each))],
            "judged": each.judged,
            "draft_difference": each.draft_difference or None,
        }

    return {
        "tiers": [_tier(one), _tier(other)],
        "only_first": [row(each) for each in found.only_first],
        "only_second": [row(each) for each in found.only_second],
        "drafted": [row(each) for each in found.drafted],
        "behaviours": [
            {
                "number": each.number,
                "title": each.title,
                "said": [each.says(tier.version.name) for tier in (one, other)],
                "rows": list(each.rows),
                "why": each.why or None,
            }
            for each in found.behaviours
        ],
    }


def _tier(each: VersionRows) -> dict[str, Any]:
    version = each.version
    return {
        "name": version.name,
        "title": version.title,
        "documentary": version.documentary,
        "rows": len(each.rows),
        "judged": sum(row.judged for row in each.rows),
        "required": len(load_tier(version.name).required),
    }


def _list(known: Catalogue, form: str) -> int:
    found = [_tier(rows_of(name, known)) for name in TIERS]
    if form == "json":
        emit_json({"tiers": found})
    else:
        emit(_tier_table(found))
    return Exit.CONFORMANT


def _tier_table(found: Sequence[dict[str, Any]]) -> str:
    numbers = ["rows", "judged", "required"]
    rows = [
        (
            each["name"],
            each["title"],
            *(f"{each[key]:,}" for key in numbers),
            "documentary" if each["documentary"] else "",
        )
        for each in found
    ]
    return table(["tier", "title", *numbers, ""], rows, right=numbers)


def _lines(found: VersionDifferences) -> Iterator[str]:
    yield _tier_table([_tier(found.first), _tier(found.second)])
    if found.behaviours:
        yield f"Asked for differently: {len(found.behaviours):,} behaviours"
        yield "\n".join([*_behaviour_lines(found), ""])
    for each, rows in ((found.first, found.only_first), (found.second, found.only_second)):
        yield f"Only in {each.version.title}: {len(rows):,} rows"
        if rows:
            yield table(
                ["id", "level", "section", "title"],
                [(row.id, row.level.value, each.cited(row).own, row.title) for row in rows],
            )
    if found.drafted:
        yield f"In both, and said otherwise by the draft: {len(found.drafted):,} rows"
        yield table(
            ["id", "level", "section", "difference"],
            [(row.id, row.level.value, found.second.cited(row).own, row.draft_difference) for row in found.drafted],
        )


def _behaviour_lines(found: VersionDifferences) -> Iterator[str]:
    names = [tier.version.name for tier in (found.first, found.second)]
    wide = max(map(len, names))
    for each in found.behaviours:
        yield f"{each.number:>3}  {each.title}"
        for name in names:
            yield f"     {name:<{wide}}  {each.says(name)}"
        yield f"     {'rows':<{wide}}  {', '.join(each.rows) or each.why}"


def _write(found: VersionDifferences, required: Sequence[int], target: Path) -> Path:
    from tck.reports.html.tiers import write_tiers  # noqa: PLC0415 - loads the templates

    try:
        return write_tiers(found, required, target).absolute()
    except OSError as error:
        raise Problem(f"cannot write {error.filename or target}: {error.strerror}") from error
