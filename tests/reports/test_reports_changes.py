"""Transition, regression, flaky, relapse and stable: one definition, for single runs, for sequences and for attempts."""

import re
from pathlib import Path

import pytest

from tck.record.outcomes import Verdict
from tck.reports import changes
from tck.reports.changes import (
    FAILED,
    HELD,
    UNDECIDED,
    changed_conditions,
    comes_and_goes,
    conditions,
    flips,
    is_flaky,
    is_regression,
    is_relapse,
    is_stable,
    is_transition,
    tally,
)
from tck.reports.verdict_snapshot import CaseVerdict, Origin

CONFORMANT, VIOLATION, DECLARED = Verdict.CONFORMANT, Verdict.VIOLATION, Verdict.DECLARED
VIOLATIONS = {VIOLATION}


def case_verdicts(text):
    """Make a run for each letter: `h`eld, `v`iolated, `d`eclared, `m`ixed attempts."""
    made = {
        "h": (CONFORMANT, 0, 1),
        "v": (VIOLATION, 1, 1),
        "d": (DECLARED, 0, 1),
        "m": (VIOLATION, 1, 3),
    }
    return [CaseVerdict(number, *made[letter]) for number, letter in enumerate(text)]


def origin(**changed):
    reported = {"run": "1", "at": "2026", "provider": "P", "version": "1", "kit": "1", "profile": "p", "tier": "3.1"}
    return Origin(**{**reported, "catalogue": "c", "profile_digest": "d", **changed})


def test_no_verdict_is_of_two_sorts():
    assert HELD.isdisjoint(FAILED)
    assert UNDECIDED.isdisjoint(HELD | FAILED)


def test_a_regression_held_before_and_failed_in_every_run_since():
    assert is_regression(True, 2, 2)
    assert not is_regression(True, 1, 2)
    assert not is_regression(False, 2, 2)


def test_a_transition_and_a_relapse_have_a_direction_only_where_it_matters():
    assert is_transition(CONFORMANT, VIOLATION)
    assert is_transition(VIOLATION, CONFORMANT)
    assert not is_transition(VIOLATION, VIOLATION)
    assert is_relapse(failed_before=False, failed_now=True)
    assert not is_relapse(failed_before=True, failed_now=False)
    assert not is_relapse(failed_before=True, failed_now=True)


def test_stable_is_the_same_in_every_run():
    assert is_stable([])
    assert is_stable([CONFORMANT, CONFORMANT])
    assert not is_stable([CONFORMANT, None])


@pytest.mark.parametrize(
    ("runs", "failed", "held", "flaky"),
    [
        ("hhh", 0, 3, False),
        ("vvv", 3, 0, False),
        ("hvh", 1, 2, True),
        ("m", 1, 1, True),
        ("vm", 2, 1, True),
        ("hd", 1, 1, True),
    ],
)
def test_flaky_needs_both_among_runs_or_attempts(runs, failed, held, flaky):
    assert tally(case_verdicts(runs), FAILED) == (failed, held)
    assert is_flaky(failed, held) is flaky


def test_to_a_gate_only_a_violation_is_a_failure():
    assert tally(case_verdicts("hd"), VIOLATIONS) == (0, 2)


@pytest.mark.parametrize(
    ("runs", "known"), [("vh", False), ("hv", True), ("vhv", True), ("vv", False), ("hm", True), ("mh", True)]
)
def test_a_failure_is_known_to_come_and_go_after_a_relapse(runs, known):
    assert comes_and_goes(case_verdicts(runs), VIOLATIONS) is known


def test_flips_count_every_turn():
    assert [flips(each) for each in ([], [True], [True, False, False, True])] == [0, 0, 2]


def test_conditions_are_what_a_verdict_depends_on():
    first = origin()
    assert conditions(first) == conditions(origin(run="2", at="2027"))
    for name, value in (("version", "2"), ("kit", "2"), ("catalogue", "x"), ("profile_digest", "x")):
        assert conditions(origin(**{name: value})) != conditions(first)
    assert changed_conditions(first, origin(version="2", kit="2")) == {"provider": ("P 1", "P 2"), "kit": ("1", "2")}
    assert changed_conditions(first, origin(catalogue="", profile_digest="")) == {}, "what is unknown is left out"


def test_documents_define_the_terms_in_the_same_words():
    written = re.findall(r"^- \*\*(\w+)\*\*: (.+?)\.\n(?=- |\n)", changes.__doc__, re.MULTILINE | re.DOTALL)
    terms = {
        term: re.sub(r"\.? (Runs)?", lambda match: "; runs" if match[1] else " ", " ".join(text.split()))
        for term, text in written
    }
    assert list(terms) == ["transition", "regression", "flaky", "relapse", "stable"]
    for page in ("gate.md", "pipeline.md"):
        text = (Path(__file__).resolve().parents[2] / "docs" / page).read_text(encoding="utf-8")
        assert [term for term, meaning in terms.items() if f"| {term} | {meaning} |" not in text] == []
