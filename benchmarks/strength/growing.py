"""`python -m benchmarks strength grow`: programs for the faults that programs of the pool reach and do not notice.

A program in which such a fault changed something is cut behind the step that did, and goes on as a new one: it looks at all that
there is, or goes on by chance, and ends. New programs that notice the fault enter the pool, for `choose`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import sqlite_utils

from benchmarks.strength.choosing import candidate
from benchmarks.strength.faults import Task, in_processes, infecting_steps, meet
from tck.explore.collection import Candidate, continued, store
from tck.programs.corpus import Corpus, corpus_in

FROM: Final = 4
"""At most so many programs in which a fault changed something are continued."""
TRIES: Final = 6
"""So many new programs of each step."""
Cut = tuple[int, int]
"""A program, and the number of its steps that are kept."""


def grow(out: Path, *, seed: int, faults: int) -> int:
    """Add programs to a pool of `choose`; return the exit code.

    Args:
        out: Where the pool is, and the database.
        seed: That of the pool.
        faults: So many are tried at most.
    """
    folder = out / f"pool-{seed}"
    pool, table = corpus_in(folder), _table(out)
    rows = [*table.rows_where("pool = ? and kills = '' and silent != ''", [folder.name])][:faults]
    tasks = [Task(row["fault"], (), tuple(map(int, row["silent"].split()[:FROM])), folder) for row in rows]
    cuts = {task.fault: found for task, found in in_processes(infecting_steps, tasks) if found}
    made = dict(_made(pool, sorted({cut for found in cuts.values() for cut in found})))
    _say(f"{len(rows)} faults, {sum(map(len, made.values()))} new programs of {len(made)} steps\n")
    last = max(pool.entries)
    trial = out / f"{folder.name}-grown"
    numbers: dict[Cut, list[int]] = defaultdict(list)
    new: dict[int, Candidate] = {}
    for cut, found in made.items():
        for each in found:
            number = last + len(new) + 1
            new[number] = replace(each, entry=replace(each.entry, number=number))
            numbers[cut].append(number)
    store(trial, [*new.values()])
    kills: dict[str, list[int]] = {}
    tried = [Task(fault, (), tuple(n for cut in found for n in numbers[cut]), trial) for fault, found in cuts.items()]
    for done, met in enumerate(meet([each for each in tried if each.programs]), 1):
        kills[met.fault] = [kill.program for kill in met.kills if kill.rows and met.opened]
        _say(f"\r{done} faults met ")
    useful = {number for found in kills.values() for number in found}
    store(folder, [*(candidate(pool, number) for number in pool.entries), *(new[number] for number in sorted(useful))])
    for fault, killers in kills.items():
        if killers:
            table.update((folder.name, fault), {"kills": " ".join(map(str, killers))})
    sys.stdout.write(
        f"noticed   {sum(map(bool, kills.values()))} of {len(rows)} faults; {len(useful)} programs into the pool\n"
    )
    return 0


def _made(pool: Corpus, cuts: Sequence[Cut]) -> Iterator[tuple[Cut, list[Candidate]]]:
    tasks = [(pool.folder, cuts[at : at + 20]) for at in range(0, len(cuts), 20)]
    for _, found in in_processes(_continue, tasks, seconds=900):
        yield from found or ()


def _continue(task: tuple[Path, Sequence[Cut]]) -> list[tuple[Cut, list[Candidate]]]:
    pool = corpus_in(task[0])
    entries = [(pool.entries[number], pool.program(number), steps) for number, steps in task[1]]
    return list(zip(task[1], continued(entries, TRIES), strict=True))


def _table(out: Path) -> Any:  # noqa: ANN401 - of sqlite-utils
    return sqlite_utils.Database(out / "strength.db")["program"]


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
