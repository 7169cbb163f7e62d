"""`--tier` of an older version or a documentary tier: rows, sections and chapters in its words, and what its text said."""

import pytest
from cli_support import one_message, tck

from tck.catalogue import load_catalogue
from tck.catalogue.citations import OwnSections
from tck.catalogue.tier_differences import in_force, rows_of, tier_notes
from tck.catalogue.versions import BY_NAME

KNOWN = load_catalogue()
DOCUMENTARY = [version.name for version in BY_NAME.values() if version.documentary]


@pytest.mark.slow
def test_explain_tells_a_row_in_the_words_of_the_version(tmp_path):
    shown = tck("explain", "6.1.8-1", "--tier", "1.1", cwd=tmp_path)
    assert "  section   4.3.5 Closing a connection (3.1: 6.1.8)\n" in shown.out
    got = tck("explain", "6.1.8-1", "--tier", "1.1", "--format", "json", cwd=tmp_path).json()
    assert (got["own"], got["tier"], got["in_force"]) == ("4.3.5 Closing a connection (3.1: 6.1.8)", "1.1", True)
    plain = tck("explain", "6.1.8-1", "--format", "json", cwd=tmp_path).json()
    assert (plain["own"], plain["tier"], plain["in_force"], plain["section"]) == (None, None, None, "6.1.8")


def test_explain_says_plainly_that_a_row_has_no_section_or_is_not_in_force(tmp_path):
    row = next(row for row in KNOWN.values() if row.applies_to("1.1") and "1.1" not in row.sections)
    shown = tck("explain", row.id, "--tier", "1.1", cwd=tmp_path).out
    assert f"  section   no section of its own in JMS 1.1 (3.1: {row.section} " in shown
    assert "; not in JMS 1.1\n" not in shown
    later = next(row for row in KNOWN.values() if row.since == "2.0")
    assert "; not in JMS 1.1\n" in tck("explain", later.id, "--tier", "1.1", cwd=tmp_path).out


def test_explain_tells_what_replaced_a_rule(tmp_path):
    row = next(row for row in KNOWN.values() if row.until == "1.0")
    got = tck("explain", row.id, "--tier", "1.0", "--format", "json", cwd=tmp_path).json()
    assert got["replaced_by"]
    shown = tck("explain", row.id, "--tier", "1.0", cwd=tmp_path).out
    assert all(f"{id_} {KNOWN[id_].title}" in shown for id_ in got["replaced_by"])
    assert "in force  1.0 only" in shown
    assert "no provider is measured by it" in shown


def test_list_gives_the_sections_of_the_version(tmp_path):
    shown = tck("list", "6.1.8", "3.4.5", "--tier", "1.1", cwd=tmp_path).out
    assert "section of JMS 1.1" in shown.splitlines()[0]
    assert "  4.3.5 (3.1: 6.1.8)  " in shown
    assert "  none of its own (3.1: 3.4.5 " in shown
    rows = tck("list", "6.1.8", "--tier", "1.1", "--format", "json", cwd=tmp_path).json()["rows"]
    assert [row["own"] for row in rows] == [str(OwnSections.of("1.1").row(KNOWN[row["id"]])) for row in rows]


@pytest.mark.parametrize("tier", DOCUMENTARY)
def test_list_of_a_documentary_tier_has_the_rows_that_its_text_owes_and_all_that_it_says_otherwise(tmp_path, tier):
    rows = tck("list", "--tier", tier, "--format", "json", cwd=tmp_path).json()["rows"]
    assert [row["id"] for row in rows] == [row.id for row in KNOWN.values() if in_force(row, tier)]
    shown = tck("list", "--tier", tier, cwd=tmp_path).out
    assert "no provider is measured by it" in shown
    noted = tier_notes(tier, KNOWN)
    assert noted
    assert all(f"  {row.id:<12} {note}\n" in f"{shown}\n" for row, note in noted)


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["1.1", *DOCUMENTARY])
def test_coverage_counts_the_rows_of_the_tier_and_names_it(tmp_path, tier):
    got = tck("coverage", "--tier", tier, "--format", "json", cwd=tmp_path).json()
    rows = rows_of(tier, KNOWN).rows
    assert (got["tier"], got["rows"], got["documentary"]) == (tier, len(rows), BY_NAME[tier].documentary)
    assert got["stated"] == sum(BY_NAME[tier].text in row.sections for row in rows)
    assert got["chapters"]["ch10"]["own"] == "7 Exceptions (3.1: 10)"
    assert set(got["tier_notes"]) == {row.id for row, _ in tier_notes(tier, KNOWN)}
    shown = tck("coverage", "--tier", tier, cwd=tmp_path).out
    assert "7 Exceptions (3.1: 10) " in shown
    assert f"{BY_NAME[tier].title}: {len(rows):,} rows, " in shown
    assert ("no provider is measured" in shown) is BY_NAME[tier].documentary


@pytest.mark.slow
def test_a_run_by_the_draft_asks_the_rows_of_the_draft_and_is_recorded_by_its_name(tmp_path):
    words = ("run", "4.1.2", "--tier", "2.0-draft", "--points", "one", "-n", "0", "--seed", "1")
    ended = tck(*words, cwd=tmp_path)
    assert ended.code == 0, ended.out
    assert "by 2.0-draft (documentary: no provider is measured by it);" in ended.out.splitlines()[0]
    assert "documentary: no provider is measured by" in " ".join(ended.out.split())
    judged = sum(row.judged for row in rows_of("2.0-draft", KNOWN).rows)
    assert f" of {judged:,} testable rows in 2.0-draft" in ended.out
    got = tck(*words, "--format", "json", cwd=tmp_path).json()
    assert (got["tier"], got["documentary"]) == ("2.0-draft", True)
    seen = tck("explain", "4.1.2-1", "--format", "json", cwd=tmp_path).json()["seen"]
    assert seen["tier"] == "2.0-draft"
    unstated = next(row.id for row in KNOWN.section("4.1.2") if row.judged and not in_force(row, "2.0-draft"))
    assert tck("run", unstated, "--tier", "2.0-draft", "-n", "0", "--no-report", cwd=tmp_path).code == 5


def test_a_tier_that_is_none_is_reported(tmp_path):
    for words in (("explain", "6.1.8-1"), ("coverage",), ("list",)):
        ended = tck(*words, "--tier", "9.9", cwd=tmp_path)
        assert ended.code == 4
        assert 'no tier "9.9"' in one_message(ended)
