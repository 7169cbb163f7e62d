"""Mixed work of many threads on one provider: nothing lost, nothing duplicated, no deadlock."""

from __future__ import annotations

import argparse
import faulthandler
import random
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.reliability.history import Event, History
from benchmarks.reliability.verify import verify, verify_file
from benchmarks.reliability.worker import Worker, WorkOptions, prepare
from reference_provider.adapter import open_provider

STUCK_AFTER = 30.0


@dataclass(slots=True)
class SoakResult:
    """The result of a soak."""

    steps: int = 0
    events: int = 0
    problems: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)


class SteppingWorker(Protocol):
    """The methods of a worker that a thread calls."""

    def step(self) -> None:
        """Do one random step."""
        ...

    def close(self) -> None:
        """Stop in order."""
        ...


class WorkerThreads:
    """The workers, each in a thread, and their progress."""

    def __init__(self, workers: Sequence[SteppingWorker]) -> None:
        self.errors: list[str] = []
        self.stopping = threading.Event()
        self.steps = [0] * len(workers)
        self._threads = [
            threading.Thread(target=self._work, args=(number, worker), name=f"soak-{number}", daemon=True)
            for number, worker in enumerate(workers)
        ]

    def _work(self, number: int, worker: SteppingWorker) -> None:
        try:
            while not self.stopping.is_set():
                worker.step()
                self.steps[number] += 1
            worker.close()
        except BaseException as error:  # noqa: BLE001 - any error is a finding
            self.errors.append(f"worker {number} failed: {type(error).__name__}: {error}")

    def run(self, seconds: float, patience: float) -> list[str]:
        """Work for some seconds; return the threads that made no step for `patience` seconds or do not end."""
        for thread in self._threads:
            thread.start()
        end = time.monotonic() + seconds
        before, since = list(self.steps), time.monotonic()
        while (now := time.monotonic()) < end and not self.errors:
            time.sleep(min(0.2, end - now))
            if any(one == other for one, other in zip(self.steps, before, strict=True)):
                if now - since > patience:
                    break
            else:
                before, since = list(self.steps), now
        self.stopping.set()
        deadline = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return [thread.name for thread in self._threads if thread.is_alive()]


def soak(seconds: float, threads: int, seed: int, *, patience: float = STUCK_AFTER) -> SoakResult:
    """Let `threads` workers work for some seconds, then account for every message.

    A worker without a step for `patience` seconds means a deadlock: all stacks are written to stderr.
    """
    result, history = SoakResult(), History()
    events: list[Event] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "provider.sqlite"
        provider = open_provider({"file": str(file)}, Path(folder))
        prepare(provider, threads)
        workers = [
            Worker(
                provider,
                number,
                workers=threads,
                run="soak",
                seed=seed * 1000 + number,
                report=events.append,
                options=WorkOptions(),
            )
            for number in range(threads)
        ]
        running = WorkerThreads(workers)
        result.stuck = running.run(seconds, patience)
        result.steps, result.events = sum(running.steps), len(events)
        result.problems = list(running.errors)
        if result.stuck:
            faulthandler.dump_traceback(file=sys.stderr)
            return result
        for event in events:
            history.add(event)
        if not running.errors:
            result.problems += verify(provider, history, threads, random.Random(seed), keep=False)
        provider.close()
        result.problems += verify_file(file)
    return result


def main(arguments: list[str]) -> int:
    """Run `python -m benchmarks soak`; return 1 if there was a fault."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak", description="Mixed work of many threads.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    result = soak(options.seconds, options.threads, options.seed)
    for problem in (*result.problems, *(f"stuck: {name}" for name in result.stuck)):
        print(problem)
    print(
        f"{result.steps} steps, {result.events} events, {len(result.problems)} wrong, {len(result.stuck)} threads stuck"
    )
    return int(bool(result.problems or result.stuck))
