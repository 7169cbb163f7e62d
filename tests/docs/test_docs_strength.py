"""The page on strength lists the strangers' faults that the suite does not notice yet, and no others."""

import re
from pathlib import Path

from reference_provider.saboteurs import all_nearly_right

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
MOST = 52
"""It may only shrink, but for a new round of strangers: rounds 9 and 10 have left 43."""


def test_the_faults_that_are_not_noticed_yet_are_listed():
    unnoticed = all_nearly_right(noticed=False)
    part = (
        PAGE.read_text(encoding="utf-8")
        .partition("<!-- unnoticed -->")[2]
        .partition("<!-- end of the unnoticed -->")[0]
    )
    assert re.findall(r"^- `([\w-]+)`: ", part, re.MULTILINE) == sorted(unnoticed)
    assert len(unnoticed) <= MOST


def test_the_numbers_of_providers_that_are_nearly_right_are_those_of_the_code():
    noticed = all_nearly_right()
    strangers = sum(".nearly_right.red_" in each.install.__module__ for each in noticed.values())
    unnoticed = len(all_nearly_right(noticed=False))
    sentence = (
        f"{len(noticed) - strangers} of the suite's authors and {strangers} of strangers are caught; "
        f"{unnoticed} of strangers are not yet"
    )
    assert sentence in PAGE.read_text(encoding="utf-8"), sentence
