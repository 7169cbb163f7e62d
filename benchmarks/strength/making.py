"""Make a corpus: random programs from several seeds, numbered from 1, written as the files of a corpus.

A third of the programs may look at what expires or falls due meanwhile, which only a virtual clock allows; a tenth are made
for the oldest version that has the classic interface, so that it has programs enough.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tck.explore.collection import Candidate, candidates, store
from tck.programs.corpus import VERSIONS


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


def pool(seed: int, count: int, leave_out: Collection[str] = ()) -> list[Candidate]:
    """Make programs in all processors, and tell the progress; the arguments are those of `make`."""
    processes = os.cpu_count() or 1
    context = multiprocessing.get_context("fork")
    found: list[Candidate] = []
    with context.Pool(processes, maxtasksperchild=1) as workers:
        tasks = [(batch, tuple(leave_out)) for batch in batches(seed, count, processes)]
        for made in workers.imap(_make, tasks, chunksize=1):
            found += made
            sys.stderr.write(f"\r{len(found)} of {count} programs ")
    sys.stderr.write("\n")
    return found


def numbered(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield programs of all batches in turn, numbered from 1, so that any beginning of a corpus has some of each."""
    order = sorted(found, key=lambda each: int(each.entry.seed.partition("/")[2]))
    for number, each in enumerate(order, 1):
        yield replace(each, entry=replace(each.entry, number=number))


def _make(task: tuple[Batch, tuple[str, ...]]) -> list[Candidate]:
    logging.getLogger().addHandler(logging.NullHandler())  # of listeners that throw, as programs want it
    batch, leave_out = task
    found = candidates(batch.seed, batch.count, virtual=batch.virtual, version=batch.version, leave_out=leave_out)
    return list(found)
