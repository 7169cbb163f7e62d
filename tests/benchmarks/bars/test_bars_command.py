"""The command: which bars it measures, what it prints, writes and exits with."""

import json

import pytest

from benchmarks import __main__ as benchmarks_main
from benchmarks.bars import command
from benchmarks.bars.bar import Bar, Measured
from benchmarks.bars.registry import all_bars, select
from benchmarks.bars.table import BEGIN, END, order
from benchmarks.unavailable import Unavailable


def _none():
    raise Unavailable("nothing to measure with")


@pytest.fixture
def known(monkeypatch):
    """A registry of its own."""
    made = [
        Bar("P1", "one", "times", "0.5", 0.3, 0.4, lambda: Measured(0.35, "how"), higher=True, gated=True),
        Bar("P1d", "one more", "times", "0.5", 0.3, 0.4, lambda: Measured(0.25), higher=True),
        Bar("P2", "two", "syncs", "2", 2.1, 2.0, lambda: Measured(2.0), gated=True),
        Bar("P10", "ten", "ms", "-", 1, 1, _none),
    ]
    bars = {bar.id: bar for bar in made}
    monkeypatch.setattr(command, "all_bars", lambda: bars)
    return bars


def _rows(capsys):
    return {row["id"]: row for row in json.loads(capsys.readouterr().out)}


def test_a_name_means_the_bar_and_its_parts(known):
    assert [bar.id for bar in select(known, ["P1"], gated=False)] == ["P1", "P1d"]


def test_no_name_means_all_in_their_order(known):
    assert [bar.id for bar in select(known, [], gated=False)] == ["P1", "P1d", "P2", "P10"]
    assert sorted(["P10c", "P2", "C1", "P10"], key=order) == ["C1", "P2", "P10", "P10c"]


def test_what_takes_many_minutes_is_measured_when_asked_for(known, capsys):
    known["P2x"] = Bar("P2x", "slow", "ms", "-", 1, 1, lambda: Measured(0.5), long=True)
    assert [bar.id for bar in select(known, [], gated=False)] == ["P1", "P1d", "P2", "P10"]
    assert [bar.id for bar in select(known, ["P2"], gated=False)] == ["P2", "P2x"]
    for words, measured in (([], False), (["--long"], True), (["P2"], True)):
        command.main([*words, "--format", "json"])
        said = capsys.readouterr()
        assert ("P2x" in {row["id"] for row in json.loads(said.out)}) is measured
        assert ("skipped" in said.err and "P2x" in said.err and "--long" in said.err) is not measured


def test_the_bars_at_scale_are_long():
    long = {name for name, bar in all_bars().items() if bar.long}
    assert long == {"T1", "T1w", "T2", "T2w", "T3", "T4", "T4w", "T4h", "T4hw", "T13", "T13c"}
    assert not any(bar.gated for name, bar in all_bars().items() if name in long)


@pytest.mark.usefixtures("known")
def test_json_has_one_object_per_bar(capsys):
    assert command.main(["P1", "P10", "--format", "json"]) == 1
    rows = _rows(capsys)
    assert {"id", "what", "prototype", "require", "stretch", "now", "met"} <= rows["P1"].keys()
    assert (rows["P1"]["now"], rows["P1"]["met"]) == (0.35, True)
    assert (rows["P1d"]["now"], rows["P1d"]["met"]) == (0.25, False)
    assert (rows["P10"]["now"], rows["P10"]["met"]) == (None, None)
    assert rows["P10"]["detail"] == "not measured: nothing to measure with"


def test_continuous_integration_gates_counts_and_no_ratio_of_times():
    counted = [bar.id for bar in select(all_bars(), [], gated=False, counted=True)]
    assert counted == ["C1", "P4", "P4n", "P4t", "P5", "P5x", "P12m", "T5", "T6", "T12"]


def test_counts_alone_are_measured_and_gated(known, capsys):
    assert command.main(["--counts", "--format", "json"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == ["P2"]


@pytest.mark.usefixtures("known")
def test_the_gate_looks_at_gated_bars_only(capsys):
    assert command.main(["--gate", "--format", "json"]) == 0
    assert _rows(capsys).keys() == {"P1", "P2"}


def test_the_gate_stays_shut_where_nothing_could_be_measured(known, capsys):
    known["P2"] = Bar("P2", "two", "syncs", "2", 2.1, 2.0, _none, gated=True)
    assert command.main(["P2"]) == 0
    assert command.main(["--gate"]) == 1
    assert "not measured" in capsys.readouterr().out


@pytest.mark.usefixtures("known")
def test_text_names_figure_and_bar(capsys):
    command.main(["P2"])
    assert "P2    met     2.0 syncs (at most 2.1, stretch 2.0)" in capsys.readouterr().out


@pytest.mark.usefixtures("known")
def test_figures_go_into_the_table_and_others_stay(tmp_path):
    page = tmp_path / "page.md"
    old = "| P2 (gate) | two | syncs | 2 | <= 2.1 | 2 | 9 | MISSED |\n| P7 | seven | s | - | <= 1 | 1 | 1 | met |"
    page.write_text(f"before\n{BEGIN}\n| id |\n|---|\n{old}\n{END}\nafter\n")
    command.main(["P1", "P2", "P10", "--write", "--page", str(page)])
    lines = page.read_text().splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert [line.split("|")[1].split()[0] for line in lines if line.startswith("| P")] == ["P1", "P1d", "P2", "P7"]
    assert "| P2 (gate) | two | syncs | 2 | <= 2.1 | 2 | 2 | met |" in lines


@pytest.mark.usefixtures("known")
def test_a_page_without_the_markers_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="expected the lines"):
        command.main(["P2", "--write", "--page", str(page)])


def test_the_page_has_the_markers():
    text = command.PAGE.read_text(encoding="utf-8")
    assert text.index(BEGIN) < text.index(END)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("agreement", "--seeds"),
        ("bridges", "--events"),
        ("corba", "--profile"),
        ("strength", "strangers"),
        ("crash", "--kills"),
        ("mutants", "--only"),
        ("plans", "--duration"),
        ("power-loss", "--failing-sync"),
        ("precision", "--draw"),
        ("soak", "--threads"),
    ],
)
def test_each_command_explains_its_options(name, option, capsys):
    assert set(benchmarks_main.COMMANDS) == {
        "agreement",
        "bridges",
        "corba",
        "crash",
        "mutants",
        "plans",
        "power-loss",
        "precision",
        "soak",
        "strength",
    }
    with pytest.raises(SystemExit) as stop:
        benchmarks_main.main([name, "--help"])
    assert stop.value.code == 0
    assert option in capsys.readouterr().out
