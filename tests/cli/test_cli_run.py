"""`tck run`: in which processes the cases run, and what shows while they do."""

import os
import re

import pytest
from cli_support import ROOT, on_a_terminal, one_message, tck

from tck.cli.run_command import MOST_WORKERS, can_fork, workers_for
from tck.cli.support.console import Problem


def test_auto_takes_a_process_for_each_processor_but_not_too_many():
    assert 2 <= workers_for("auto") <= MOST_WORKERS
    assert workers_for("auto") == min(MOST_WORKERS, max(2, os.cpu_count() or 2))
    assert workers_for("auto", waits=True) == 3 * workers_for("auto"), "waiting costs no processor"
    assert workers_for("auto", waits=True, few=True) == 0


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
    assert can_fork()
    assert can_fork(("-x", "--junitxml", "a.xml"))
    assert not can_fork(("--dist", "loadgroup"))
    assert not can_fork(("-n", "2"))


def progress(text):
    """What stands between the number of cases and pytest's last line."""
    return re.search(r"items?[^\n]*\n(.*?)\n=+ [^\n]* in [\d.]+s", text, re.DOTALL)[1].strip()


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_short_run_shows_its_end_only(tmp_path, processes):
    ended = tck("run", "3.4.1-1/*", "3.4.1-2/*", "-n", processes, "--no-report", cwd=tmp_path)
    assert ended.code == 0
    assert progress(ended.out) == ""
    assert re.search(r"^tck: .* by 3\.1; seed \d+, points all; run \S+$", ended.out, re.MULTILINE)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this platform has no terminals")
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_terminal_shows_cases_violations_and_the_time_left(tmp_path, processes):
    broken = ("--setting", 'saboteur="3.4.1-3"')
    shown, code = on_a_terminal("run", "3.4.1", *broken, "-n", processes, "--no-report", cwd=tmp_path)
    assert code == 1
    assert re.search(r"\r\s*24 of 24 cases, 3 violations\s", shown), shown
    assert "FAILURES" not in shown


@pytest.mark.slow
def test_annotations_for_github(tmp_path):
    words = ("run", "3.4.1", "--setting", 'saboteur="3.4.1-3"', "-n", "0", "--no-report", "--annotations", "github")
    ended = tck(*words, cwd=tmp_path)
    (line,) = [line for line in ended.out.splitlines() if line.startswith("::")]
    head, _, text = line.removeprefix("::error ").partition("::")
    found = dict(part.split("=", 1) for part in head.split(","))
    assert (ROOT / found["file"]).is_file()
    assert int(found["line"]) > 1
    assert found["title"] == "Violation%3A 3.4.1-3 received equivalent"
    assert "%0Aobserved JMSDestination at the receiver was" in text
    assert tck("run", "3.4.1-1/*", "-n", "0", "--no-report", "--annotations", "github", cwd=tmp_path).code == 0


@pytest.mark.parametrize("word", ["--lf", "--ff", "--last-failed", "--failed-first", "--nf", "--sw"])
def test_options_that_need_a_memory_of_failures_say_what_to_do(tmp_path, word):
    ended = tck("run", "3.4.1-1", "-n", "0", "--", word, cwd=tmp_path)
    assert ended.code == 4
    assert "gate --against" in one_message(ended)
    assert not (tmp_path / "tck-out").exists()


@pytest.mark.parametrize("processes", ["0", "2"])
def test_x_stops_at_the_first_failure_and_k_selects(tmp_path, processes):
    broken = ("--setting", 'saboteur="3.4.1-3"')
    ended = tck("run", "3.4.1", *broken, "-n", processes, "--no-report", "--seed", "1", "--", "-x", cwd=tmp_path)
    assert ended.code in {1, 2}
    assert re.search(r"\b[12] failed", ended.out)
    chosen = tck("run", "3.4.1", "-n", processes, "--no-report", "--", "-k", "received", cwd=tmp_path)
    assert chosen.code == 0
    assert 0 < int(re.search(r"(\d+) passed", chosen.out)[1]) < 24


BAD = """
from reference_provider.adapter import open_provider
from reference_provider.client import context, domain_specific, sessions
from tck import api


def missing(self, *arguments, **keys):
    raise api.UnsupportedOperationException("this product has no browsers")


for module in (context, domain_specific, sessions):
    for kind in vars(module).values():
        if isinstance(kind, type) and "create_browser" in vars(kind):
            kind.create_browser = missing
"""


def test_a_provider_without_browsers_is_one_cause_in_less_than_sixty_lines(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    profile = (ROOT / "profiles" / "providers" / "reference.toml").read_text()
    profile = re.sub("(?m)^target = .*", 'target = "bad:open_provider"', profile)
    (tmp_path / "bad.toml").write_text(re.sub('(?m)^name = "reference"', 'name = "bad"', profile))
    ended = tck("run", "-p", "bad.toml", "3.8.1.1", "4.1.6", "--points", "one", "--seed", "1", "-n", "2", cwd=tmp_path)
    assert ended.code == 1
    assert len(ended.out.splitlines()) < 60
    cards = re.findall(r"absent: .*?, (\d+)\s+assertions in", ended.out, re.DOTALL)
    assert len(cards) <= 2, "one for each verdict: violations, and what is undecided without browsers"
    assert sum(map(int, cards)) > 50


@pytest.mark.parametrize("processes", ["0", "2"])
def test_v_shows_a_line_for_each_case(tmp_path, processes):
    ended = tck("run", "3.4.1-1/*", "-n", processes, "--no-report", "--", "-v", cwd=tmp_path)
    assert ended.code == 0
    lines = progress(ended.out).splitlines()
    assert len(lines) > 1
    for line in lines:
        assert re.search(r"::test_\w+\[3\.4\.1-1/\S+\] CONFORMANT +\[ *\d+%\]$", line), line


def test_options_of_xdist_are_obeyed(tmp_path):
    ended = tck("run", "3.4.1-1/*", "-n", "1", "--no-report", "--", "--dist", "load", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "1 worker [" in ended.out


def test_the_report_is_written_and_the_verdicts_are_printed_after_pytest_has_ended(tmp_path):
    ended = tck("run", "3.4.1-1/*", "-n", "0", cwd=tmp_path)
    lines = ended.out.splitlines()
    (site,) = (tmp_path / "tck-out" / "html").iterdir()
    (last,) = (number for number, line in enumerate(lines) if re.search(r"=+ 12 passed, .* in", line))
    assert re.fullmatch(r"=+ verdicts =+", lines[last + 2])
    assert lines[-2:] == [f"report  {site / 'index.html'}", "exit    0 (conformant)"]
    assert (site / "index.html").is_file()


def test_a_report_that_cannot_be_written_leaves_a_whole_bundle(tmp_path):
    (tmp_path / "tck-out").mkdir()
    (tmp_path / "tck-out" / "html").write_text("in the way")
    ended = tck("run", "3.4.1-1/*", "-n", "0", cwd=tmp_path)
    assert ended.code == 4
    assert "exit    0 (conformant)" in ended.out
    assert "the bundle is whole, `tck report` writes the report" in ended.err
    assert tck("report", "--html", "site", cwd=tmp_path).code == 0
