"""`python -m benchmarks strength choose`: programs of a pool for the corpus, by the composed faults that they notice.

One pass over the pool notes what each program reaches; drawn faults meet the programs that reach them; a greedy cover of faults
(each noticed by three programs), named states, pairs of a value and its path, rows (each in three programs), and the pairs and
triples of crossings is the corpus. It grows in tiers of ability, so that the part that a profile can run is a cover of what it
can run. Of the programs that are there at most a tenth leaves.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import sqlite_utils

from benchmarks.strength.cover import CROSSED, FACT, FAULT, ROW, Cover
from benchmarks.strength.drawing import Drawn, draw, kind_of
from benchmarks.strength.faults import Task, in_processes, meet, record
from benchmarks.strength.making import meetings, pool
from benchmarks.strength.recording import Reach
from benchmarks.strength.states import facts
from tck.explore.collection import Candidate, store
from tck.programs.corpus import VERSIONS, Corpus, Entry, corpus_in

STAY: Final = 0.9
"""At least so many of the programs that are there stay."""
TRIED: Final = 40
"""At most so many programs meet a fault, of those that reach it, by chance."""
KILLS: Final = 6
"""So many programs that notice a fault end its trial."""
CHUNK: Final = 200
TIERS: Final[Sequence[Callable[[Entry], bool]]] = (
    lambda entry: VERSIONS[-1] in entry.versions and not entry.hooks and not entry.virtual,
    lambda entry: not entry.hooks and not entry.virtual,
    lambda entry: not entry.virtual,
)
"""The tiers of ability below the whole: the oldest version; nothing but the API; what a real clock allows."""
Element = tuple[str, str]


def choose(
    folder: Path,
    out: Path,
    *,
    seed: int,
    candidates: int,
    crossed: int,
    faults: int,
    most: int,
    seconds: float,
    leave_out: Collection[str] = (),
) -> int:
    """Choose the programs of a corpus anew and write it; return the exit code.

    Args:
        folder: The corpus.
        out: Where the pool is, and the database.
        seed: Of the pool and of the draw.
        candidates: How many random programs the pool has beside those that are there.
        crossed: How many crossings it has.
        faults: How many faults are drawn.
        most: How many programs the corpus has at most.
        seconds: No further fault is met after so many; the next call continues.
        leave_out: Programs that do not enter, by seed and number, ``2000/411``, and that leave, by their case, ``corpus/0137``.
    """
    there = Corpus(folder)
    everything = pool_of(there, out / f"pool-{seed}", seed, candidates, crossed)
    reach = recorded_programs(everything, out)
    drawn = list(islice(draw(reach, seed), faults))
    kills = killers(everything, drawn, out, seconds)
    free = {
        number: entry
        for number, entry in everything.entries.items()
        if not {entry.seed, f"corpus/{entry.name}"} & set(leave_out)
    }
    meets = {number: _met(everything, number, kills) for number in free}
    kept = list(chosen([number for number in there.entries if number in free], free, meets, most))
    # Those that are there may have been reduced, and met brokers, since the pool was made.
    store(folder, [candidate(there if number in there.entries else everything, number, why) for number, why in kept])
    for line in lines(kept, meets, drawn, [number for number in there.entries if number in free]):
        sys.stdout.write(f"{line}\n")
    for kind, noticed, known in left_out(free, meets, most, drawn):
        share = f"{noticed / known:.0%}" if known else "-"
        sys.stdout.write(f"without {kind:14} {noticed} of {known} of these that the pool notices ({share})\n")
    return 0


# -- the pool ------------------------------------------------------------------------------------------------------------


def pool_of(there: Corpus, folder: Path, seed: int, candidates: int, crossed: int) -> Corpus:
    """Return the corpus together with new programs; they are made once."""
    if not (folder / "index.csv").exists():
        known = {entry.seed for entry in there.entries.values()}
        last = max(there.entries, default=0)
        new = (each for each in pool(seed, candidates, crossed=crossed) if each.entry.seed not in known)
        added = [replace(each, entry=replace(each.entry, number=number)) for number, each in enumerate(new, last + 1)]
        store(folder, [*(candidate(there, number) for number in there.entries), *added])
    return corpus_in(folder)


def candidate(corpus: Corpus, number: int, why: str | None = None) -> Candidate:
    """Return a program of a corpus, with the reason why it is chosen if one is given."""
    entry = corpus.entries[number]
    expected = {version: corpus.expectation(number, version) for version in entry.versions}
    return Candidate(entry if why is None else replace(entry, why=why), expected)


def recorded_programs(corpus: Corpus, out: Path) -> Reach:
    """Return which circumstances each program of a corpus reaches, by its number; recorded once."""
    kept = out / f"{corpus.folder.name}.pickle"
    if not kept.exists():
        numbers = list(corpus.entries)
        chunks = [(corpus.folder, numbers[at : at + CHUNK]) for at in range(0, len(numbers), CHUNK)]
        reach = Reach()
        for done, (chunk, made) in enumerate(in_processes(record, chunks, seconds=900), 1):
            if made is None:
                raise RuntimeError(f"programs {chunk[1][0]} to {chunk[1][-1]} could not be recorded")
            for number, seen in made:
                for key, masks in seen.items():
                    reach.facts.setdefault(key, {}).setdefault(str(number), set()).update(masks)
            sys.stderr.write(f"\rrecorded {done} of {len(chunks)} ")
        sys.stderr.write("\n")
        kept.write_bytes(pickle.dumps(reach))
    found: Reach = pickle.loads(kept.read_bytes())  # noqa: S301 - written above
    return found


# -- faults --------------------------------------------------------------------------------------------------------------


def killers(corpus: Corpus, drawn: Sequence[Drawn], out: Path, seconds: float) -> dict[int, list[str]]:
    """Return the faults that each program notices; those met earlier are read from the database."""
    table: Any = sqlite_utils.Database(out / "strength.db")["program"]
    table.create({"pool": str, "fault": str, "kills": str, "silent": str}, pk=("pool", "fault"), if_not_exists=True)
    name = corpus.folder.name
    known = {row["fault"]: row["kills"].split() for row in table.rows_where("pool = ?", [name])}
    ends = time.monotonic() + seconds

    def tasks() -> Iterator[Task]:
        for each in drawn:
            if each.name not in known and each.cases and time.monotonic() < ends:
                yield Task(each.name, (), tuple(map(int, each.cases[:TRIED])), corpus.folder, KILLS)

    for done, met in enumerate(meet(tasks()), 1):
        known[met.fault] = [str(kill.program) for kill in met.kills if kill.rows and met.opened]
        kills, silent = " ".join(known[met.fault]), " ".join(map(str, met.silent))
        table.insert({"pool": name, "fault": met.fault, "kills": kills, "silent": silent}, replace=True)
        sys.stderr.write(f"\r{done} faults met ")
    sys.stderr.write("\n")
    found: dict[int, list[str]] = defaultdict(list)
    for each in drawn:
        for number in known.get(each.name, ()):
            found[int(number)].append(each.name)
    return found


def _met(corpus: Corpus, number: int, kills: Mapping[int, Sequence[str]]) -> frozenset[Element]:
    entry = corpus.entries[number]
    return frozenset(
        {("fault", each) for each in kills.get(number, ())}
        | {("row", each) for each in entry.rows}
        | {("fact", each) for each in facts(corpus.expectation(number, VERSIONS[0]))}
        | {("crossed", " ".join(map(":".join, each))) for each in meetings(corpus.program(number))}
    )


# -- the choice ----------------------------------------------------------------------------------------------------------


def chosen(
    there: Iterable[int], entries: Mapping[int, Entry], meets: Mapping[int, frozenset[Element]], most: int
) -> Iterator[tuple[int, str]]:
    """Yield the programs of the corpus, each with what it is the first to meet.

    Args:
        there: The programs that are in the corpus.
        entries: All programs.
        meets: What each meets.
        most: How many to yield at most.
    """
    gains = {"fault": FAULT, "fact": FACT, "row": ROW, "crossed": CROSSED}
    cover: Cover[Element] = Cover(meets, lambda element: gains[element[0]], lambda number: _cost(entries[number]))
    old, taken = [*there], set[int]()
    tiers = [([number for number, entry in entries.items() if tier(entry)], most, FAULT[0]) for tier in TIERS]
    for candidates, count, least in ((old, int(STAY * len(old)), -1.0), *tiers, ([*entries], most, 0.0)):
        free = [number for number in candidates if number not in taken]
        for number, new in cover.choose(free, min(count, most - len(taken)), least):
            taken.add(number)
            counts = Counter(kind for kind, _ in new)
            yield number, " ".join(f"{kind}:{counts[kind]}" for kind in gains if counts[kind])


def left_out(
    entries: Mapping[int, Entry], meets: Mapping[int, frozenset[Element]], most: int, drawn: Sequence[Drawn]
) -> Iterator[tuple[str, int, int]]:
    """Yield each kind of circumstance, and of the faults of this kind how many a corpus notices that is chosen without them, and how many the pool."""
    kinds = {each.name: {kind_of(fact) for fact in each.facts} for each in drawn}
    for kind in sorted(set().union(*kinds.values())):
        of_kind = {("fault", name) for name, found in kinds.items() if kind in found}
        without = {number: found - of_kind for number, found in meets.items()}
        corpus = [number for number, _ in chosen((), entries, without, most)]
        noticed, known = (
            of_kind & frozenset().union(*(meets[number] for number in among)) for among in (corpus, meets)
        )
        yield kind, len(noticed), len(known)


def _cost(entry: Entry) -> float:
    return 20 + entry.steps + 30 * len(entry.hooks)


def lines(
    kept: Sequence[tuple[int, str]],
    meets: Mapping[int, frozenset[Element]],
    drawn: Sequence[Drawn],
    there: Sequence[int],
) -> Iterator[str]:
    """Yield the figures."""
    numbers = {number for number, _ in kept}
    pool_kills, kills, before = (
        {name for number in among for kind, name in meets[number] if kind == "fault"}
        for among in (meets, numbers, there)
    )
    yield f"programs       {len(kept)} of {len(meets)}; {len(numbers - set(there))} new, {len(set(there) - numbers)} left"
    yield f"faults         {len(drawn)} drawn, {sum(bool(each.cases) for each in drawn)} reached"
    yield f"noticed        {len(pool_kills)} by the pool, {len(before)} by the corpus before, {len(kills)} by the corpus now"
