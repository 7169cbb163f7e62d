"""Floors: programs come from three distributions, and together they meet every named state, each often enough."""

import pytest
from explore_support import programs

from tck.explore.making.draft import THEMES
from tck.explore.making.moves_ending import SCENES
from tck.programs.facts import STATES, counts

FLOOR = 0.005


def test_programs_come_from_themes_swarm_and_scenes():
    themes = [str(told.program.about["theme"]) for told in programs(5, 60)]
    assert themes.count("targeted") >= 15
    assert themes.count("swarm") >= 3
    assert {*themes} - {"targeted", "swarm"} <= set(THEMES)


def test_every_scene_is_played_now_and_then():
    assert all(share > 0 for _, share in SCENES.values())


@pytest.mark.slow
def test_together_programs_meet_every_named_state():
    made = programs(5, 2500)
    found = counts(made)
    assert sorted(STATES - set(found)) == []
    rare = sorted(each for each in STATES if found[each] < FLOOR * len(made))
    assert len(rare) <= 60, rare
    assert sorted(each for each in STATES if found[each] < FLOOR / 10 * len(made)) == []
