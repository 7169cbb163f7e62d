"""Programs come from three distributions. That they meet every named state is a test of the benchmarks."""

from explore_support import programs

from tck.explore.making.draft import THEMES
from tck.explore.making.moves_ending import SCENES


def test_programs_come_from_themes_swarm_and_scenes():
    themes = [str(expectation.program.about["theme"]) for expectation in programs(5, 60)]
    assert themes.count("targeted") >= 15
    assert themes.count("swarm") >= 3
    assert {*themes} - {"targeted", "swarm"} <= set(THEMES)


def test_every_scene_is_played_now_and_then():
    assert all(share > 0 for _, share in SCENES.values())
