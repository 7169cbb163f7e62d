"""The process that is killed: opens the provider, runs several workers, sends each event through a pipe."""

from __future__ import annotations

import os
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from benchmarks.reliability.history import Event
from benchmarks.reliability.worker import Worker, WorkOptions
from reference_provider.adapter import open_provider


class Task(NamedTuple):
    """The task of a child: run `workers` workers on `file`; `run` makes its keys unique."""

    file: str
    workers: int
    run: str
    seed: int


def work_until_killed(task: Task, pipe: Connection) -> None:
    """Work and report until the parent kills the process; an error is reported as text and ends it."""
    pipe_lock = threading.Lock()  # guards the pipe; nothing is locked under it

    def report(event: Event | str) -> None:
        with pipe_lock:
            pipe.send(event)

    def run(worker: Worker) -> None:
        try:
            while True:
                worker.step()
        except BaseException as error:  # noqa: BLE001 - the parent reports any error
            report(f"a worker failed: {type(error).__name__}: {error}")
            os._exit(1)

    report("opening")
    try:
        provider = open_provider({"file": task.file}, Path(task.file).parent)
        workers = [
            Worker(
                provider,
                number,
                workers=task.workers,
                run=task.run,
                seed=task.seed * 1000 + number,
                report=report,
                options=WorkOptions(),
            )
            for number in range(task.workers)
        ]
    except BaseException as error:  # noqa: BLE001 - likewise
        report(f"the provider did not open: {type(error).__name__}: {error}")
        os._exit(1)
    threads = [threading.Thread(target=run, args=(worker,), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
