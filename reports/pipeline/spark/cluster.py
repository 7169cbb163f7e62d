"""Start Spark with pinned settings, on this machine or on a cluster, and stop it. PySpark is imported on first use."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import tck
from tck.reports.pipeline.check import Plan
from tck.reports.pipeline.errors import NoSparkError
from tck.reports.pipeline.spark.file_plan import through_files
from tck.reports.pipeline.spark.java import find_java, launchable
from tck.reports.pipeline.spark.master import reach
from tck.reports.pipeline.spark.quiet import quiet
from tck.reports.pipeline.spark.shuffle_plan import through_shuffle
from tck.reports.pipeline.task_answers import Answer
from tck.reports.pipeline.tasks import Job

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_PACKAGES: Final = Path(tck.__path__[0]).parent
_LOOPBACK: Final = "127.0.0.1"
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
_JAVA_OPTIONS: Final = "spark.driver.defaultJavaOptions"
"""Options that the user's own `spark.driver.extraJavaOptions` are added to, and may override."""
_TO_STDERR: Final = "-XX:+DisplayVMOutputToStderr"
"""Java prints its warnings, and why it cannot start, on stdout otherwise, where `--format json` belongs."""
_LIGHT_JAVA: Final = f"{_TO_STDERR} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn32m"
_LIGHT: Final = {
    _JAVA_OPTIONS: _LIGHT_JAVA,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""A check does its work in Python, so Java gets no time to compile thoroughly. Histories are computed in Java itself."""
_HEAVY: Final = {_JAVA_OPTIONS: _TO_STDERR}
_PY4J: Final = ("", "py4j.clientserver", "py4j.java_gateway")
"""Loggers to which py4j reports an interrupt; a filter of the root logger is not applied to records of the others."""


class Cluster:
    """Spark by its master; started when it is first needed, stopped at the end of the `with` block.

    Args:
        master: "local[*]" or the URL of a cluster.
        heavy: Whether Java does the work itself (histories), rather than Python (checks).
    """

    def __init__(self, master: str, *, heavy: bool = False) -> None:
        self.master = master
        self.heavy = heavy
        self._context: SparkContext | None = None

    def __enter__(self) -> Self:
        for name in _PY4J:
            logging.getLogger(name).addFilter(_no_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        context, self._context = self._context, None
        try:
            if context is not None:
                context.stop()
        finally:
            for name in _PY4J:
                logging.getLogger(name).removeFilter(_no_interrupt)

    def start(self) -> SparkContext:
        """Start Spark if it does not run yet, and return its context.

        Raises:
            NoSparkError: PySpark or Java is not there, or Spark does not start.
        """
        if self._context is None:
            with _own_interrupts():
                self._context = _start(self.master, heavy=self.heavy)
        return self._context

    def session(self) -> SparkSession:
        """Return a session, for data frames.

        Raises:
            NoSparkError: as `start`.
        """
        self.start()
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra

        with quiet():
            return SparkSession.builder.getOrCreate()

    def judge(self, plan: Plan) -> Callable[[Job, int], Answer]:
        """Start Spark and return the function that judges a run on it.

        Raises:
            NoSparkError: as `start`.
        """
        context = self.start()
        if plan is Plan.SHUFFLE:
            session = self.session()
            return lambda job, parts: through_shuffle(session, job, parts)
        return lambda job, parts: through_files(context, job, parts)


def _no_interrupt(record: logging.LogRecord) -> bool:
    """Drop a record of an interrupt, and of its consequences: py4j raises it too, and the command reports it."""
    error = record.exc_info[1] if record.exc_info else None
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is None


@contextmanager
def _own_interrupts() -> Iterator[None]:
    """Keep the handling of interrupts: PySpark's own calls Java from inside the handler, which may be in a call already."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _start(master: str, *, heavy: bool) -> SparkContext:
    reach(master)
    java = find_java()
    try:
        import pyspark  # noqa: PLC0415 - an extra
        from py4j.protocol import Py4JError  # noqa: PLC0415 - comes with PySpark
        from pyspark import SparkConf, SparkContext  # noqa: PLC0415 - an extra
        from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra
    except ImportError as error:
        todo = "Install the extra: pip install 'jms-tck[spark]'"
        raise NoSparkError("this needs PySpark, which is not here", todo=todo) from error
    settings = {**_SETTINGS, **(_HEAVY if heavy else _LIGHT)}
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # Spark's scripts would look for another PySpark, with the first `python3` on the PATH.
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    if master.startswith("local"):
        os.environ["SPARK_LOCAL_IP"] = _LOOPBACK
        paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
        settings |= {
            "spark.driver.host": _LOOPBACK,
            "spark.driver.bindAddress": _LOOPBACK,
            "spark.executorEnv.PYTHONPATH": os.pathsep.join(paths),
        }
    try:
        with quiet(), launchable(java) as home:
            os.environ["JAVA_HOME"] = str(home)
            conf = SparkConf().setAppName("tck pipeline").setMaster(master).setAll(list(settings.items()))
            return SparkContext.getOrCreate(conf)
    except (PySparkException, Py4JError, OSError, RuntimeError) as error:
        todo = f"Check the Java in {java} (17 or later) and the master {master}; Spark's own messages are above"
        raise NoSparkError(
            f"expected Spark to start, saw {type(error).__name__}: {str(error).rstrip('.')}", todo=todo
        ) from error
    finally:
        os.environ["JAVA_HOME"] = str(java)
