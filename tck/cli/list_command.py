"""`tck list`: the rows of the catalogue, or with `--cases` the cases of a run of a profile."""

from __future__ import annotations

import click

from tck.catalogue import Assertion, Selection
from tck.catalogue.sections import reading_order
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, table
from tck.cli.support.rows import row_json, tier_version
from tck.cli.support.suite_tests import ids_tested
from tck.profile import ProfileError, load_profile
from tck.record import Exit


@click.command("list")
@choices.select_argument
@click.option("--cases", is_flag=True, help="List the cases that `tck run` would run, instead of rows.")
@click.option("--judged", is_flag=True, help="Only rows that a run can decide.")
@click.option("--untested", is_flag=True, help="Only judged rows that no test names.")
@choices.profile_option
@choices.tier_option
@choices.format_option
def command(
    select: tuple[str, ...], cases: bool, judged: bool, untested: bool, profile: str, tier: str, form: str
) -> int:
    """List catalogue rows, or the cases of a provider's profile.

    SELECT is as for `tck run`. A tier keeps the rows in force in that version; the profile matters with --cases only.
    """
    known = choices.catalogue()
    chosen = choices.selection(select, known)
    version = tier_version(tier)
    if cases:
        return _cases(select, profile, tier, form)
    tested = ids_tested()
    rows = [row for row in known.values() if _is_listed(row, chosen, version)]
    rows = [
        row for row in rows if (row.judged or not judged) and ((row.judged and row.id not in tested) or not untested)
    ]
    if form == "json":
        emit_json({"rows": [row_json(row, tested=row.id in tested) for row in rows]})
    else:
        emit(_row_table(rows, tested))
    return Exit.CONFORMANT if rows else Exit.NOTHING_JUDGED


def _is_listed(row: Assertion, chosen: Selection, version: str) -> bool:
    return (chosen.everything or row.id in chosen.assertions) and (not version or row.applies_to(version))


def _row_table(rows: list[Assertion], tested: frozenset[str]) -> str:
    def state(row: Assertion) -> str:
        if row.id in tested:
            return "tested"
        return "-" if row.judged else "not judged"

    shown = table(
        ["id", "level", "tested", "title"], [(row.id, row.level.value, state(row), row.title) for row in rows]
    )
    judged = sum(row.judged for row in rows)
    count = sum(row.judged and row.id in tested for row in rows)
    return f"{shown}{len(rows)} rows, {judged} judged, {count} tested"


def _cases(select: tuple[str, ...], profile: str, tier: str, form: str) -> int:
    from tck.cli.support.pytest_session import collect_suite  # noqa: PLC0415 - rows are listed without pytest

    try:
        version = tier or load_profile(profile).claims.version
    except ProfileError as error:
        raise Problem(str(error)) from error
    arguments = ["--profile", profile, *(["--tier", tier] if tier else [])]
    collected = collect_suite([*arguments, *(word for text in select for word in ("--select", text))])
    cases = sorted(collected.cases, key=lambda case: (reading_order(case.assertions[0]), case.case))
    if form == "json":
        rows = [
            {"case": case.case, "assertions": list(case.assertions), "file": case.file, "line": case.line}
            for case in cases
        ]
        emit_json({"profile": profile, "tier": version, "cases": rows})
    else:
        emit(
            table(["case", "test"], [(case.case, f"{case.file}:{case.line}") for case in cases])
            + f"{len(cases)} cases under {version}"
        )
    return Exit.CONFORMANT if cases else Exit.NOTHING_JUDGED
