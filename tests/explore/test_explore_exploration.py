"""Exploration: a sound provider is accused of nothing, a broken one is found out by a small program that can be run again."""

from dataclasses import replace

import pytest
from explore_support import explorer

from tck.catalogue import load_catalogue
from tck.explore.exploration import Bounds, Explorer
from tck.explore.rendering import finding_lines, store
from tck.profile import load_profile, override_settings
from tck.profile.model import Declared, Deviation
from tck.programs.program import Program, ProgramError, Step, read_program


@pytest.mark.slow
def test_the_reference_provider_does_not_disagree_with_itself():
    with explorer() as found:
        explored = found.explore(17, Bounds(programs=400))
    assert explored.programs == 400
    assert explored.findings == {}
    assert explored.steps > 8000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("saboteur", "row"),
    [
        ("3.4.10-3", "3.4-1"),
        ("3.8.1.1-18", "3.8.1.1-18"),
        ("4.2.2-15", "4.2.2-15"),
    ],
)
def test_a_fault_is_found_made_small_stored_and_shown_again(saboteur, row, tmp_path):
    with explorer(saboteur) as found:
        explored = found.explore(12, Bounds(programs=500, first=True))
        found.shrink()
        (finding,) = explored.of("disagreement")[:1]
        assert row in {each for one in explored.of("disagreement") for each in one.difference.rows}
        assert len(finding.program) < 15
        file = store(finding, tmp_path, 1)
        stored = read_program(file)
        assert stored.steps == finding.program.steps
        assert stored.about["seen"] == finding.difference.seen
        _, _, again = found.replay(stored)
        assert finding.difference in again
        lines = list(finding_lines(finding))
    assert sum(line.lstrip().startswith("->") for line in lines) == 1
    with explorer() as sound:
        expectation, _, differences = sound.replay(stored)
        assert expectation.unclear is None
        assert differences == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["priority-ignored", "expired-delivered", "recovered-backwards"])
def test_a_lawful_provider_is_not_accused(name):
    with explorer(f"lawful/{name}") as found:
        explored = found.explore(0, Bounds(programs=200))
    assert explored.of("disagreement") == []


def test_a_file_has_a_name_of_bounded_length(tmp_path):
    with explorer("3.4.10-3") as found:
        (finding,) = found.explore(11, Bounds(programs=300, first=True)).of("disagreement")
    long = replace(finding, difference=replace(finding.difference, what=f"property {'v' * 300}"))
    assert read_program(store(long, tmp_path, 1)).steps == finding.program.steps


@pytest.mark.slow
def test_findings_of_one_cause_are_one_finding():
    with explorer("3.4.10-3") as found:
        explored = found.explore(12, Bounds(programs=400))
        found.shrink()
    (finding,) = explored.of("disagreement")
    assert finding.difference.what == "header JMSPriority"
    assert finding.times > 5


def test_a_program_whose_outcome_is_open_is_refused():
    with explorer() as found:
        expectation, _, _ = found.replay(_program("queue", "connect", "stop", "consumer"))
        assert expectation.unclear is not None
        with pytest.raises(ProgramError, match="step 4, consumer: the specification leaves it open"):
            found.try_again(_program("queue", "connect", "stop", "consumer"))


def _program(*calls):

    arguments = {
        "queue": Step("queue", {}, "q1"),
        "connect": Step("connect", {"api": "simplified"}, "c1"),
        "stop": Step("stop", {"on": "c1"}),
        "consumer": Step("consumer", {"on": "c1", "of": "q1"}, "k1"),
    }
    return Program(tuple(arguments[each] for each in calls))


@pytest.mark.slow
def test_a_deviation_that_the_profile_declares_is_no_disagreement():

    profile = override_settings(load_profile("reference"), ['saboteur="3.4.10-3"'])
    declared = replace(profile, deviations=(Deviation("3.4-1", Declared.FAILS, "as it was built"),))
    with Explorer(declared, "3.1", load_catalogue()) as found:
        explored = found.explore(11, Bounds(programs=300))
    assert explored.of("disagreement") == []
    assert {each.reason for each in explored.of("declared")} == {"as it was built"}
