"""The catalogue as it stands: its size, what a run can decide, its crosswalks, and that reading it loses nothing."""

import csv
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tck.catalogue import Level, Subject, load_catalogue, load_interworking, load_scenarios, section_key
from tck.catalogue.loader import DATA
from tck.catalogue.rules import KEYS

CATALOGUE = load_catalogue()


def by_chapter(rows):
    return dict(sorted(Counter(row.chapter for row in rows).items()))


def test_there_are_1590_rows_in_twelve_chapters():
    assert by_chapter(CATALOGUE.values()) == {
        "ch02": 54,
        "ch03": 397,
        "ch04": 122,
        "ch05": 26,
        "ch06": 333,
        "ch07": 158,
        "ch08": 224,
        "ch09": 50,
        "ch10": 63,
        "ch11": 87,
        "ch12": 61,
        "ch13": 15,
    }
    assert len(CATALOGUE) == 1590
    assert CATALOGUE.chapters == tuple(by_chapter(CATALOGUE.values()))


def test_1325_rows_are_judged_on_any_provider_1277_of_them_must():
    judged = CATALOGUE.judged()
    assert len(judged) == 1325
    assert Counter(row.level for row in judged) == {Level.MUST: 1277, Level.SHOULD: 40, Level.MAY: 8}
    assert by_chapter(judged) == {
        "ch02": 42,
        "ch03": 358,
        "ch04": 101,
        "ch05": 17,
        "ch06": 290,
        "ch07": 140,
        "ch08": 210,
        "ch09": 39,
        "ch10": 53,
        "ch11": 75,
    }


def test_a_java_provider_is_judged_on_five_rows_more():
    added = set(CATALOGUE.judged(java=True)) - set(CATALOGUE.judged())
    assert {row.subject for row in added} == {Subject.JAVA}
    assert by_chapter(added) == {"ch05": 5}


def test_eight_decidable_rows_are_about_the_api_library_and_judge_nobody():
    api = [row for row in CATALOGUE.values() if row.decidable and row.subject == Subject.API]
    assert by_chapter(api) == {"ch10": 6, "ch11": 2}
    assert not any(row.judged or row.judged_java for row in api)
    decidable = [row for row in CATALOGUE.values() if row.decidable]
    assert (len(decidable), sum(row.level == Level.MUST for row in decidable)) == (1338, 1285)


@pytest.mark.parametrize(
    ("row", "decidable"),
    [
        ("3.4.1-1", True),
        ("6.1.8-3", True),
        ("5.1-6", True),  # needs a restart
        ("3.4.5-5", False),  # not observable
        ("2.5-3", False),  # hook api
    ],
)
def test_decidable_follows_testable_and_hook(row, decidable):
    assert CATALOGUE[row].decidable is decidable


def test_what_a_container_alone_can_show_is_not_judged():
    for row in CATALOGUE.values():
        if row.hook in ("container", "api", "observe"):
            assert not row.judged
            assert not row.judged_java


def test_applies_to_follows_since_and_until():
    assert [
        version for version in ("1.0", "1.0.2b", "1.1", "2.0", "3.1") if CATALOGUE["3.4.4-8"].applies_to(version)
    ] == ["1.0"]
    assert [
        version for version in ("1.0", "1.0.2b", "1.1", "2.0", "3.1") if CATALOGUE["4.1.1-1"].applies_to(version)
    ] == [
        "1.1",
        "2.0",
    ]
    assert all(CATALOGUE["3.4.1-1"].applies_to(version) for version in ("1.0", "1.0.2b", "1.1", "2.0", "3.1"))
    with pytest.raises(ValueError, match=r'unknown specification version "4\.0"; known are 1\.0, '):
        CATALOGUE["3.4.1-1"].applies_to("4.0")


def test_reading_by_line_equals_a_toml_parser():
    parsed = {}
    for file in sorted(DATA.glob("ch*.toml")):
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["assertion"]:
            parsed[row["id"]] = row
    assert list(parsed) == list(CATALOGUE)
    for row in CATALOGUE.values():
        for key in KEYS:
            ours = getattr(row, key)
            assert (list(ours) if isinstance(ours, tuple) else ours) == parsed[row.id][key], (row.id, key)


def test_every_row_knows_its_line():
    lines = {file.name: file.read_text(encoding="utf-8").split("\n") for file in DATA.glob("ch*.toml")}
    for row in CATALOGUE.values():
        assert lines[row.file][row.line - 1] == "[[assertion]]"
        below = lines[row.file][row.line : row.line + 5]
        assert next(line for line in below if not line.startswith("#")) == f'id = "{row.id}"'


