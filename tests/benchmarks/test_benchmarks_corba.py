"""Events through JacORB's service and back: what goes wrong is counted."""

import pytest

from benchmarks.reliability.corba import Crossed, main


@pytest.mark.parametrize(
    ("came", "lost", "twice", "reordered"),
    [((0, 1, 2), 0, 0, 0), ((0, 2), 1, 0, 0), ((0, 2, 1), 0, 0, 1), ((0, 1, 1, 2), 0, 1, 0), ((2, 0, 1, 2), 0, 1, 2)],
)
def test_what_went_wrong_is_counted(came, lost, twice, reordered):
    crossed = Crossed("there", 3, came, 1.0)
    assert (crossed.lost, crossed.twice, crossed.reordered) == (lost, twice, reordered)


@pytest.mark.slow
@pytest.mark.java
def test_nothing_is_lost_or_reordered(capsys):
    pytest.importorskip("omniORB")
    assert main(["--events", "50"]) == 0
    assert capsys.readouterr().out.count("50 events, 0 lost, 0 came twice, 0 reordered") == 2
