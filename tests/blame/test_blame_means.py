"""The means of a case that failed: those of a sound provider work, one that fails is blamed at its row in place of the case's."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from faults import find
from faults.kit.patch import Patch
from reference_provider.adapter import open_provider
from reference_provider.client.sessions import ReferenceSession
from tck.adapters.recording import Recorder
from tck.blame.means import ALL, Means, failing, tried
from tck.catalogue import load_catalogue
from tck.profile import load_profile
from tck.suite.support.case import Case
from tck.suite.support.harness.point import Point
from tck.suite.support.harness.running import Elsewhere

CATALOGUE = load_catalogue()


def case_at(provider: Any, name: str, *axes: str, row: str = "3.4.8-1") -> Case:
    point = Point((row,), *axes)
    evidence = Recorder(provider.clock, "trial") if provider else None
    return Case(point, (CATALOGUE[row],), load_profile("reference"), provider, evidence, name)


def attempt(folder: Path, *axes: str) -> dict[str, Elsewhere]:
    """Try all means at a point."""
    found = {}
    with open_provider({"clock": "virtual"}, folder) as provider, provider.clock.actor():
        for number, means in enumerate(each for each in ALL if axes[0] in each.domains):
            failure = tried(means, case_at(provider, f"means{number}", *axes))
            if failure is not None:
                found[means.words] = failure
    return found


@pytest.mark.parametrize("ack", ["auto", "client", "dups_ok", "transacted"])
@pytest.mark.parametrize("api", ["classic", "simplified", "domain-specific"])
@pytest.mark.parametrize("domain", ["queue", "topic"])
def test_the_means_of_a_sound_provider_work(tmp_path: Path, domain: str, api: str, ack: str) -> None:
    assert attempt(tmp_path, domain, api, ack) == {}


@pytest.fixture
def broken() -> Iterator[Callable[[str], None]]:
    patch = Patch()
    yield lambda name: find(name).install(patch)
    patch.undo()


@pytest.mark.parametrize(
    ("saboteur", "domain", "api", "words", "row"),
    [
        ("6.2-10", "queue", "classic", "browsers", "4.1.6-4"),
        ("6.2.7-6", "queue", "classic", "rollback", "6.2.7-6"),
        ("6.2.7-8", "topic", "simplified", "rollback", "6.2.7-8"),
        ("6.2.10-25", "queue", "simplified", "recover", "6.2.10-20"),
        ("4.2.8-1", "topic", "classic", "recover", "6.2.10-22"),
        ("4.2.2-1", "topic", "classic", "listeners", "8.7-1"),
        ("8.3.4-11", "topic", "simplified", "shared durable subscriptions", "8.3.4-11"),
        ("8.3.2-18", "topic", "classic", "selectors", "3.8.1-1"),
        ("6.2.9.1-3", "topic", "classic", "order", "6.2.9.1-3"),
    ],
)
def test_a_means_that_fails_is_blamed_at_its_row(
    tmp_path: Path, broken: Callable[[str], None], saboteur: str, domain: str, api: str, words: str, row: str
) -> None:
    broken(saboteur)
    assert {words: row}.items() <= {
        each.call: each.row for each in attempt(tmp_path, domain, api, "auto").values()
    }.items()


def anew(session: Any, topic: Any, name: str, *others: Any) -> Any:
    return PLAIN(session, topic, f"{name}{next(NUMBERS)}", *others)


def elsewhere(session: Any, topic: Any, *_: Any) -> Any:
    return session.create_consumer(session.create_topic(f"{topic.topic_name}.other"))


PLAIN, NUMBERS = ReferenceSession.create_durable_subscriber, itertools.count()


@pytest.mark.parametrize(
    ("method", "fault", "domain", "words", "row"),
    [
        ("create_durable_subscriber", anew, "topic", "durable subscriptions", "8.3.3-5"),
        ("create_shared_consumer", elsewhere, "topic", "shared subscriptions", "8.3.2-10"),
        ("commit", ReferenceSession.rollback, "queue", "commit", "6.2.7-3"),
    ],
)
def test_calls_that_do_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, fault: Any, domain: str, words: str, row: str
) -> None:
    monkeypatch.setattr(ReferenceSession, method, fault)
    found = attempt(tmp_path, domain, "classic", "auto")[words]
    assert (found.row, "first, second, third did not arrive" in found.text) == (row, True)


CREATE = ("Session.create_consumer", ("a queue", "n = 1"))


@pytest.mark.parametrize(
    ("row", "calls", "used"),
    [
        ("3.4.8-1", [CREATE], {"selectors"}),
        ("3.8.1-1", [CREATE], set()),
        ("3.4.8-1", [("Session.create_consumer", ("a queue", " "))], set()),
        ("3.4.8-1", [("Session.create_consumer", ("a queue",)), ("Session.commit", ())], {"commit"}),
        ("6.2.7-1", [("Session.commit", ())], set()),
        ("3.4.8-1", [("MessageProducer.send", ("m",))] * 2, {"order"}),
        ("3.4.8-1", [("JMSProducer.send", ("q", "m"))], set()),
        ("3.4.8-1", [("JMSContext.create_durable_consumer", ("t", "s"))], set()),
    ],
    ids=["used", "the case is about it", "no selector", "commit", "about commit", "order", "one message", "no topic"],
)
def test_the_means_that_a_case_uses(row: str, calls: Any, used: set[str]) -> None:
    tried_: list[Means] = []
    case = case_at(None, "x", "queue", "classic", "auto", row=row)
    assert failing(case, calls, tried_.append) is None  # type: ignore[arg-type]  # append returns None, as a trial that found nothing
    assert {means.words for means in tried_} == used
