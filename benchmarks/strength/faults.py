"""Faults of the reference provider against the programs of a corpus: each fault in a forked process of its own, which may hang."""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tck.adapters.opening import open_provider
from tck.adapters.working_directory import work_directory
from tck.blame.owners import judged
from tck.profile import load_profile, override_settings
from tck.programs.comparing.differences import Difference
from tck.programs.corpus import VERSIONS, corpus_in
from tck.programs.observing.environment import RunSettings
from tck.programs.runner import run
from tck.suite.support.corpus import FOLDER
from tck.temporary import make_folder, remove_folder

VERSION: Final = VERSIONS[0]
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
        ran: How many ran.
        opened: Whether the provider could be opened at all.
    """

    fault: str
    kills: list[Kill] = field(default_factory=list)
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


def meet(tasks: Sequence[Task], processes: int | None = None) -> Iterator[Met]:
    """Yield what the programs find of each fault, in any order."""
    for task in tasks[:1]:
        corpus_in(task.folder).expectation(task.programs[0], VERSION)  # read once, before the processes fork
    context = multiprocessing.get_context("fork")
    with context.Pool(processes or os.cpu_count() or 1, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(_meet, tasks)


def _meet(task: Task) -> Met:
    logging.getLogger().addHandler(logging.NullHandler())
    met = Met(task.fault)
    corpus, settings = corpus_in(task.folder), RunSettings()
    folder = make_folder("programs", work_directory())
    try:
        try:
            provider = open_provider(override_settings(load_profile("reference"), [f'fault="{task.fault}"']), folder)
        except Exception as error:  # noqa: BLE001 - a fault may do anything
            return Met(task.fault, [Kill(0, f"open: {error}", (), ())], opened=False)
        for number in task.programs:
            expectation = corpus.expectation(number, VERSION)
            met.ran += 1
            execution = run(provider, expectation, f"p{number}", settings)
            found = judged(expectation, execution).differences
            if found:
                every = tuple(
                    dict.fromkeys(row for each in found for row in each.rows[:1])
                )  # the row that a run blames
                met.kills.append(Kill(number, shown(found[0]), found[0].rows, every, found[0].rule))
            if execution.hung or met.names(task.wanted) or len(met.kills) >= task.most:
                break
    finally:
        remove_folder(folder)
    return met


def shown(difference: Difference) -> str:
    """Return a difference on one line."""
    return f"{difference.do} {difference.what}: expected {difference.expected}, saw {difference.seen}"[:200]
