"""`python -m benchmarks strength reduce`: the programs that `choose` has added, without the steps that they do not need.

A program keeps the faults of the pool that it notices, and the states, values on their paths and rows that few others have. One in
ten stays as it is, for what nobody has drawn yet, and so do crossings.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import sqlite_utils

from benchmarks.strength.choosing import candidate
from benchmarks.strength.cover import ROW
from benchmarks.strength.faults import VERSION, in_processes, noticing
from benchmarks.strength.states import facts
from tck.explore.collection import Candidate, references, renewed, store
from tck.explore.making.crossing import CROSSING
from tck.explore.shrinking import fewer
from tck.programs.corpus import Corpus, corpus_in
from tck.programs.expectation import Expectation
from tck.programs.program import Program

FAULTS: Final = 3
"""At most so many of its faults a program keeps for certain."""
BUDGET: Final = 60
"""So many smaller programs are tried."""
SECONDS: Final = 120
RARE: Final = 3
"""A state, or a value on its path, that at most so many programs meet stays."""
CLOSING: Final = 5
"""So many seconds a provider has to close."""
UNREDUCED: Final = 10
"""One program of so many stays as it is."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a program is to keep: the faults that it notices, its rare states, values and rows."""

    folder: Path
    number: int
    faults: tuple[str, ...]
    facts: frozenset[str]
    rows: frozenset[str]


def reduce(folder: Path, out: Path, seed: int, seconds: float) -> int:
    """Reduce the programs of a corpus that no broker has met yet, and write it; return the exit code. After `seconds` none is begun."""
    ends = time.monotonic() + seconds
    corpus = Corpus(folder)
    needs = list(_needs(corpus, out, f"pool-{seed}"))
    smaller: dict[int, Candidate] = {}
    for done, (need, made) in enumerate(
        in_processes(_reduced, takewhile(lambda _: time.monotonic() < ends, needs), seconds=3 * SECONDS), 1
    ):
        if made is not None:
            smaller[need.number] = made
        sys.stderr.write(f"\r{done} of {len(needs)} programs ")
    sys.stderr.write("\n")
    store(folder, [smaller.get(number) or candidate(corpus, number) for number in corpus.entries])
    for what, lengths in (
        ("before", [corpus.entries[each.number].steps for each in needs]),
        ("after", [(smaller.get(each.number) or candidate(corpus, each.number)).entry.steps for each in needs]),
    ):
        sys.stdout.write(f"{what:8} median {statistics.median(lengths or [0])} calls\n")
    return 0


def _needs(corpus: Corpus, out: Path, pool: str) -> Iterator[Needs]:
    met = {number: facts(corpus.expectation(number, VERSION)) for number in corpus.entries}
    often = Counter(fact for each in met.values() for fact in each)
    rows = Counter(row for entry in corpus.entries.values() for row in entry.rows)
    kills: dict[int, list[str]] = {}
    table: Any = sqlite_utils.Database(out / "strength.db")["program"]
    for row in table.rows_where(
        "pool = ? and kills != ''", [pool], order_by="length(kills)"
    ):  # those of few killers first
        for number in map(int, row["kills"].split()):
            kills.setdefault(number, []).append(row["fault"])
    for number, entry in corpus.entries.items():
        if entry.brokers or entry.unsettled or not entry.why or number % UNREDUCED == 0:
            continue
        if CROSSING in corpus.program(number).about:  # its circumstances are to meet
            continue
        rare = frozenset(fact for fact in met[number] if often[fact] <= RARE)
        few = frozenset(row for row in entry.rows if rows[row] <= len(ROW))
        yield Needs(corpus.folder, number, tuple(kills.get(number, ())[:FAULTS]), rare, few)


def _reduced(need: Needs) -> Candidate | None:
    """Return the smallest program that was found, or None if there is none smaller."""
    logging.getLogger().addHandler(logging.NullHandler())
    corpus = corpus_in(need.folder)
    entry, program = corpus.entries[need.number], corpus.program(need.number)
    with contextlib.ExitStack() as stack:
        found = stack.enter_context(references())
        noticed = [stack.enter_context(_noticing(fault)) for fault in need.faults]

        def keeps(smaller: Program) -> bool:
            expectation = found[VERSION].run(smaller)
            return (
                expectation.unclear is None
                and need.facts <= facts(expectation)
                and all(each(expectation) for each in noticed)
            )

        if not keeps(program):
            return None
        small = fewer(program, keeps, BUDGET)
        made = None if small.steps == program.steps else renewed(found, entry, small)
        return made if made is not None and need.rows <= set(made.entry.rows) else None


@contextlib.contextmanager
def _noticing(fault: str) -> Iterator[Callable[[Expectation], bool]]:
    """Yield what says whether programs notice a fault: it has a process of its own for a while."""
    here, there = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(fault, there))
    process.start()

    def asked(expectation: Expectation) -> bool:
        here.send(expectation)
        return bool(here.poll(SECONDS) and here.recv())

    try:
        yield asked
    finally:
        with contextlib.suppress(OSError):
            here.send(None)
        process.join(CLOSING)
        process.kill()


def _serve(fault: str, there: Connection) -> None:
    with noticing(fault) as notices:
        while (expectation := there.recv()) is not None:
            there.send(notices(expectation))
