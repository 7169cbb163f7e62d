"""`python -m benchmarks strength pairs`: a composed fault is tried for a narrow one where the recorded pass promises equality."""

import csv
from pathlib import Path

import pytest

import benchmarks.strength
from benchmarks.strength.pairs import promising
from benchmarks.strength.recording import Reach, key_of, targets_of
from faults import all_nearly_right, find
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


def test_what_went_for_a_composed_fault_is_gone_and_the_composed_fault_is_there():
    file = Path(benchmarks.strength.__file__).parent / "superseded.csv"
    pairs = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert pairs
    assert {each["narrow"] for each in pairs}.isdisjoint(all_nearly_right())
    assert all(find(each["composed"]) and each["cases"] for each in pairs)
