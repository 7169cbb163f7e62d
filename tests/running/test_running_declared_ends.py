"""A case that cannot be judged for a reason that the profile declares: what becomes of its rows."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from tck.blame.causes import Cause, Kind
from tck.catalogue import load_catalogue
from tck.profile import load_profile
from tck.profile.model import Declared, Deviation
from tck.record import Fault, Outcome, Verdict
from tck.running.attempt import Tracked
from tck.suite.support.harness.point import Point

CATALOGUE = load_catalogue()
ROWS = ("3.4-1", "3.4.1-2", "3.4.2-2")
DECLARED = Deviation(
    assertion="8.5-2", cases="*/journey-1", outcome=Declared.FAILS, reason="receive() is refused", evidence="x"
)


@pytest.mark.parametrize(
    ("variant", "deviations", "left"),
    [
        ("journey-1", (DECLARED,), ()),
        ("journey-1", (), ROWS),
        ("journey-2", (DECLARED,), ROWS),
        ("other", (DECLARED,), ROWS),
    ],
)
def test_rows_that_a_declared_refusal_leaves_open(variant, deviations, left):
    point = Point(ROWS, "queue", "classic", "auto", variant)
    tracked = Tracked(point, 1, tuple(CATALOGUE[row] for row in ROWS), "test", outcome=Outcome.UNDECIDED)
    tracked.causes = [Cause(Kind.REFUSED, CATALOGUE["8.5-2"], "MessageConsumer.receive", "it raised JMSException")]
    profile = dataclasses.replace(load_profile("reference"), deviations=deviations)
    verdicts = tracked.result(profile).verdicts
    assert {row for row, verdict in verdicts.items() if verdict is Verdict.UNDECIDED} == set(left)
    known = deviations and variant == "journey-1"
    assert verdicts["8.5-2"] is (Verdict.DECLARED if known else Verdict.VIOLATION)


@pytest.mark.parametrize(
    ("observed", "verdict"),
    [("*a race*", Verdict.DECLARED), (None, Verdict.UNDECIDED), ("*another*", Verdict.UNDECIDED)],
)
def test_a_flaky_failure_known_by_its_text_covers_a_row_that_it_leaves_undecided(observed, verdict):
    flaky = Deviation(
        "3.4-1", Declared.FLAKY, "a race", observed=observed, at_most=1.0, expires=dt.date(2999, 1, 1), evidence="x"
    )
    point = Point(("3.4-1",), "queue", "classic", "auto")
    tracked = Tracked(point, 1, (CATALOGUE["3.4-1"],), "test", outcome=Outcome.UNDECIDED)
    tracked.fault = Fault("JMSException", "a race")
    profile = dataclasses.replace(load_profile("reference"), deviations=(flaky,))
    assert tracked.result(profile).verdicts == {"3.4-1": verdict}
