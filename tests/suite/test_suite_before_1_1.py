"""Company and second lifetimes before 1.1: by the domain-specific interfaces alone they see what they see later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tck import api
from tck.blame.around import second_lifetimes
from tck.profile import load_profile, override_settings
from tck.record import Verdict
from tck.running.attempt import Tracked
from tck.running.worker import Worker
from tck.suite.support.case import Case
from tck.suite.support.company import Company
from tck.suite.support.company.bystanders import (
    APART,
    KINDS,
    Browsing,
    Bystander,
    Consuming,
    Durable,
    Producing,
    Subscribed,
    Transaction,
    Unacknowledged,
    Waiting,
)
from tck.suite.support.harness.point import Point
from tck.suite.support.lifetimes import look
from tck.suite.support.lifetimes.connecting import FreshConnection, ResumedSubscription, SameIdentifier, SameName
from tck.suite.support.lifetimes.lifetimes import KINDS as LIFETIMES
from tck.suite.support.lifetimes.lives import (
    FreshConsumer,
    FreshProducer,
    FreshSession,
    FreshTemporary,
    Lifetime,
    NextTransaction,
    StartedAgain,
)

OLD = "1.0.2b"


def played(catalogue: Any, *settings: str) -> Worker:
    """Return a worker of the reference provider that plays the old version."""
    profile = override_settings(load_profile("reference", catalogue), [f'version="{OLD}"', *settings])
    return Worker("main", catalogue, profile, OLD, None, "old-run")


def attempt(worker: Worker, domain: str) -> Tracked:
    point = Point(("3.4.8-1",), domain, "domain-specific", "auto", first=True)
    return Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")


@pytest.fixture
def old(worker: Worker) -> Iterator[Worker]:
    made = played(worker.catalogue)
    yield made
    made.close()


@pytest.fixture
def case_of(old: Worker) -> Iterator[Callable[[str], Case]]:
    """Open a case of a domain, in the old version."""
    ends = list[Callable[[], object]]()

    def opened(domain: str) -> Case:
        tracked = attempt(old, domain)
        context = old.case(tracked)
        case = context.__enter__()
        ends.append(lambda: (old.close_case(tracked), context.__exit__(None, None, None)))
        return case

    yield opened
    for end in ends:
        end()


@pytest.fixture
def company(old: Worker, case_of: Callable[[str], Case]) -> Iterator[Callable[..., tuple[Company, Case]]]:
    made = list[Company]()

    def make(kind: type[Bystander], place: str, domain: str = "") -> tuple[Company, Case]:
        case = case_of(domain or kind.domain)
        assert old.tracked is not None
        inquiry = old.tracked.inquiry
        assert inquiry is not None
        made.append(Company(case, inquiry.recorder, inquiry.company.refused))
        made[-1].expect((kind, place))
        return made[-1], case

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(("kind", "place"), KINDS)
def test_a_sound_provider_harms_nobody(company: Any, kind: type[Bystander], place: str) -> None:
    found, case = company(kind, place)
    link = case.link()
    link.carry(link.text("x"))
    link.consumer.close()
    assert (found.missing, found.place, type(found.bystander)) == ("", place, kind)
    assert found.look() is None


@pytest.mark.parametrize(("kind", "place"), KINDS)
def test_a_bystander_of_the_other_domain_is_of_another_connection(
    company: Any, kind: type[Bystander], place: str
) -> None:
    found, case = company(kind, place, "topic" if kind.domain == "queue" else "queue")
    link = case.link()
    link.carry(link.text("x"))
    link.consumer.close()
    assert (found.missing, found.place) == ("", APART)
    assert found.look() is None


def receive_all(found: Any) -> None:
    consumer = found._apart().consumer(found.bystander.ground.queue)
    while consumer.receive_no_wait() is not None:
        pass


HARM: dict[type[Bystander], Callable[[Any], object]] = {
    Waiting: receive_all,
    Consuming: lambda found: found.bystander.consumer.close(),
    Subscribed: lambda found: found.bystander.consumer.close(),
    Durable: lambda found: found.bystander.leave(),
    Producing: lambda found: setattr(found.bystander.producer, "priority", 4),
    Browsing: lambda found: next(found.bystander.scan),
    Transaction: lambda found: found.bystander.desk.of("queue").rollback(),
    Unacknowledged: lambda found: found.bystander.desk.of("queue").recover(),
}
"""What some fault may do to each kind."""


@pytest.mark.parametrize(("kind", "place"), KINDS)
def test_each_harm_is_seen_and_blamed_on_a_row_of_the_old_version(
    company: Any, old: Worker, kind: type[Bystander], place: str
) -> None:
    found, case = company(kind, place)
    link = case.link()
    link.carry(link.text("x"))
    link.consumer.close()
    HARM[kind](found)
    harmed = found.look()
    assert harmed is not None
    assert harmed.text.startswith(f"{kind.words}, {place}, made before ")
    assert old.catalogue[harmed.row].applies_to(OLD)
    assert harmed.row == (kind.row_domain or kind.row)


@pytest.mark.parametrize("kind", [Waiting, Durable])
def test_what_lasts_is_looked_at_after_a_restart(company: Any, kind: type[Bystander]) -> None:
    found, case = company(kind, APART)
    case.provider.restart()
    assert found.bystander is not None
    assert found.look() is None


def opened(case: Case, *, client_id: str | None = None, mode: int = api.Session.AUTO_ACKNOWLEDGE) -> tuple[Any, Any]:
    transacted = mode == api.Session.SESSION_TRANSACTED
    connection: Any
    if case.domain == "queue":
        connection = case.provider.queue_connection_factory().create_queue_connection()
    else:
        connection = case.provider.topic_connection_factory().create_topic_connection()
    if client_id is not None:
        connection.client_id = client_id
    connection.start()
    make = connection.create_queue_session if case.domain == "queue" else connection.create_topic_session
    return connection, make(transacted, mode)


def sender_of(case: Case, session: Any) -> tuple[Any, Callable[[], None]]:
    """Return a producer, and what sends a message by it."""
    if case.domain == "queue":
        made = session.create_sender(case.queue())
        return made, lambda: made.send(session.create_text_message("x"))
    made = session.create_publisher(case.topic())
    return made, lambda: made.publish(session.create_text_message("x"))


def a_producer(case: Case) -> None:
    _, session = opened(case)
    producer, _ = sender_of(case, session)
    producer.priority = 9
    producer.close()


def a_consumer(case: Case) -> None:
    _, session = opened(case)
    (session.create_receiver if case.domain == "queue" else session.create_subscriber)(case.destination()).close()


def a_session(mode: int) -> Callable[[Case], None]:
    def end(case: Case) -> None:
        _, session = opened(case, mode=mode)
        sender_of(case, session)[1]()
        session.close()

    return end


def a_stop(case: Case) -> None:
    opened(case)[0].stop()


def a_commit(case: Case) -> None:
    _, session = opened(case, mode=api.Session.SESSION_TRANSACTED)
    _, send = sender_of(case, session)
    send()
    session.commit()
    send()


def a_temporary_destination(case: Case) -> None:
    _, session = opened(case)
    (session.create_temporary_queue if case.domain == "queue" else session.create_temporary_topic)().delete()


def a_connection(case: Case) -> None:
    opened(case)[0].close()


def a_kill(case: Case) -> None:
    opened(case)
    case.provider.kill()


def an_identifier(case: Case) -> None:
    connection, session = opened(case, client_id=case.name())
    if case.domain == "topic":
        session.create_durable_subscriber(case.topic(), "d")
    connection.close()


def a_durable_consumer(mode: int) -> Callable[[Case], None]:
    def end(case: Case) -> None:
        _, session = opened(case, client_id=case.name(), mode=mode)
        session.create_durable_subscriber(case.topic(), "d").close()

    return end


def a_name(case: Case) -> None:
    _, session = opened(case, client_id=case.name())
    session.create_durable_subscriber(case.topic(), "e").close()
    session.unsubscribe("e")


def a_closed_connection_after_unsubscribe(case: Case) -> None:
    connection, session = opened(case, client_id=case.name())
    session.create_durable_subscriber(case.topic(), "e").close()
    session.unsubscribe("e")
    connection.close()


ENDS: tuple[tuple[type[Lifetime], Callable[[Case], None], tuple[str, ...]], ...] = (
    (FreshProducer, a_producer, ("queue", "topic")),
    (FreshConsumer, a_consumer, ("queue", "topic")),
    (FreshSession, a_session(api.Session.CLIENT_ACKNOWLEDGE), ("queue", "topic")),
    (FreshSession, a_session(api.Session.SESSION_TRANSACTED), ("queue", "topic")),
    (StartedAgain, a_stop, ("queue", "topic")),
    (NextTransaction, a_commit, ("queue", "topic")),
    (FreshTemporary, a_temporary_destination, ("queue", "topic")),
    (FreshConnection, a_connection, ("queue", "topic")),
    (FreshConnection, a_kill, ("queue", "topic")),
    (SameIdentifier, an_identifier, ("queue", "topic")),
    (ResumedSubscription, a_durable_consumer(api.Session.AUTO_ACKNOWLEDGE), ("topic",)),
    (ResumedSubscription, a_durable_consumer(api.Session.CLIENT_ACKNOWLEDGE), ("topic",)),
    (SameName, a_name, ("topic",)),
)


@pytest.mark.parametrize(
    ("kind", "end", "domain"), [(kind, end, domain) for kind, end, domains in ENDS for domain in domains]
)
def test_each_end_has_a_second_lifetime_by_rows_of_the_old_version(
    case_of: Any,
    old: Worker,
    kind: type[Lifetime],
    end: Callable[[Case], None],
    domain: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen, claims = [], set[str]()
    original = kind.look
    monkeypatch.setattr(kind, "look", lambda self, at: [seen.append(original(self, at)), seen[-1]][1])
    monkeypatch.setattr(kind, "claim", property(lambda self: "", lambda self, row: claims.add(row)), raising=False)
    case = case_of(domain)
    end(case)
    assert old.recorder is not None
    assert list(look(case, old.recorder, lambda row: True, LIFETIMES)) == []
    assert seen == [None]
    assert [row for row in claims if row and not old.catalogue[row].applies_to(OLD)] == []


FAULTS: dict[str, tuple[Callable[[Case], None], str, str, str]] = {
    "identifier-stays-taken-after-unsubscribe": (
        a_closed_connection_after_unsubscribe,
        "topic",
        "6.1.2-17",
        "a fresh connection with the same client identifier, after Connection.close: InvalidClientIDException: ",
    ),
    "deleted-name-keeps-its-topic": (
        a_name,
        "topic",
        "8.3.3-18",
        "a durable subscription of another topic with the same name, after TopicSession.unsubscribe: 'one' does not",
    ),
    "session-after-unfinished-work-loses-a-send": (
        a_session(api.Session.SESSION_TRANSACTED),
        "queue",
        "6.2.7-18",
        "a fresh session of the connection, after Session.close: 'one' does not arrive within",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_saboteur_that_later_versions_notice_is_noticed(worker: Worker, fault: str) -> None:
    end, domain, row, text = FAULTS[fault]
    broken = played(worker.catalogue, f'saboteur="{fault}"')
    tracked = attempt(broken, domain)
    try:
        with broken.case(tracked) as case:
            case.witness("it began")
            end(case)
            tracked.causes += second_lifetimes(tracked.inquiry)
            tracked.returned()
            broken.close_case(tracked)
        result = tracked.result(broken.profile)
    finally:
        broken.close()
    assert result.verdicts[row] == Verdict.VIOLATION
    assert f"A second lifetime is not as new, which breaks {row}: {text}" in (result.explanation or "")
