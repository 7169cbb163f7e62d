"""`tck list`: the rows of the catalogue, or with `--cases` the cases of a run of a profile."""

from __future__ import annotations

import click

from tck.catalogue import Assertion, Catalogue, Selection
from tck.catalogue.citations import OwnSections
from tck.catalogue.sections import reading_order
from tck.catalogue.tier_differences import documentary_note, in_force, tier_notes
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

    SELECT is as for `tck run`. A tier keeps the rows in force in that version, or stated by that draft, and gives their
    sections in its text; the profile matters with --cases only.
    """
    known = choices.catalogue()
    chosen = choices.selection(select, known)
    tier_version(tier)
    if cases:
        return _cases(select, profile, tier, form)
    rows = [row for row in known.values() if _is_listed(row, chosen, tier)]
    tested = ids_tested({row.id for row in rows})
    rows = [
        row for row in rows if (row.judged or not judged) and ((row.judged and row.id not in tested) or not untested)
    ]
    if form == "json":
        emit_json({"rows": [row_json(row, tested=row.id in tested, tier=tier) for row in rows]})
    else:
        emit("\n".join([_row_table(rows, tested, tier), *_note_lines(chosen, tier, known)]))
    return Exit.CONFORMANT if rows else Exit.NOTHING_JUDGED


def _is_listed(row: Assertion, chosen: Selection, tier: str) -> bool:
    return (chosen.everything or row.id in chosen.assertions) and (not tier or in_force(row, tier))


def _row_table(rows: list[Assertion], tested: frozenset[str], tier: str) -> str:
    own = OwnSections.of(tier)

    def state(row: Assertion) -> str:
        if row.id in tested:
            return "tested"
        return "-" if row.judged else "not judged"

    head, lines = ["id", "level", "tested"], [[row.id, row.level.value, state(row)] for row in rows]
    if own.text:
        head.append(f"section of {own.stated}")
        lines = [[*line, _place(own, row)] for line, row in zip(lines, rows, strict=True)]
    shown = table([*head, "title"], [[*line, row.title] for line, row in zip(lines, rows, strict=True)])
    judged = sum(row.judged for row in rows)
    count = sum(row.judged and row.id in tested for row in rows)
    notes = [f"{len(rows)} rows, {judged} judged, {count} tested", documentary_note(tier)]
    return shown + "\n".join(filter(None, notes))


def _place(own: OwnSections, row: Assertion) -> str:
    cited = own.row(row)
    return cited.short if cited.places else f"none of its own ({cited.beside})"


def _note_lines(chosen: Selection, tier: str, known: Catalogue) -> list[str]:
    """Render what a documentary tier tells of the chosen rows, those that its text does not state last."""
    noted = [(row, note) for row, note in tier_notes(tier, known) if chosen.everything or row.id in chosen.assertions]
    stated = [f"  {row.id:<12} {note}" for row, note in noted if in_force(row, tier)]
    absent = [f"  {row.id:<12} {note}" for row, note in noted if not in_force(row, tier)]
    return [*stated, *([f"and of rows that the text does not state: {len(absent)}", *absent] if absent else [])]


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
