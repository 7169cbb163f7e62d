"""Kills a working process at random, reopens its file and accounts for everything it has reported.

The page cache of the system survives the process, so this finds faults of order, recovery and accounting; `power_loss`
covers the disk. All kills use one file: each child continues with what the previous ones have left.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.reliability.crash_child import Task, work_until_killed
from benchmarks.reliability.history import History
from benchmarks.reliability.verify import verify, verify_file
from benchmarks.reliability.worker import prepare
from reference_provider.adapter import open_provider
from tck.api import JMSException

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext  # the former is not everywhere

WORKERS = 3
PATIENCE = 30.0  # seconds without an event after which a child counts as stuck


@dataclass(slots=True)
class CrashResult:
    """The result of the kills; `in_doubt` counts the calls that were open when their process was killed."""

    kills: int = 0
    steps: int = 0
    in_doubt: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KillTime:
    """When to kill: after a number of events or, if that is 0, some seconds after the child began to open the file."""

    events: int
    seconds: float


def kill_time(choice: random.Random) -> KillTime:
    """Choose when to kill: one kill in eight while the child opens the file, the others after 1 to 2,000 events."""
    if choice.random() < 0.125:
        return KillTime(0, choice.uniform(0, 0.1))
    return KillTime(int(2 ** choice.uniform(0, 11)), 0)


def crash(kills: int, seed: int, progress: Callable[[str], None] = lambda _: None) -> CrashResult:
    """Kill `kills` times; return the result. Stops at the first kill that leaves a fault."""
    choice = random.Random(seed)
    result, history = CrashResult(), History()
    processes = _processes()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "provider.sqlite"
        with open_provider({"file": str(file)}, file.parent) as provider:
            prepare(provider, WORKERS)
        while result.kills < kills and not result.problems:
            task = Task(str(file), WORKERS, f"run{result.kills}", choice.randrange(2**31))
            receiving, sending = processes.Pipe(duplex=False)
            child = processes.Process(target=work_until_killed, args=(task, sending), daemon=True)
            child.start()
            sending.close()
            result.problems += _follow(receiving, child.kill, kill_time(choice), history)
            child.join()
            result.kills += 1
            result.steps += len(history.steps)
            result.in_doubt += sum(not step.ended for step in history.steps.values())
            result.problems += _reopen(file, history, choice)
            progress(
                f"{result.kills} kills, {result.steps} steps, {result.in_doubt} in doubt, {len(result.problems)} wrong"
            )
    return result


def _processes() -> SpawnContext | ForkServerContext:
    """Return the way to start children: from a server with everything loaded, where the system has one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.reliability.crash_child"])
    return context


def _follow(pipe: Connection, kill: Callable[[], None], when: KillTime, history: History) -> list[str]:
    """Add a child's events to the history, kill it in time, and add the events it sent before it died."""
    problems: list[str] = []
    events, killed = 0, False
    try:
        while True:
            if not pipe.poll(PATIENCE):
                problems.append(f"stuck: the child sent nothing for {PATIENCE:.0f} s")
                kill()
                return problems
            received = pipe.recv()
            if received == "opening":
                if when.events == 0:
                    time.sleep(when.seconds)
                    kill()
                    killed = True
            elif isinstance(received, str):
                problems.append(received)
            else:
                history.add(received)
                events += 1
            if not killed and when.events and events >= when.events:
                kill()
                killed = True
    except (EOFError, OSError):  # the end, or an event that was cut
        return problems if killed else [*problems, "the child ended by itself"]
    finally:
        pipe.close()


def _reopen(file: Path, history: History, choice: random.Random) -> list[str]:
    try:
        with open_provider({"file": str(file)}, file.parent) as provider:
            problems = verify(provider, history, WORKERS, choice, keep=choice.random() < 0.7)
    except JMSException as error:
        return [f"the file cannot be opened again: {error}"]
    return problems + verify_file(file)


def main(arguments: list[str]) -> int:
    """Run `python -m benchmarks crash`; return 1 if there was a fault."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks crash", description="Kill a working provider at random."
    )
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    result = crash(options.kills, options.seed, lambda text: print(text, flush=True))
    for problem in result.problems:
        print(problem)
    if result.problems:
        print(f"seed {options.seed}, kill {result.kills}: {len(result.problems)} wrong")
    return int(bool(result.problems))
