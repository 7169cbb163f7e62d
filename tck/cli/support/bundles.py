"""Find the bundle that a command is to read: by folder, by run id, or the newest."""

from __future__ import annotations

from pathlib import Path

from tck.catalogue.errors import did_you_mean
from tck.cli.support.console import Problem
from tck.record import Bundle, BundleError

LATEST = "latest"


def run_folders(out: Path) -> tuple[Path, ...]:
    """Give the folders of the runs that ended, oldest first."""
    runs = out / "runs"
    ended = [path for path in runs.iterdir() if (path / "end.json").is_file()] if runs.is_dir() else []
    return tuple(sorted(ended, key=lambda path: ((path / "end.json").stat().st_mtime_ns, path.name)))


def newest_folder(out: Path) -> Path | None:
    """Give the folder of the run that ended last, None if there is none."""
    folders = run_folders(out)
    return folders[-1] if folders else None


def find_folder(run: str | None, out: Path) -> Path:
    """Give the folder that a text names: a path, a run id under the output folder, or `latest` (also None).

    Raises:
        Problem: there is no such run.
    """
    if run is None or run == LATEST:
        newest = newest_folder(out)
        if newest is None:
            raise Problem(f"no run has ended under {out / 'runs'}; `tck run` makes one, --out names another place")
        return newest
    path = Path(run)
    if path.exists():
        return path.parent if path.name == "run.json" else path
    folder = out / "runs" / run
    if folder.is_dir():
        return folder
    known = [path.name for path in run_folders(out)]
    hint = did_you_mean(run, known) or f"; there are {', '.join(known[-5:]) or 'none'}"
    raise Problem(f'no run "{run}": neither a folder nor a run under {out / "runs"}{hint}')


def open_bundle(run: str | None, out: Path) -> Bundle:
    """Open the bundle that a text names, as `find_folder`.

    Raises:
        Problem: there is no such run, or its bundle cannot be trusted; the message begins with the error's name.
    """
    folder = find_folder(run, out)
    try:
        return Bundle.open(folder)
    except BundleError as error:
        raise Problem(f"{type(error).__name__}: {error}") from error
