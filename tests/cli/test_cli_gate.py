"""The way of docs/gate.md on a real provider: a good run, a broken one, and what gate and report say of it."""

import pytest
from cli_support import tck

MINE = '[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the history of a good run, its gate file, and a later run that breaks a row."""
    folder = tmp_path_factory.mktemp("gated")
    (folder / "mine.toml").write_text(MINE)
    run = ["run", "3.4.1", "-p", "mine.toml", "-n", "0", "--no-report", "--seed", "7"]
    assert tck(*run, cwd=folder).code == 0
    assert tck("gate", "latest", "--write", "baseline.json", cwd=folder).code == 0
    pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")
    assert tck("pipeline", "ingest", "latest", "--store", "history", cwd=folder).code == 0
    (folder / "mine.toml").write_text(MINE + '\n[adapter.settings]\nsaboteur = "3.4.1-1"\n')
    assert tck(*run, cwd=folder).code == 1
    assert tck("pipeline", "ingest", "latest", "--store", "history", cwd=folder).code == 0
    return folder


@pytest.mark.parametrize("against", ["baseline.json", "history"])
def test_a_row_that_breaks_fails_the_gate_with_its_reason(place, against):
    ended = tck("gate", "latest", "--against", against, "--format", "json", cwd=place)
    told = ended.json()
    assert (ended.code, told["exit"]) == (1, 1)
    assert {new["assertion"] for new in told["new"]} == {"3.4.1-1"}
    assert {(new["kind"], tuple(new["changed"])) for new in told["new"]} == {("regression", ("profile",))}
    text = tck("gate", "--against", against, cwd=place).out
    assert "since     the profile changed" in text
    assert "observed  " in text


def test_the_report_of_the_broken_run_shows_what_changed(place):
    ended = tck("report", "latest", "--html", "site", "--history", "history", cwd=place)
    assert (ended.code, ended.err) == (0, "")
    text = (place / "site" / "trends.html").read_text()
    assert "Trends over 2 runs" in text
    assert "another profile" in text
