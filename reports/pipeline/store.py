"""The store: the layout of its files, and how runs and results become visible.

    store.json                                 the number of the layout
    runs/R.json                                manifest of run R; written last: without it the run does not exist
    ops/run=R/part-NNNNN.parquet               operations: whole sessions, or a slice of a very long one
    beside/run=R/part-NNNNN.parquet            context of a slice: operations of other slices needed to judge it
    tables/run=R/NAME.parquet                  side tables, and `names`: a text for each number
    verdict/run=R/part-0.parquet               verdicts by assertion, case and attempt
    outcome, standing, latency/run=R/...       the same by case, by assertion, and durations in logarithmic buckets
    trace_verdict, findings/run=R/...          results of `check`; checks/R.json says of which properties
    history/NAME/                              tables over all runs
    .staging/                                  files being written
    .lock                                      exclusive for writers, shared by readers

Everything is written below .staging and renamed when complete, so a retry finds all of it or nothing. Renames happen under
the lock, while nobody reads several files of a run.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tck.check.columns import Table
from tck.check.evidence import Names
from tck.check.tables import Tables
from tck.record import Run
from tck.reports.pipeline.errors import StoreError, disk_errors
from tck.reports.pipeline.lock import locked, unchanged
from tck.reports.pipeline.parquet import AGAIN, arrow, read_parquet, write_json
from tck.reports.pipeline.run_info import LAYOUT, RunInfo, kit_of, read_info, run_replaced, summary
from tck.reports.pipeline.staging import staged
from tck.reports.pipeline.store_columns import CHECKED, DERIVED, NAMES, SIDE
from tck.reports.pipeline.value_checks import read_known, read_operations, read_side


class Store:
    """A folder of runs, opened with `Store.open` or made with `Store.make`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def make(cls, path: Path) -> Store:
        """Open a store, or create one if the folder is missing or empty.

        Raises:
            NoSparkError: pyarrow is not installed.
            StoreError: the folder holds something else, or a store of another layout.
            NoRoomError: the disk is full.
        """
        arrow()
        marker = path / "store.json"
        with disk_errors(path):
            if not marker.exists():
                if path.exists() and (not path.is_dir() or any(path.iterdir())):
                    todo = "Give an empty folder, or one that `tck pipeline ingest` made"
                    raise StoreError("expected a store or nothing, saw other files", path=path, todo=todo)
                path.mkdir(parents=True, exist_ok=True)
                write_json(marker, {"layout": LAYOUT})
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a store.

        Raises:
            StoreError: there is none, or it has another layout.
        """
        with disk_errors(path):
            try:
                layout = json.loads((path / "store.json").read_bytes())["layout"]
            except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
                todo = "Check the path; `tck pipeline ingest BUNDLE --store DIR` makes a store"
                raise StoreError("expected a store, saw none", path=path, todo=todo) from None
        if layout != LAYOUT:
            todo = "Read it with the kit that wrote it, or ingest its bundles into a new store"
            raise StoreError(
                f"expected layout {LAYOUT}, saw {layout}: another version of the kit wrote it", path=path, todo=todo
            )
        return cls(path)

    # -- runs ----------------------------------------------------------------------------------------------------

    def runs(self) -> tuple[str, ...]:
        """Return the ids of all runs, sorted.

        Raises:
            StoreError: a writer keeps the lock, or the folder cannot be read.
        """
        with self.unchanged():
            return self._runs()

    def _runs(self) -> tuple[str, ...]:
        folder = self.path / "runs"
        with disk_errors(folder):
            found = list(folder.iterdir()) if folder.exists() else []
        return tuple(sorted(path.stem for path in found if path.suffix == ".json" and not path.name.startswith(".")))

    def run(self, name: str) -> RunInfo:
        """Return the manifest of a run.

        Raises:
            StoreError: there is no such run, another version of the kit ingested it, or a writer keeps the lock.
        """
        with self.unchanged():
            return self._run(name)

    def _run(self, name: str) -> RunInfo:
        path = self.path / "runs" / f"{name}.json"
        with disk_errors(path):
            try:
                content = json.loads(path.read_bytes())
            except FileNotFoundError:
                known = ", ".join(self._runs()[-5:]) or "none"
                raise StoreError(
                    f"expected run {name}, saw none of that name; there are {known}",
                    path=self.path,
                    todo="Ingest its bundle",
                ) from None
            except ValueError:
                raise StoreError("expected JSON, saw something else", path=path, todo=AGAIN) from None
        if not isinstance(content, dict) or content.get("layout") != LAYOUT:
            kit = kit_of(content)
            what = f"expected a run ingested by a kit of this layout ({LAYOUT}), saw one of another (run by kit {kit})"
            raise StoreError(what, path=path, todo=AGAIN)
        try:
            return read_info(name, content)
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(
                f"expected the manifest of a run, saw something else ({error})", path=path, todo=AGAIN
            ) from None

    def part_paths(self, info: RunInfo) -> list[tuple[Path, Mapping[str, int]]]:
        """Return the files of operations of a run, each with its rows and bytes when written."""
        folder = self.folder("ops", info.run)
        return [(folder / name, size) for name, size in info.parts.items()]

    def operations(self, info: RunInfo, path: Path, size: Mapping[str, int]) -> Table:
        """Read a file of operations of a run, or a context file.

        Raises:
            PartError: the file is missing or damaged.
        """
        return read_operations(path, size, self._sizes(info))

    def beside(self, info: RunInfo, part: Path) -> tuple[Path, Mapping[str, int]] | None:
        """Return the context file of a slice with its rows and bytes when written; None for other parts."""
        size = info.beside.get(part.name)
        return None if size is None else (self.folder("beside", info.run) / part.name, size)

    def side_tables(self, info: RunInfo) -> Tables:
        """Read the side tables of a run.

        Raises:
            PartError: a file is missing or damaged.
        """
        folder = self.folder("tables", info.run)
        sizes = self._sizes(info)
        found = {name: read_side(folder / f"{name}.parquet", name, schema, sizes) for name, schema in SIDE.items()}
        return Tables(**found, origin=info.origin)

    def names(self, info: RunInfo) -> tuple[Names, dict[int, str]]:
        """Read the names of a run, and the case of each session (a run of the suite has many, a workload none).

        Raises:
            PartError: the file is missing or damaged.
        """
        path = self.folder("tables", info.run) / "names.parquet"
        rows = read_known(path, "names", NAMES, self._sizes(info)["names"]).to_pydict()
        found: dict[str, dict[int, str]] = {}
        for kind, number, text in zip(rows["kind"], rows["number"], rows["text"], strict=True):
            found.setdefault(kind, {})[number] = text
        cases = found.pop("cases", {})
        return Names(**found), cases

    def _sizes(self, info: RunInfo) -> Mapping[str, Mapping[str, int]]:
        missing = [name for name in (*SIDE, "names") if name not in info.tables]
        if missing:
            path = self.path / "runs" / f"{info.run}.json"
            raise StoreError(f"expected the size of the table {missing[0]}, saw none", path=path, todo=AGAIN)
        return info.tables

    def folder(self, table: str, run: str) -> Path:
        """Return the folder of one run in a table."""
        return self.path / table / f"run={run}"

    # -- reading results -----------------------------------------------------------------------------------------

    def table(self, name: str, run: str) -> list[dict[str, Any]]:
        """Return the rows of `verdict`, `outcome`, `standing`, `latency`, `trace_verdict` or `findings` of a run.

        The last two are written by a check; they are empty for a run that was not checked.

        Raises:
            PartError: the file is missing or damaged.
        """
        with self.unchanged():
            if name in CHECKED and not self.marker(run).exists():
                return []
            rows: list[dict[str, Any]] = self.part(name, run).to_pylist()
        return rows

    def part(self, name: str, run: str) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the same as an Arrow table; the file must exist.

        Raises:
            PartError: the file is missing or damaged.
        """
        todo = "Check the run again with --again" if name in CHECKED else AGAIN
        kinds = (CHECKED if name in CHECKED else DERIVED)[name]
        return read_known(self.folder(name, run) / "part-0.parquet", name, kinds, todo=todo)

    def marker(self, run: str) -> Path:
        """Return the file with the definitions that a run was judged by; it exists only together with the results."""
        return self.path / "checks" / f"{run}.json"

    def history(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a history table; empty if `tck pipeline history` has not run.

        Raises:
            PartError: a file is damaged.
        """
        rows: list[dict[str, Any]] = []
        with self.unchanged():
            for path in sorted((self.path / "history" / name).glob("*.parquet")):
                rows += read_parquet(path).to_pylist()
        return rows

    def unchanged(self) -> AbstractContextManager[None]:
        """Read several files while nobody writes; see `lock.unchanged`."""
        return unchanged(self.path)

    # -- writing -------------------------------------------------------------------------------------------------

    def staging(self) -> AbstractContextManager[Path]:
        """Yield a staging folder; see `staged`."""
        return staged(self.path / ".staging")

    def refuse_other(self, run: Run, digest: str) -> None:
        """Raise an error if the store has another run of this name.

        Raises:
            StoreError: it has.
        """
        with self.unchanged():
            self._refuse_other(run, digest)

    def _refuse_other(self, run: Run, digest: str) -> None:
        info = self._run(run.run)
        if info.digest == digest:
            return
        what = f"expected a new run or the one in the store, saw another run with the name {run.run}"
        todo = "Rename one of the two, or replace the run in the store with --again"
        if info.truncated and info.bundle == run:
            what = f"expected the unfinished run {run.run} as the store has it, saw another state of it"
            todo = "Replace the run in the store with --again"
        raise StoreError(what, path=self.path / "runs" / f"{run.run}.json", todo=todo)

    def publish(self, folder: Path, info: RunInfo, *, again: bool = True) -> None:
        """Make a run visible that was written below `folder`: folders first, the manifest last.

        Args:
            folder: The folder with its tables.
            info: The run.
            again: Replace a run of that name; otherwise it stays, and must be the same run.

        Raises:
            StoreError: the run that stays is another one, or another writer keeps the lock.
            NoRoomError: the disk is full.
        """
        manifest = folder / ".run"
        write_json(manifest, {**summary(info.bundle), **asdict(info)})  # before the lock: the disk may be full
        with disk_errors(self.path), locked(self.path):
            if not again and info.run in self._runs():
                self._refuse_other(info.bundle, info.digest)
                return
            self.withdraw(info.run)
            for table in sorted(each for each in folder.iterdir() if each != manifest):
                target = self.folder(table.name, info.run)
                target.parent.mkdir(exist_ok=True)
                table.replace(target)
            (self.path / "runs").mkdir(exist_ok=True)
            manifest.replace(self.path / "runs" / f"{info.run}.json")

    def withdraw(self, run: str) -> None:
        """Remove a run from the store if it is there: the manifest first."""
        (self.path / "runs" / f"{run}.json").unlink(missing_ok=True)
        self.marker(run).unlink(missing_ok=True)
        for table in ("ops", "beside", "tables", *DERIVED, *CHECKED):
            shutil.rmtree(self.folder(table, run), ignore_errors=True)

    def keep(self, written: Path, info: RunInfo, properties: Mapping[str, str]) -> None:
        """Replace the results of the previous check by those of a new one.

        Args:
            written: The folder with a file for each table of `CHECKED`.
            info: The run that was judged.
            properties: The digest of each judged property.

        Raises:
            StoreError: the run was replaced meanwhile, or another writer keeps the lock.
            NoRoomError: the disk is full.
        """
        with disk_errors(self.path), locked(self.path):
            if self._run(info.run) != info:
                raise run_replaced(self.path, info.run)
            # A check that dies in between leaves no digest, so it is repeated.
            marker = self.marker(info.run)
            marker.unlink(missing_ok=True)
            for name in CHECKED:
                folder = self.folder(name, info.run)
                folder.mkdir(parents=True, exist_ok=True)
                (written / name).replace(folder / "part-0.parquet")
            marker.parent.mkdir(exist_ok=True)
            write_json(marker, {"run": info.run, "digest": info.digest, "properties": properties})
