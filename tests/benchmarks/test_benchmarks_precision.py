"""`python -m benchmarks precision`: deviations drawn for a reader, and the figures of those judged."""

import re
from pathlib import Path

import pytest

from benchmarks.precision.command import main
from benchmarks.precision.drawing import PrecisionError, accusations, draw, run
from benchmarks.precision.judged import COLUMNS, figures, interval, read
from tck.catalogue import load_catalogue
from tck.profile import profile_names

ROOT = Path(__file__).parents[2]
CATALOGUE = load_catalogue()
LINE = "2026-11-27,08bbb96,reader,7,artemis,3.4.1-1,plain,"
PROFILE = """\
[profile]
name = "mine"
title = "Mine"
extends = "artemis"
deviations = "none"
"""
DECLARED = """
[[deviation]]
assertion = "3.4.1-1"
cases = "{cases}"
outcome = "{outcome}"
reason = "it lasts"
when = "sync is off"
holds_with = {{ sync = true }}
evidence = "{evidence}"
at_most = 0.5
expires = 2030-01-01
"""


def declared(folder, *evidence, outcome="fails"):
    tables = [DECLARED.format(cases=f"{n}/*", outcome=outcome, evidence=each) for n, each in enumerate(evidence)]
    text = PROFILE + "".join(tables)
    if outcome != "flaky":
        text = text.replace("at_most = 0.5\nexpires = 2030-01-01\n", "")
    file = folder / "mine.toml"
    file.write_text(text)
    return str(file)


def table(folder, *lines, columns=COLUMNS):
    file = folder / "judged.csv"
    file.write_text("\n".join([",".join(columns), *lines, ""]))
    return file


def test_a_draw_has_each_row_of_a_profile_once_and_is_the_same_for_a_seed():
    found = accusations(CATALOGUE)
    drawn = draw(found, 200, 3)
    assert draw(reversed(found), 200, 3) == drawn
    assert draw(found, 200, 4) != drawn
    assert len({(each.profile, each.deviation.assertion) for each in drawn}) == 200
    assert {each.deviation.outcome for each in drawn} == {"fails"}
    assert {each.profile for each in drawn} <= {each for each in profile_names() if each.partition("-")[0] != "dummy"}


def test_what_is_inherited_counts_at_its_owner(tmp_path):
    assert accusations(CATALOGUE, ["artemis-process", "reference"]) == []
    assert len(accusations(CATALOGUE, ["artemis", "artemis-process"])) == len(accusations(CATALOGUE, ["artemis"]))
    assert accusations(CATALOGUE, [declared(tmp_path, "seen", outcome="flaky")]) == []
    with pytest.raises(PrecisionError, match=r"^1 cannot be drawn: .* 0 rows"):
        draw([], 1, 1)


def test_a_sheet_has_what_there_is_to_judge(tmp_path, capsys):
    assert main(["--draw", "1", "-p", declared(tmp_path, "profiles/evidence/held.py artemis 'a b'")]) == 0
    statement = re.escape(CATALOGUE["3.4.1-1"].statement)
    assert re.fullmatch(
        rf"""## mine 3\.4\.1-1

- MUST: {statement}
- sentence: .*3\.1: 3\.4\.1.*
- cases: `0/\*`
- reason: it lasts; when sync is off; holds with sync = true
- evidence: `python profiles/evidence/held\.py artemis 'a b'`

""",
        capsys.readouterr().out,
    )


def test_what_is_no_program_is_shown_and_not_run(tmp_path, capsys):
    assert main(["--draw", "1", "-p", declared(tmp_path, "run 7", "run 7"), "--run"]) == 0
    assert capsys.readouterr().out.endswith("- evidence: run 7\n\nNo program is named.\n\n")


