"""How Spark starts: with everything pinned, quickly, and on one machine without leaving it. PySpark is imported here first."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import tck
from tck.reports.pipeline.errors import NoSparkError
from tck.reports.pipeline.java import QUICK, driver_options, find_java, launchable
from tck.reports.pipeline.machine import Machine, start_machine

if TYPE_CHECKING:
    from pyspark import SparkContext

_PACKAGES: Final = Path(tck.__path__[0]).parent
_LOOPBACK: Final = "127.0.0.1"
_HEAP: Final = "2g"
_OPTIONS: Final = "spark.driver.extraJavaOptions"
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.driver.memory": _HEAP,
    "spark.log.level": "ERROR",
    "spark.python.worker.reuse": "true",
}
_LIGHT: Final = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""Where Spark only hands out numbers of tasks, no code is made and compiled for that."""


def start_context(master: str, *, heavy: bool = False) -> SparkContext:
    """Start Spark, or give the context that runs: all that the tasks of a check need, for half the time of a session.

    Args:
        master: Where Spark is: "local[*]" or the URL of a cluster.
        heavy: Whether the Java machine is to do the work itself, and not only to hand it to Python.

    Raises:
        NoSparkError: PySpark or Java is not there, or Spark does not start.
    """
    java = find_java()
    options = driver_options(java, heavy=heavy)
    settings = {**_SETTINGS, _OPTIONS: " ".join(options), **({} if heavy else _LIGHT)}
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if master.startswith("local"):
        os.environ["SPARK_LOCAL_IP"] = _LOOPBACK
        paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
        settings |= {
            "spark.driver.host": _LOOPBACK,
            "spark.driver.bindAddress": _LOOPBACK,
            "spark.executorEnv.PYTHONPATH": os.pathsep.join(paths),
            "spark.python.daemon.module": "tck.reports.pipeline.daemon",
        }
    # Java starts while Python loads PySpark.
    machine = None if _has_machine() else start_machine(java, master, [f"-Xmx{_HEAP}", *options])
    try:
        return _context(java, master, machine, settings)
    except BaseException:
        if machine is not None and not _has_machine():
            machine.end()
        raise


def _has_machine() -> bool:
    """Whether PySpark has a machine in this process, which it goes on with whatever is asked for."""
    loaded = sys.modules.get("pyspark.core.context")
    return loaded is not None and loaded.SparkContext._gateway is not None  # noqa: SLF001 - nothing else tells


def _context(java: Path, master: str, machine: Machine | None, settings: dict[str, str]) -> SparkContext:
    try:
        import pyspark  # noqa: PLC0415 - an extra
        from py4j.protocol import Py4JError  # noqa: PLC0415 - comes with PySpark
        from pyspark import SparkConf, SparkContext  # noqa: PLC0415 - an extra
        from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra
    except ImportError as error:
        todo = "Install the extra: pip install 'jms-tck[spark]'"
        raise NoSparkError("this needs PySpark, which is not here", todo=todo) from error
    try:
        with quiet(), launchable(java) as home:
            _hand_over_no_arrays()
            os.environ["JAVA_HOME"] = str(home)
            os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
            os.environ.setdefault("SPARK_LAUNCHER_OPTS", " ".join(QUICK))
            conf = SparkConf().setAppName("tck pipeline").setMaster(master).setAll(list(settings.items()))
            gateway = machine.gateway() if machine is not None else None
            return SparkContext(conf=conf, gateway=gateway) if gateway else SparkContext.getOrCreate(conf)
    except (PySparkException, Py4JError, OSError, RuntimeError) as error:
        todo = f"Check the Java in {java} (17 or later) and the master {master}; Spark's own messages stand above"
        raise NoSparkError(f"expected Spark to start, saw {type(error).__name__}: {error}", todo=todo) from error
    finally:
        os.environ["JAVA_HOME"] = str(java)


def _hand_over_no_arrays() -> None:
    """Take from PySpark that it looks for what is of numpy among what is handed to Java, which nothing here does.

    To know whether there is a numpy, it would load its utilities for tests, and pandas with them: half a second.
    """
    from py4j import protocol  # noqa: PLC0415 - comes with PySpark

    protocol.INPUT_CONVERTER[:] = [
        each for each in protocol.INPUT_CONVERTER if not type(each).__name__.startswith("Numpy")
    ]


@contextmanager
def quiet() -> Iterator[None]:
    """Keep PySpark from warning of a pandas that nothing here touches."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        yield
