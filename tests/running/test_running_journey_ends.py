"""A journey that ends at a refusal which the profile declares leaves its other rows to their own cases."""

from __future__ import annotations

import dataclasses

import pytest

from tck.catalogue import load_catalogue
from tck.profile import load_profile
from tck.profile.model import Declared, Deviation
from tck.record import Outcome, Verdict
from tck.running.attempt import Refusal, Tracked
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
    tracked.refusals = [Refusal(CATALOGUE["8.5-2"], "MessageConsumer.receive", "it raised JMSException")]
    profile = dataclasses.replace(load_profile("reference"), deviations=deviations)
    verdicts = tracked.result(profile).verdicts
    assert {row for row, verdict in verdicts.items() if verdict is Verdict.UNDECIDED} == set(left)
    known = deviations and variant == "journey-1"
    assert verdicts["8.5-2"] is (Verdict.DECLARED if known else Verdict.VIOLATION)
