"""The process that is killed: opens the provider, works with several workers, tells each fact through a pipe."""

from __future__ import annotations

import os
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from benchmarks.reliability.history import Fact
from benchmarks.reliability.worker import Menu, Worker
from reference_provider.adapter import open_provider


class Task(NamedTuple):
    """What a child is to do: work on `file` with `workers` workers; `run` makes its keys unique."""

    file: str
    workers: int
    run: str
    seed: int


def work_until_killed(task: Task, pipe: Connection) -> None:
    """Work and report until the parent kills the process; an error is reported as text and ends it."""
    telling = threading.Lock()  # guards the pipe; nothing is locked under it

    def tell(fact: Fact | str) -> None:
        with telling:
            pipe.send(fact)

    def run(worker: Worker) -> None:
        try:
            while True:
                worker.step()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the parent has to know
            tell(f"a worker failed: {type(error).__name__}: {error}")
            os._exit(1)

    tell("opening")
    try:
        provider = open_provider({"file": task.file}, Path(task.file).parent)
        workers = [
            Worker(
                provider,
                number,
                workers=task.workers,
                run=task.run,
                seed=task.seed * 1000 + number,
                report=tell,
                menu=Menu(),
            )
            for number in range(task.workers)
        ]
    except BaseException as error:  # noqa: BLE001 - likewise
        tell(f"the provider did not open: {type(error).__name__}: {error}")
        os._exit(1)
    threads = [threading.Thread(target=run, args=(worker,), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
