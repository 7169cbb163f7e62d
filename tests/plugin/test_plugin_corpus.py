"""A program of the corpus as a case: what it breaks, what no row owns, and what a profile declares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tck.catalogue import load_catalogue
from tck.detection.judge import Sight, Story, judge_dummy

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

PROGRAM = """
from tck.suite.support import corpus
{patch}
@asserts("corpus-1", variants=[each for each in corpus.variants() if each.name == "{name}"])
def test_a_program(case):
    corpus.performed(case)
"""
ANOTHER_OUTCOME = """
from dataclasses import replace
from tck.programs.corpus import Corpus
stored = Corpus.expectation
def changed(self, number, version):
    found = stored(self, number, version)
    at = max(at for at, seen in enumerate(found.seen) if isinstance(seen.get("ok"), dict) and seen["ok"].get("got"))
    seen = list(found.seen)
    got = seen[at]["ok"]["got"]
    message = got[0] if isinstance(got, list) else got
    message["headers"]["JMSPriority"] = 17
    return replace(found, seen=tuple(seen))
Corpus.expectation = changed
"""
OWNERS = ANOTHER_OUTCOME + "from tck.blame import owners\nowners.owners_of = lambda *_: ('call', {rows})\n"
NO_OWNER = OWNERS.replace("{rows}", "()")


def judged(run_suite: Run, patch: str = "", profile: str = "reference") -> Any:
    ran = run_suite(PROGRAM.format(patch=patch, name=_receiving()), profile=profile)
    (result,) = ran.bundle.results()
    return ran, result, {row: verdict.value for row, verdict in result.verdicts.items()}


def _receiving() -> str:
    """Return the number of a program that receives a message and needs nothing."""
    from tck.programs.corpus import corpus_in
    from tck.suite.support.corpus import FOLDER

    corpus = corpus_in(FOLDER)
    for entry in corpus.entries.values():
        seen = corpus.expectation(entry.number, "3.1").seen
        got = [each["ok"]["got"] for each in seen if isinstance(each.get("ok"), dict) and each["ok"].get("got")]
        last = got[-1] if got else None
        last = last[0] if isinstance(last, list) else last
        if isinstance(last, dict) and "headers" in last and not entry.hooks:
            return entry.name
    raise AssertionError("no program receives a message")


@pytest.mark.slow
def test_a_program_that_agrees_says_nothing_of_other_rows(run_suite: Run) -> None:
    ran, result, verdicts = judged(run_suite)
    assert ran.exit == 0, ran.output
    assert verdicts == {"corpus-1": "conformant"}
    assert result.case == f"corpus/{_receiving()}"
    assert "outcomes are the specified ones" in result.observed


def test_a_difference_breaks_the_row_that_owns_it(run_suite: Run) -> None:
    ran, result, verdicts = judged(run_suite, ANOTHER_OUTCOME)
    assert ran.exit == 1, ran.output
    assert verdicts == {"corpus-1": "conformant", "3.4-1": "violation"}
    assert "header JMSPriority: expected 17" in result.explanation
    assert "An outcome of" in result.explanation


def test_a_difference_that_no_row_owns_is_undecided_and_never_silent(run_suite: Run) -> None:
    ran, result, verdicts = judged(run_suite, NO_OWNER)
    assert ran.exit == 1, ran.output
    assert verdicts == {"corpus-1": "undecided"}
    assert "header JMSPriority: expected 17" in result.observed


def test_a_difference_whose_row_is_not_in_force_is_not_silent(run_suite: Run) -> None:
    ran, _, verdicts = judged(run_suite, OWNERS.replace("{rows}", "('6.1.5-23',)"))
    assert ran.exit == 1, ran.output
    assert verdicts == {"corpus-1": "undecided"}


@pytest.mark.parametrize(
    ("patch", "row", "outcome"), [(ANOTHER_OUTCOME, "3.4-1", "fails"), (NO_OWNER, "corpus-1", "undecided")]
)
def test_both_can_be_declared(run_suite: Run, tmp_path: Path, patch: str, row: str, outcome: str) -> None:
    """A row that is declared for other cases is declared in programs, which do not know the condition."""
    profile = tmp_path / "declared.toml"
    cases = "corpus/*" if row == "corpus-1" else "3.4-1/queue/*"
    profile.write_text(
        '[profile]\nname = "declared"\ntitle = "Declared"\nextends = "reference"\n'
        f'[[deviation]]\nassertion = "{row}"\ncases = "{cases}"\noutcome = "{outcome}"\nreason = "as it was built"\nlink = "https://issues.example.org/1"\n'
    )
    ran, _, verdicts = judged(run_suite, patch, str(profile))
    assert ran.exit == 0, ran.output
    assert verdicts[row] == "declared"


@pytest.mark.parametrize(("claim", "verdict"), [('api = ["domain-specific"]', "unsupported")])
def test_what_the_profile_does_not_claim_is_unsupported(
    run_suite: Run, tmp_path: Path, claim: str, verdict: str
) -> None:
    profile = tmp_path / "less.toml"
    profile.write_text(
        f'[profile]\nname = "less"\ntitle = "Less"\nextends = "reference"\n[claims]\nversion = "3.1"\n{claim}\n'
    )
    _, _, verdicts = judged(run_suite, "", str(profile))
    assert verdicts == {"corpus-1": verdict}


def test_a_dummy_that_breaks_a_row_beside_its_own_has_passed_no_case() -> None:
    sights = (
        Sight("corpus/0001", {"corpus-1": "conformant", "6.1-1": "violation"}, "held", ""),
        Sight("corpus/0002", {"corpus-1": "conformant"}, "held", ""),
    )
    judged_dummy = judge_dummy(Story(sights, None), load_catalogue())
    assert judged_dummy["passed_cases"] == ["corpus/0002"]
