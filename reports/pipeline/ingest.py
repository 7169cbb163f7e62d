"""Ingest a bundle into the store: operations in files of whole sessions, side tables, names, verdicts.

Two passes over the operations, piece by piece: the first counts rows by session and assigns sessions to files, the second
writes each row to its file. Memory holds one piece and one file at a time. A very long session is cut into slices, each a
file, with a second file of the few rows of other slices that are needed to judge it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tck.check.columns import Array, Table
from tck.check.results import Margins
from tck.check.slices import slices
from tck.check.tables import Tables
from tck.record import Bundle, Run, lines
from tck.record.packed import PackedRun
from tck.reports.pipeline.errors import disk_errors
from tck.reports.pipeline.parquet import STORED, rows_to_arrow, to_arrow, write_parquet
from tck.reports.pipeline.run_info import RunInfo, checked_name
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.store_columns import NAMES, SIDE
from tck.reports.pipeline.suite_trace import SuiteTrace, names_of
from tck.reports.pipeline.verdict_rows import (
    LATENCY,
    OUTCOME,
    STANDING,
    VERDICT,
    latency_rows,
    outcome_rows,
    standing_rows,
    verdict_rows,
)

PART_ROWS: Final = 250_000
"""Rows of a file of operations, unless one session alone has more."""
SLICE_ROWS: Final = 1_000_000
"""Rows above which a session is cut into slices of so many."""

Pieces = Callable[[], Iterable[Table]]
Sizes = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Ingested:
    """The result of ingesting a bundle; `new` is false if the store had it already."""

    run: str
    kind: str
    rows: int
    parts: int
    verdicts: int
    new: bool
    truncated: bool


@dataclass(frozen=True, slots=True)
class RunContent:
    """A run to be written: its operations in pieces (read twice), and the rest, available after the first pass."""

    pieces: Pieces
    tables: Callable[[], Tables]
    names: Callable[[], Sequence[dict[str, object]]]
    verdicts: Sequence[dict[str, Any]] = ()


def ingest(store: Store, path: Path, *, again: bool = False, allow_truncated: bool = False) -> Ingested:
    """Ingest a bundle into the store.

    Args:
        store: The store.
        path: The folder of the bundle, of a workload or of the suite.
        again: Replace the run if the store has it, whatever its content.
        allow_truncated: Accept the bundle of a run that did not end.

    Raises:
        BundleError: the bundle cannot be trusted.
        StoreError: the store has another run of this name, or a file cannot be read or written.
        NoRoomError: the disk is full.
    """
    with disk_errors(path):
        about = path / "run.json"
        kind = lines.read_object(about, todo="Check the path").get("kind") if about.exists() else ""
        packed = PackedRun.open(path, allow_truncated=allow_truncated) if kind == "workload" else None
        bundle = packed.bundle if packed else Bundle.open(path, allow_truncated=allow_truncated)
        run = packed.run if packed else bundle.run  # type: ignore[union-attr]  # one of the two is there
        name = checked_name(run.run, path)
        digest = _digest(path)
        if not again and name in store.runs():
            store.refuse_other(run, digest)
            return _known(store, store.run(name))
        margins = Margins(**packed.about.get("margins", {})) if packed else Margins()
        verdicts = verdict_rows(run, bundle.cases(), bundle.results()) if bundle else []
        content = _of_workload(packed, verdicts) if packed else _of_suite(bundle, margins, verdicts)  # type: ignore[arg-type]  # likewise
        truncated = bundle is None or bundle.truncated
        info = write_run(store, run, content, digest=digest, margins=margins, truncated=truncated, again=again)
    return Ingested(name, run.kind, info.rows, len(info.parts), len(verdicts), new=True, truncated=truncated)


def write_run(
    store: Store,
    run: Run,
    content: RunContent,
    *,
    digest: str,
    margins: Margins,
    truncated: bool = False,
    again: bool = True,
    part_rows: int = PART_ROWS,
    slice_rows: int = SLICE_ROWS,
) -> RunInfo:
    """Write a run into the store atomically; a run of the same name is replaced, unless `again` is false.

    Raises:
        StoreError: as `Store.publish`.
        NoRoomError: the disk is full.
    """
    with store.staging() as staged:
        for folder in ("ops", "beside", "tables", ".raw"):
            (staged / folder).mkdir()
        parts, beside = _write_parts(content.pieces, staged, part_rows, max(part_rows, slice_rows))
        (staged / ".raw").rmdir()
        tables = content.tables()
        sizes = {
            each: write_parquet(staged / "tables" / f"{each}.parquet", to_arrow(getattr(tables, each), schema))
            for each, schema in SIDE.items()
        }
        names = rows_to_arrow(NAMES, content.names())
        sizes["names"] = write_parquet(staged / "tables" / "names.parquet", names)
        _write_verdicts(content.verdicts, staged)
        info = RunInfo(
            run=run.run,
            digest=digest,
            about=run.to_json(),
            origin=tables.origin,
            rows=sum(part["rows"] for part in parts.values()),
            parts=parts,
            tables=sizes,
            margins={each: getattr(margins, each) for each in Margins.__dataclass_fields__},
            truncated=truncated,
            beside=beside,
        )
        store.publish(staged, info, again=again)
    return info


def _write_verdicts(verdicts: Sequence[dict[str, Any]], staged: Path) -> None:
    outcomes = outcome_rows(verdicts)
    for name, kinds, rows in (
        ("verdict", VERDICT, verdicts),
        ("outcome", OUTCOME, outcomes),
        ("standing", STANDING, standing_rows(outcomes)),
        ("latency", LATENCY, latency_rows(verdicts)),
    ):
        (staged / name).mkdir()
        write_parquet(staged / name / "part-0.parquet", rows_to_arrow(kinds, rows))


def _known(store: Store, info: RunInfo) -> Ingested:
    return Ingested(
        info.run,
        info.bundle.kind,
        info.rows,
        len(info.parts),
        len(store.table("verdict", info.run)),
        new=False,
        truncated=info.truncated,
    )


def _digest(path: Path) -> str:
    """Return the digest of a bundle: that of end.json, which contains the digests of all other files.

    Without end.json all files are read: the size of a part of operations says nothing, since it is allocated at once.
    """
    end = path / "end.json"
    if end.exists():
        return lines.digest(end)
    digest = hashlib.sha256()
    for each in sorted(path.rglob("*")):
        with suppress(FileNotFoundError):  # a run that is still active renames some
            if each.is_file():
                digest.update(f"{each.relative_to(path).as_posix()} {lines.digest(each)}\n".encode())
    return "sha256:" + digest.hexdigest()


def _of_suite(bundle: Bundle, margins: Margins, verdicts: Sequence[dict[str, Any]]) -> RunContent:
    joined = SuiteTrace(bundle, margins)
    pieces: list[Table] = []

    def again() -> list[Table]:
        if not pieces:
            pieces.extend(joined.rows())  # a run of the suite is small
        return pieces

    return RunContent(again, lambda: joined.tables, lambda: joined.names, verdicts)


def _of_workload(packed: PackedRun, verdicts: Sequence[dict[str, Any]]) -> RunContent:
    from tck.check.from_operations import TraceBuilder  # noqa: PLC0415 - a run of the suite does not need it

    builder = TraceBuilder(packed.objects, packed.origin)
    for part in packed.parts():
        builder.collect(part)

    def pieces() -> Iterator[Table]:
        first = 0
        for part in packed.parts():
            yield builder.rows(part, first)
            first += len(part)

    return RunContent(pieces, builder.tables, lambda: names_of(builder.names()), verdicts)


def _write_parts(pieces: Pieces, staged: Path, part_rows: int, slice_rows: int) -> tuple[Sizes, Sizes]:
    """Write the operations into files of whole sessions, or slices of one; return rows and bytes of each file and of its context file."""
    part_of, count = _lay_out(pieces(), part_rows)
    raw = [staged / ".raw" / f"{number}" for number in range(count)]
    kinds = np.dtype([(name, kind) for name, kind in STORED.items()])
    with disk_errors(staged):
        for path in raw:
            path.touch()
        for piece in filter(len, pieces()):
            _scatter(piece, part_of[piece.session], raw, kinds)
    parts: Sizes = {}
    beside: Sizes = {}
    for path in raw:
        for own, others in _files(path, kinds, slice_rows):
            name = f"part-{len(parts):05d}.parquet"
            parts[name] = write_parquet(staged / "ops" / name, to_arrow(own, STORED))
            if len(others):
                beside[name] = write_parquet(staged / "beside" / name, to_arrow(others, STORED))
        path.unlink()
    return parts, beside


def _files(path: Path, kinds: np.dtype[Any], slice_rows: int) -> Iterator[tuple[Table, Table]]:
    """Yield the rows and the context rows of each file made from a raw one: one file, or slices of one session."""
    if path.stat().st_size <= slice_rows * kinds.itemsize:
        yield _sorted(np.fromfile(path, kinds)), Table.empty(STORED)
        return
    rows = np.asarray(np.memmap(path, kinds, "r"))  # one session, since it is larger than a file of several may be
    for own, others in slices(Table({name: rows[name] for name in STORED}), slice_rows):
        yield own.take(np.argsort(own.seq)), others


def _sorted(rows: Array) -> Table:
    table = Table({name: np.ascontiguousarray(rows[name]) for name in STORED})
    return table.take(np.lexsort((table.seq, table.session)))


def _lay_out(pieces: Iterable[Table], part_rows: int) -> tuple[Array, int]:
    """Return the file number of each session, and the number of files; each takes consecutive sessions until it is full."""
    rows = np.zeros(0, np.int64)
    for piece in pieces:
        seen = np.bincount(piece.session, minlength=len(rows))
        seen[: len(rows)] += rows
        rows = seen
    part_of = np.zeros(len(rows), np.int64)
    number = filled = 0
    for session, size in enumerate(rows.tolist()):
        if filled and filled + size > part_rows:
            number, filled = number + 1, 0
        part_of[session] = number
        filled += size
    return part_of, number + 1


def _scatter(piece: Table, part: Array, raw: Sequence[Path], kinds: np.dtype[Any]) -> None:
    order = np.argsort(part, kind="stable")
    rows = np.empty(len(piece), kinds)
    for name in STORED:
        rows[name] = piece.columns[name][order]
    numbers, starts = np.unique(part[order], return_index=True)
    for number, block in zip(numbers, np.split(rows, starts[1:]), strict=True):
        with raw[number].open("ab") as file:
            file.write(block.tobytes())
