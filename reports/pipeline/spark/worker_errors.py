"""Carry errors from Spark's workers to the driver: Spark itself reports only the text of a Python traceback.

A worker writes what is wrong to a file in the folder that all tasks of a check share; the driver raises it again.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tck.reports.pipeline.errors import NoRoomError, PartError, StoreError, disk_errors
from tck.reports.pipeline.parquet import write_json
from tck.reports.pipeline.spark.quiet import quiet
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.tasks import Job

_REPORTED: Final = (PartError, StoreError, NoRoomError)


@contextmanager
def reported(job: Job) -> Iterator[None]:
    """In a worker: leave an error of the store for the driver, then let it pass."""
    try:
        yield
    except _REPORTED as error:
        content = {"kind": type(error).__name__, "what": error.what, "path": str(error.path), "todo": error.todo}
        if job.work.is_dir():
            write_json(job.work / f"error-{os.getpid()}.json", content)
        raise


@contextmanager
def raised_here(job: Job) -> Iterator[None]:
    """In the driver: raise the error of a worker, or of Spark itself, as if it had happened here.

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
        for path in job.work.glob("error-*.json"):
            found = json.loads(path.read_text(encoding="utf-8"))
            kind = {each.__name__: each for each in _REPORTED}[found["kind"]]
            raise kind(found["what"], path=Path(found["path"]), todo=found["todo"]) from error
        raise_no_room(error, job.work)
        store = Store(job.store)
        info = store.run(job.run)
        for path, size in store.part_paths(info):
            store.operations(info, path, size)  # Spark does not name the damaged file; reading it here does
        raise


def raise_no_room(error: Exception, place: Path) -> None:
    """Raise the error of a full disk if that is why Spark failed.

    Raises:
        NoRoomError: it is.
    """
    if "No space left on device" in str(error):
        with disk_errors(place):
            raise OSError(errno.ENOSPC, "No space left on device") from error
