"""The registry finds the bars of every module; one bar is measured and reported as JSON."""

import json

import pytest

from benchmarks.__main__ import main
from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.bars.registry import all_bars


def test_the_bars_of_recording_are_registered():
    assert {"R1", "R2"} <= all_bars().keys()


def test_measuring_one_bar(capsys):
    main(["R1", "--format", "json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row["id"] == "R1"
    assert row["require"] == 20
    # The bar itself is held by the benchmark job; here only an order of magnitude, on a machine that may be busy.
    assert 0 < row["now"] < 100


def test_an_unknown_bar_is_named(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["R99"])
    assert stop.value.code == 2
    assert "no bar R99; there are" in capsys.readouterr().err


def test_a_bar_is_met_up_to_what_it_requires():
    bar = Bar("X", "what", "unit", "-", 2.0, 1.0, lambda: Measured(1))
    assert bar.met(Measured(2.0))
    assert not bar.met(Measured(2.01))


def test_paired_ratios_are_of_the_second_side_to_the_first():
    _, ratio = paired(lambda: sum(range(1_000)), lambda: sum(range(20_000)), rounds=9)
    assert ratio > 3
