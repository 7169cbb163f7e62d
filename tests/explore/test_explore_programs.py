"""Programs: the same seed makes the same ones, all are legal, and files of them are read with care."""

import json

import pytest
from explore_support import partner, programs

from tck.catalogue import load_catalogue
from tck.catalogue.differences import load_owners
from tck.explore.making.draft import THEMES
from tck.explore.making.moves_ending import SCENES
from tck.programs.operations import OPERATIONS as CALLS
from tck.programs.program import Program, ProgramError, Step, read_program

SOUND = {
    "format": 1,
    "about": {},
    "steps": [{"do": "queue", "as": "q1"}, {"do": "connect", "as": "c1", "api": "simplified"}],
}


@pytest.mark.slow
def test_the_same_seed_makes_the_same_programs():
    first, second = programs(5, 30), programs(5, 30)
    assert [each.program.text() for each in first] == [each.program.text() for each in second]
    assert [list(map(bare, each.seen)) for each in first] == [list(map(bare, each.seen)) for each in second]


def test_another_seed_makes_other_programs():
    assert not {each.program.steps for each in map(frozen, programs(5, 10))} & {
        each.program.steps for each in map(frozen, programs(6, 10))
    }


def frozen(expectation):
    return type(expectation)(Program(tuple(str(step) for step in expectation.program.steps)), ())


def test_a_program_depends_on_its_number_and_not_on_those_before_it():
    with partner() as found:
        alone = [expectation for _, expectation in found.programs(5, iter([7]))]
    assert alone[0].program.text() == programs(5, 8)[7].program.text()


@pytest.mark.slow
def test_the_reference_provider_shows_the_same_when_a_program_runs_again():
    with partner() as found:
        made = [part for _, part in found.programs(9, iter(range(60)))]
        for part in made:
            again = found.run(part.program)
            assert again.unclear is None
            assert [bare(each) for each in again.seen] == [bare(each) for each in part.seen]


def bare(seen):
    """Leave out texts, which may name the run."""
    return {key: value for key, value in seen.items() if key != "text"}


@pytest.mark.slow
def test_together_programs_make_every_call():
    made = {step.do for expectation in programs(3, 700) for step in expectation.program.steps}
    assert set(CALLS) - made == set()


@pytest.mark.slow
def test_programs_of_an_old_version_use_nothing_new():
    steps = [step for expectation in programs(3, 150, "1.1") for step in expectation.program.steps]
    assert not {step.args.get("kind") for step in steps} & {"shared", "shared_durable"}
    assert not any(step.args.get("async") or step.args.get("api") == "simplified" for step in steps)


@pytest.mark.slow
def test_what_is_written_is_read(tmp_path):
    file = tmp_path / "program.json"
    for expectation in programs(4, 60):
        file.write_text(expectation.program.text(), encoding="utf-8")
        assert read_program(file) == expectation.program


def test_without_a_step_goes_what_needs_it():
    program = Program((Step("queue", {}, "q1"), Step("connect", {"api": "classic"}, "c1"), Step("start", {"on": "c1"})))
    assert [step.do for step in program.without([1]).steps] == ["queue"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("{", ":1: not JSON"),
        ([], "the file: expected a table"),
        ({**SOUND, "format": 2}, "format 2, expected 1"),
        ({"format": 1}, 'the key "steps" is missing'),
        ({**SOUND, "steps": []}, "steps: expected at least one step"),
        ({**SOUND, "steps": [{"do": "dance"}]}, "step 1, do: expected one of"),
        ({**SOUND, "steps": [{"do": "start"}]}, 'step 1: the key "on" is missing'),
        ({**SOUND, "steps": [{"do": "start", "on": 5}]}, "step 1, on: expected the name of an object"),
        ({**SOUND, "steps": [{"do": "start", "on": "c1"}]}, 'step 1, start: no earlier step makes "c1"'),
        ({**SOUND, "steps": [{"do": "queue", "colour": "red"}]}, "step 1, colour: unknown key"),
    ],
)
def test_a_bad_file_is_refused_by_its_name_and_place(tmp_path, change, expected):
    file = tmp_path / "bad.json"
    file.write_text(change if isinstance(change, str) else json.dumps(change))
    with pytest.raises(ProgramError) as caught:
        read_program(file)
    assert str(caught.value).startswith(str(file))
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ProgramError, match="cannot be read: No such file"):
        read_program(tmp_path / "none.json")


def test_each_row_that_is_named_is_in_the_catalogue():
    known = load_catalogue()
    assert [row for entry in load_owners().entries for row in entry.rows if row not in known] == []


def test_programs_come_from_themes_swarm_and_scenes():
    themes = [str(expectation.program.about["theme"]) for expectation in programs(5, 60)]
    assert themes.count("targeted") >= 15
    assert themes.count("swarm") >= 3
    assert {*themes} - {"targeted", "swarm"} <= set(THEMES)


def test_every_scene_is_played_now_and_then():
    assert all(share > 0 for _, share in SCENES.values())
