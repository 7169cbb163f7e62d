"""What Spark's Python workers on this machine are forked from: `python -m reports.pipeline.daemon`, started by Spark.

Spark lets Python find its own sources first, in an archive, of which Python cannot keep what it compiled: each daemon would
compile them anew, for more than a second. Where the same is installed, that is taken. Whatever a task needs is loaded here,
once for all workers.
"""

from __future__ import annotations

import gc
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

_ARCHIVED: Final = ("pyspark", "py4j")


def installed_first(path: list[str]) -> list[str]:
    """Give a search path without Spark's archives, where they are those of the PySpark that is found elsewhere on it."""
    archives = [place for place in path if place.endswith(".zip") and Path(place).name.startswith(_ARCHIVED)]
    rest = [place for place in path if place not in archives]
    found = [PathFinder.find_spec(name, rest) for name in _ARCHIVED]
    if not all(found) or found[0] is None or found[0].origin is None:
        return path
    home = Path(found[0].origin).parent
    return rest if all(home in Path(archive).parents for archive in archives) else path


def main() -> None:
    """Load what tasks need and serve Spark, until it hangs up."""
    sys.path[:] = installed_first(sys.path)
    from pyspark import daemon, worker  # noqa: PLC0415 - only now is it known from where

    from tck.reports.pipeline import tasks  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.files import arrow  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.memory import keep_memory  # noqa: PLC0415 - likewise

    del worker, tasks
    arrow()
    keep_memory()
    gc.collect()
    gc.freeze()  # workers share these pages for longer
    daemon.manager()


if __name__ == "__main__":
    main()
