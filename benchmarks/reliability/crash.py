"""Kills a working process at random, opens its file again and accounts for everything it has told.

The page cache of the system survives the process, so this finds faults of order, of recovery and of accounting; what a
power loss does is the matter of `power_loss`. Chapters follow each other on one file: each child continues on what the
kills before have left.
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
from benchmarks.reliability.history import Story
from benchmarks.reliability.verify import verify, verify_file
from benchmarks.reliability.worker import prepare
from reference_provider.adapter import open_provider
from tck.api import JMSException

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext  # the former is not everywhere

WORKERS = 3
PATIENCE = 30.0  # seconds without a fact after which a child counts as stuck


@dataclass(slots=True)
class CrashResult:
    """What the kills have shown; `doubts` counts the calls that were under way when their process was killed."""

    kills: int = 0
    steps: int = 0
    doubts: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: after so many facts, or, before there are any, so many seconds after the child began to open."""

    facts: int
    seconds: float


def moment(choice: random.Random) -> Moment:
    """Choose when to kill: one kill in eight while the child opens the file, the others after 1 to 2,000 facts."""
    if choice.random() < 0.125:
        return Moment(0, choice.uniform(0, 0.1))
    return Moment(int(2 ** choice.uniform(0, 11)), 0)


def crash(kills: int, seed: int, progress: Callable[[str], None] = lambda _: None) -> CrashResult:
    """Kill `kills` times; give what was found. Stops at the first kill after which something is wrong."""
    choice = random.Random(seed)
    result, story = CrashResult(), Story()
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
            result.problems += _follow(receiving, child.kill, moment(choice), story)
            child.join()
            result.kills += 1
            result.steps += len(story.steps)
            result.doubts += sum(not step.ended for step in story.steps.values())
            result.problems += _reopen(file, story, choice)
            progress(
                f"{result.kills} kills, {result.steps} steps, {result.doubts} in doubt, {len(result.problems)} wrong"
            )
    return result


def _processes() -> SpawnContext | ForkServerContext:
    """Give the way to start children: from a server that has loaded all they need, where the system has such a thing."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.reliability.crash_child"])
    return context


def _follow(pipe: Connection, kill: Callable[[], None], when: Moment, story: Story) -> list[str]:
    """Write down what a child tells, kill it in time, and write down what it told before it died."""
    problems: list[str] = []
    facts, killed = 0, False
    try:
        while True:
            if not pipe.poll(PATIENCE):
                problems.append(f"stuck: the child told nothing for {PATIENCE:.0f} s")
                kill()
                return problems
            told = pipe.recv()
            if told == "opening":
                if when.facts == 0:
                    time.sleep(when.seconds)
                    kill()
                    killed = True
            elif isinstance(told, str):
                problems.append(told)
            else:
                story.tell(told)
                facts += 1
            if not killed and when.facts and facts >= when.facts:
                kill()
                killed = True
    except (EOFError, OSError):  # the end, or a fact that was cut
        return problems if killed else [*problems, "the child ended by itself"]
    finally:
        pipe.close()


def _reopen(file: Path, story: Story, choice: random.Random) -> list[str]:
    try:
        with open_provider({"file": str(file)}, file.parent) as provider:
            problems = verify(provider, story, WORKERS, choice, keep=choice.random() < 0.7)
    except JMSException as error:
        return [f"the file cannot be opened again: {error}"]
    return problems + verify_file(file)


def main(arguments: list[str]) -> int:
    """Run `python -m benchmarks crash`; give 1 if something is wrong."""
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
