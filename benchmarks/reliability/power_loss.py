"""Simulates a power failure at every point of a run and examines the remaining files with plain SQLite.

The provider works on a watched disk, whose log also contains the workers' events. Each point of the log is examined in three
ways. The same run with `synchronous` NORMAL or OFF has to fail: this shows that the check detects faults. Limit: apsw has
its own SQLite, so this tests the provider's use of SQLite, not the system's build.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import threading
from collections import Counter
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from benchmarks.reliability.crash_points import FileContents, crash_points
from benchmarks.reliability.history import BRANCHES, SUBSCRIPTIONS, Found, History, judge, judge_order
from benchmarks.reliability.verify import verify
from benchmarks.reliability.worker import PRIVATE, SHARED, SHARED_STREAM, Worker, WorkOptions, prepare, queue_stream
from benchmarks.storage.provider_files import open_file, open_with
from benchmarks.storage.storage_media import fastest_folder
from benchmarks.storage.watched_disk import DiskControls, DiskLog, Note, WatchedDisk
from reference_provider.store import StoreOptions
from tck.api import JMSException, XAException

FILE = "provider.sqlite"

_QUEUES = """
    select d.name, json_extract(m.headers, '$.properties.key') from message m
    join destination d on d.id = m.destination
    where d.kind = 'queue' and m.branch is null order by m.priority desc, m.id"""
_SUBSCRIPTIONS = """
    select s.client_id, s.name, json_extract(m.headers, '$.properties.key') from delivery d
    join message m on m.id = d.message join subscription s on s.id = d.subscription
    where m.branch is null order by m.priority desc, m.id"""


class Synchronous(StrEnum):
    """The `synchronous` setting of the connection: FULL is the provider's own, the others have to fail."""

    FULL = "full"
    NORMAL = "normal"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Plan:
    """One run.

    Attributes:
        steps: number of random steps, of all threads together.
        threads: number of clients; with one, a run is repeatable to the byte.
        stride: examine every stride-th point.
        failing_sync: number of the sync that fails, 0 for none.
        checkpoint_interval: commits between checkpoints; small, so that a short run has several.
        reopen: open every reopen-th image with the provider too; 0 for none.
        fresh: the provider creates its file on the watched disk, so that power fails during that too.
    """

    seed: int
    steps: int = 120
    threads: int = 1
    stride: int = 1
    synchronous: Synchronous = Synchronous.FULL
    failing_sync: int = 0
    checkpoint_interval: int = 40
    reopen: int = 50
    fresh: bool = False


@dataclass(slots=True)
class PowerLossResult:
    """The result of all points; `problems` by kind, `examples` with the first of each."""

    points: int = 0
    images: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether no point had a fault."""
        return not self.problems

    def note(self, where: str, problems: list[str]) -> None:
        """Count the faults of one image."""
        for kind in {problem.split(":", 1)[0] for problem in problems}:
            if not self.problems[kind]:
                self.examples.append(f"{where}: {next(one for one in problems if one.startswith(kind))}")
            self.problems[kind] += 1


def explore(plan: Plan) -> PowerLossResult:
    """Run the workers on a watched disk and judge every point of the log."""
    with fastest_folder() as folder:
        log = record(plan, folder)
        return judge_log(log, plan, folder / "image")


# --- the run ----------------------------------------------------------------------------------------------------


def record(plan: Plan, folder: Path) -> DiskLog:
    """Do the random steps; return the log of the disk, with the events."""
    file = folder / FILE
    if not plan.fresh:
        with open_file(file) as provider:
            prepare(provider, plan.threads)
    countdown = Countdown(plan.failing_sync)
    disk = WatchedDisk(f"watched {id(countdown)}", DiskControls(fail_sync=countdown.is_over))
    options = StoreOptions(
        checkpoint_interval=plan.checkpoint_interval, connect=lambda path: disk.connect(path, plan.synchronous)
    )
    log_lock = threading.Lock()  # guards the order of events in the log; nothing is locked under it

    def note(event: object) -> None:
        with log_lock:
            disk.log.note(event)

    with open_with(file, options) as provider:
        if plan.fresh:
            prepare(provider, plan.threads)
        workers = [
            Worker(
                provider,
                number,
                workers=plan.threads,
                run="run",
                seed=plan.seed * 1000 + number,
                report=note,
                options=WorkOptions(lazy=False, listeners=False),
            )
            for number in range(plan.threads)
        ]
        countdown.start()
        work(workers, plan.steps)
        countdown.stop()
        for worker in workers:
            worker.close()
    disk.unregister()
    return disk.log


class Countdown:
    """Makes the n-th sync after the start fail, and none after it."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._running = False

    def start(self) -> None:
        """Start counting."""
        self._running = True

    def stop(self) -> None:
        """Stop counting."""
        self._running = False

    def is_over(self) -> bool:
        """Count one sync; return whether it is the n-th."""
        if not self._running or not self._left:
            return False
        self._left -= 1
        return not self._left


