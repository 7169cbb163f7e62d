"""The covering array: journeys in which all allowed pairs of conditions meet, and the triples that `TRIPLES` names.

`journeys.csv` holds them, a journey in each line. `python -m tck.suite.support.journeys.array` writes it anew after a change
of the axes; the same axes give the same lines, and a test demands that the file is up to date.
"""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from tck.suite.support.harness.point import JOURNEY
from tck.suite.support.journeys.model import AXES, EXCLUSIONS, TRIPLES, Exclusion, Journey, excluded

FILE: Final = Path(__file__).with_name("journeys.csv")
"""The journeys, in the order of their numbers."""

Meeting: TypeAlias = "tuple[tuple[str, str], ...]"
"""Values of two or three axes, each with its axis, in the order of `AXES`."""


@cache
def journeys() -> Mapping[str, Journey]:
    """Return all journeys by their names, `journey-1` and so on."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {f"{JOURNEY}{number}": Journey(**row) for number, row in enumerate(csv.DictReader(file), start=1)}


def groups() -> Sequence[tuple[str, ...]]:
    """Return the groups of axes of which all allowed combinations are to meet."""
    places = {axis: place for place, axis in enumerate(AXES)}
    return (*itertools.combinations(AXES, 2), *(tuple(sorted(three, key=places.__getitem__)) for three in TRIPLES))


def meetings(journey: Mapping[str, str]) -> Iterator[Meeting]:
    """Yield the pairs and triples that a journey meets."""
    for group in groups():
        yield tuple((axis, journey[axis]) for axis in group)


def allowed() -> Sequence[Meeting]:
    """Return the pairs and triples that a journey can meet, in a fixed order."""
    every = (
        tuple(zip(group, values, strict=True))
        for group in groups()
        for values in itertools.product(*(AXES[axis] for axis in group))
    )
    return [meeting for meeting in every if completed(dict(meeting)) is not None]


def completed(conditions: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return the conditions with a value for every axis, or None if no allowed journey has them."""
    if excluded(conditions):
        return None
    open_axes = [axis for axis in AXES if axis not in conditions and _matters(axis)]
    if (found := _complete(dict(conditions), open_axes)) is None:
        return None
    return {axis: found.get(axis, values[0]) for axis, values in AXES.items()}


@cache
def _matters(axis: str) -> bool:
    """Whether any exclusion speaks of an axis."""
    return any(axis in exclusion.values for exclusion in EXCLUSIONS)


@cache
def _exclusions_of(axis: str) -> Sequence[Exclusion]:
    return [exclusion for exclusion in EXCLUSIONS if axis in exclusion.values]


def _complete(chosen: dict[str, str], rest: Sequence[str]) -> dict[str, str] | None:
    """Try the values of the open axes in turn, the axis with the fewest allowed values first."""
    if not rest:
        return chosen
    choices = {axis: _choices(chosen, axis) for axis in rest}
    axis = min(rest, key=lambda one: len(choices[one]))
    for value in choices[axis]:
        found = _complete({**chosen, axis: value}, [one for one in rest if one != axis])
        if found is not None:
            return found
    return None


def _choices(chosen: Mapping[str, str], axis: str) -> list[str]:
    """Return the values of an axis that meet no exclusion together with the chosen ones."""
    return [
        value
        for value in AXES[axis]
        if not any(exclusion.meets({**chosen, axis: value}) for exclusion in _exclusions_of(axis))
    ]


@cache
def _possible(conditions: frozenset[tuple[str, str]]) -> bool:
    return completed(dict(conditions)) is not None


def generate() -> list[Mapping[str, str]]:
    """Generate journeys until every allowed pair and triple is met: each begins with one that is still unmet."""
    unmet = dict.fromkeys(sorted(allowed(), key=lambda meeting: -len(meeting)))
    made: list[Mapping[str, str]] = []
    while unmet:
        journey = _grown(dict(next(iter(unmet))), unmet, Counter(pair for one in made for pair in one.items()))
        for meeting in meetings(journey):
            unmet.pop(meeting, None)
        made.append(journey)
    return made


def _grown(
    chosen: dict[str, str], unmet: Mapping[Meeting, None], used: Mapping[tuple[str, str], int]
) -> Mapping[str, str]:
    """Give every axis a value: the one that meets most, of those that leave a journey possible; else the rarest so far."""
    wanted: dict[str, list[dict[str, str]]] = {axis: [] for axis in AXES}
    for meeting in unmet:
        for axis, _ in meeting:
            wanted[axis].append(dict(meeting))
    while len(chosen) < len(AXES):
        axis, value = max(_candidates(chosen, wanted), key=lambda scored: (*scored[0], -used.get(scored[1], 0)))[1]
        chosen[axis] = value
    return {axis: chosen[axis] for axis in AXES}


def _candidates(
    chosen: Mapping[str, str], wanted: Mapping[str, Iterable[dict[str, str]]]
) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
    """Yield the values that an open axis may take, each with the number of unmet meetings that it completes or helps."""
    for axis, values in AXES.items():
        if axis in chosen:
            continue
        gains = dict.fromkeys(values, 0)
        helps = dict.fromkeys(values, 0)
        for meeting in wanted[axis]:
            others = [(one, value) for one, value in meeting.items() if one != axis]
            if all(chosen.get(one) == value for one, value in others):
                gains[meeting[axis]] += 1
            elif all(chosen.get(one, value) == value for one, value in others):
                helps[meeting[axis]] += 1
        for value in values:
            if _possible(frozenset({**chosen, axis: value}.items())):
                yield (gains[value], helps[value]), (axis, value)


def met(made: Iterable[Mapping[str, str]]) -> frozenset[Meeting]:
    """Return all pairs and triples that these journeys meet."""
    return frozenset(meeting for journey in made for meeting in meetings(journey))


def write(made: Iterable[Mapping[str, str]]) -> None:
    """Write the file."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(AXES), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)


if __name__ == "__main__":
    write(generate())