@pytest.mark.parametrize(
    ("program", "seconds", "ending"),
    [
        ("print('deviates: yes')\nsys.exit(1)", 30, "```\ndeviates: yes\n```\n\nExit code 1.\n"),
        ("time.sleep(60)", 0.2, "```\n```\n\nCut after 0.2 s.\n"),
        ("print('x\\n' * 100)", 30, "x\n\n```\n\nExit code 0.\n"),
    ],
)
def test_a_program_runs_for_a_bounded_time(tmp_path, monkeypatch, program, seconds, ending):
    (tmp_path / "profiles/evidence").mkdir(parents=True)
    (tmp_path / "profiles/evidence/it.py").write_text(f"import sys, time\n{program}\n")
    (tmp_path / "tck.py").write_text("print('a.jar')\n")  # `tck lock --classpath` of this folder
    monkeypatch.setattr("benchmarks.precision.drawing.ROOT", tmp_path)
    (found,) = accusations(CATALOGUE, [declared(tmp_path, "profiles/evidence/it.py artemis")])
    shown = run(found, seconds)
    assert shown.endswith(ending)
    assert len(shown.splitlines()) < 50


def test_a_profile_without_a_lock_is_said(tmp_path):
    (found,) = accusations(CATALOGUE, [declared(tmp_path, "profiles/evidence/held.py nobody")])
    assert run(found, 1).startswith("Not run: ")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--draw", "9", "-p", "artemi"], 'precision: no profile "artemi", did you mean "artemis"'),
        (["--draw", "99999"], "precision: 99999 cannot be drawn: "),
        (["--draw", "0"], "precision: 0 cannot be drawn: "),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(capsys, words, error):
    assert main(words) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(error)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (LINE.replace("plain", "nice"), '"nice" is no verdict; those are plain, contestable, setting, false'),
        (LINE.replace("11-27", "11-31"), "day "),
        (LINE.replace("08bbb96", "main"), '"main" is no commit'),
        (LINE.replace(",7,", ",x,"), '"x" is no seed'),
        (LINE.replace(",artemis,", ",,"), "judge and profile must be given"),
        (LINE.replace("3.4.1-1", "3.4.1-999"), "there is no row 3.4.1-999"),
        (LINE + ",", "9 cells where 8 are due"),
        ("", "0 cells where 8 are due"),
    ],
)
def test_a_malformed_line_of_the_table_is_named(tmp_path, line, error):
    with pytest.raises(PrecisionError, match=rf"^judged\.csv:3: {re.escape(error)}.*; correct the line$"):
        read(CATALOGUE, table(tmp_path, LINE, line))


def test_a_table_with_other_columns_is_refused(tmp_path, monkeypatch, capsys):
    file = table(tmp_path, columns=("date", "judge"))
    monkeypatch.setattr("benchmarks.precision.command.read", lambda catalogue: read(catalogue, file))
    assert main([]) == 4
    assert capsys.readouterr().err.startswith("precision: judged.csv:1: the columns are date, commit, judge, ")


def test_the_figures_are_by_date_and_judge(tmp_path):
    others = [LINE.replace("reader", "other").replace("plain", verdict) for verdict in ("false", "setting")]
    shown = list(figures(read(CATALOGUE, table(tmp_path, LINE, *others))))[2:]
    assert shown == [
        "| 2026-11-27 | 08bbb96 | other | 2 | 0 (0%) | 0 (0%) | 1 (50%) | 1 (50%) | 9% to 91% |",
        "| 2026-11-27 | 08bbb96 | reader | 1 | 1 (100%) | 0 (0%) | 0 (0%) | 0 (0%) | 0% to 79% |",
    ]


def test_the_interval_is_that_of_wilson():
    assert interval(4, 88) == pytest.approx((0.0178, 0.1112), abs=1e-4)
    assert interval(0, 10)[0] == 0


def test_the_page_on_strength_has_the_figures_of_the_table(capsys):
    assert main([]) == 0
    page = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    assert page.partition("<!-- precision: begin -->\n")[2].partition("<!-- precision: end -->")[0] == (
        capsys.readouterr().out
    )


def test_no_judge_judges_a_row_of_a_profile_twice_for_a_seed():
    keys = [(each.judge, each.seed, each.profile, each.row) for each in read(CATALOGUE)]
    assert len(keys) == len(set(keys))
    assert {each.profile for each in read(CATALOGUE)} <= set(profile_names())
