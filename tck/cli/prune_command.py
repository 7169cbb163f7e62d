"""`tck prune`: remove the bundles and reports of old runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json
from tck.record import Exit
from tck.record.runs import RUNS, run_folders

KEPT = 10
"""How many runs stay if nothing else is said."""
SITES = "html"


@click.command("prune")
@click.option(
    "--keep", type=click.IntRange(min=0), default=KEPT, show_default=True, metavar="N", help="How many runs stay."
)
@click.option("--dry-run", is_flag=True, help="Name what would be removed, and remove nothing.")
@choices.out_option
@choices.format_option
def command(keep: int, dry_run: bool, out: Path, form: str) -> int:
    """Remove all runs but the newest N, each with its report.

    Only runs that ended are removed: another one may still be writing. Other files of the output folder stay.
    """
    ended = run_folders(out)
    old = ended[: len(ended) - keep] if keep else ended
    paths = [path for run in old for path in (run, out / SITES / run.name) if path.is_dir()]
    freed = sum(file.stat().st_size for path in paths for file in path.rglob("*") if file.is_file())
    if not dry_run:
        for path in paths:
            try:
                shutil.rmtree(path)
            except OSError as error:
                raise Problem(f"cannot remove {error.filename or path}: {error.strerror}") from error
    if form == "json":
        names = {"removed": [run.name for run in old], "kept": [run.name for run in ended[len(old) :]]}
        emit_json({**names, "bytes": freed, "dry_run": dry_run})
    else:
        word = "would be removed" if dry_run else "removed"
        emit(f"{len(old)} of {len(ended)} runs {word} from {out / RUNS}, {freed / 1e6:,.1f} MB")
    return Exit.CONFORMANT
