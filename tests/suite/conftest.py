"""A case on a fresh reference provider, outside of any run, for testing the vocabulary of the suite itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tck.catalogue import load_catalogue
from tck.profile import load_profile
from tck.running.attempt import Tracked
from tck.running.worker import Worker
from tck.suite.support.case import Case
from tck.suite.support.harness.point import Point

CATALOGUE = load_catalogue()


@pytest.fixture
def worker() -> Iterator[Worker]:
    """A worker of the reference profile that writes no bundle."""
    made = Worker("main", CATALOGUE, load_profile("reference", CATALOGUE), "3.1", None, "test-run")
    yield made
    made.close()


@pytest.fixture
def tracked() -> Tracked:
    """An attempt at 3.4.8-1 on a queue, classic."""
    point = Point(("3.4.8-1",), "queue", "classic", "auto")
    return Tracked(point, 1, (CATALOGUE["3.4.8-1"],), "test")


@pytest.fixture
def live_case(worker: Worker, tracked: Tracked) -> Iterator[Case]:
    """The case itself."""
    with worker.case(tracked) as case:
        yield case
        worker.close_case(tracked)
