"""Declared flakiness: within its bound and its date it is declared, beyond them a violation, however the case as a whole ended."""

import dataclasses
import datetime as dt

import pytest

from tck.catalogue import load_catalogue
from tck.profile import Declared, Deviation, load_profile
from tck.record import Outcome, Result, Verdict
from tck.running.controller import hold_flaky_bounds

PROFILE = load_profile("reference", load_catalogue())
LATER = dt.date(2999, 1, 1)


@pytest.mark.parametrize("outcome", [Outcome.BROKEN, Outcome.UNDECIDED, Outcome.HELD])
@pytest.mark.parametrize(
    ("at_most", "expires", "verdict"),
    [(1.0, LATER, Verdict.DECLARED), (0.5, LATER, Verdict.VIOLATION), (1.0, dt.date(2020, 1, 1), Verdict.VIOLATION)],
)
def test_a_declared_flaky_row_is_judged_by_its_bound_and_its_date(outcome, at_most, expires, verdict):
    flaky = Deviation("6.1.8-18", Declared.FLAKY, "a race", at_most=at_most, expires=expires)
    profile = dataclasses.replace(PROFILE, deviations=(flaky,))
    verdicts = {"8.3.4-5": Verdict.UNDECIDED, "6.1.8-18": Verdict.DECLARED}
    results = [Result("8.3.4-5/topic", outcome, verdicts, Verdict.UNDECIDED, attempt=at) for at in range(1, 4)]
    judged = hold_flaky_bounds(results, profile)
    assert [each.verdicts for each in judged] == [{**verdicts, "6.1.8-18": verdict}] * 3
