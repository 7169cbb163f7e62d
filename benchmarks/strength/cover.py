"""A greedy cover: programs chosen one by one, each the one that adds most, by its cost."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

Gain = Sequence[float]
"""What something is worth the first, the second and each further time; then nothing."""
T = TypeVar("T", bound=Hashable)

FAULT: Final[Gain] = (10, 4, 2)
FACT: Final[Gain] = (2, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25)
ROW: Final[Gain] = (3, 3, 3)
CROSSED: Final[Gain] = (0.4,)


@dataclass(slots=True)
class Cover(Generic[T]):
    """What has been chosen so far.

    Attributes:
        meets: For each candidate what it meets.
        gain: What an element is worth.
        cost: What a candidate costs.
        have: How often each element is met by those chosen.
    """

    meets: Mapping[int, frozenset[T]]
    gain: Callable[[T], Gain]
    cost: Callable[[int], float]
    have: Counter[T] = field(default_factory=Counter)

    def worth(self, candidate: int) -> float:
        """Return what a candidate would add, by its cost."""
        return sum(self._next(each) for each in self.meets[candidate]) / self.cost(candidate)

    def _next(self, element: T) -> float:
        gains, times = self.gain(element), self.have[element]
        return gains[times] if times < len(gains) else 0

    def choose(self, candidates: Sequence[int], most: int, least: float = 0) -> Iterator[tuple[int, list[T]]]:
        """Yield candidates in the order in which they are chosen, each with what it is the first to meet.

        Args:
            candidates: Those to choose from; of equal ones the earlier is chosen.
            most: So many at most.
            least: What each adds more than.
        """
        # Worth only falls while candidates are chosen, so the best of the old values needs to be looked at anew, and no other.
        heap = [(-self.worth(each), place) for place, each in enumerate(candidates)]
        heapq.heapify(heap)
        count = 0
        while heap and count < most:
            before, place = heapq.heappop(heap)
            now = self.worth(candidates[place])
            if now * self.cost(candidates[place]) <= least:
                continue
            if now < -before:
                heapq.heappush(heap, (-now, place))
                continue
            count += 1
            met = self.meets[candidates[place]]
            new = [each for each in met if not self.have[each]]
            self.have.update(met)
            yield candidates[place], new
