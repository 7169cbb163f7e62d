"""`tck coverage`: the rows that the suite tests, by level and chapter, and the official ids they cover."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from tck.catalogue import Assertion, Catalogue, Level
from tck.cli.run_command import can_fork, workers_for
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr, table
from tck.cli.support.pytest_session import collect_suite, run_suite
from tck.cli.support.untested import FILE, write_untested
from tck.record import Bundle, BundleError, Exit
from tck.record.runs import RUNS, newest_folder
from tck.reports.official_ids import covered_api_ids, covered_spec_ids
from tck.running.options import DEFAULT_PROFILE


@click.command("coverage")
@choices.select_argument
@choices.bundle_option
@choices.out_option
@click.option(
    "--write-untested", is_flag=True, help="Write the list of judged rows without a test; it may only shrink."
)
@choices.format_option
def command(select: tuple[str, ...], bundle: str | None, out: Path, write_untested: bool, form: str) -> int:
    """Count what the suite tests, by chapter and level, and the official ids it covers.

    SELECT limits the rows, as for `tck run`; the official figures are always those of the whole catalogue. Coverage
    is no verdict: the exit code is 0 for any figures.
    """
    known = choices.catalogue()
    chosen = choices.selection(select, known)
    opened = None if write_untested else open_or_run(bundle, out)
    tested = collect_suite(["--profile", DEFAULT_PROFILE]).ids
    if opened is None:
        return _write([row.id for row in known.judged() if row.id not in tested])
    rows = [row for row in known.values() if chosen.everything or row.id in chosen.assertions]
    measured = measure(rows, known, tested, opened)
    if form == "json":
        emit_json(measured)
    else:
        emit(_text(measured, opened))
    return Exit.CONFORMANT


def _write(untested: Sequence[str]) -> int:
    gone = write_untested(untested)
    note(f"tck: {FILE.name} now has {len(untested)} rows, {gone} fewer")
    return Exit.CONFORMANT


def open_or_run(run: str | None, out: Path, files: Sequence[Path] = ()) -> Bundle:
    """Open the requested bundle, else the newest; without any, run the reference provider now.

    Args:
        run: as for `bundles.find_folder`.
        out: the output folder.
        files: the test files to run, if there is no bundle; the whole suite by default.

    Raises:
        Problem: the bundle cannot be trusted, or the run did not leave one.
    """
    if run is not None or newest_folder(out) is not None:
        return bundles.open_bundle(run, out)
    note(
        f"tck: no run under {out / RUNS}: running the suite on the reference provider, to measure the official API ids"
    )
    arguments = ["--profile", DEFAULT_PROFILE, "--seed", "0", "--out", str(out), "-q"]
    with stdout_to_stderr():
        ended = run_suite(arguments, files, workers=workers_for("auto"), forks=can_fork("python"))
    if ended.state is None:
        raise Problem("the suite could not be run on the reference provider; see above", Exit.KIT_ERROR)
    try:
        return Bundle.open(ended.state.options.bundle)
    except BundleError as error:
        raise Problem(f"the run left no bundle to measure: {type(error).__name__}: {error}", Exit.KIT_ERROR) from error


def measure(rows: Sequence[Assertion], known: Catalogue, tested: Collection[str], bundle: Bundle) -> dict[str, Any]:
    """Count; the keys are a contract, see docs/cli.md."""
    judged = [row for row in rows if row.judged]
    levels = {level.value: [row for row in rows if row.level is level] for level in Level}
    chapters = {chapter: [row for row in rows if row.chapter == chapter] for chapter in known.chapters}
    return {
        "rows": len(rows),
        "judged": len(judged),
        "tested": sum(row.id in tested for row in judged),
        "untested": choices.in_order(row.id for row in judged if row.id not in tested),
        "levels": {level: _count(members, tested) for level, members in levels.items() if members},
        "chapters": {chapter: _count(members, tested) for chapter, members in chapters.items() if members},
        "official": {
            "spec": {
                "testable": sum(official.testable for official in known.official_spec.values()),
                "covered": len(covered_spec_ids(known, tested)),
            },
            "api": {
                "testable": sum(official.testable for official in known.official_javadoc.values()),
                "covered": len(covered_api_ids(known, bundle)),
            },
        },
        "run": bundle.run.run,
    }


def _count(rows: Iterable[Assertion], tested: Collection[str]) -> dict[str, int]:
    rows = list(rows)
    judged = [row for row in rows if row.judged]
    return {"rows": len(rows), "judged": len(judged), "tested": sum(row.id in tested for row in judged)}


def _text(measured: dict[str, Any], bundle: Bundle) -> str:
    head = ["", "rows", "judged", "tested", "untested"]

    def line(name: str, counts: dict[str, int]) -> list[object]:
        return [name, counts["rows"], counts["judged"], counts["tested"], counts["judged"] - counts["tested"]]

    lines = [line(name, counts) for name, counts in measured["chapters"].items()]
    lines += [line(name, counts) for name, counts in measured["levels"].items()]
    lines.append(line("all", measured))
    spec, api = measured["official"]["spec"], measured["official"]["api"]
    part = f" of {' '.join(bundle.run.selection)} only" if bundle.run.selection else ""
    where = f"run {bundle.run.run}{part} on {bundle.run.provider.name} {bundle.run.provider.version}".rstrip()
    return "\n".join(
        [
            table(head, lines, right=head[1:]),
            f"official ids of the specification: {spec['covered']} of {spec['testable']} testable ones, by the rows that tests name",
            f"official ids of the API: {api['covered']} of {api['testable']} testable ones, by the held cases of {where}",
            "`tck list --untested` names the judged rows that no test names",
        ]
    )
