"""The way to Spark: find a Java, start a session with everything pinned, run the tasks of a check on it.

PySpark is imported when a session starts. On one machine everything stays on the loopback interface.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from reports.pipeline.answers import ANSWER, Answer, answer_of, from_table, to_batch, together
from reports.pipeline.check import Plan
from reports.pipeline.errors import NoRoomError, NoSparkError, PartError, room
from reports.pipeline.files import STORED, arrow, from_arrow, read_parquet, write_json
from reports.pipeline.java import driver_options, find_java, launchable
from reports.pipeline.store import RunInfo, Store
from reports.pipeline.tasks import (
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
from tck.check.columns import COPIES, IDS, NONE, Schema, Table
from tck.check.registry import Grain
from tck.check.stages import session
from tck.check.tables import Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PACKAGES: Final = Path(__file__).resolve().parents[2]
_LOOPBACK: Final = "127.0.0.1"
_SQL_TYPES: Final = {
    "bool": "boolean",
    "int8": "tinyint",
    "int16": "smallint",
    "int32": "int",
    "int64": "bigint",
    "string": "string",
}
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.driver.memory": "2g",
    "spark.log.level": "ERROR",
    "spark.python.worker.reuse": "true",
}


def start_session(master: str, *, heavy: bool = False) -> SparkSession:
    """Start a session, or give the one that runs.

    Args:
        master: Where Spark is: "local[*]" or the URL of a cluster.
        heavy: Whether the Java machine is to do the work itself, and not only to hand it to Python.

    Raises:
        NoSparkError: PySpark or Java is not there, or the session does not start.
    """
    java = find_java()
    try:
        from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra
    except ImportError as error:
        todo = "Install the extra: pip install 'jms-tck[spark]'"
        raise NoSparkError("this needs PySpark, which is not here", todo=todo) from error
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.appName("tck pipeline").master(master)
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    builder = builder.config("spark.driver.extraJavaOptions", " ".join(driver_options(java, heavy=heavy)))
    if master.startswith("local"):
        os.environ["SPARK_LOCAL_IP"] = _LOOPBACK
        builder = builder.config("spark.driver.host", _LOOPBACK).config("spark.driver.bindAddress", _LOOPBACK)
        paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
        builder = builder.config("spark.executorEnv.PYTHONPATH", os.pathsep.join(paths))
    try:
        with _quiet(), launchable(java) as home:
            os.environ["JAVA_HOME"] = str(home)
            return builder.getOrCreate()
    except (PySparkException, OSError, RuntimeError) as error:
        todo = f"Check the Java in {java} (17 or later) and the master {master}; Spark's own messages stand above"
        raise NoSparkError(f"expected a Spark session, saw {type(error).__name__}: {error}", todo=todo) from error
    finally:
        os.environ["JAVA_HOME"] = str(java)


class Cluster:
    """Spark by its master: nothing happens before something is asked of it, and it is stopped at the end."""

    def __init__(self, master: str, *, heavy: bool = False) -> None:
        self.master = master
        self.heavy = heavy
        self._starting: Future[SparkSession] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        starting, self._starting = self._starting, None
        if starting is not None and starting.exception() is None:
            starting.result().stop()

    def prepare(self) -> None:
        """Let the session start in a thread of its own, which takes seconds; at once find out whether there is a Java.

        Raises:
            NoSparkError: there is none.
        """
        if self._starting is None:
            find_java()
            self._starting = Future()
            threading.Thread(
                target=_start_into, args=(self._starting, self.master, self.heavy), name="tck-spark"
            ).start()

    @property
    def ready(self) -> bool:
        """Whether the session has started, or failed to."""
        return self._starting is not None and self._starting.done()

    def start(self) -> SparkSession:
        """Give the session, once it has started.

        Raises:
            NoSparkError: see `start_session`.
        """
        self.prepare()
        assert self._starting is not None  # noqa: S101 - `prepare` saw to it
        return self._starting.result()

    def judge(self, plan: Plan) -> Callable[[Job, int], Answer]:
        """Give what judges a run on Spark by a plan.

        Raises:
            NoSparkError: there is no Java; the rest is found out when the session has to be there.
        """
        self.prepare()
        run = through_shuffle if plan is Plan.SHUFFLE else through_files
        return lambda job, parts: run(self, job, parts)


def _start_into(starting: Future[SparkSession], master: str, heavy: bool) -> None:
    try:
        starting.set_result(start_session(master, heavy=heavy))
    except BaseException as error:  # noqa: BLE001 - raised where the session is asked for
        starting.set_exception(error)


# -- tasks over files --------------------------------------------------------------------------------------------


def through_files(cluster: Cluster, job: Job, parts: int) -> Answer:
    """Judge a run: a task for each file of operations, then one for each bucket of messages, with files between them.

    Raises:
        PartError: a file is missing or damaged.
        NoRoomError: the disk is full.
    """
    first = _spread(cluster, job, parts, lambda part: _session_to_file(job, part))
    if not job.any_of({*SECOND, Grain.IDENTITY}):
        return first
    second = _spread(cluster, job, job.buckets, lambda bucket: _message_from_files(job, parts, bucket))
    return last_task(job, together((first, second)))


def _spread(cluster: Cluster, job: Job, count: int, task: Callable[[int], Answer]) -> Answer:
    """Do tasks here as long as Spark is not ready, all others there."""
    answers: list[Answer] = []
    while len(answers) < count and not cluster.ready:
        answers.append(task(len(answers)))
    done = len(answers)
    if done < count:
        numbers = cluster.start().range(done, count, 1, count - done)
        answers.append(_answers(job, numbers, task))
    return together(answers)


def _session_to_file(job: Job, part: int) -> Answer:
    answer, handed = session_task(job, part)
    leave(job, part, handed)
    return answer


def _message_from_files(job: Job, parts: int, bucket: int) -> Answer:
    return message_task(job, (take(job, part, bucket) for part in range(parts)))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep PySpark from warning of a pandas that nothing here touches."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        yield


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
        with _quiet():
            yield
    except (PySparkException, Py4JError) as error:
        for told in job.work.glob("error-*.json"):
            found = json.loads(told.read_text(encoding="utf-8"))
            kind = {"PartError": PartError, "NoRoomError": NoRoomError}[found["kind"]]
            raise kind(found["what"], path=Path(found["path"]), todo=found["todo"]) from error
        if "No space left on device" in str(error):
            with room(job.work):
                raise OSError(errno.ENOSPC, "No space left on device") from error
        store = Store(job.store)
        for path, size in store.part_paths(store.run(job.run)):
            read_parquet(path, size)  # Spark does not tell which of its files is damaged
        raise


@contextmanager
def _telling(job: Job) -> Iterator[None]:
    """Leave what goes wrong with a file in a worker, where the driver finds it by its name."""
    try:
        yield
    except (PartError, NoRoomError) as error:
        told = {"kind": type(error).__name__, "what": error.what, "path": str(error.path), "todo": error.todo}
        if job.work.is_dir():
            write_json(job.work / f"error-{os.getpid()}.json", told)
        raise


def _answers(job: Job, numbers: DataFrame, task: Callable[[int], Answer]) -> Answer:
    def work(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                with _telling(job):
                    yield to_batch(task(number))

    with _named(job):
        return from_table(numbers.mapInArrow(work, _sql(ANSWER)).toArrow())


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
    spark = cluster.start()
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
    stage = session(Table.concat(STORED, listed), tables, info.allowances, job.wanted)
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
    columns["key"] = pa.array(key, pa.int64())
    columns |= {name: pa.array(rows.columns[name]) for name in schema}
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
    sort = whole.column("sort").to_numpy()
    copies = from_arrow(whole.filter(pa.array(sort == _COPY)).select(list(COPIES)), COPIES)
    named = whole.filter(pa.array(sort == _ID))
    ids = from_arrow(named.rename_columns(["jms" if name == "key" else name for name in named.column_names]), IDS)
    passed = whole.filter(pa.array(sort == _ANSWER)).select([f"a_{name}" for name in ANSWER])
    before = from_table(passed.rename_columns(list(ANSWER)))
    yield to_batch(together((before, judged(copies, ids, tables, info, job.wanted))))
