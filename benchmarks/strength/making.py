"""Make a corpus: random programs from several seeds, numbered from 1, written as the files of a corpus.

A third of the programs may look at what expires or falls due meanwhile, which only a virtual clock allows; a tenth are made
for the oldest version that has the classic interface, so that it has programs enough.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tck.covering import Meeting
from tck.explore import collection
from tck.explore.collection import Candidate, store
from tck.explore.making.crossing import ARRAY, CROSSING, crossings
from tck.programs.corpus import VERSIONS
from tck.programs.program import Program

Task = Callable[[], Iterator[Candidate]]
"""Makes programs."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Programs of one seed: how many, whether by a virtual clock, and by which version."""

    seed: int
    count: int
    virtual: bool
    version: str


def batches(seed: int, count: int, processes: int) -> list[Batch]:
    """Return the batches of a corpus of `count` programs."""
    old, virtual = count // 10, count // 3
    shares = [(old, False, VERSIONS[-1]), (virtual, True, VERSIONS[0]), (count - old - virtual, False, VERSIONS[0])]
    return [
        Batch(seed + 100 * kind + part, share // processes + (part < share % processes), alive, version)
        for kind, (share, alive, version) in enumerate(shares)
        for part in range(processes)
    ]


def make(folder: Path, seed: int, count: int, leave_out: Collection[str] = ()) -> int:
    """Make a corpus and write it; return the exit code.

    Args:
        folder: Where to.
        seed: Of the generator; batch and process are added.
        count: How many programs.
        leave_out: Programs that do not enter, by seed and number, ``2000/411``.
    """
    found = pool(seed, count, leave_out)
    store(folder, list(numbered(found)))
    rows = {row for each in found for row in each.entry.rows}
    sys.stdout.write(
        f"programs  {len(found)}\nrows      {len(rows)}\ncells     {sum(each.entry.cells for each in found)}\n"
    )
    return 0


def pool(seed: int, count: int, leave_out: Collection[str] = (), crossed: int = 0) -> list[Candidate]:
    """Make programs in all processors, and tell the progress; the arguments are those of `make`, and how many crossings to add."""
    processes = os.cpu_count() or 1
    context = multiprocessing.get_context("fork")
    found: list[Candidate] = []
    numbers = range(len(crossings()))[:: max(1, len(crossings()) // crossed)] if crossed else range(0)
    with context.Pool(processes, maxtasksperchild=1) as workers:
        tasks: list[Task] = [partial(_random, each, tuple(leave_out)) for each in batches(seed, count, processes)]
        tasks += [partial(collection.crossed, seed, numbers[part::processes]) for part in range(processes)]
        for made in workers.imap(_make, tasks, chunksize=1):
            found += made
            sys.stderr.write(f"\r{len(found)} of {count + len(numbers)} programs ")
    sys.stderr.write("\n")
    return found


def meetings(program: Program) -> Iterator[Meeting]:
    """Yield the pairs and triples of circumstances that a program was made for; none if it is no crossing."""
    if CROSSING in program.about:
        yield from ARRAY.meetings(program.about[CROSSING])


def numbered(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield programs of all batches in turn, numbered from 1, so that any beginning of a corpus has some of each."""
    order = sorted(found, key=lambda each: int(each.entry.seed.partition("/")[2]))
    for number, each in enumerate(order, 1):
        yield replace(each, entry=replace(each.entry, number=number))


def _random(batch: Batch, leave_out: tuple[str, ...]) -> Iterator[Candidate]:
    return collection.candidates(
        batch.seed, batch.count, virtual=batch.virtual, version=batch.version, leave_out=leave_out
    )


def _make(task: Task) -> list[Candidate]:
    logging.getLogger().addHandler(logging.NullHandler())  # of listeners that throw, as programs want it
    return list(task())