def test_section_and_ordinal_come_from_the_id():
    for row in CATALOGUE.values():
        assert row.id == f"{row.section}-{row.ordinal}"
        assert int(row.chapter[2:]) == int(row.section.partition(".")[0])


def test_sections_are_in_the_order_of_a_book():
    assert list(CATALOGUE.sections) == sorted(CATALOGUE.sections, key=section_key)
    assert CATALOGUE.sections.index("3.4.9") < CATALOGUE.sections.index("3.4.10")
    assert {row.section for row in CATALOGUE.within("3.4")} == {"3.4", *(f"3.4.{n}" for n in range(1, 14))}
    assert {row.section for row in CATALOGUE.section("3.4")} == {"3.4"}
    assert CATALOGUE.section("3.40") == ()


def test_each_feature_is_presumed_by_a_row():
    assert {feature for row in CATALOGUE.values() for feature in row.features} == set(CATALOGUE.features)


def test_restatements_lead_with_their_first_and_share_no_member():
    assert len(CATALOGUE.restatements) == 128
    members = [member for group in CATALOGUE.restatements for member in group]
    assert len(members) == len(set(members))
    assert CATALOGUE.group_of("9.2-31") == ("2.16-4", "4.1.7-1", "4.2.10-1", "9.2-31", "9.2-32")
    assert CATALOGUE.group_of("3.4.1-1") == ("3.4.1-1",)
    with pytest.raises(KeyError):
        CATALOGUE.group_of("3.4.1-99")


def test_official_specification_ids():
    official = CATALOGUE.official_spec
    testable = {spec.id for spec in official.values() if spec.testable}
    assert (len(official), len(testable)) == (349, 291)
    reached = {number for row in CATALOGUE.judged() for number in row.official}
    assert len(testable & reached) == 266
    beyond = [spec for spec in official.values() if spec.testable and spec.id not in reached]
    assert len(beyond) == 25
    assert all(any(CATALOGUE[row].hook == "container" for row in spec.rows) for spec in beyond)
    assert official["JMS:SPEC:2"].rows == ("3.4.1-1", "3.4.1-2", "3.4.1-3")
    for spec in official.values():
        assert all(spec.id in CATALOGUE[row].official for row in spec.rows)


def test_official_api_ids_name_members_of_the_java_api():
    official = CATALOGUE.official_javadoc
    testable = [api for api in official.values() if api.testable]
    assert (len(official), len(testable), sum(api.cited for api in testable)) == (1256, 815, 702)
    with (Path(sys.modules["tck"].__file__).parent / "api" / "java" / "java_api.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    members = {(row["type"], row["member"]) for row in table}
    outside = {"IllegalArgumentException", "NullPointerException", "UnsupportedOperationException"}
    types = {row["type"] for row in table} | outside
    for api in official.values():
        assert (api.type, api.method) in members
        assert not api.throws or api.throws in types, api
    assert official["JMS:JAVADOC:5"].parameters == ("TopicSession", "Topic")


def test_the_digest_is_the_same_for_the_same_data():
    assert load_catalogue().digest == CATALOGUE.digest
    assert CATALOGUE.digest.startswith("sha256:")


def test_rows_are_values():
    again = load_catalogue()
    assert again["3.4.1-1"] == CATALOGUE["3.4.1-1"]
    assert hash(again["3.4.1-1"]) == hash(CATALOGUE["3.4.1-1"])
    assert again["3.4.1-1"] != CATALOGUE["3.4.1-2"]
    with pytest.raises(AttributeError):
        CATALOGUE["3.4.1-1"].level = Level.MAY
    with pytest.raises(TypeError):
        CATALOGUE["3.4.1-1"].sections["3.1"] = "1"


def test_interworking_rows_and_scenarios():
    rows = load_interworking()
    assert len(rows) == 469
    assert Counter(row.level for row in rows)[Level.MUST] > 300
    scenarios = load_scenarios()
    assert len(scenarios) == 39
    assert {claim.grade for scenario in scenarios for claim in scenario.asserts} == {"MUST", "SHOULD", "INFO"}
    assert {claim.since for scenario in scenarios for claim in scenario.asserts} == {"", "1.0.2b", "1.1", "2.0"}


def test_the_companion_lists_are_not_read_with_the_catalogue():
    script = "import sys, tck.catalogue as c; c.load_catalogue(); print('difflib' in sys.modules, 'jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
