"""`tck diff`: on which cases do runs disagree? It never touches a provider."""

from __future__ import annotations

from pathlib import Path

import click

from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json
from tck.record import Exit
from tck.reports import compare
from tck.reports.read import load

MOST = 50
"""Number of printed differences; JSON and HTML have all."""


@click.command("diff")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A self-contained page on the differences.",
)
@choices.out_option
@choices.format_option
def command(runs: tuple[str, ...], html: Path | None, out: Path, form: str) -> int:
    """Compare two or more runs case by case: outcome, verdicts and recorded behaviour.

    Each RUN is the folder of a run, its id, or `latest`. Exit code 0: they agree on every case, or differ
    only where a profile declares a flaky one. 1: they do not.
    """
    if len(runs) < 2:
        raise Problem("expected two runs or more to compare, saw one; `tck diff RUN RUN`")
    opened = [bundles.open_bundle(run, out) for run in runs]
    found = compare.diff(compare.columns(map(load, opened), choices.catalogue()))
    if html is not None:
        _write(found, html)
    ended = Exit.CONFORMANT if found.agree else Exit.VIOLATION
    if form == "json":
        from tck.reports.export.matrix import render_diff  # noqa: PLC0415 - only this form needs it

        rendered = render_diff(found)
        emit_json({**rendered, "written": str(html.absolute()) if html else None, "exit": int(ended)})
    else:
        emit(_text(found))
    return ended


def _write(found: compare.Diff, target: Path) -> None:
    from tck.reports.html.side_by_side import write_diff  # noqa: PLC0415 - loads the templates

    try:
        write_diff(found, target)
    except OSError as error:
        raise Problem(f"cannot write {error.filename or target}: {error.strerror}") from error


def _text(found: compare.Diff) -> str:
    ids = ", ".join(column.run.run.run for column in found.columns)
    if not found.differences:
        return f"{ids}: the same on all {found.total:,} cases"
    lines = [f"{ids}: {len(found.differences):,} of {found.total:,} cases differ"]
    lines += [f"  {name}: {' | '.join(values)}" for name, values in found.circumstances]
    lines.append("")
    for each in found.differences[:MOST]:
        lines.append(f"{each.case}{' (declared as flaky)' if each.declared_flaky else ''}")
        lines += [
            f"  {column.run.run.run}  {_case_in_run(in_run)}"
            for column, in_run in zip(found.columns, each.by_run, strict=True)
        ]
    left = len(found.differences) - MOST
    if left > 0:
        lines.append(f"and {left:,} more; --format json or --html has all")
    return "\n".join(lines)


def _case_in_run(in_run: compare.CaseInRun | None) -> str:
    if in_run is None:
        return "no such case"
    text = f"{in_run.report.verdict} ({in_run.outcome})"
    return f"{text}: {in_run.behaviour}" if in_run.behaviour else text