def work(workers: list[Worker], steps: int) -> None:
    """Let workers do their share of the steps, each in a thread unless there is only one."""

    def share(worker: Worker) -> None:
        for _ in range(steps // len(workers)):
            try:
                worker.step()
            except (
                JMSException,
                XAException,
            ):  # the disk failed: open calls are in doubt, the store has stopped
                return

    threads = [threading.Thread(target=share, args=(worker,), daemon=True) for worker in workers[1:]]
    for thread in threads:
        thread.start()
    share(workers[0])
    for thread in threads:
        thread.join()


# --- the verdict ------------------------------------------------------------------------------------------------


def judge_log(log: DiskLog, plan: Plan, folder: Path) -> PowerLossResult:
    """Judge the files after a power failure at every point of a log."""
    folder.mkdir()
    result, history, reached = PowerLossResult(), History(), 0
    for point in crash_points(log, plan.stride, plan.seed):
        for entry in log.entries[reached : point.place]:
            if isinstance(entry, Note):
                history.add(entry.fact)
        reached = point.place
        for name, files in (("dropped", point.dropped), ("kept", point.kept), ("torn", point.torn)):
            write_image(files, folder)
            result.images += 1
            where = f"seed {plan.seed}, point {point.place}, {name}"
            result.note(where, judge_image(folder / FILE, history))
            if plan.reopen and result.images % plan.reopen == 0:
                write_image(files, folder)
                result.note(f"{where}, opened by the provider", judge_reopened(folder / FILE, history, plan))
        result.points += 1
    return result


def write_image(files: FileContents, folder: Path) -> None:
    """Write exactly these files."""
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def judge_image(file: Path, history: History) -> list[str]:
    """Open a file with plain SQLite and compare its contents with the history."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            damage = [f"corrupt: {text}" for (text,) in connection.execute("pragma quick_check") if text != "ok"]
            found = damage or contents(connection)
    except (sqlite3.Error, KeyError) as error:
        return [f"corrupt: {error}"]
    if isinstance(found, list):
        return found
    return judge(history.steps.values(), found) + judge_order(found)


def contents(connection: sqlite3.Connection) -> dict[str, list[Found]]:
    """Read all streams in delivery order; all are empty while the tables do not exist."""
    found: dict[str, list[Found]] = {BRANCHES: [], SUBSCRIPTIONS: []}
    if connection.execute("select 1 from sqlite_master where name = 'message'").fetchone() is None:
        return found
    for stream, key in connection.execute(_QUEUES):
        found.setdefault(queue_stream(stream), []).append(Found(key))
    for client, name, key in connection.execute(_SUBSCRIPTIONS):
        stream = SHARED_STREAM if name == SHARED else f"subscription {client}"
        found.setdefault(stream, []).append(Found(key))
    for (branch,) in connection.execute("select gtrid from branch"):
        found[BRANCHES].append(Found(branch.decode()))
    for client, name in connection.execute("select client_id, name from subscription"):
        if name not in {SHARED, PRIVATE}:
            found[SUBSCRIPTIONS].append(Found(f"{client}:{name}"))
    return found


def judge_reopened(file: Path, history: History, plan: Plan) -> list[str]:
    """Open a file with the provider and compare the messages it delivers with the history."""
    try:
        with open_file(file) as provider:
            choice = random.Random(plan.seed)
            return verify(provider, deepcopy(history), plan.threads, choice, keep=False, marked=False)
    except JMSException as error:
        return [f"not opened: {error}"]


def main(arguments: list[str]) -> int:
    """Run `python -m benchmarks power-loss`; return 1 if FULL fails anywhere, or a weaker mode nowhere."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks power-loss", description="Simulate a power failure at every point of a run."
    )
    parser.add_argument("--stride", type=int, default=1, metavar="N", help="examine every N-th point")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=120, help="random steps of the run")
    parser.add_argument("--threads", type=int, default=1, help="with more than one, commits are grouped")
    parser.add_argument("--failing-sync", type=int, default=0, metavar="N", help="make the disk fail at the N-th sync")
    parser.add_argument(
        "--fresh", action="store_true", help="start without a file, so that power fails while it is created"
    )
    parser.add_argument("--mode", choices=list(Synchronous), action="append", help="default: all three")
    options = parser.parse_args(arguments)
    good = True
    for mode in options.mode or Synchronous:
        plan = Plan(
            options.seed,
            steps=options.steps,
            threads=options.threads,
            stride=options.stride,
            synchronous=Synchronous(mode),
            failing_sync=options.failing_sync,
            reopen=0 if mode != Synchronous.FULL else 10 if options.fresh else 50,
            fresh=options.fresh,
        )
        result = explore(plan)
        good = good and result.clean == (plan.synchronous is Synchronous.FULL)
        wanted = "has to be clean" if plan.synchronous is Synchronous.FULL else "has to fail"
        print(
            f"{mode:6} {result.points} points, {result.images} images, wrong: {dict(result.problems) or 'none'} ({wanted})"
        )
        for example in result.examples:
            print(f"       {example.splitlines()[0]}", flush=True)
    return int(not good)
