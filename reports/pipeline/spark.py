"""The way to Spark: start it beside other work, and run the tasks of a check on it."""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from tck.check.columns import COPIES, IDS, NONE, Schema, Table
from tck.check.registry import Grain
from tck.check.stages import session
from tck.check.tables import Tables
from tck.reports.pipeline.answers import ANSWER, Answer, answer_of, from_table, to_batch, together
from tck.reports.pipeline.check import Plan
from tck.reports.pipeline.context import quiet, start_context
from tck.reports.pipeline.errors import NoRoomError, PartError, StoreError, room
from tck.reports.pipeline.files import STORED, arrow, arrow_column, from_arrow, numpy_column, write_json
from tck.reports.pipeline.info import RunInfo
from tck.reports.pipeline.java import find_java
from tck.reports.pipeline.memory import keep_memory
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.tasks import (
    SECOND,
    Job,
    judged,
    last_task,
    leave,
    message_task,
    opened,
    session_task,
    take,
)
from tck.reports.pipeline.values import checked

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_TELLING: Final = ("", "py4j.clientserver", "py4j.java_gateway")
"""Loggers that py4j tells of an interrupt: filters of the first are not asked about what the others are told."""
_TOLD: Final = (PartError, StoreError, NoRoomError)
"""What may be wrong in a worker that the driver tells as if it were wrong there."""
_SQL_TYPES: Final = {
    "bool": "boolean",
    "int8": "tinyint",
    "int16": "smallint",
    "int32": "int",
    "int64": "bigint",
    "string": "string",
}


