"""Whether the right row is blamed: the saboteurs against the programs of a corpus, and the row of the first difference.

A saboteur breaks one row. The first difference is named right if the first row that it names is that row, one of its
restatement group, or a row that the saboteur declares to fall with it: the corpus blames the first row. Among them it is
named if any row that the difference names is one of these.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random

from benchmarks.strength.faults import Met, Task, meet
from faults import Fault, all_saboteurs
from tck.catalogue import load_catalogue
from tck.programs.corpus import corpus_in


def measure(folder: Path, *, skip: int, programs: int | None, seed: int, out: Path) -> int:
    """Run the programs on each saboteur of a chapter's row, print how each rule names rows, and write what was found as JSON.

    Args:
        folder: The corpus.
        skip: One saboteur of so many.
        programs: At most so many programs; None for all.
        seed: Of the order of the programs.
        out: The file to write.
    """
    chosen = dict(
        sorted((row, each) for row, each in all_saboteurs().items() if row[0].isdigit() and not each.settings)
    )
    chosen = dict(list(chosen.items())[::skip])
    numbers = list(corpus_in(folder).entries)
    Random(seed).shuffle(numbers)
    tasks = [Task(row, (), tuple(numbers[:programs]), folder, most=1) for row in chosen]
    met: list[Met] = []
    for one in meet(tasks):
        met.append(one)
        sys.stderr.write(f"\r{len(met)} of {len(tasks)} saboteurs ")
    sys.stderr.write("\n")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps([asdict(each) for each in met], indent=1), encoding="utf-8")
    for line in lines(met, chosen):
        sys.stdout.write(f"{line}\n")
    return 0


def right_rows(saboteur: Fault) -> frozenset[str]:
    """Return the rows that may be blamed for a saboteur."""
    catalogue = load_catalogue()
    rows = (*saboteur.rows, *saboteur.collateral)
    return frozenset(each for row in rows for each in (catalogue.group_of(row) if row in catalogue else (row,)))


def lines(met: list[Met], saboteurs: dict[str, Fault]) -> Iterator[str]:
    """Yield the figures, and for each rule how often its first row was right and wrong, with the rows that it named wrongly."""
    killed = [each for each in met if each.kills and each.opened]
    right: Counter[str] = Counter()
    among = 0
    wrong: dict[str, list[str]] = {}
    for each in killed:
        kill = each.kills[0]
        rows = right_rows(saboteurs[each.fault])
        among += not rows.isdisjoint(kill.first)
        if not rows.isdisjoint(kill.first[:1]):
            right[kill.rule] += 1
        else:
            wrong.setdefault(kill.rule, []).append(f"{' '.join(kill.first) or 'none'} for {each.fault}")
    yield f"saboteurs         {len(met)}"
    yield f"noticed           {len(killed)}"
    yield f"named right       {right.total()} ({right.total() / max(1, len(killed)):.0%})"
    yield f"named among them  {among} ({among / max(1, len(killed)):.0%})"
    for rule in sorted({*right, *wrong}, key=lambda rule: (-len(wrong.get(rule, [])), rule)):
        others = "; ".join(sorted(wrong.get(rule, [])))
        yield f"{right[rule]:4} right {len(wrong.get(rule, [])):4} wrong  {rule}{f':  {others}' if others else ''}"
