"""Covering arrays: a few combinations of conditions in which all allowed pairs meet, and the triples that are named.

A combination gives each axis one of its values. The same axes give the same array.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

Meeting: TypeAlias = "tuple[tuple[str, str], ...]"
"""Values of two or three axes, each with its axis, in the order of the axes."""
Excluded: TypeAlias = "Mapping[str, frozenset[str]]"
"""What no combination has: each of these axes with one of these values."""


class Array:
    """The covering array of some axes.

    Args:
        axes: The values of each axis.
        exclusions: What no combination has.
        triples: The axes of which all allowed triples are to meet; of all others, all allowed pairs.
    """

    def __init__(
        self, axes: Mapping[str, Sequence[str]], exclusions: Sequence[Excluded], triples: Sequence[tuple[str, str, str]]
    ) -> None:
        self.axes = axes
        self._exclusions = {axis: [each for each in exclusions if axis in each] for axis in axes}
        places = {axis: place for place, axis in enumerate(axes)}
        self.groups = (
            *itertools.combinations(axes, 2),
            *(tuple(sorted(three, key=places.__getitem__)) for three in triples),
        )
        self._known: dict[frozenset[tuple[str, str]], bool] = {}

    def meetings(self, combination: Mapping[str, str]) -> Iterator[Meeting]:
        """Yield the pairs and triples that a combination meets."""
        for group in self.groups:
            yield tuple((axis, combination[axis]) for axis in group)

    @cached_property
    def allowed(self) -> Sequence[Meeting]:
        """The pairs and triples that a combination can meet, in a fixed order."""
        every = (
            tuple(zip(group, values, strict=True))
            for group in self.groups
            for values in itertools.product(*(self.axes[axis] for axis in group))
        )
        return [meeting for meeting in every if self._possible(dict(meeting))]

    def completed(self, conditions: Mapping[str, str]) -> Mapping[str, str] | None:
        """Return the conditions with a value for every axis, or None if no allowed combination has them."""
        chosen = dict(conditions)
        if any(_meets(each, chosen) for axis in chosen for each in self._exclusions[axis]):
            return None
        rest = [axis for axis in self.axes if axis not in chosen and self._exclusions[axis]]
        if (found := self._complete(chosen, rest)) is None:
            return None
        return {axis: found.get(axis, values[0]) for axis, values in self.axes.items()}

    def _complete(self, chosen: dict[str, str], rest: Sequence[str]) -> dict[str, str] | None:
        """Try the values of the open axes in turn, the axis with the fewest allowed values first."""
        if not rest:
            return chosen
        choices = {axis: self._choices(chosen, axis) for axis in rest}
        axis = min(rest, key=lambda one: len(choices[one]))
        for value in choices[axis]:
            found = self._complete({**chosen, axis: value}, [one for one in rest if one != axis])
            if found is not None:
                return found
        return None

    def _choices(self, chosen: Mapping[str, str], axis: str) -> list[str]:
        """Return the values of an axis that meet no exclusion together with the chosen ones."""
        return [
            value
            for value in self.axes[axis]
            if not any(_meets(each, {**chosen, axis: value}) for each in self._exclusions[axis])
        ]

    def _possible(self, conditions: Mapping[str, str]) -> bool:
        key = frozenset(conditions.items())
        if key not in self._known:
            self._known[key] = self.completed(conditions) is not None
        return self._known[key]

    def generate(self) -> list[Mapping[str, str]]:
        """Generate combinations until every allowed pair and triple is met: each begins with one that is still unmet."""
        unmet = dict.fromkeys(sorted(self.allowed, key=lambda meeting: -len(meeting)))
        made: list[Mapping[str, str]] = []
        used: Counter[tuple[str, str]] = Counter()
        while unmet:
            combination = self._grown(dict(next(iter(unmet))), unmet, used)
            for meeting in self.meetings(combination):
                unmet.pop(meeting, None)
            used.update(combination.items())
            made.append(combination)
        return made

    def _grown(
        self, chosen: dict[str, str], unmet: Mapping[Meeting, None], used: Mapping[tuple[str, str], int]
    ) -> Mapping[str, str]:
        """Give every axis a value: the one that meets most, of those that leave a combination possible; else the rarest so far."""
        wanted: dict[str, list[tuple[str, Meeting]]] = {axis: [] for axis in self.axes}
        for meeting in unmet:
            for place, (axis, value) in enumerate(meeting):
                wanted[axis].append((value, meeting[:place] + meeting[place + 1 :]))
        while len(chosen) < len(self.axes):
            for axis in wanted.keys() - chosen.keys():
                wanted[axis] = [
                    each for each in wanted[axis] if all(chosen.get(*other) == other[1] for other in each[1])
                ]
            scored = sorted(
                self._candidates(chosen, wanted), key=lambda each: (*each[0], -used.get(each[1], 0)), reverse=True
            )
            chosen |= [next(each for _, each in scored if self._possible({**chosen, each[0]: each[1]}))]
        return {axis: chosen[axis] for axis in self.axes}

    def _candidates(
        self, chosen: Mapping[str, str], wanted: Mapping[str, Iterable[tuple[str, Meeting]]]
    ) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
        """Yield the values that an open axis may take, each with the number of unmet meetings that it completes or helps."""
        for axis, values in self.axes.items():
            if axis in chosen:
                continue
            gains = dict.fromkeys(values, 0)
            helps = dict.fromkeys(values, 0)
            for value, others in wanted[axis]:
                (gains if all(one in chosen for one, _ in others) else helps)[value] += 1
            yield from (((gains[value], helps[value]), (axis, value)) for value in values)

    def met(self, made: Iterable[Mapping[str, str]]) -> frozenset[Meeting]:
        """Return all pairs and triples that these combinations meet."""
        return frozenset(meeting for combination in made for meeting in self.meetings(combination))


def _meets(excluded: Excluded, conditions: Mapping[str, str]) -> bool:
    return all(conditions.get(axis) in values for axis, values in excluded.items())
