"""The manifest of a run in the store, runs/R.json, and its validation.

May import `errors`, the margins of `tck.check` and `tck.record`; reads no file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tck.check.results import Margins
from tck.record import Run
from tck.record.codec import decode
from tck.reports.pipeline.errors import StoreError
from tck.reports.pipeline.verdict_rows import at_of

LAYOUT: Final = 1
"""The number of the store's layout; other layouts are refused."""

_LONGEST: Final = 10**12
"""An upper bound of every margin, in milliseconds."""
_RUN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class RunInfo:
    """The manifest of a run, runs/R.json.

    Attributes:
        run: Its id.
        digest: Digest of the bundle.
        about: run.json of the bundle.
        origin: Time 0 of the operations, in nanoseconds since the epoch.
        rows: The number of operations.
        parts: Rows and bytes of each part, by file name.
        tables: Rows and bytes of each other file of the run, by name.
        margins: Tolerances in milliseconds; see `tck.check.Margins`.
        truncated: Whether the bundle lacked its end.
        layout: The number of the layout.
        beside: For each part that is a slice of a session, rows and bytes of the file with context rows.
    """

    run: str
    digest: str
    about: Mapping[str, Any]
    origin: int
    rows: int
    parts: Mapping[str, Mapping[str, int]]
    tables: Mapping[str, Mapping[str, int]]
    margins: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False
    layout: int = LAYOUT
    beside: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def bundle(self) -> Run:
        """The provenance of the run."""
        return Run.from_json(self.about)

    @property
    def allowances(self) -> Margins:
        """The tolerances for judging it."""
        return Margins(**self.margins)  # type: ignore[arg-type]  # `deliveries` is a whole number


def read_info(name: str, content: Mapping[str, Any]) -> RunInfo:
    """Return the manifest in runs/R.json.

    Raises:
        KeyError, TypeError, ValueError: the content is invalid.
    """
    info = decode(RunInfo, {key: content[key] for key in RunInfo.__dataclass_fields__ if key in content})
    if info.run != name:
        raise ValueError(f"run {info.run}")
    _ = at_of(info.bundle), info.allowances
    limits = {"origin": 2**62, **dict.fromkeys(info.margins, _LONGEST)}
    for key, number in (("origin", info.origin), *info.margins.items()):
        if not 0 <= number < limits[key]:
            raise ValueError(f"{key} {number}")
    for file, size in (*info.parts.items(), *info.tables.items(), *info.beside.items()):
        if min(size["rows"], size["bytes"]) < 0:
            raise ValueError(f"{file}: {size['rows']} rows, {size['bytes']} bytes")
    rows = sum(size["rows"] for size in info.parts.values())
    if rows != info.rows:
        raise ValueError(f"{info.rows} rows, {rows} of them in its parts")
    return info


def kit_of(content: Any) -> object:  # noqa: ANN401 - any JSON
    """Return the version of the kit that made a run, if its manifest has it."""
    try:
        return content["about"]["kit"]["version"]
    except (KeyError, TypeError):
        return "unknown"


def summary(run: Run) -> dict[str, str]:
    """Return the top-level keys of runs/R.json, for readers that need only a summary."""
    return {
        "kind": run.kind,
        "started": run.started,
        "provider": run.provider.name,
        "version": run.provider.version,
        "kit": run.kit.version,
        "catalogue": run.catalogue.digest,
        "profile": run.profile.name,
        "profile_digest": run.profile.digest,
        "tier": run.profile.tier,
    }


def checked_name(run: str, path: Path) -> str:
    """Return the id of a run if it can be part of a folder name.

    Raises:
        StoreError: it has other characters.
    """
    if not _RUN.fullmatch(run):
        raise StoreError(
            f"expected a run id of letters, digits, dot, dash and underscore, saw {run!r}",
            path=path,
            todo="Run again under another id",
        )
    return run


def run_replaced(store: Path, run: str) -> StoreError:
    """Return the error for a run that was replaced while it was checked."""
    what = f"expected run {run} as it was when its check began, saw that it was replaced"
    return StoreError(what, path=store, todo="Check it again")
