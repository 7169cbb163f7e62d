"""Which of the named states a program meets, by its steps and expected outcomes alone.

A state is an operation under a circumstance, such as ``listener take shared``: a listener that takes messages of a shared
subscription. A pair is a value and a path that it takes, such as ``int largest: property``. The generator has floors on
states; a report counts both.

table, pairs    the tables of all states, and of all pairs
history         what was delivered, given back and left waiting so far
walking, marks  go through a program, and note the states that it meets
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from benchmarks.strength.states.pairs import pairs_of
from benchmarks.strength.states.table import STATES
from benchmarks.strength.states.walking import states_of
from tck.programs.expectation import Expectation

__all__ = ["STATES", "counts", "facts"]


def facts(expectation: Expectation) -> frozenset[str]:
    """Return the states and the pairs that a program meets."""
    return states_of(expectation) | pairs_of(expectation)


def counts(expectations: Iterable[Expectation]) -> Counter[str]:
    """Count, for each state and pair, the programs that meet it; one that none meets is not in it."""
    found: Counter[str] = Counter()
    for each in expectations:
        found.update(facts(each))
    return found
