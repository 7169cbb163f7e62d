"""Company: what a bystander of a case suffers is seen, and blamed on the row of its claim; what it suffers rightly is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tck import api
from tck.blame.around import harms
from tck.record import Verdict
from tck.running.attempt import Tracked
from tck.running.worker import Worker
from tck.suite.support.case import Case
from tck.suite.support.company import Company, choice
from tck.suite.support.company.bystanders import (
    APART,
    BESIDE,
    KINDS,
    WITHIN,
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

Chosen = tuple[type[Bystander], str]


@pytest.fixture
def company(live_case: Case, tracked: Tracked) -> Iterator[Callable[[type[Bystander], str], Company]]:
    """Give the case a bystander of a kind and place; its first harmful call makes it."""
    made = list[Company]()

    def make(kind: type[Bystander], place: str) -> Company:
        assert tracked.inquiry is not None
        found = Company(live_case, tracked.inquiry.recorder, tracked.inquiry.company.refused)
        found.expect((kind, place))
        made.append(found)
        return found

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(("kind", "place"), KINDS)
def test_a_sound_provider_harms_nobody(company: Any, live_case: Case, kind: type[Bystander], place: str) -> None:
    found = company(kind, place)
    link = live_case.link()
    link.carry(link.text("x"))
    link.consumer.close()
    assert (found.missing, found.place, type(found.bystander)) == ("", place, kind)
    assert found.look() is None


@pytest.mark.parametrize("kind", [Consuming, Producing, Browsing, Subscribed])
def test_what_ended_with_the_session_or_connection_of_the_case_is_not_blamed(
    company: Any, live_case: Case, kind: type[Bystander]
) -> None:
    found = company(kind, WITHIN)
    link = live_case.link()
    link.consumer.close()
    link.client.connection.close()
    assert found.bystander is not None
    assert found.look() is None


@pytest.mark.parametrize("kind", [Waiting, Durable, Consuming, Unacknowledged])
def test_what_lasts_is_looked_at_after_a_restart(company: Any, live_case: Case, kind: type[Bystander]) -> None:
    found = company(kind, APART)
    live_case.provider.restart()
    assert found.bystander is not None
    assert found.look() is None


def test_without_a_harmful_call_there_is_no_bystander(company: Any, live_case: Case) -> None:
    found = company(Waiting, APART)
    link = live_case.link()
    link.carry(link.text("x"))
    assert (found.bystander, found.look()) == (None, None)


def refuse_selector(link: Any) -> None:
    with pytest.raises(api.InvalidSelectorException):
        link.case.refused(lambda: link.client.session.create_consumer(link.destination, "a = "))


@pytest.mark.parametrize("place", [APART, BESIDE, WITHIN])
def test_a_call_that_must_fail_has_company(company: Any, live_case: Case, place: str) -> None:
    found = company(Consuming, place)
    link = live_case.link()
    link.carry(link.text("x"))
    refuse_selector(link)
    assert (found.call, found.place, found.missing) == ("Session.create_consumer", place, "")
    assert found.look() is None
    HARM[Consuming](found)
    assert found.look().row == "8.2-1"


@pytest.mark.parametrize("kind", [Consuming, Producing])
def test_a_setter_has_company_and_the_last_harmful_call_is_named(
    company: Any, live_case: Case, kind: type[Bystander]
) -> None:
    found = company(kind, WITHIN)
    link = live_case.link()
    link.client.session.create_producer(link.destination).priority = 5
    link.consumer.close()
    assert (found.first, found.place) == ("MessageProducer.priority", WITHIN)
    HARM[kind](found)
    assert "before MessageProducer.priority, the last harmful call being MessageConsumer.close" in found.look().text


def test_a_bystander_that_the_first_ending_call_would_end_gives_way_to_another(company: Any, live_case: Case) -> None:
    found = company(Consuming, WITHIN)
    link = live_case.link()
    link.client.session.create_producer(link.destination).priority = 5
    link.client.session.close()
    assert (found.first, found.place) == ("Session.close", APART)
    HARM[Consuming](found)
    assert found.look().call == "Session.close"


def test_a_fresh_connection_gets_no_session_beside_it_before_a_setter(company: Any, live_case: Case) -> None:
    found = company(Consuming, BESIDE)
    connection = live_case.provider.connection_factory().create_connection()
    live_case.opened(connection)
    connection.exception_listener = None
    assert found.place == APART


def test_a_failure_that_the_case_has_prepared_is_left_to_it(company: Any, live_case: Case) -> None:
    found = company(Transaction, BESIDE)
    link = live_case.link("transacted")
    live_case.provider.administer("fail-next-commit", connection=link.client.connection)
    with pytest.raises(api.TransactionRolledBackException):
        link.case.refused(link.client.session.commit)
    assert (found.bystander, found.missing) == (None, "")


def test_a_context_beside_one_does_not_keep_its_connection_open(company: Any, live_case: Case) -> None:
    found = company(Consuming, BESIDE)
    name = live_case.name("c")
    for _ in range(2):
        with live_case.provider.connection_factory().create_context() as context:
            context.client_id = name
            context.create_consumer(live_case.queue())
            context.create_producer().set_priority(5)
            assert found.place == (BESIDE if found.first == "JMSProducer.set_priority" else APART)
    assert found.look() is None


@pytest.mark.parametrize("create", ["create_durable_consumer", "create_shared_durable_consumer"])
def test_replacing_a_subscription_has_company(company: Any, live_case: Case, create: str) -> None:
    found = company(Consuming, APART)
    connection = live_case.provider.connection_factory().create_connection()
    live_case.opened(connection)
    connection.client_id = live_case.name("c")
    session = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
    name, topic = live_case.name("s"), live_case.topic()
    getattr(session, create)(topic, name)
    assert found.bystander is None
    with pytest.raises(api.JMSException):
        getattr(session, create)(topic, name, "a = 1")
    assert found.call == f"Session.{create}"


def test_where_a_place_has_no_session_the_bystander_is_of_another_connection(company: Any, live_case: Case) -> None:
    found = company(Consuming, WITHIN)
    link = live_case.link()
    link.client.connection.close()
    assert found.place == APART
    assert found.look() is None


def receive_all(found: Company) -> None:
    consumer = found._apart().consumer(found.bystander.ground.queue)  # type: ignore[union-attr]  # it has been made
    while consumer.receive_no_wait() is not None:
        pass


HARM: dict[type[Bystander], Callable[[Any], object]] = {
    Waiting: receive_all,
    Consuming: lambda found: found.bystander.consumer.close(),
    Subscribed: lambda found: found.bystander.consumer.close(),
    Durable: lambda found: found.bystander.leave(),
    Producing: lambda found: setattr(found.bystander.producer, "priority", 4),
    Browsing: lambda found: next(found.bystander.scan),
    Transaction: lambda found: found.bystander.desk.session.rollback(),
    Unacknowledged: lambda found: found.bystander.desk.session.recover(),
}
"""What some fault may do to each kind."""


@pytest.mark.parametrize("kind", HARM, ids=lambda kind: kind.__name__)
def test_each_harm_is_seen_and_blamed_on_the_claim_of_the_bystander(
    company: Any, live_case: Case, kind: type[Bystander]
) -> None:
    found = company(kind, APART)
    link = live_case.link()
    link.consumer.close()
    HARM[kind](found)
    harmed = found.look()
    assert harmed is not None
    assert (harmed.row, harmed.call) == (kind.row, "MessageConsumer.close")
    assert harmed.text.startswith(f"{kind.words}, {APART}, made before MessageConsumer.close: ")


@pytest.mark.parametrize("error", [api.JMSException("no"), api.UnsupportedOperationException("no"), TypeError("no")])
def test_an_exception_of_the_provider_is_harm_and_any_other_a_fault_of_the_kit(
    company: Any, live_case: Case, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def look(self: Bystander, apart: object) -> None:
        raise error

    found = company(Consuming, APART)
    live_case.link().consumer.close()
    monkeypatch.setattr(Consuming, "look", look)
    if isinstance(error, TypeError):
        with pytest.raises(TypeError):
            found.look()
    else:
        assert found.look().text.endswith(f"{type(error).__name__}: no")


def point_with(worker: Worker, wanted: Chosen, plain: bool = False) -> Point:
    """A point whose name chooses a bystander."""
    for number in range(10_000):
        point = Point(("3.4.8-1",), "queue", "classic", "auto", f"v{number}", plain=plain)
        with worker.case(Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")) as case:
            if choice(case, 0) == wanted:
                return point
    raise AssertionError(f"no name chooses {wanted}")


def test_the_harm_is_a_violation_of_a_row_that_the_case_does_not_name(worker: Worker) -> None:
    point = point_with(worker, (Consuming, BESIDE))
    tracked = Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")
    with worker.case(tracked) as case:
        link = case.link()
        link.carry(link.text("x"))
        link.consumer.close()
        assert tracked.inquiry is not None
        HARM[Consuming](tracked.inquiry.company)
        tracked.causes += harms(tracked.inquiry)
        tracked.returned()
        worker.close_case(tracked)
    result = tracked.result(worker.profile)
    assert result.verdicts == {"3.4.8-1": Verdict.CONFORMANT, "8.2-1": Verdict.VIOLATION}
    assert "A bystander was harmed, which breaks 8.2-1: a consumer of another queue" in (result.explanation or "")


def test_the_first_point_of_a_test_always_has_company(worker: Worker) -> None:
    for number in range(20):
        point = Point(("3.4.8-1",), "queue", "classic", "auto", f"v{number}", first=True)
        with worker.case(Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")) as case:
            assert choice(case, 0) is not None


def test_half_of_the_other_cases_have_company_and_plain_ones_never(worker: Worker) -> None:
    found = []
    for number in range(400):
        for plain in (False, True):
            point = Point(("3.4.8-1",), "queue", "classic", "auto", f"v{number}", plain=plain)
            with worker.case(Tracked(point, 1, (worker.catalogue["3.4.8-1"],), "test")) as case:
                chosen = choice(case, 0)
            assert not (plain and chosen)
            found += [chosen] if chosen else []
    assert 150 < len(found) < 250
    assert set(found) == set(KINDS)
