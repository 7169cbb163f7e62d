"""Events through two bridges and back: nothing is lost, and what goes wrong is reported."""

import pytest

from benchmarks.reliability import bridges


def test_nothing_is_lost_over_kills(tmp_path):
    crossed = bridges.carry(300, 12, seed=1, folder=tmp_path)
    assert crossed.good, str(crossed)
    assert (crossed.sent, crossed.kills) == (300, 12)


@pytest.mark.parametrize(
    ("came", "missing", "reordered", "twice", "unannounced"),
    [
        ([(0, False), (1, False), (2, False)], (), (), (), ()),
        ([(0, False), (2, False)], (1,), (), (), ()),
        ([(0, False), (2, False), (1, False)], (), (1,), (), ()),
        ([(0, False), (1, False), (1, True), (2, False)], (), (), (1,), ()),
        ([(0, False), (0, False), (1, False), (2, False)], (), (), (), (0,)),
        ([(0, False), (1, False), (2, False), (2, False)], (), (), (2,), ()),
    ],
)
def test_what_went_wrong_is_reported(came, missing, reordered, twice, unannounced):
    crossed = bridges._judged(3, 0, came, {2}, 1.0)
    assert (crossed.missing, crossed.reordered) == (missing, reordered)
    assert (crossed.twice, crossed.unannounced) == (twice, unannounced)
    assert crossed.good is not bool(missing or reordered or unannounced)


def test_the_command_ends_by_what_it_saw(capsys):
    assert bridges.main(["--events", "20", "--kills", "2", "--seed", "3"]) == 0
    assert "20 events through two bridges, 2 kills" in capsys.readouterr().out
