"""Draws composed faults from the recorded pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.mutants.sites import Mutant
from benchmarks.strength.recording import Reach, Target, key_of, targets_of
from faults import all_saboteurs
from faults.composing.operators import generic_names, operators
from faults.composing.seams import GROUNDS
from faults.finding import found_alone
from faults.kit.declaring import ON

ORDERS: Final = {1: 45, 2: 40, 3: 15}
"""Circumstances of a fault, and how often it has so many: most failures in the field depend on one or two conditions."""
BROAD: Final = 0.5
"""Share of broad faults among those drawn; the others are generic, on a ground half of them in its own functions."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A composed fault.

    Attributes:
        name: By which the provider loads it.
        alone: The fault without circumstances.
        facts: Its circumstances.
        cases: The cases that reach it: all circumstances hold in one call of a function that it changes.
        mutant: The change of the source, in place of all that, if it is one.
    """

    name: str
    alone: str
    facts: tuple[str, ...]
    cases: tuple[str, ...]
    mutant: Mutant | None = None

    @property
    def broad(self) -> bool:
        """Whether it is a row's saboteur under circumstances, and no generic fault."""
        return "/" not in self.alone


def broad_faults() -> Mapping[str, object]:
    """Return the broad faults that are composed: those of chapters that need no settings of the provider."""
    return {row: fault for row, fault in all_saboteurs().items() if row[0].isdigit() and not fault.settings}


def draw(reach: Reach, seed: int, ground: str = "") -> Iterator[Drawn]:
    """Yield composed faults without end, in the order of a seed; none twice; on the ground of a lawful provider, if one is given."""
    random = Random(seed)
    own = [f"{seam}/{operator}" for seam, each in GROUNDS.get(ground, {}).items() for operator in operators(each)]
    pools = [*broad_faults()], [*generic_names(), *own * (len(generic_names()) // max(1, len(own)))]
    targets: dict[str, list[Target]] = {}
    mined: dict[str, list[str]] = {}
    seen = set[str]()
    while True:
        alone = random.choice(pools[random.random() >= BROAD])
        if alone not in targets:
            targets[alone] = targets_of(found_alone(alone, ground))
        keys = [key_of(*target) for target in targets[alone]]
        key = random.choice([each for each in keys if each in reach.facts] or [""])
        if key not in mined:
            mined[key] = reach.mined(key)
        order = random.choices([*ORDERS], [*ORDERS.values()])[0]
        if len(mined[key]) < order:
            continue
        facts = tuple(sorted(random.sample(mined[key], order)))
        name = f"{ON}{ground}: " * bool(ground) + f"{alone} under {' and '.join(facts)}"
        if name in seen:
            continue
        seen.add(name)
        cases = reach.cases(key, facts)
        yield Drawn(name, alone, facts, tuple(random.sample(cases, len(cases))))


def kind_of(fact: str) -> str:
    """Return the kind of a circumstance, for tables."""
    kinds = {"after-": "history", "equal-": "equality", "within-": "history", "second-life": "history"}
    places = ("property-", "entry-", "item-", "body-", "header-", "destination-", "argument-")
    if "-of-" in fact:
        return "nth event"
    if fact.startswith(places):
        return "size" if "-from-" in fact else "value or name"
    return next((kind for begin, kind in kinds.items() if fact.startswith(begin)), "state")
