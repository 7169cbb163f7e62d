"""Where a row, a section and a chapter are, told to a provider of one version: its own numbers and titles, 3.1's beside them."""

import pytest

from tck.catalogue import load_catalogue
from tck.catalogue.citations import OwnSections, chapter_across, cited_across
from tck.catalogue.versions import NUMBERING, TABLE

KNOWN = load_catalogue()
OLDER = [version for version in TABLE if version.text != NUMBERING]


def test_a_row_is_cited_from_the_text_of_its_version_with_the_other_number_beside():
    row = KNOWN["6.1.8-1"]
    assert str(OwnSections.of("1.1").row(row)) == "4.3.5 Closing a connection (3.1: 6.1.8)"
    assert OwnSections.of("1.1").row(row).short == "4.3.5 (3.1: 6.1.8)"
    assert str(OwnSections.of(NUMBERING).row(row)) == "6.1.8 Closing a connection"


def test_what_a_text_does_not_number_is_said_plainly():
    row = next(row for row in KNOWN.values() if row.applies_to("1.1") and "1.1" not in row.sections)
    said = str(OwnSections.of("1.1").row(row))
    assert said.startswith("no section of its own in JMS 1.1 (3.1: ")
    assert row.section in said
    around = str(OwnSections.of("1.1").section(row.section, [row]))
    assert around == str(OwnSections.of("1.1").section(row.section, KNOWN.section(row.section)))
    assert str(OwnSections.of("1.1").section("7.9", KNOWN.section("7.9"))).startswith(
        "no section of its own in JMS 1.1 ("
    )
    assert str(OwnSections.of("1.1").chapter("ch13", KNOWN.chapter("ch13"))).startswith(
        "no chapter of its own in JMS 1.1 ("
    )


@pytest.mark.parametrize("version", OLDER, ids=[version.name for version in OLDER])
def test_no_citation_of_an_older_version_gives_a_number_without_title_or_the_newest_number_alone(version):
    owned = OwnSections.of(version.name)
    for row in KNOWN.values():
        cited = owned.row(row)
        assert cited.beside.startswith(f"{NUMBERING}: {row.section}")
        assert all(number and title for number, title in cited.places)
        assert bool(cited.places) is (version.text in row.sections)


def test_many_places_of_a_section_are_counted_after_the_three_that_state_most():
    rows = [row for row in KNOWN.section("6.1.8") if row.applies_to("2.0")]
    cited = OwnSections.of("2.0-draft").section("6.1.8", rows)
    places = {place for row in rows for place in row.sections.get("2.0-pd", "").split(", ") if place}
    assert (len(cited.places), cited.more) == (3, len(places) - 3)
    assert str(cited).endswith(f" and {len(places) - 3} more (3.1: 6.1.8)")


def test_a_chapter_that_states_few_of_the_rows_is_left_out():
    rows = [row for row in KNOWN.chapter("ch06") if row.applies_to("1.1")]
    assert any(row.sections.get("1.1", "").startswith("6.") for row in rows)
    assert str(OwnSections.of("1.1").chapter("ch06", rows)) == "4 Common facilities (3.1: 6)"


def test_runs_of_several_versions_share_the_numbering_of_ids_and_have_theirs_beside():
    rows = list(KNOWN.section("6.1.5"))
    assert str(cited_across(["1.1", "1.0.2b"], "6.1.5", rows)) == str(OwnSections.of("1.1").section("6.1.5", rows))
    mixed = str(cited_across(["1.1", "3.1"], "6.1.5", rows))
    assert mixed.startswith("6.1.5 Pausing delivery (1.1: 4.3.4")
    assert str(chapter_across(["1.0", "1.1"], "ch10", list(KNOWN.chapter("ch10")))) == "10 Exceptions (1.0: 7; 1.1: 7)"
