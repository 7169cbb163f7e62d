"""`python -m benchmarks strength owners`: a row that is named is the fault's own, broken too, wrong, or there is none."""

import pytest

from benchmarks.strength.faults import Kill
from benchmarks.strength.owners import Owners, chosen, fate, lines, right_rows
from faults import all_saboteurs
from tck.catalogue import load_catalogue

FAULTS = dict(all_saboteurs())


def kill(*rows):
    return Kill(1, "receive missing: expected x, saw y", rows, rows, "the entry")


def figures(named, broken=()):
    shown = [" ".join(line.split()) for line in lines(len(named), Owners(named, FAULTS, {*broken}))]
    return shown[2:]


@pytest.mark.parametrize(
    ("rows", "broken", "shares", "wrong"),
    [
        (["3.4.7-1"], [], "1 (100%) 0 (0%) 0 (0%) 0 (0%)", []),
        (["3.4-1", "3.4.7-1"], [], "0 (0%) 0 (0%) 1 (100%) 0 (0%)", ["3.4-1 for 3.4.7-1: receive missing: expected x, saw y [the entry]"]),
        (["3.4-1"], [("3.4.7-1", "3.4-1")], "0 (0%) 1 (100%) 0 (0%) 0 (0%)", []),
        ([], [], "0 (0%) 0 (0%) 0 (0%) 1 (100%)", []),
    ],
)  # fmt: skip
def test_the_first_row_counts(rows, broken, shares, wrong):
    assert figures({"3.4.7-1": kill(*rows)}, broken) == [f"missing {shares}", f"all {shares}", *wrong]


def test_a_restatement_and_what_falls_with_a_row_are_right():
    catalogue = load_catalogue()
    restated = next(each for row, each in FAULTS.items() if row in catalogue and len(catalogue.group_of(row)) > 1)
    others = set(catalogue.group_of(restated.rows[0])) - {restated.rows[0]}
    assert others < right_rows(restated)
    declared = next(each for each in FAULTS.values() if each.collateral)
    assert {declared.rows[0], *declared.collateral} <= right_rows(declared)
    assert {fate(kill(row), restated) for row in (*others, restated.rows[0])} == {"its own"}


def test_the_halves_are_the_whole():
    one, other = chosen("a", 1), chosen("b", 1)
    assert not {*one} & {*other}
    assert {**one, **other} == chosen("", 1)
    assert 0.4 < len(one) / len(chosen("", 1)) < 0.6
