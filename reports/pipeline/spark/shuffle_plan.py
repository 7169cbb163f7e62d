"""Check a run on Spark with everything between the two stages going through Spark's own shuffle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from tck.check.columns import COPIES, IDS, NONE, Schema, Table
from tck.check.registry import Grain
from tck.check.stages import session
from tck.check.tables import Tables
from tck.reports.pipeline.parquet import STORED, arrow, arrow_column, from_arrow, numpy_column
from tck.reports.pipeline.run_info import RunInfo
from tck.reports.pipeline.spark.worker_errors import raised_here
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.task_answers import ANSWER, Answer, answer_of, from_table, sum_answers, to_batch
from tck.reports.pipeline.tasks import SECOND, Job, judge_messages, last_task, open_run
from tck.reports.pipeline.value_checks import checked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SQL_TYPES: Final = {
    "bool": "boolean",
    "int8": "tinyint",
    "int16": "smallint",
    "int32": "int",
    "int64": "bigint",
    "string": "string",
}
_TRAVELS: Final = {
    "sort": "int8",
    "key": "int64",
    **COPIES,
    **{f"a_{name}": kind for name, kind in ANSWER.items()},
}
"""One table for all rows between the tasks: copies (by message), message ids (by id), and answers."""
_COPY, _ID, _ANSWER = 0, 1, 2


def through_shuffle(spark: SparkSession, job: Job, parts: int) -> Answer:
    """Judge a run with two shuffles, one by session and one by message.

    Raises:
        PartError: a file is missing or damaged.
        NoRoomError: a disk is full.
    """
    info, tables = open_run(job.store, job.run)
    paths = [str(path) for path, _ in Store(job.store).part_paths(info)]
    with raised_here(job):
        rows = spark.read.parquet(*paths).select(*STORED).repartition(max(parts, 2), "session")
        shuffle_rows = rows.mapInArrow(lambda batches: _sessions(job, info, tables, batches), _sql(_TRAVELS))
        second = shuffle_rows.repartition(max(job.buckets, 2), "sort", "key")
        done = second.mapInArrow(lambda batches: _messages(job, info, tables, batches), _sql(ANSWER))
        answer = from_table(done.toArrow())
    return last_task(job, answer)


def _sessions(job: Job, info: RunInfo, tables: Tables, batches: Iterable[Any]) -> Iterator[Any]:
    listed = [from_arrow(batch, STORED) for batch in batches]
    if not listed:
        return
    rows = checked(Table.concat(STORED, listed), "operations", info.tables, job.store)
    stage = session(rows, tables, info.allowances, job.wanted)
    if job.any_of(SECOND):
        yield _travelling(_COPY, stage.copies.msg, stage.copies, COPIES)
    if job.any_of({Grain.IDENTITY}):
        yield _travelling(_ID, stage.ids.jms, stage.ids, {name: kind for name, kind in IDS.items() if name != "jms"})
    yield _travelling_answer(answer_of(stage))


def _travelling(sort: int, key: Any, rows: Table, schema: Schema) -> Any:  # noqa: ANN401 - arrays and pyarrow
    pa = arrow()
    size = len(rows)
    kinds = {name: pa.bool_() if kind == "bool" else pa.type_for_alias(kind) for name, kind in _TRAVELS.items()}
    columns = {name: pa.nulls(size, kind) for name, kind in kinds.items()}
    columns["sort"] = pa.repeat(pa.scalar(sort, pa.int8()), size)
    columns["key"] = arrow_column(key)
    columns |= {name: arrow_column(rows.columns[name]) for name in schema}
    return pa.RecordBatch.from_pydict(columns, pa.schema(list(kinds.items())))


def _travelling_answer(answer: Answer) -> Any:  # noqa: ANN401 - pyarrow has no types
    pa = arrow()
    batch = to_batch(answer)
    size = batch.num_rows
    kinds = {name: pa.bool_() if kind == "bool" else pa.type_for_alias(kind) for name, kind in _TRAVELS.items()}
    columns = {name: pa.nulls(size, kind) for name, kind in kinds.items()}
    columns["sort"] = pa.repeat(pa.scalar(_ANSWER, pa.int8()), size)
    columns["key"] = pa.repeat(pa.scalar(NONE, pa.int64()), size)
    columns |= {f"a_{name}": batch.column(name) for name in ANSWER}
    return pa.RecordBatch.from_pydict(columns, pa.schema(list(kinds.items())))


def _messages(job: Job, info: RunInfo, tables: Tables, batches: Iterable[Any]) -> Iterator[Any]:
    pa = arrow()
    listed = list(batches)
    if not listed:
        return
    whole = pa.Table.from_batches(listed)
    sort = numpy_column(whole.column("sort"))
    copies = from_arrow(whole.filter(arrow_column(sort == _COPY)).select(list(COPIES)), COPIES)
    named = whole.filter(arrow_column(sort == _ID))
    ids = from_arrow(named.rename_columns(["jms" if name == "key" else name for name in named.column_names]), IDS)
    passed = whole.filter(arrow_column(sort == _ANSWER)).select([f"a_{name}" for name in ANSWER])
    before = from_table(passed.rename_columns(list(ANSWER)))
    yield to_batch(sum_answers((before, judge_messages(copies, ids, tables, info, job.wanted))))


def _sql(schema: Schema) -> str:
    return ", ".join(f"`{name}` {_SQL_TYPES[kind]}" for name, kind in schema.items())
