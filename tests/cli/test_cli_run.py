"""`tck run`: in which processes the cases run, and what shows while they do."""

import os
import re

import pytest
from cli_support import tck

from tck.cli.run_command import MOST_WORKERS, can_fork, workers_for
from tck.cli.support.console import Problem


def test_auto_takes_a_process_for_each_processor_but_not_too_many():
    assert 2 <= workers_for("auto") <= MOST_WORKERS
    assert workers_for("auto") == min(MOST_WORKERS, max(2, os.cpu_count() or 2))


def test_auto_stays_in_this_process_for_few_rows_and_for_a_debugger():
    assert workers_for("auto", few=True) == 0
    assert workers_for("auto", extra=("--pdb",)) == 0
    assert workers_for("3", few=True) == 3


@pytest.mark.parametrize("text", ["-1", "two", ""])
def test_no_number_of_processes(text):
    with pytest.raises(Problem, match="expected a whole number from 0, or auto"):
        workers_for(text)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
def test_who_is_forked():
    assert can_fork("python")
    assert can_fork("python", ("-x", "--junitxml", "a.xml"))
    assert not can_fork("jvm")
    assert not can_fork("python", ("--dist", "loadgroup"))
    assert not can_fork("python", ("-n", "2"))


def progress(text):
    """What stands between the number of cases and pytest's last line."""
    return re.search(r"items?[^\n]*\n(.*?)\n=+ [^\n]* in [\d.]+s", text, re.DOTALL)[1].strip()


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_run_shows_a_letter_for_each_case(tmp_path, processes):
    ended = tck("run", "3.4.1-1", "3.4.1-2", "-n", processes, "--no-report", cwd=tmp_path)
    assert ended.code == 0
    shown = progress(ended.out)
    assert re.fullmatch(r"\.+ +\[100%\]", shown), shown


@pytest.mark.parametrize("processes", ["0", "2"])
def test_v_shows_a_line_for_each_case(tmp_path, processes):
    ended = tck("run", "3.4.1-1", "-n", processes, "--no-report", "--", "-v", cwd=tmp_path)
    assert ended.code == 0
    lines = progress(ended.out).splitlines()
    assert len(lines) > 1
    for line in lines:
        assert re.search(r"::test_\w+\[3\.4\.1-1/\S+\] CONFORMANT +\[ *\d+%\]$", line), line


def test_options_of_xdist_are_obeyed(tmp_path):
    ended = tck("run", "3.4.1-1", "-n", "1", "--no-report", "--", "--dist", "load", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "1 worker [" in ended.out


def test_the_report_is_written_and_the_verdicts_are_printed_after_pytest_has_ended(tmp_path):
    ended = tck("run", "3.4.1-1", "-n", "0", cwd=tmp_path)
    lines = ended.out.splitlines()
    (site,) = (tmp_path / "tck-out" / "html").iterdir()
    (last,) = (number for number, line in enumerate(lines) if re.search(r"=+ 12 passed, .* in", line))
    assert re.fullmatch(r"=+ verdicts =+", lines[last + 2])
    assert lines[-2:] == [f"report  {site / 'index.html'}", "exit    0 (conformant)"]
    assert (site / "index.html").is_file()


def test_a_report_that_cannot_be_written_leaves_a_whole_bundle(tmp_path):
    (tmp_path / "tck-out").mkdir()
    (tmp_path / "tck-out" / "html").write_text("in the way")
    ended = tck("run", "3.4.1-1", "-n", "0", cwd=tmp_path)
    assert ended.code == 3
    assert "the bundle is whole, `tck report` writes the report" in ended.err
    assert tck("report", "--html", "site", cwd=tmp_path).code == 0
