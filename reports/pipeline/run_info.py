"""What the store knows of a run: the manifest runs/R.json, and what has to be right about it.

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
"""The number of the layout; a store of another one is refused."""

_LONGEST: Final = 10**12
"""More milliseconds than any margin has."""
_RUN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class RunInfo:
    """runs/R.json: a run as the store keeps it.

    Attributes:
        run: Its id.
        digest: Of the bundle: equal when it is the same bundle.
        about: run.json of the bundle.
        origin: Nanoseconds since the epoch of time 0.
        rows: How many operations.
        parts: File name of each part: its rows and bytes.
        tables: Name of each other file of the run: its rows and bytes.
        margins: What to allow for, in milliseconds; see `tck.check.Margins`.
        truncated: The bundle lacked its end.
        layout: The number of the layout.
        beside: File name of each part that is a slice of a session: rows and bytes of the file beside it.
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
        """Provenance of the run."""
        return Run.from_json(self.about)

    @property
    def allowances(self) -> Margins:
        """What to allow for in judging it."""
        return Margins(**self.margins)  # type: ignore[arg-type]  # `deliveries` is a whole number


def read_info(name: str, content: Mapping[str, Any]) -> RunInfo:
    """Give what runs/R.json tells.

    Raises:
        KeyError, TypeError, ValueError: it tells something else.
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
    """Give the version of the kit that made a run, as far as its manifest tells."""
    try:
        return content["about"]["kit"]["version"]
    except (KeyError, TypeError):
        return "unknown"


def summary(run: Run) -> dict[str, str]:
    """Give what others want to know of a run without opening it: top-level keys of runs/R.json."""
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
    """Give the id of a run, which becomes part of folder names.

    Raises:
        StoreError: it has characters that do not fit there.
    """
    if not _RUN.fullmatch(run):
        raise StoreError(
            f"expected a run id of letters, digits, dot, dash and underscore, saw {run!r}",
            path=path,
            todo="Run again under another id",
        )
    return run


def run_replaced(store: Path, run: str) -> StoreError:
    """Give the error of a check whose run was replaced before it ended."""
    what = f"expected run {run} as it was when its check began, saw another one in its place"
    return StoreError(what, path=store, todo="Check it again")
