"""What a selector chooses where its fence cannot come: in version 1.0 unlike types make a whole selector false."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tck.catalogue import load_catalogue
from tck.profile import load_profile
from tck.running.attempt import Tracked
from tck.running.worker import Worker
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.point import Point
from tck.suite.support.selectors import Samples, chosen

CATALOGUE = load_catalogue()
SAMPLES: Samples = {"one": {"n": 1}, "two": {"n": 2}}
UNLIKE = "JMSPriority = 'x'"
"""Compares unlike types whatever the message."""


@pytest.fixture
def old_case() -> Iterator[Case]:
    """A case on a topic of version 1.0."""
    today = load_profile("reference", CATALOGUE)
    adapter = replace(today.adapter, settings={**today.adapter.settings, "version": "1.0"})
    worker = Worker("main", CATALOGUE, replace(today, adapter=adapter), "1.0", None, "test-run")
    tracked = Tracked(Point(("3.8.1.1-29",), "topic", "domain-specific", "auto"), 1, (CATALOGUE["3.8.1.1-29"],), "test")
    with worker.case(tracked) as case:
        yield case
        worker.close_case(tracked)
    worker.close()


def test_a_selector_without_its_fence_chose_nothing_if_others_got_theirs(old_case: Case) -> None:
    wanted = {"n = 1": "one", UNLIKE: "", "n = 3": ""}
    assert chosen(old_case, SAMPLES, wanted) == wanted


def test_where_no_selector_gets_its_fence_nothing_can_be_told(old_case: Case) -> None:
    with pytest.raises(Undecided, match="not even the message with that property"):
        chosen(old_case, SAMPLES, {UNLIKE: ""})