class Cluster:
    """Spark by its master: nothing happens before something is asked of it, and it is stopped at the end."""

    def __init__(self, master: str, *, heavy: bool = False) -> None:
        self.master = master
        self.heavy = heavy
        self._context: Future[SparkContext] | None = None
        self._workers: Future[SparkContext] = Future()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        for name in _TELLING:
            logging.getLogger(name).addFilter(_no_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        context, self._context = self._context, None
        try:
            if context is not None and context.exception() is None:
                context.result().stop()
            if self._thread is not None:
                self._thread.join()
        finally:
            for name in _TELLING:
                logging.getLogger(name).removeFilter(_no_interrupt)

    def prepare(self) -> None:
        """Let Spark start in a thread of its own, its workers too, which takes seconds; who waits has other work.

        Raises:
            NoSparkError: There is no Java; found out at once.
        """
        self._begin(aside=True)

    def _begin(self, *, aside: bool) -> None:
        if self._context is None:
            find_java()
            self._context = Future()
            self._thread = threading.Thread(target=self._start, args=(self._context, aside), name="tck-spark")
            self._thread.start()

    def _start(self, context: Future[SparkContext], aside: bool) -> None:
        try:
            made = start_context(self.master, heavy=self.heavy)
        except BaseException as error:  # noqa: BLE001 - raised where Spark is asked for
            context.set_exception(error)
            self._workers.set_exception(error)
            return
        context.set_result(made)
        if aside:
            _wake(made)
        self._workers.set_result(made)

    def start(self) -> SparkContext:
        """Give Spark, once it has started.

        Raises:
            NoSparkError: see `start_context`.
        """
        self._begin(aside=False)
        assert self._context is not None  # noqa: S101 - `_begin` saw to it
        return self._context.result()

    def session(self) -> SparkSession:
        """Give a session, for data frames, once Spark has started.

        Raises:
            NoSparkError: see `start_context`.
        """
        self.start()
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra

        with quiet():
            return SparkSession.builder.getOrCreate()

    def when_ready(self, then: Callable[[Future[SparkContext]], None]) -> None:
        """Call something as soon as Spark and its workers are there, or are known not to come.

        It is called at once, or in the thread that starts Spark.
        """
        self.prepare()
        self._workers.add_done_callback(then)

    def judge(self, plan: Plan) -> Callable[[Job, int], Answer]:
        """Give what judges a run on Spark by a plan.

        Raises:
            NoSparkError: there is no Java; the rest is found out when the session has to be there.
        """
        self.prepare()
        run = through_shuffle if plan is Plan.SHUFFLE else through_files
        return lambda job, parts: run(self, job, parts)


def _no_interrupt(record: logging.LogRecord) -> bool:
    """Pass over that somebody interrupted, and what failed on account of that: py4j raises it too, so that the command tells it."""
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is None


def _wake(context: SparkContext) -> None:
    """Have the workers started. What goes wrong goes wrong again where it matters, and is told there."""
    with suppress(Exception), quiet():
        size = context.defaultParallelism
        context.parallelize(range(size), size).map(abs).count()


# -- tasks over files --------------------------------------------------------------------------------------------


def through_files(cluster: Cluster, job: Job, parts: int) -> Answer:
    """Judge a run: a task for each file of operations, then one for each bucket of messages, with files between them.

    Raises:
        PartError: a file is missing or damaged.
        NoRoomError: the disk is full.
    """
    keep_memory()
    first = _spread(cluster, job, parts, lambda part: _session_to_file(job, part))
    if not job.any_of({*SECOND, Grain.IDENTITY}):
        return first
    second = _spread(cluster, job, job.buckets, lambda bucket: _message_from_files(job, parts, bucket))
    return last_task(job, together((first, second)))


def _spread(cluster: Cluster, job: Job, count: int, task: Callable[[int], Answer]) -> Answer:
    """Do tasks here until Spark is ready; those that nobody began by then are done there."""
    todo = _Todo(count)
    there: Future[Answer] = Future()

    def go_on(ready: Future[SparkContext]) -> None:
        rest = todo.rest()
        try:
            context = ready.result()
            there.set_result(_answer(context, job, rest, task) if rest else Answer())
        except BaseException as error:  # noqa: BLE001 - raised where the answer is asked for
            there.set_exception(error)

    cluster.when_ready(go_on)
    answers = [task(number) for number in iter(todo.next, None)]
    if todo.closed:
        answers.append(there.result())
    return together(answers)


class _Todo:
    """The numbers of tasks, handed out one by one to this process, or all the rest at once to Spark."""

    def __init__(self, count: int) -> None:
        self._numbers = range(count)
        self._lock = threading.Lock()
        self.closed = False

    def next(self) -> int | None:
        """Give the next number; None if there is none."""
        with self._lock:
            first, self._numbers = self._numbers[:1], self._numbers[1:]
            return first[0] if first else None

    def rest(self) -> range:
        """Give all that are left, and hand out no more."""
        with self._lock:
            rest, self._numbers = self._numbers, self._numbers[:0]
            self.closed = bool(rest)
            return rest


def _session_to_file(job: Job, part: int) -> Answer:
    answer, handed = session_task(job, part)
    leave(job, part, handed)
    return answer


def _message_from_files(job: Job, parts: int, bucket: int) -> Answer:
    return message_task(job, (take(job, part, bucket) for part in range(parts)))


@contextmanager
def _named(job: Job) -> Iterator[None]:
    """Raise what went wrong with a file in a worker, or inside Spark, as it would be raised here.

    Raises:
        PartError: a file of the run is missing or damaged.
        NoRoomError: a disk is full.
    """
    from py4j.protocol import Py4JError  # noqa: PLC0415 - comes with PySpark
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra

    try:
        with quiet():
            yield
    except (PySparkException, Py4JError) as error:
        for told in job.work.glob("error-*.json"):
            found = json.loads(told.read_text(encoding="utf-8"))
            kind = {each.__name__: each for each in _TOLD}[found["kind"]]
            raise kind(found["what"], path=Path(found["path"]), todo=found["todo"]) from error
        if "No space left on device" in str(error):
            with room(job.work):
                raise OSError(errno.ENOSPC, "No space left on device") from error
        store = Store(job.store)
        info = store.run(job.run)
        for path, size in store.part_paths(info):
            store.operations(info, path, size)  # Spark does not tell which of its files is damaged
        raise


@contextmanager
def _telling(job: Job) -> Iterator[None]:
    """Leave what goes wrong with a file in a worker, where the driver finds it by its name."""
    try:
        yield
    except _TOLD as error:
        told = {"kind": type(error).__name__, "what": error.what, "path": str(error.path), "todo": error.todo}
        if job.work.is_dir():
            write_json(job.work / f"error-{os.getpid()}.json", told)
        raise


def _answer(context: SparkContext, job: Job, numbers: range, task: Callable[[int], Answer]) -> Answer:
    def work(share: range) -> Answer:
        with _telling(job):
            return together(task(number) for number in share)

    shares = guided(numbers, context.defaultParallelism)
    with _named(job):
        return together(context.parallelize(shares, len(shares)).map(work).collect())


def guided(numbers: range, workers: int) -> list[range]:
    """Share tasks out, more of them at first, so that few have to be handed over and yet all workers end together."""
    shares = []
    while numbers:
        size = -(-len(numbers) // (2 * workers))
        shares.append(numbers[:size])
        numbers = numbers[size:]
    return shares


def _sql(schema: Schema) -> str:
    return ", ".join(f"`{name}` {_SQL_TYPES[kind]}" for name, kind in schema.items())


# -- through the shuffle -----------------------------------------------------------------------------------------

_TRAVELS: Final = {
    "sort": "int8",
    "key": "int64",
    **COPIES,
    **{f"a_{name}": kind for name, kind in ANSWER.items()},
}
"""One table for all that tasks hand on: copies (by message), message ids (by id), and answers."""
_COPY, _ID, _ANSWER = 0, 1, 2


def through_shuffle(cluster: Cluster, job: Job, parts: int) -> Answer:
    """Judge a run with everything going through Spark: two shuffles, one by session and one by message.

    Raises:
        PartError: a file is missing or damaged.
    """
    info, tables = opened(job.store, job.run)
    paths = [str(path) for path, _ in Store(job.store).part_paths(info)]
    spark = cluster.session()
    with _named(job):
        rows = spark.read.parquet(*paths).select(*STORED).repartition(max(parts, 2), "session")
        handed = rows.mapInArrow(lambda batches: _sessions(job, info, tables, batches), _sql(_TRAVELS))
        second = handed.repartition(max(job.buckets, 2), "sort", "key")
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
    yield to_batch(together((before, judged(copies, ids, tables, info, job.wanted))))
