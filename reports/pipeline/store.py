"""The store: where the files of each run stand, what is visible, and how it becomes so.

    store.json                                 the number of this layout
    runs/R.json                                what run R is; written last: a run without it is not there
    ops/run=R/part-NNNNN.parquet               operations: whole sessions per file, or a slice of a very long one
    beside/run=R/part-NNNNN.parquet            operations of other slices that it takes to judge this one
    tables/run=R/NAME.parquet                  side tables, and `names`: text for numbers
    verdict/run=R/part-0.parquet               what each case of the run said about each assertion
    outcome, standing, latency/run=R/...       the same by case, by assertion, and durations in logarithmic buckets
    trace_verdict, findings/run=R/...          what `check` found; checks/R.json says of which properties
    history/NAME/                              tables over all runs
    .staging/                                  files being written
    .lock                                      held by who puts a run in, or what was found about it; shared by who reads

Everything is written below .staging and renamed when it is whole, so a retry finds either all of it or nothing. One process
at a time renames, while nobody reads what belongs together (`lock`).
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
        """Open a store, or make one where nothing is.

        Raises:
            NoSparkError: pyarrow, without which nothing can be put into it, is not installed.
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
        """Give the ids of all runs, by name.

        Raises:
            StoreError: a writer does not end, or the folder cannot be read.
        """
        with self.unchanged():
            return self._runs()

    def _runs(self) -> tuple[str, ...]:
        folder = self.path / "runs"
        with disk_errors(folder):
            found = list(folder.iterdir()) if folder.exists() else []
        return tuple(sorted(path.stem for path in found if path.suffix == ".json" and not path.name.startswith(".")))

    def run(self, name: str) -> RunInfo:
        """Give what is known of a run.

        Raises:
            StoreError: there is no such run, or another version of the kit ingested it; or a writer does not end.
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
                f"expected what tells of a run, saw something else ({error})", path=path, todo=AGAIN
            ) from None

    def part_paths(self, info: RunInfo) -> list[tuple[Path, Mapping[str, int]]]:
        """Give the files of operations of a run, each with its rows and bytes as written."""
        folder = self.folder("ops", info.run)
        return [(folder / name, size) for name, size in info.parts.items()]

    def operations(self, info: RunInfo, path: Path, size: Mapping[str, int]) -> Table:
        """Read a file of operations of a run, or one beside it.

        Raises:
            PartError: the file is missing or damaged.
        """
        return read_operations(path, size, self._sizes(info))

    def beside(self, info: RunInfo, part: Path) -> tuple[Path, Mapping[str, int]] | None:
        """Give the file beside one of operations, with its rows and bytes as written; None where nothing has to be there."""
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
        """Give the folder of one run in a table."""
        return self.path / table / f"run={run}"

    # -- reading results -----------------------------------------------------------------------------------------

    def table(self, name: str, run: str) -> list[dict[str, Any]]:
        """Give the rows of `verdict`, `outcome`, `standing`, `latency`, `trace_verdict` or `findings` of a run.

        The last two are what a check leaves; a run that was not checked has no rows of them.

        Raises:
            PartError: the file is missing or damaged.
        """
        with self.unchanged():
            if name in CHECKED and not self.marker(run).exists():
                return []
            rows: list[dict[str, Any]] = self.part(name, run).to_pylist()
        return rows

    def part(self, name: str, run: str) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Give the same as an Arrow table; the file has to be there.

        Raises:
            PartError: the file is missing or damaged.
        """
        todo = "Check the run again with --again" if name in CHECKED else AGAIN
        kinds = (CHECKED if name in CHECKED else DERIVED)[name]
        return read_known(self.folder(name, run) / "part-0.parquet", name, kinds, todo=todo)

    def marker(self, run: str) -> Path:
        """Give the file that tells by which definitions a run was judged; where it is, what `check` found has to be too."""
        return self.path / "checks" / f"{run}.json"

    def history(self, name: str) -> list[dict[str, Any]]:
        """Give the rows of a history table, none if `tck pipeline history` has not run.

        Raises:
            PartError: a file is damaged.
        """
        rows: list[dict[str, Any]] = []
        with self.unchanged():
            for path in sorted((self.path / "history" / name).glob("*.parquet")):
                rows += read_parquet(path).to_pylist()
        return rows

    def unchanged(self) -> AbstractContextManager[None]:
        """Read things that belong together while nobody writes, as `lock.unchanged` does."""
        return unchanged(self.path)

    # -- writing -------------------------------------------------------------------------------------------------

    def staging(self) -> AbstractContextManager[Path]:
        """Give a folder to write in, as `staged` does."""
        return staged(self.path / ".staging")

    def refuse_other(self, run: Run, digest: str) -> None:
        """Refuse a run whose name the store has, with another content.

        Raises:
            StoreError: so it is.
        """
        with self.unchanged():
            self._refuse_other(run, digest)

    def _refuse_other(self, run: Run, digest: str) -> None:
        info = self._run(run.run)
        if info.digest == digest:
            return
        what = f"expected a new run or the one that the store has, saw another run of the name {run.run}"
        todo = "Rename one of the two, or replace the run in the store with --again"
        if info.truncated and info.bundle == run:
            what = f"expected what the store has of run {run.run}, which had not ended, saw another state of it"
            todo = "Replace what the store has with --again"
        raise StoreError(what, path=self.path / "runs" / f"{run.run}.json", todo=todo)

    def publish(self, folder: Path, info: RunInfo, *, again: bool = True) -> None:
        """Make a run visible whose tables were written below `folder`: folders first, what tells of them last.

        Args:
            folder: Where they are.
            info: The run.
            again: Replace a run of that name; else it stays, and has to be the same one.

        Raises:
            StoreError: a run that stays is another one; or another writer does not end.
            NoRoomError: the disk is full.
        """
        told = folder / ".run"
        write_json(told, {**summary(info.bundle), **asdict(info)})  # for which there may be no room
        with disk_errors(self.path), locked(self.path):
            if not again and info.run in self._runs():
                self._refuse_other(info.bundle, info.digest)
                return
            self.withdraw(info.run)
            for table in sorted(each for each in folder.iterdir() if each != told):
                target = self.folder(table.name, info.run)
                target.parent.mkdir(exist_ok=True)
                table.replace(target)
            (self.path / "runs").mkdir(exist_ok=True)
            told.replace(self.path / "runs" / f"{info.run}.json")

    def withdraw(self, run: str) -> None:
        """Take a run out of the store, if it is there: what tells of it first."""
        (self.path / "runs" / f"{run}.json").unlink(missing_ok=True)
        self.marker(run).unlink(missing_ok=True)
        for table in ("ops", "beside", "tables", *DERIVED, *CHECKED):
            shutil.rmtree(self.folder(table, run), ignore_errors=True)

    def keep(self, written: Path, info: RunInfo, properties: Mapping[str, str]) -> None:
        """Put what a check found in the place of what the one before found.

        Args:
            written: Where the tables of `CHECKED` are, a file each.
            info: The run that was judged.
            properties: The digest of each property that it was judged by.

        Raises:
            StoreError: the run was replaced meanwhile; or another writer does not end.
            NoRoomError: the disk is full.
        """
        with disk_errors(self.path), locked(self.path):
            if self._run(info.run) != info:
                raise run_replaced(self.path, info.run)
            # A check that ends in between leaves no digest, so it is made again.
            marker = self.marker(info.run)
            marker.unlink(missing_ok=True)
            for name in CHECKED:
                folder = self.folder(name, info.run)
                folder.mkdir(parents=True, exist_ok=True)
                (written / name).replace(folder / "part-0.parquet")
            marker.parent.mkdir(exist_ok=True)
            write_json(marker, {"run": info.run, "digest": info.digest, "properties": properties})
