"""The tasks of a check, the same in this process and on a Spark worker.

A *session task* judges one file of operations and passes on its copies, sorted into buckets by message, and its message ids,
sorted into buckets by id. A *message task* judges one bucket of all session tasks. In between the rows are in memory, or in
shuffle files, from which a message task reads only its own block (`shuffle_files`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from tck.check.array_ops import mix
from tck.check.columns import COPIES, IDS, UNITS, Array, Table
from tck.check.properties import PROPERTIES
from tck.check.registry import Grain, Property
from tck.check.stages import across, message, session
from tck.check.tables import Tables
from tck.reports.pipeline.parquet import STORED
from tck.reports.pipeline.run_info import RunInfo
from tck.reports.pipeline.shuffle_files import read_block, write_blocks
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.task_answers import Answer, answer_of, sum_answers

FIRST: Final = frozenset({Grain.SEND, Grain.LANE, Grain.COMPLETION, Grain.ASYNC, Grain.SUBSCRIPTION, Grain.EXCEPTION})
SECOND: Final = frozenset({Grain.DELIVERY, Grain.COPY, Grain.UNIT})
BUCKET_ROWS: Final = 250_000
"""The approximate number of copies in a message task."""


@dataclass(frozen=True, slots=True)
class Job:
    """One check of one run: the parameters of all its tasks.

    Attributes:
        store: Folder of the store.
        run: The run.
        properties: Names of the properties to judge.
        buckets: The number of message tasks.
        work: The folder for shuffle files.
    """

    store: Path
    run: str
    properties: tuple[str, ...]
    buckets: int
    work: Path

    @property
    def wanted(self) -> list[Property]:
        """The properties."""
        return [PROPERTIES[name] for name in self.properties]

    def any_of(self, grains: Iterable[Grain]) -> bool:
        """Whether a property of one of these grains is to be judged."""
        chosen = set(grains)
        return any(each.grain in chosen for each in self.wanted)


@dataclass(frozen=True, slots=True)
class ShuffleRows:
    """The rows that a session task passes on, sorted by bucket, and the start of each bucket."""

    copies: Table
    copy_starts: Array
    ids: Table
    id_starts: Array

    def bucket(self, number: int) -> tuple[Table, Table]:
        """Return the copies and the ids of one bucket."""
        return _cut(self.copies, self.copy_starts, number), _cut(self.ids, self.id_starts, number)


def buckets_for(rows: int) -> int:
    """Return the number of message tasks for a number of operations."""
    return max(1, -(-rows // BUCKET_ROWS))


def session_task(job: Job, part: int) -> tuple[Answer, ShuffleRows]:
    """Judge one file of operations.

    Raises:
        PartError: the file is missing or damaged.
    """
    info, tables = open_run(job.store, job.run)
    store = Store(job.store)
    path, size = store.part_paths(info)[part]
    rows, own = store.operations(info, path, size), None
    beside = store.beside(info, path)
    if beside is not None:
        rows = Table.concat(STORED, [rows, store.operations(info, *beside)])
        own = np.arange(len(rows)) < size["rows"]
    stage = session(rows, tables, info.allowances, job.wanted, own)
    copies = stage.copies if job.any_of(SECOND) else Table.empty(COPIES)
    ids = stage.ids if job.any_of({Grain.IDENTITY}) else Table.empty(IDS)
    shuffle_rows = ShuffleRows(*_sorted(copies, copies.msg, job.buckets), *_sorted(ids, ids.jms, job.buckets))
    return answer_of(stage), shuffle_rows


def message_task(job: Job, pieces: Iterable[tuple[Table, Table]]) -> Answer:
    """Judge one bucket, with the rows of all session tasks."""
    info, tables = open_run(job.store, job.run)
    listed = list(pieces)
    copies = Table.concat(COPIES, [piece for piece, _ in listed if len(piece)])
    ids = Table.concat(IDS, [piece for _, piece in listed if len(piece)])
    return judge_messages(copies, ids, tables, info, job.wanted)


def judge_messages(copies: Table, ids: Table, tables: Tables, info: RunInfo, wanted: Sequence[Property]) -> Answer:
    """Judge whole messages and whole message ids."""
    second = message(copies, tables, info.allowances, wanted)
    same = across(Table.empty(UNITS), ids, tables, [each for each in wanted if each.grain is Grain.IDENTITY])
    return sum_answers((answer_of(second), answer_of(same)))


def last_task(job: Job, answer: Answer) -> Answer:
    """Judge undecided units of work, with the facts of all message tasks."""
    _, tables = open_run(job.store, job.run)
    units = [each for each in job.wanted if each.grain is Grain.UNIT]
    last = answer_of(across(answer.units, Table.empty(IDS), tables, units))
    return sum_answers((Answer(answer.counts, answer.hits), last))


@lru_cache(maxsize=2)
def _cached(store: Path, run: str, stamp: int) -> tuple[RunInfo, Tables]:  # noqa: ARG001 - the stamp distinguishes a run from its replacement
    opened = Store.open(store)
    info = opened.run(run)
    return info, opened.side_tables(info)


def open_run(store: Path, run: str) -> tuple[RunInfo, Tables]:
    """Return the manifest and the side tables of a run, read once per process."""
    path = store / "runs" / f"{run}.json"
    stamp = path.stat().st_mtime_ns if path.exists() else 0
    return _cached(store, run, stamp)


def bucket_of(keys: Array, buckets: int) -> Array:
    """Return the bucket of each message or id."""
    return (mix((keys,)).view(np.uint64) % np.uint64(buckets)).astype(np.int32)


def _sorted(rows: Table, keys: Array, buckets: int) -> tuple[Table, Array]:
    if buckets == 1:
        return rows, np.array([0, len(rows)])
    bucket = bucket_of(keys, buckets)
    if buckets <= 1 << 16:
        bucket = bucket.astype(np.uint16)  # which numpy sorts in one pass
    order = np.argsort(bucket, kind="stable")
    return rows.take(order), np.searchsorted(bucket[order], np.arange(buckets + 1))


def _cut(rows: Table, starts: Array, number: int) -> Table:
    first, last = int(starts[number]), int(starts[number + 1])
    return Table({name: column[first:last] for name, column in rows.columns.items()})


# -- through files -----------------------------------------------------------------------------------------------


def write_shuffle_files(job: Job, part: int, shuffle_rows: ShuffleRows) -> None:
    """Write the shuffle files of a session task, atomically.

    Raises:
        NoRoomError: the disk is full.
    """
    for sort, rows, starts, schema in (
        ("copies", shuffle_rows.copies, shuffle_rows.copy_starts, COPIES),
        ("ids", shuffle_rows.ids, shuffle_rows.id_starts, IDS),
    ):
        if len(rows):
            write_blocks(_shuffle_file(job, sort, part), rows, starts, schema)


def read_shuffle_files(job: Job, part: int, bucket: int) -> tuple[Table, Table]:
    """Read the rows of one bucket from the shuffle files of a session task.

    Raises:
        PartError: the file is damaged.
    """
    copies = read_block(_shuffle_file(job, "copies", part), bucket, COPIES)
    return copies, read_block(_shuffle_file(job, "ids", part), bucket, IDS)


def _shuffle_file(job: Job, sort: str, part: int) -> Path:
    return job.work / f"{sort}-{part:05d}"
