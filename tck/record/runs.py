"""Runs below an output folder: where their bundles lie, and which ended last."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tck.record.errors import BundleError
from tck.record.packed import ABOUT
from tck.record.reader import Bundle

RUNS: Final = "runs"
"""The subfolder of an output folder with one folder per run id."""


def run_folders(out: Path) -> tuple[Path, ...]:
    """Return the folders of the runs that ended, oldest first."""
    runs = out / RUNS
    ended = [path for path in runs.iterdir() if (path / "end.json").is_file()] if runs.is_dir() else []
    return tuple(sorted(ended, key=lambda path: ((path / "end.json").stat().st_mtime_ns, path.name)))


def newest_folder(out: Path) -> Path | None:
    """Return the folder of the run that ended last, None if there is none."""
    folders = run_folders(out)
    return folders[-1] if folders else None


def newest_with(assertion: str, out: Path, look_back: int) -> Bundle | None:
    """Open the newest run that has a case of a row; if none of the last ones has, the newest of all."""
    newest = None
    for folder in run_folders(out)[: -look_back - 1 : -1]:
        try:
            found = Bundle.open(folder)
        except BundleError:
            continue
        if assertion in found.by_assertion:
            return found
        newest = newest or found
    return newest


def workload_folders(out: Path) -> tuple[Path, ...]:
    """Return the folders of workloads, ended or not, oldest first."""
    runs = out / RUNS
    return tuple(path for path in sorted(runs.iterdir()) if (path / ABOUT).is_file()) if runs.is_dir() else ()
