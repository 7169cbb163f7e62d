"""The page on strength lists the strangers' faults that the suite does not notice yet, and no others."""

import re
from collections import Counter
from pathlib import Path

from faults import all_nearly_right, all_nearly_right_bridges

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
MOST = {"round 8": 9, "round 9": 22, "round 10": 21, "round 11": 1, "round 14": 26}
"""How many faults of each round are not noticed yet. Each number may only shrink; a new round of strangers brings its own."""


def test_the_faults_that_are_not_noticed_yet_are_listed():
    unnoticed = all_nearly_right(noticed=False)
    part = (
        PAGE.read_text(encoding="utf-8")
        .partition("<!-- unnoticed -->")[2]
        .partition("<!-- end of the unnoticed -->")[0]
    )
    assert re.findall(r"^- `([\w-]+)`: ", part, re.MULTILINE) == sorted(unnoticed)
    rounds = Counter(each.origin for each in unnoticed.values())
    assert {key: count for key, count in rounds.items() if count > MOST.get(key, 0)} == {}


def test_the_numbers_of_providers_that_are_nearly_right_are_those_of_the_code():
    noticed = all_nearly_right()
    strangers = sum(each.origin.startswith("round") for each in noticed.values())
    unnoticed = len(all_nearly_right(noticed=False))
    sentence = (
        f"{len(noticed) - strangers} of the suite's authors and {strangers} of strangers are caught; "
        f"{unnoticed} of strangers are not yet"
    )
    assert sentence in PAGE.read_text(encoding="utf-8"), sentence


MOST_BRIDGES = 13
"""How many faults of bridges and channels are not noticed yet; it may only shrink, unless a new round brings its own."""


def test_the_faults_of_bridges_that_are_not_noticed_yet_are_listed():
    unnoticed = all_nearly_right_bridges(noticed=False)
    part = (
        PAGE.read_text(encoding="utf-8")
        .partition("<!-- unnoticed bridges -->")[2]
        .partition("<!-- end of the unnoticed bridges -->")[0]
    )
    assert re.findall(r"^- `([\w-]+)`: (.*) \((.*)\)$", part, re.MULTILINE) == [
        (name, fault.title, fault.rows[0]) for name, fault in unnoticed.items()
    ]
    assert len(unnoticed) <= MOST_BRIDGES
