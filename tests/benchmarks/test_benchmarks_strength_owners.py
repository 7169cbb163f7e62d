"""`python -m benchmarks strength owners`: the first row that a difference names is right, or one of the others is."""

from benchmarks.strength.faults import Kill, Met
from benchmarks.strength.owners import lines, right_rows
from faults import all_saboteurs
from tck.catalogue import load_catalogue


def met(fault, *rows):
    return Met(fault, [Kill(1, "x", rows, rows, "the rule")])


def figures(*found):
    shown = lines(list(found), dict(all_saboteurs()))
    return [" ".join(line.split()) for line in shown]


def test_the_first_row_is_right_or_one_of_the_others_is():
    shown = figures(
        met("3.4.10-3", "3.4.10-3", "3.4-1"),
        met("3.4.7-2", "3.4.7-1", "3.4.7-2"),
        met("3.4.7-1", "1.1-1"),
        Met("3.4.8-1"),
    )
    assert shown[:4] == ["saboteurs 4", "noticed 3", "named right 1 (33%)", "named among them 2 (67%)"]
    assert shown[4:] == ["1 right 2 wrong the rule: 1.1-1 for 3.4.7-1; 3.4.7-1 3.4.7-2 for 3.4.7-2"]


def test_a_difference_that_names_no_row_is_wrong():
    assert figures(met("3.4.7-1"))[2:] == [
        "named right 0 (0%)",
        "named among them 0 (0%)",
        "0 right 1 wrong the rule: none for 3.4.7-1",
    ]


def test_a_restatement_and_what_falls_with_a_row_are_right():
    catalogue = load_catalogue()
    restated = next(
        each for row, each in all_saboteurs().items() if row in catalogue and len(catalogue.group_of(row)) > 1
    )
    others = set(catalogue.group_of(restated.rows[0])) - {restated.rows[0]}
    assert others < right_rows(restated)
    declared = next(each for each in all_saboteurs().values() if each.collateral)
    assert {declared.rows[0], *declared.collateral} <= right_rows(declared)
    for row in (*others, restated.rows[0]):
        assert figures(met(restated.rows[0], row))[2] == "named right 1 (100%)"
