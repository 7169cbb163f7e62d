"""`tck corpus review`, `tck explain corpus/0001` and `tck explore --replay corpus/0001`."""

import json

import pytest
from cli_support import one_message, tck

from tck.cli.support import corpus_command
from tck.explore.collection import Moved
from tck.programs.corpus import Corpus
from tck.suite.support.corpus import FOLDER

CORPUS = Corpus(FOLDER)
LAST = max(CORPUS.entries)


@pytest.mark.slow
def test_a_review_of_programs_that_did_not_move(tmp_path):
    ran = tck("corpus", "review", "0001", "corpus/0002", cwd=tmp_path)
    assert ran.code == 0
    assert "0 of 2 programs show other outcomes" in ran.out
    found = tck("corpus", "review", "1", "--format", "json", cwd=tmp_path).json()
    assert found == {"reviewed": 1, "accepted": False, "moved": []}


def test_a_program_that_moved_is_shown_by_its_call_and_both_outcomes():
    seen = CORPUS.expectation(1, "3.1").seen
    lines = corpus_command.lines(CORPUS, [Moved(1, "3.1", [(2, seen[2], {"raises": "IllegalStateException"})])], 2)
    shown = "\n".join(lines)
    assert shown.startswith("corpus/0001  3.1  1 outcome moved")
    assert CORPUS.program(1).steps[2].do in shown
    assert "now    {'raises': 'IllegalStateException'}" in shown
    assert lines[-1] == "1 of 2 programs show other outcomes than the stored ones"


def test_a_program_that_is_no_longer_legal_says_why():
    shown = "\n".join(corpus_command.lines(CORPUS, [Moved(1, "3.1", [], "step 3: left open")], 1))
    assert "no longer legal: step 3: left open" in shown


@pytest.mark.parametrize("words", [("corpus", "review", "9999"), ("explain", "corpus/9999"), ("explain", "corpus/x"), ("explore", "--replay", "corpus/9999")])  # fmt: skip
def test_a_program_that_does_not_exist_is_refused(tmp_path, words):
    ran = tck(*words, cwd=tmp_path)
    assert ran.code == 4
    assert f"the programs are corpus/0001 to corpus/{LAST:04}" in one_message(ran)


def test_accept_is_for_all_programs(tmp_path):
    ran = tck("corpus", "review", "1", "--accept", cwd=tmp_path)
    assert ran.code == 4
    assert "leave out the numbers" in one_message(ran)


def test_a_program_is_explained_by_its_calls_outcomes_and_rows(tmp_path):
    entry = CORPUS.entries[1]
    out = tck("explain", "corpus/0001", cwd=tmp_path).out
    assert out.startswith(f"corpus/0001  {entry.title}\n\n  {entry.steps} calls, {entry.cells} outcomes compared\n")
    assert all(row in out for row in entry.rows)
    assert "run it    tck run corpus/0001" in out
    assert out.count("\n        ") >= 1
    found = json.loads(tck("explain", "corpus/0001", "--format", "json", cwd=tmp_path).out)
    assert found["rows"] == list(entry.rows)
    assert len(found["seen"]) == entry.steps == len(found["program"]["steps"])


@pytest.mark.slow
def test_a_program_that_a_broker_contradicts_says_so(tmp_path):
    number = next(number for number, entry in CORPUS.entries.items() if entry.unsettled)
    unsettled = CORPUS.entries[number].unsettled
    out = tck("explain", f"corpus/{number:04}", cwd=tmp_path).out
    assert f"  against   {', '.join(unsettled)}: not settled, so it judges virtual clocks only\n" in out
    found = tck("explain", f"corpus/{number:04}", "--format", "json", cwd=tmp_path).json()
    assert found["unsettled"] == list(unsettled)


@pytest.mark.slow
def test_a_program_of_the_corpus_is_explored_again(tmp_path):
    ran = tck("explore", "-p", "reference", "--replay", "corpus/0001", cwd=tmp_path)
    assert ran.code == 0
    assert "1 programs" in ran.out
