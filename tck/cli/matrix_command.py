"""`tck matrix`: several runs side by side, providers by assertions; it never touches a provider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, table
from tck.profile.locate import profiles_directory
from tck.record import Bundle, BundleError, Exit, Verdict
from tck.record.runs import RUNS, run_folders
from tck.reports import compare
from tck.reports.read import load
from tck.reports.show import count

SHOWN = (
    Verdict.VIOLATION,
    Verdict.STALE,
    Verdict.UNDECIDED,
    Verdict.HARNESS_ERROR,
    Verdict.INCONCLUSIVE,
    Verdict.ADVISORY,
)
"""Verdicts that the printed table counts, beside declared deviations."""


@click.command("matrix")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "--html",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the site; default: html/matrix under the output folder.",
)
@click.option("--sites", is_flag=True, help="Write the site of each run into it too, down to the cases.")
@choices.out_option
@choices.format_option
def command(runs: tuple[str, ...], html: Path | None, sites: bool, out: Path, form: str) -> int:
    """Show several runs side by side: providers by assertions, a page per provider, behaviours.

    Each RUN is the folder of a run, its id, or `latest`. Default: the newest whole run of each profile.
    """
    known = choices.catalogue()
    opened = [bundles.open_bundle(run, out) for run in runs] if runs else _newest(out)
    across = compare.columns(map(load, opened), known)
    matrix = compare.matrix(across, known)
    index = _write(matrix, html or out / "html" / "matrix", sites=sites)
    if form == "json":
        from tck.reports.export.matrix import render  # noqa: PLC0415 - only this form needs it

        emit_json({**render(matrix), "written": str(index.absolute())})
    else:
        emit("\n".join((_table(across), *_causes(across), str(index))))
    return Exit.CONFORMANT


def _write(matrix: compare.Matrix, folder: Path, *, sites: bool) -> Path:
    from tck.reports.html.side_by_side import write_matrix  # noqa: PLC0415 - loads the templates

    evidence = profiles_directory() / "evidence"
    programs = {path.name: path.read_text(encoding="utf-8") for path in sorted(evidence.glob("*.py"))}
    try:
        return write_matrix(matrix, folder, choices.catalogue(), programs, with_runs=sites)
    except OSError as error:
        raise Problem(f"cannot write {error.filename or 'the matrix'}: {error.strerror}") from error


def _newest(out: Path) -> list[Bundle]:
    """Open the newest run of each profile that selected nothing, in the order of the profiles' names."""
    found: dict[str, Bundle] = {}
    for folder in run_folders(out):
        try:
            bundle = Bundle.open(folder)
        except BundleError:
            continue
        if not bundle.run.selection:
            found[bundle.run.profile.name] = bundle
    if not found:
        raise Problem(f"no whole run has ended under {out / RUNS}; `tck run` makes one, or name the runs")
    return [found[name] for name in sorted(found)]


def _causes(across: tuple[compare.RunColumn, ...]) -> Iterator[str]:
    """Yield how many causes the declared deviations have, where there are any."""
    found = compare.causes(across)
    shared = sum(len(keys) > 1 for keys in found.values())
    if found:
        rows = sum(len({each.assertion for each in column.run.run.profile.deviations}) for column in across)
        total = f"{rows} rows are declared, with {count(len(found), 'cause')}; {shared} of them at several providers"
        yield f"{total}: what one program shows is one cause\n"


def _table(across: tuple[compare.RunColumn, ...]) -> str:
    head = ["provider", "tier", "assertions", "conformant", "declared", *SHOWN, "cases"]
    rows: list[list[Any]] = []
    for column in across:
        counts = column.tree.counts
        figures = [counts[verdict] for verdict in (Verdict.CONFORMANT, Verdict.DECLARED, *SHOWN)]
        rows.append(
            [column.key, column.run.run.profile.tier, len(column.tree.assertions), *figures, len(column.run.cases)]
        )
    return table(head, rows, right=head[2:])
