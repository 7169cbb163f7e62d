"""Faults of the reference provider against the programs of a corpus: each fault in a forked process of its own, which may hang."""

from __future__ import annotations

import contextlib
import gc
import importlib
import itertools
import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TypeVar

from benchmarks.strength.drawing import broad_faults
from benchmarks.strength.recording import Recorder, targets_by_key
from faults import find
from faults.composing.calls import Past
from faults.composing.infection import INFECTED
from tck import api
from tck.adapters.opening import open_provider
from tck.adapters.working_directory import work_directory
from tck.blame.owners import judged
from tck.profile import load_profile, override_settings
from tck.programs.comparing.differences import Difference
from tck.programs.corpus import VERSIONS, corpus_in
from tck.programs.expectation import Execution, Expectation
from tck.programs.observing.environment import RunSettings
from tck.programs.program import Observation
from tck.programs.runner import Runner, run
from tck.suite.support.corpus import FOLDER
from tck.temporary import make_folder, remove_folder

T = TypeVar("T")
R = TypeVar("R")
VERSION: Final = VERSIONS[0]
SECONDS: Final = 60.0
"""The programs of one fault take so long at most."""
MOST: Final = 10
"""So many programs that notice a fault are kept, and no further ones run."""


@dataclass(frozen=True, slots=True)
class Kill:
    """A program that notices a fault: its number, the first difference in words, and the rows of all its differences.

    `rule` is the one that names the rows of the first difference.
    """

    program: int
    difference: str
    first: tuple[str, ...]
    rows: tuple[str, ...]
    rule: str = ""


@dataclass(slots=True)
class Met:
    """What the programs found of one fault.

    Attributes:
        fault: Its name.
        kills: The programs that noticed it, in the order in which they ran.
        silent: The programs in which a composed fault changed something, and that did not notice it.
        ran: How many ran.
        opened: Whether the provider could be opened at all.
    """

    fault: str
    kills: list[Kill] = field(default_factory=list)
    silent: list[int] = field(default_factory=list)
    ran: int = 0
    opened: bool = True

    def names(self, rows: Sequence[str]) -> bool:
        """Return whether a program names one of the rows."""
        return any(set(kill.rows) & set(rows) for kill in self.kills)


@dataclass(frozen=True, slots=True)
class Task:
    """A fault, the rows at which enough is known of it, the programs to run, in order, and how many may notice it."""

    fault: str
    wanted: tuple[str, ...]
    programs: tuple[int, ...]
    folder: Path = FOLDER
    most: int = MOST


def in_processes(
    work: Callable[[T], R], tasks: Iterable[T], processes: int | None = None, seconds: float = SECONDS
) -> Iterator[tuple[T, R | None]]:
    """Yield each task with what the work makes of it, in any order, each in a forked process of its own.

    One that has not ended after so many seconds is killed; it, and one that died, made None.
    """
    _warm()
    context, left = multiprocessing.get_context("fork"), iter(tasks)
    running: dict[Connection, tuple[T, BaseProcess, float]] = {}
    try:
        while True:
            for task in islice(left, (processes or os.cpu_count() or 1) - len(running)):
                here, there = context.Pipe(duplex=False)
                process: BaseProcess = context.Process(target=_apart, args=(work, task, there))
                process.start()
                there.close()
                running[here] = task, process, time.monotonic() + seconds
            if not running:
                return
            ready = wait([*running], timeout=1)
            for here in [each for each in running if each in ready or time.monotonic() > running[each][2]]:
                task, process, _ = running.pop(here)
                made = _received(here) if here in ready else None
                process.kill()
                process.join()
                here.close()
                yield task, made
    finally:
        for _, process, _ in running.values():
            process.kill()


def _warm() -> None:
    """Load what each process needs, once."""
    importlib.import_module("reference_provider.adapter")
    find(next(iter(broad_faults())))
    corpus = corpus_in(FOLDER)
    expectation = corpus.expectation(next(iter(corpus.entries)), VERSION)
    judged(expectation, Execution([{"raises": "JMSException"}], list(expectation.sends)))
    gc.freeze()  # shared memory is not written


def _received(here: Connection) -> Any:  # noqa: ANN401 - whatever was made
    try:
        return here.recv()
    except EOFError:
        return None


