"""Find the bundle that a command reads: by folder, by run id, or the newest."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from tck.catalogue import Catalogue
from tck.catalogue.errors import did_you_mean
from tck.cli.support.console import Problem
from tck.record import Bundle, BundleError
from tck.record.runs import RUNS, newest_folder, run_folders, workload_folders
from tck.reports.labels import SURPRISES
from tck.reports.lookup.runs import ReferenceRuns
from tck.running.options import DEFAULT_PROFILE

LATEST = "latest"
PLACE: Final = "lookup"
"""The folder below the output folder in which `tck lookup` keeps its own runs of the reference provider."""


def find_folder(run: str | None, out: Path) -> Path:
    """Return the folder that a text names: a path, a run id under the output folder, or `latest` (also None).

    Raises:
        Problem: there is no such run.
    """
    if run is None or run == LATEST:
        newest = newest_folder(out)
        if newest is None:
            raise Problem(f"no run has ended under {out / RUNS}; `tck run` makes one, --out names another place")
        return newest
    path = Path(run)
    if path.exists():
        return path.parent if path.name == "run.json" else path
    folder = out / RUNS / run
    if folder.is_dir():
        return folder
    known = [path.name for path in run_folders(out)]
    hint = did_you_mean(run, known) or f"; there are {', '.join(known[-5:]) or 'none'}"
    raise Problem(f'no run "{run}": neither a folder nor a run under {out / RUNS}{hint}')


def open_bundle(run: str | None, out: Path, *, allow_truncated: bool = False) -> Bundle:
    """Open the bundle that a text names, as `find_folder`.

    Raises:
        Problem: there is no such run, or its bundle cannot be trusted; the message begins with the error's name.
    """
    folder = find_folder(run, out)
    try:
        return Bundle.open(folder, allow_truncated=allow_truncated)
    except BundleError as error:
        raise Problem(f"{type(error).__name__}: {error}") from error


def reference_run(bundle: Bundle, out: Path, catalogue: Catalogue) -> Bundle | None:
    """Return the newest recorded run of the reference provider that has a case which needs attention in this run, if any.

    It was made with this kit and catalogue, for the version by which this run is judged.
    """
    bad = next((result for result in bundle.results() if result.verdict in SURPRISES), None)
    if bad is None or bundle.run.kind != "suite":
        return None
    recorded = ReferenceRuns((out, out / PLACE), DEFAULT_PROFILE, catalogue, bundle.run.profile.tier)
    found = recorded.newest(next(iter(bad.verdicts)))
    return found if found is not None and found.run.run != bundle.run.run else None


def find_workload(run: str, out: Path) -> Path:
    """Return the folder of a workload that a text names: a path, an id under the output folder, or `latest`.

    Raises:
        Problem: there is no such workload.
    """
    with contextlib.suppress(OSError):  # a name may be too long for any folder
        if Path(run).is_dir():
            return Path(run)
    known = workload_folders(out)
    if run == LATEST and known:
        return known[-1]
    found = [path for path in known if path.name == run]
    if not found:
        have = ", ".join(path.name for path in known[-5:]) or "none"
        raise Problem(f"no workload {run} in {out / RUNS}; there are {have}. Give its folder, its id, or `latest`")
    return found[0]
