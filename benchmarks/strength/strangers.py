"""The faults that strangers wrote: how many the programs of a corpus notice, and by the row that the stranger named."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random

from benchmarks.strength.faults import Met, Task, meet
from faults import Fault, all_nearly_right
from tck.programs.corpus import corpus_in


def strangers(skip: int = 1, round_: str = "") -> list[Fault]:
    """Return the faults of strangers, those not noticed by the suite included: one of `skip`, of one round such as ``14``."""
    found = {**all_nearly_right(), **all_nearly_right(noticed=False)}
    return [each for _, each in sorted(found.items()) if each.origin.startswith(f"round {round_}")][::skip]


def measure(folder: Path, *, skip: int, programs: int | None, seed: int, out: Path, round_: str = "") -> int:
    """Run the programs on each fault, print the figures, and write what was found as JSON."""
    faults = strangers(skip, round_)
    numbers = list(corpus_in(folder).entries)
    Random(seed).shuffle(numbers)
    chosen = tuple(numbers[:programs])
    tasks = [Task(each.name, each.rows[:1], chosen, folder) for each in faults]
    owners = {each.name: each.rows[:1] for each in faults}
    met: list[Met] = []
    for one in meet(tasks):
        met.append(one)
        sys.stderr.write(f"\r{len(met)} of {len(tasks)} faults ")
    sys.stderr.write("\n")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps([asdict(each) for each in met], indent=1), encoding="utf-8")
    for line in lines(met, owners, len(chosen)):
        sys.stdout.write(f"{line}\n")
    return 0


def lines(met: list[Met], owners: dict[str, tuple[str, ...]], programs: int) -> Iterator[str]:
    """Yield the figures."""
    killed = [each for each in met if each.kills]
    owned = [each for each in killed if each.names(owners[each.fault])]
    yield f"programs        {programs}"
    yield f"faults          {len(met)}"
    yield f"noticed         {len(killed)} ({len(killed) / len(met):.0%})"
    yield f"by the owner    {len(owned)} ({len(owned) / len(met):.0%})"
