"""What the versions ask for differently: the data, what two versions say, and that cases show it."""

import itertools
import shutil

import pytest

from tck.catalogue import load_catalogue
from tck.catalogue.errors import CatalogueError
from tck.catalogue.loader import DATA
from tck.catalogue.tier_differences import differences
from tck.catalogue.version_differences import VERSION_DIFFERENCES, changed_between, load_version_differences
from tck.catalogue.versions import TABLE
from tck.cli.support.suite_tests import ids_tested

KNOWN = load_version_differences()
NAMES = [version.name for version in TABLE]


def test_each_is_shown_by_a_case_or_has_the_reason():
    tested = ids_tested()
    unseen = {each.title: each.rows for each in KNOWN if not set(each.rows) <= tested}
    assert unseen == {}
    assert [each.number for each in KNOWN if not each.rows and not each.why] == []
    assert len(KNOWN) == 85
    assert all(each.why for each in KNOWN if not each.rows)


def test_a_version_says_what_the_last_change_before_it_said():
    stop = next(each for each in KNOWN if each.title == "A listener that stops or closes what it belongs to")
    assert stop.says("1.0") == stop.says("1.1") == "No rule; it would wait for itself."
    assert stop.says("2.0-draft") == "IllegalStateException."
    assert stop.says("3.1") == stop.says("2.0") != stop.says("2.0-draft")
    assert stop in changed_between("2.0-draft", "2.0")
    assert stop not in changed_between("1.0", "1.1")
    with pytest.raises(ValueError, match="not in tuple"):
        stop.says("9.9")


def test_neighbouring_versions_differ_in_some_but_2_0_and_3_1_in_none():
    found = {(one, other): len(changed_between(one, other)) for one, other in itertools.pairwise(NAMES)}
    assert found.pop(("2.0", "3.1")) == 0
    assert all(found.values())
    assert changed_between("1.1", "1.1") == ()


def test_each_row_that_a_later_version_dropped_is_among_them():
    """A rule with an end is a difference by itself; the two of 1.1 that 3.1 dropped say of each interface what others say."""
    ended = {row.id for row in differences("1.0", "1.0.2b", load_catalogue()).only_first}
    named = {id_ for each in KNOWN for id_ in each.rows}
    spoken = {id_ for id_ in ended if any(id_ in each.why for each in KNOWN)}
    assert ended == (ended & named) | spoken


ENTRY = 6
"""Lines of one entry at most."""

BROKEN = {
    "number = 2": ("number = 3", "number: expected 2"),
    'title = "Messaging domains"': ('title = ""', "title: expected a text"),
    '"1.1" = "Present."': ('"9.9" = "Present."', "said: expected what each version"),
    'rows = ["2.4-1"]': ('rows = ["2.4-99"]', "there is no row 2.4-99"),
    'rows = ["3.8.1.1-60"]': ("rows = []", "expected rows that show it, or the reason"),
    'rows = ["3.5.6-3"]': ('rows = ["3.5.6-3"]\nnote = "x"', "expected the keys number"),
}


@pytest.mark.parametrize("before", BROKEN)
def test_an_entry_that_breaks_a_rule_is_reported_with_its_line(tmp_path, before):
    after, message = BROKEN[before]
    shutil.copytree(DATA, tmp_path / "data")
    file = tmp_path / "data" / VERSION_DIFFERENCES
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(CatalogueError) as error:
        load_version_differences(tmp_path / "data")
    assert message in str(error.value)
    line = 1 + text[: text.index(before)].count("\n")
    assert abs(error.value.line - line) <= ENTRY
