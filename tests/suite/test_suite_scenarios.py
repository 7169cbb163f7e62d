"""Each scenario is played by a test, with a block for each claim; each MUST rests on rows of the specification."""

import re
from pathlib import Path

import pytest

import tck
from tck.catalogue import load_catalogue, load_scenarios

FOLDER = Path(tck.__file__).parent / "suite" / "scenarios"
FILES = sorted(FOLDER.glob("test_*.py"))
DEBT = Path(__file__).with_name("scenarios_without_test.txt")
SCENARIOS = {scenario.id: scenario for scenario in load_scenarios()}


def played(path):
    """The scenarios that the tests of a file play."""
    return set(re.findall(r'^@scenario\(\s*"(pj-[a-z0-9-]+)"', path.read_text(encoding="utf-8"), re.MULTILINE))


PLAYED = {name for path in FILES for name in played(path)}


def test_the_list_of_scenarios_without_a_test_is_exact():
    without = {line for line in DEBT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    assert without == set(SCENARIOS) - PLAYED, "take those that have a test now off the list; add none"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_plays_the_scenario_that_it_is_named_after(path):
    assert played(path) == {path.stem.removeprefix("test_").replace("_", "-")}


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_each_claim_has_a_block(name):
    text = (FOLDER / f"test_{name.replace('-', '_')}.py").read_text(encoding="utf-8")
    judged = set(re.findall(r'for_row\(\s*"([^"]+)"', text))
    assert judged == {row.id for row in load_catalogue().section(name)}


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_each_must_rests_on_rows_of_the_specification(name):
    catalogue, scenario = load_catalogue(), SCENARIOS[name]
    for number, claim in enumerate(scenario.asserts, 1):
        cited = scenario.cites.get(str(number), ())
        assert claim.grade != "MUST" or cited, f"{name}-{number} cites no row: {claim.text}"
        assert [row for row in cited if row not in catalogue] == []
