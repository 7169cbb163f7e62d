"""Second lifetimes: what is not as new after the end of the first is seen, and blamed on the row of its claim."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from tck import api
from tck.blame.around import second_lifetimes
from tck.profile import override_settings
from tck.record import Verdict
from tck.running.attempt import Tracked
from tck.running.worker import Worker
from tck.suite.support.case import Case
from tck.suite.support.company import choice
from tck.suite.support.harness.point import Point
from tck.suite.support.harness.running import Elsewhere
from tck.suite.support.lifetimes import look, wanted
from tck.suite.support.lifetimes.connecting import FreshConnection, ResumedSubscription, SameIdentifier, SameName
from tck.suite.support.lifetimes.lifetimes import KINDS
from tck.suite.support.lifetimes.lives import (
    FreshConsumer,
    FreshJMSProducer,
    FreshProducer,
    FreshSession,
    FreshTemporary,
    Lifetime,
    NextTransaction,
    StartedAgain,
)


def opened(case: Case, *, client_id: str | None = None, mode: int = api.Session.AUTO_ACKNOWLEDGE) -> tuple[Any, Any]:
    connection = case.provider.connection_factory().create_connection()
    if client_id is not None:
        connection.client_id = client_id
    connection.start()
    return connection, connection.create_session(transacted=mode == api.Session.SESSION_TRANSACTED, session_mode=mode)


def a_producer(case: Case) -> None:
    _, session = opened(case)
    producer = session.create_producer(case.queue())
    producer.priority = 9
    producer.close()


def a_set_producer(case: Case) -> None:
    _, session = opened(case)
    session.create_producer(case.queue()).time_to_live = 5


def a_jms_producer(case: Case) -> None:
    context = case.provider.connection_factory().create_context()
    context.create_producer().set_property("a", 1).set_jms_type("b").set_delivery_delay(100)


def a_consumer(case: Case) -> None:
    _, session = opened(case)
    session.create_consumer(case.queue()).close()


def a_session(mode: int) -> Callable[[Case], None]:
    def end(case: Case) -> None:
        _, session = opened(case, mode=mode)
        session.create_producer(case.queue()).send(session.create_text_message("x"))
        session.close()

    return end


def a_stop(case: Case) -> None:
    connection, _ = opened(case)
    connection.stop()


def a_transaction(word: str) -> Callable[[Case], None]:
    def end(case: Case) -> None:
        _, session = opened(case, mode=api.Session.SESSION_TRANSACTED)
        producer = session.create_producer(case.queue())
        producer.send(session.create_text_message("x"))
        getattr(session, word)()
        producer.send(session.create_text_message("left in the next one"))

    return end


def a_temporary_queue(case: Case) -> None:
    _, session = opened(case)
    session.create_temporary_queue().delete()


def a_connection(case: Case) -> None:
    opened(case)[0].close()


def a_kill(case: Case) -> None:
    opened(case)
    case.provider.kill()


def a_durable_consumer(case: Case) -> None:
    _, session = opened(case, client_id=case.name())
    topic = case.topic()
    consumer = session.create_durable_consumer(topic, "d")
    session.create_producer(topic).send(session.create_text_message("left"))
    session.create_producer(topic).send(session.create_message())
    consumer.close()


def an_identifier(case: Case) -> None:
    connection, session = opened(case, client_id=case.name())
    session.create_durable_subscriber(case.topic(), "d")
    connection.close()


def a_name(case: Case) -> None:
    a_durable_consumer(case)
    _, session = opened(case, client_id=case.name())
    session.create_durable_consumer(case.topic(), "e").close()
    session.unsubscribe("e")


ENDS: tuple[tuple[type[Lifetime], Callable[[Case], None]], ...] = (
    (FreshProducer, a_producer),
    (FreshProducer, a_set_producer),
    (FreshJMSProducer, a_jms_producer),
    (FreshConsumer, a_consumer),
    (FreshSession, a_session(api.Session.CLIENT_ACKNOWLEDGE)),
    (FreshSession, a_session(api.Session.SESSION_TRANSACTED)),
    (StartedAgain, a_stop),
    (NextTransaction, a_transaction("commit")),
    (NextTransaction, a_transaction("rollback")),
    (FreshTemporary, a_temporary_queue),
    (FreshConnection, a_connection),
    (FreshConnection, a_kill),
    (SameIdentifier, an_identifier),
    (ResumedSubscription, a_durable_consumer),
    (SameName, a_name),
)


def looked(case: Case, worker: Worker, *kinds: type[Lifetime]) -> list[Elsewhere]:
    assert worker.recorder is not None
    return list(look(case, worker.recorder, lambda row: True, kinds or KINDS))


@pytest.mark.parametrize(("kind", "end"), ENDS)
def test_a_sound_provider_is_not_blamed_and_each_end_is_seen(
    live_case: Case, worker: Worker, kind: type[Lifetime], end: Callable[[Case], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    original = kind.look
    monkeypatch.setattr(kind, "look", lambda self, at: [seen.append(original(self, at)), seen[-1]][1])
    end(live_case)
    assert looked(live_case, worker) == []
    assert seen == [None]


def test_without_an_end_there_is_no_second_lifetime(
    live_case: Case, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, session = opened(live_case)
    session.create_producer(live_case.queue()).send(session.create_text_message("x"))
    monkeypatch.setattr("tck.suite.support.lifetimes.ground.Ground.apart", None)
    monkeypatch.setattr("tck.suite.support.lifetimes.ground.Ground.queue", None)
    assert looked(live_case, worker) == []


def nothing(case: Case) -> None:
    """End nothing."""


def a_listener(case: Case) -> None:
    _, session = opened(case)
    session.create_consumer(case.queue()).message_listener = None
    session.create_consumer(case.queue()).close()


def a_closed_session(case: Case) -> None:
    _, session = opened(case)
    session.create_consumer(case.queue()).close()
    session.close()


def an_open_consumer(case: Case) -> None:
    _, session = opened(case, client_id=case.name())
    session.create_durable_consumer(case.topic(), "d")


def a_held_identifier(case: Case) -> None:
    context = case.provider.connection_factory().create_context()
    context.client_id = case.name()
    context.create_context(api.Session.AUTO_ACKNOWLEDGE)
    context.close()


def an_unacknowledged_message(case: Case) -> None:
    _, session = opened(case, client_id=case.name(), mode=api.Session.CLIENT_ACKNOWLEDGE)
    session.create_durable_consumer(case.topic(), "d").close()
    session.unsubscribe("d")


@pytest.mark.parametrize(
    ("kind", "end"),
    [
        (FreshConsumer, a_listener),
        (FreshConsumer, a_closed_session),
        (FreshConsumer, a_kill),
        (ResumedSubscription, an_open_consumer),
        (SameIdentifier, a_held_identifier),
        (SameName, an_unacknowledged_message),
        (FreshConnection, nothing),
    ],
)
def test_what_is_open_or_uncertain_has_no_second_lifetime(
    live_case: Case, worker: Worker, kind: type[Lifetime], end: Callable[[Case], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Lifetime, at: object) -> None:
        raise AssertionError(at)

    monkeypatch.setattr(kind, "look", fail)
    end(live_case)
    assert looked(live_case, worker, kind) == []


FAULTS: dict[str, tuple[Callable[[Case], None], str, str]] = {
    "producer-inherits-priority": (
        a_producer,
        "7.4-10",
        "a fresh producer of the session, after MessageProducer.close: priority is 9 and not 4",
    ),
    "jms-producer-inherits-object-property": (
        lambda case: (
            case.provider.connection_factory().create_context().create_producer().set_object_property("a", 1) and None
        ),
        "7.1-16",
        (
            "a fresh JMSProducer of the context, after JMSProducer.set_object_property: "
            "it has the properties ['a'], which were set on another"
        ),
    ),
    "deleted-name-keeps-its-topic": (
        a_name,
        "8.3.3-18",
        (
            "a durable subscription of another topic with the same name, after Session.unsubscribe: "
            "'one' does not arrive within"
        ),
    ),
    "session-after-unfinished-work-loses-a-send": (
        a_session(api.Session.SESSION_TRANSACTED),
        "6.2.7-18",
        "a fresh session of the connection, after Session.close: 'one' does not arrive within",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_second_lifetime_is_blamed_on_its_claim_and_names_the_end(worker: Worker, fault: str) -> None:
    end, row, text = FAULTS[fault]
    profile = override_settings(worker.profile, [f'saboteur="{fault}"'])
    broken = Worker("main", worker.catalogue, profile, "3.1", None, "broken-run")
    try:
        result = judged(broken, end)
    finally:
        broken.close()
    assert result.verdicts[row] == Verdict.VIOLATION
    assert f"A second lifetime is not as new, which breaks {row}: {text}" in (result.explanation or "")


def judged(worker: Worker, end: Callable[[Case], None]) -> Any:
    point = Point(("3.4.8-1",), "queue", "classic", "auto")
    tracked = Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")
    with worker.case(tracked) as case:
        link = case.link()
        link.carry(link.text("x"))
        case.witness("it came")
        end(case)
        tracked.causes += second_lifetimes(tracked.inquiry)
        tracked.returned()
        worker.close_case(tracked)
    return tracked.result(worker.profile)


@pytest.mark.parametrize("error", [api.ResourceAllocationException("no"), api.JMSException("no"), TypeError("no")])
def test_an_exception_of_the_provider_is_blamed_unless_a_legal_call_may_meet_it(
    live_case: Case, worker: Worker, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(self: Lifetime, at: object) -> None:
        self.claim = "8.8-1"
        raise error

    monkeypatch.setattr(FreshConsumer, "look", fail)
    a_consumer(live_case)
    if isinstance(error, TypeError):
        with pytest.raises(TypeError):
            looked(live_case, worker)
    else:
        text = "a fresh consumer of the session, after MessageConsumer.close: JMSException: no"
        found = [Elsewhere("8.8-1", "MessageConsumer.close", text)]
        assert looked(live_case, worker) == ([] if isinstance(error, api.ResourceAllocationException) else found)


def test_the_cases_without_company_and_the_first_of_each_test_are_given_second_lifetimes(worker: Worker) -> None:
    for number in range(20):
        for plain in (False, True):
            point = Point(("3.4.8-1",), "queue", "classic", "auto", f"v{number}", plain=plain)
            with worker.case(Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")) as case:
                assert wanted(case) == (not plain and choice(case, 0) is None)
            point = dataclasses.replace(point, first=True)
            with worker.case(Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")) as case:
                assert wanted(case) == (not plain)
