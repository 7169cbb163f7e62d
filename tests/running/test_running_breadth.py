"""How broad saboteurs are: the counts, and the list that may only shrink."""

from __future__ import annotations

from faults import all_saboteurs
from tck.detection.breadth import FILE, Breadths, listed, measure
from tck.detection.judge import Sight, Story

CEILING = 3
"""The number of narrow saboteurs in the list; it may only be lowered."""


def story(**verdicts: str) -> Story:
    """Return the results of cases of 8.5-3, one for each domain_mode."""
    return Story(
        tuple(
            Sight(f"8.5-3/{key.replace('_', '/classic/')}", {"8.5-3": verdict}, "", "")
            for key, verdict in verdicts.items()
        ),
        None,
    )


def test_a_saboteur_that_half_of_its_cases_notice_is_broad() -> None:
    found = measure("8.5-3", "x", ["8.5-3"], story(queue_auto="violation", topic_auto="conformant"))
    assert (found.noticed, found.kept, found.narrow, found.only) == (1, 1, False, ("domain: queue",))


def test_a_saboteur_of_one_mode_is_narrow_and_says_so() -> None:
    found = measure(
        "8.5-3", "x", ["8.5-3"], story(queue_client="advisory", queue_auto="conformant", topic_auto="conformant")
    )
    assert (found.narrow, found.only) == (True, ("mode: client",))
    assert found.text == "8.5-3          1 of   3  x (only mode: client)"


def test_cases_that_do_not_decide_do_not_count() -> None:
    found = measure(
        "8.5-3", "x", ["8.5-3"], story(queue_auto="violation", topic_auto="undecided", topic_client="undecided")
    )
    assert (found.noticed, found.kept, found.narrow) == (1, 0, False)


def test_a_restatement_counts_only_where_no_case_names_the_row() -> None:
    told = Story((Sight("4.1-1/queue/classic/auto", {"4.1-1": "violation"}, "", ""),), None)
    both = Story((*told.sights, *story(queue_auto="conformant").sights), None)
    assert measure("8.5-3", "x", ["8.5-3", "4.1-1"], told).noticed == 1
    assert measure("8.5-3", "x", ["8.5-3", "4.1-1"], both).noticed == 0


def test_the_list_has_just_the_narrow_ones() -> None:
    narrow = measure("8.5-3", "x", ["8.5-3"], story(queue_auto="conformant"))
    broad = measure("8.5-3", "x", ["8.5-3"], story(queue_auto="violation"))
    known = frozenset({"8.5-3"})
    tables = [Breadths({"8.5-3": one}, rows) for one in (narrow, broad) for rows in (known, frozenset[str]())]
    assert [(table.good, table.unlisted, table.stale) for table in tables] == [
        (True, [], []),
        (False, ["8.5-3"], []),
        (False, [], ["8.5-3"]),
        (True, [], []),
    ]


def test_the_list_names_saboteurs_and_may_only_shrink() -> None:
    rows = listed(FILE.read_text(encoding="utf-8"))
    assert rows <= all_saboteurs().keys()
    assert len(rows) == CEILING, "lower the ceiling with the list, and never raise it"