def _apart(work: Callable[[T], R], task: T, there: Connection) -> None:
    there.send(work(task))
    there.close()
    os._exit(0)  # whatever threads a fault has left


def meet(tasks: Iterable[Task], processes: int | None = None) -> Iterator[Met]:
    """Yield what the programs find of each fault, in any order; one that hangs is noticed by none of them."""
    yield from (made or Met(task.fault, opened=False) for task, made in in_processes(_meet, tasks, processes))


@contextlib.contextmanager
def provider_of(fault: str) -> Iterator[api.Provider]:
    """Open the reference provider with a fault, or without one if it is empty, in a folder that goes."""
    logging.getLogger().addHandler(logging.NullHandler())  # of listeners that throw, as programs want it
    folder = make_folder("programs", work_directory())
    try:
        yield open_provider(override_settings(load_profile("reference"), [f'fault="{fault}"'] if fault else []), folder)
    finally:
        remove_folder(folder)


def _meet(task: Task) -> Met:
    met = Met(task.fault)
    corpus, settings = corpus_in(task.folder), RunSettings()
    with contextlib.ExitStack() as stack:
        try:
            provider = stack.enter_context(provider_of(task.fault))
        except Exception as error:  # noqa: BLE001 - a fault may do anything
            return Met(task.fault, [Kill(0, f"open: {error}", (), ())], opened=False)
        for number in task.programs:
            expectation = corpus.expectation(number, VERSION)
            met.ran += 1
            execution = run(provider, expectation, f"p{number}", settings)
            found, infected = judged(expectation, execution).differences, infections()
            if infected and not found:
                met.silent.append(number)
            if found:
                every = tuple(
                    dict.fromkeys(row for each in found for row in each.rows[:1])
                )  # the row that a run blames
                met.kills.append(Kill(number, shown(found[0]), found[0].rows, every, found[0].rule))
            if execution.hung or met.names(task.wanted) or len(met.kills) >= task.most:
                break
    return met


@contextlib.contextmanager
def noticing(fault: str) -> Iterator[Callable[[Expectation], bool]]:
    """Yield what says whether a program notices a fault, by a row; the fault is installed in this process."""
    with provider_of(fault) as provider:
        count = itertools.count()

        def notices(expectation: Expectation) -> bool:
            execution = run(provider, expectation, f"r{next(count)}", RunSettings())
            infections()
            return any(each.rows for each in judged(expectation, execution).differences)

        yield notices


def infecting_steps(task: Task) -> list[tuple[int, int]]:
    """Return how far each program goes in which a composed fault changes anything: the number of steps up to the one that does."""
    found: list[tuple[int, int]] = []
    original = Runner.step

    def step(runner: Runner, *arguments: Any, **named: Any) -> Observation:  # noqa: ANN401 - those of `Runner.step`
        before = INFECTED.times
        seen = original(runner, *arguments, **named)
        if INFECTED.times > before:
            ends.append(len(runner.seen))
        return seen

    setattr(Runner, "step", step)  # noqa: B010 - the process is the task's own
    with provider_of(task.fault) as provider:
        for number in task.programs:
            ends: list[int] = []
            infections()
            run(provider, corpus_in(task.folder).expectation(number, VERSION), f"p{number}", RunSettings())
            if ends:
                found.append((number, ends[0]))
    return found


def infections() -> int:
    """Return how often a composed fault has changed anything since the last call, and have it forget what happened."""
    for past in Past.LIVE:
        past.forget()
    return INFECTED.taken()


def record(task: tuple[Path, Sequence[int]]) -> list[tuple[int, dict[str, list[int]]]]:
    """Run programs of a corpus on the sound provider; return for each the facts that held in the calls of functions."""
    folder, numbers = task
    targets = targets_by_key(find(row) for row in broad_faults())
    found = []
    with provider_of("") as provider:
        recorder = Recorder(targets)
        recorder.start()
        for number in numbers:
            run(provider, corpus_in(folder).expectation(number, VERSION), f"p{number}", RunSettings())
            found.append((number, recorder.taken()))
    return found


def shown(difference: Difference) -> str:
    """Return a difference on one line."""
    return f"{difference.do} {difference.what}: expected {difference.expected}, saw {difference.seen}"[:200]
