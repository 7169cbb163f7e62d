"""`tck tiers`: the tiers, and how two of them differ."""

import re
from html import unescape

import pytest
from cli_support import one_message, tck

from tck.catalogue import load_catalogue
from tck.catalogue.tier_differences import differences
from tck.catalogue.version_differences import changed_between
from tck.catalogue.versions import TABLE
from tck.profile import load_tier

KNOWN = load_catalogue()


def test_the_tiers_are_listed(tmp_path):
    found = tck("tiers", "--format", "json", cwd=tmp_path).json()["tiers"]
    assert [each["name"] for each in found] == [version.name for version in TABLE]
    assert {each["name"]: each["required"] for each in found} == {
        version.name: len(load_tier(version.name).required) for version in TABLE
    }
    assert "documentary" in tck("tiers", cwd=tmp_path).out


def test_two_tiers_differ_row_by_row(tmp_path):
    page = tmp_path / "sub" / "page.html"
    ran = tck("tiers", "1.0", "1.0.2b", "--html", str(page), "--format", "json", cwd=tmp_path)
    found = ran.json()
    ended = [row.id for row in KNOWN.values() if row.until == "1.0"]
    assert [row["id"] for row in found["only_first"]] == ended
    assert {row["id"] for row in found["only_second"]} == {row.id for row in KNOWN.values() if row.since == "1.0.2b"}
    assert (found["drafted"], found["written"]) == ([], str(page))
    html = page.read_text(encoding="utf-8")
    assert all(re.search(rf">{re.escape(row['id'])}<", html) for row in found["only_first"] + found["only_second"])
    reported = {row["id"]: row for row in found["only_first"]}
    assert reported["6.1.5-23"]["own"][0] == "4.3.4 Pausing delivery (3.1: 6.1.5)"
    assert re.search(r'4\.3\.4</span> Pausing delivery <span class="[^"]*">\(3\.1: 6\.1\.5\)', html)
    shown = tck("tiers", "1.0", "1.0.2b", cwd=tmp_path).out
    assert re.search(r"\n6\.1\.5-23 +MAY +4\.3\.4 Pausing delivery ", shown)
    assert f"Only in JMS 1.0 (October 1998): {len(ended)} rows" in shown
    assert all(f"\n{id_} " in shown for id_ in ended)


def test_a_draft_says_rows_otherwise(tmp_path):
    found = tck("tiers", "2.0-draft", "2.0", "--format", "json", cwd=tmp_path).json()
    assert {row["id"] for row in found["drafted"]} == {
        row.id for row in KNOWN.values() if row.draft_difference and "2.0-pd" in row.sections and row.applies_to("2.0")
    }
    assert all(row["draft_difference"] for row in found["drafted"])
    assert found["only_first"] == []


def test_what_two_tiers_ask_for_differently_is_reported_in_short(tmp_path):
    page = tmp_path / "page.html"
    changed = changed_between("1.1", "2.0")
    found = tck("tiers", "1.1", "2.0", "--html", str(page), "--format", "json", cwd=tmp_path).json()["behaviours"]
    assert [each["number"] for each in found] == [each.number for each in changed]
    text = tck("tiers", "1.1", "2.0", cwd=tmp_path).out
    html = unescape(page.read_text(encoding="utf-8"))
    assert f"Asked for differently: {len(changed)} behaviours" in text
    for each, part in zip(changed, found, strict=True):
        assert part["said"] == [each.says("1.1"), each.says("2.0")]
        assert all(f"  {said}\n" in text and said in html for said in part["said"])
    assert tck("tiers", "2.0", "3.1", "--format", "json", cwd=tmp_path).json()["behaviours"] == []


def test_a_tier_does_not_differ_from_itself():
    same = differences("2.0-draft", "2.0-draft", KNOWN)
    assert (same.only_first, same.only_second, same.drafted) == ((), (), ())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1.1"], "expected no tier or two to compare, saw 1"),
        (["1.1", "2.0", "3.1"], "expected no tier or two to compare, saw 3"),
        (["1.1", "4.0"], 'no tier "4.0"'),
        (["--html", "x.html"], "expected no tier or two to compare, saw 0"),
    ],
)
def test_what_is_no_pair_of_tiers_is_reported(tmp_path, words, message):
    ended = tck("tiers", *words, cwd=tmp_path)
    assert ended.code == 4
    assert message in one_message(ended)
