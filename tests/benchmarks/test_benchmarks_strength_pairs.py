"""`python -m benchmarks strength pairs`: a composed fault is tried for a narrow one where the recorded pass promises equality."""

import pytest

from benchmarks.strength.pairs import promising
from benchmarks.strength.recording import Reach, key_of, targets_of
from faults import find
from faults.composing.circumstances import FACTS

BITS = {name: 1 << number for number, name in enumerate(FACTS)}
BASE = find("3.4.10-3")
CASES = {
    "a": {BITS["persistent"], BITS["queue"]},
    "b": {BITS["persistent"], 0},
    "c": {BITS["topic"] | BITS["text"], BITS["queue"]},
    "d": {BITS["topic"], BITS["text"]},
}


def names(wanted, by_base=("a", "b", "c", "d")):
    reach = Reach(facts={key_of(*target): CASES for target in targets_of(BASE)})
    return [
        name.partition(" under ")[2] for name in promising(BASE, frozenset(wanted), frozenset(by_base), reach, CASES)
    ]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("abcd", [""]),
        ("ab", ["persistent"]),
        ("ac", ["queue"]),
        ("cd", ["topic", "text"]),
        ("a", ["queue and persistent", "persistent and queue"]),
        ("", []),
    ],
)
def test_circumstances_are_chosen_by_the_cases_that_reach_them(wanted, expected):
    found = names(wanted)
    assert found == [] if not expected else set(expected) & set(found)


def test_no_circumstance_makes_a_fault_noticed_that_the_broad_one_is_not():
    assert names("ab", by_base="a") == []
