"""Tables are readable in 40 columns and without UTF-8."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from tck.cli.main import main
from tck.cli.support.console import table

HEAD = ("plan", "actors", "what it does")
ROWS = [("client-acknowledge", 12, "batches, recover, sessions closed with messages open"), ("steady", 0, "")]


def test_a_table_that_fits_stays_in_columns(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert table(HEAD, ROWS, right=("actors",)).splitlines()[0] == "plan                actors  what it does"
    monkeypatch.setenv("COLUMNS", "40")
    assert table(HEAD[:2], [row[:2] for row in ROWS]).splitlines()[0] == "plan                actors"


def test_a_table_that_does_not_fit_is_a_block_for_each_row(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert table(HEAD, ROWS, right=("actors",)).splitlines() == [
        "client-acknowledge",
        "  actors: 12",
        "  what it does: batches, recover,",
        "    sessions closed with messages open",
        "steady",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("words", [["workload", "list"], ["coverage"]])
def test_commands_print_no_line_of_a_table_beyond_40_columns(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", "40")
    assert main(words) == 0
    tabled = capsys.readouterr().out.partition("\n\n")[0]
    assert max(map(len, tabled.splitlines())) <= 40


def test_a_narrow_terminal_without_utf8_shows_whole_words():
    code = f"from tck.cli.support.console import table, emit; emit(table({HEAD!r}, {ROWS!r}))"
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": "40", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "TERM": "dumb"}
    done = subprocess.run([sys.executable, "-c", code], stdout=follower, env=environment, timeout=60, check=False)
    os.close(follower)
    shown = re.sub(rb"\r\n", b"\n", os.read(leader, 9999)).decode("ascii")
    os.close(leader)
    assert done.returncode == 0
    assert "client-acknowledge\n  actors: 12\n" in shown
    assert max(map(len, shown.splitlines())) <= 40
