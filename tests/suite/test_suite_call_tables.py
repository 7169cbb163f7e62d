"""Tables of calls: `every_call` has each overload of the API, and `expect.all_raise` judges every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import pytest

from reference_provider.client.connections import ReferenceConnection
from tck import api
from tck.api.java.rule import java_api
from tck.blame.refusals import Source
from tck.running.attempt import Tracked
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.harness.outcome import Broken, KitFault, Undecided
from tck.suite.support.lifecycle.closed import all_refused

ILLEGAL = api.IllegalStateException
SERVER = ("setMessageListener", "getMessageListener", "run")
"""Members of a session that only an application server uses."""


def declared(*types: str) -> set[str]:
    return {
        str(member)
        for type_ in types
        for member in java_api()[type_].members
        if member.kind not in {"constant", "constructor"}
    }


def refuse() -> None:
    raise ILLEGAL("closed")


@pytest.mark.parametrize(
    ("interface", "types"),
    [
        ("Connection", ["Connection"]),
        ("Session", ["Session"]),
        ("QueueSession", ["QueueSession", "Session"]),
        ("TopicSubscriber", ["TopicSubscriber", "MessageConsumer"]),
        ("JMSContext", ["JMSContext"]),
        ("JMSProducer", ["JMSProducer"]),
    ],
)
def test_a_table_has_every_overload(live_case: Case, interface: str, types: list[str]) -> None:
    given = {"session_pool": None, "message": None, "body": None}
    assert set(every_call(live_case, interface, object, without=(), **given)) == declared(*types)


def test_a_table_leaves_out_what_it_is_asked_to(live_case: Case) -> None:
    rows = every_call(live_case, "QueueSession", object, only=["createReceiver", "createQueue(String)"])
    assert set(rows) == {"createReceiver(Queue)", "createReceiver(Queue, String)", "createQueue(String)"}
    assert set(every_call(live_case, "QueueBrowser", object)) == {
        "getQueue()",
        "getMessageSelector()",
        "getEnumeration()",
    }
    with pytest.raises(KitFault, match="no call of Session"):
        every_call(live_case, "Session", object, only=["createReceiver"])
    with pytest.raises(KitFault, match="message"):
        every_call(live_case, "MessageProducer", object)


def sessions(case: Case, state: Callable[[api.Session], object]) -> Callable[[], api.Session]:
    """Return a function that opens a session and brings it into a state."""

    def opened() -> api.Session:
        session = case.client(client_id=case.name("c")).session
        state(session)
        return session

    return opened


def test_every_call_on_a_closed_session_raises(live_case: Case) -> None:
    without = ("close", "commit", "rollback", "unsubscribe", *SERVER)
    refused = every_call(live_case, "Session", sessions(live_case, lambda session: session.close()), without=without)
    works = every_call(live_case, "Session", sessions(live_case, lambda _: None), without=without)
    expect.all_raise(ILLEGAL, refused, though_work=works)
    assert live_case.marks.witnesses[-1] == f"{len(works)} calls raised IllegalStateException"
    assert len(works) > 25


def test_every_call_on_a_closed_connection_raises(live_case: Case) -> None:
    closed = live_case.client().connection
    closed.close()

    def fresh() -> api.Connection:
        made = live_case.provider.connection_factory().create_connection()
        live_case.opened(made)
        return made

    without = ("close", *(name for name in declared("Connection") if "ConnectionConsumer" in name))
    refused = every_call(live_case, "Connection", lambda: closed, without=without)
    expect.all_raise(ILLEGAL, refused, though_work=every_call(live_case, "Connection", fresh, without=without))


def test_every_call_on_a_closed_producer_raises(live_case: Case) -> None:
    client = live_case.client()
    closed, open_ = (client.sender(live_case.destination()).producer for _ in range(2))
    closed.close()

    def calls(producer: api.MessageProducer) -> Rows:
        own = ("send(Message)", "send(Message, int, int, long)", "getPriority", "setPriority", "getDestination")
        return every_call(live_case, "MessageProducer", lambda: producer, only=own, message=client.text("x"))

    expect.all_raise(ILLEGAL, calls(closed), though_work=calls(open_))


@pytest.mark.usefixtures("live_case")
def test_each_row_that_does_something_else_is_named() -> None:
    rows = {"commit()": refuse, "getTransacted()": lambda: True, "recover()": refuse}
    with pytest.raises(Broken) as caught:
        expect.all_raise(ILLEGAL, rows, though_work=dict.fromkeys(rows, lambda: None))
    assert caught.value.observed == "getTransacted() returned True"


@pytest.mark.usefixtures("live_case")
def test_another_exception_is_refuted() -> None:
    def other() -> None:
        raise api.JMSException("no")

    with pytest.raises(Broken, match="recover\\(\\) raised JMSException: no"):
        expect.all_raise(ILLEGAL, {"recover()": other}, though_work={"recover()": lambda: None})


@pytest.mark.usefixtures("live_case")
def test_a_call_that_fails_on_an_open_object_decides_nothing() -> None:
    with pytest.raises(Undecided, match="where it must work"):
        expect.all_raise(ILLEGAL, {"recover()": refuse}, though_work={"recover()": refuse})


@pytest.mark.usefixtures("live_case")
@pytest.mark.parametrize("works", [{}, {"commit()": lambda: None}])
def test_a_row_without_an_allowed_form_is_a_fault_of_the_test(works: dict[str, Callable[[], object]]) -> None:
    with pytest.raises(KitFault):
        expect.all_raise(ILLEGAL, {"recover()": refuse}, though_work=works)


@pytest.mark.usefixtures("live_case")
def test_an_empty_table_is_a_fault_of_the_test() -> None:
    with pytest.raises(KitFault):
        expect.all_raise(ILLEGAL, {}, though_work={})


def without_connection_consumers(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse_it(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr(ReferenceConnection, "create_connection_consumer", refuse_it)


@pytest.mark.parametrize(
    ("error", "source"),
    [
        (api.UnsupportedOperationException("not implemented"), Source.ABSENT),
        (api.JMSException("not now"), Source.PROVIDER),
    ],
)
def test_where_no_allowed_form_works_the_provider_is_told_from_the_kit(
    live_case: Case, tracked: Tracked, monkeypatch: pytest.MonkeyPatch, error: Exception, source: Source
) -> None:
    without_connection_consumers(monkeypatch, error)
    connection = live_case.client().connection
    rows: Rows = {"createConnectionConsumer()": lambda: connection.create_connection_consumer(None, None, None, 1)}
    with pytest.raises(
        Undecided, match=r"none of these calls works where it must: createConnectionConsumer\(\)"
    ) as seen:
        all_refused(api.JMSException, rows, though_work=rows)
    assert tracked.inquiry is not None
    assert tracked.inquiry.source(seen.value) is source
    assert tracked.inquiry.call_of(seen.value) == "Connection.create_connection_consumer"


@pytest.mark.usefixtures("live_case")
def test_a_call_that_works_nowhere_is_left_out_where_another_works() -> None:
    works: Rows = {"recover()": refuse, "commit()": lambda: None}
    all_refused(ILLEGAL, dict.fromkeys(works, refuse), though_work=works)
    with pytest.raises(Broken, match=r"commit\(\) returned 1"):
        all_refused(ILLEGAL, {"recover()": refuse, "commit()": lambda: 1}, though_work=works)
