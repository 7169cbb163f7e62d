"""Witnesses of red round 10, modules b: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    CompletionListener,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MessageListener,
    ServerSession,
    ServerSessionPool,
    Session,
    XAException,
    XAResource,
    Xid,
)

NOFLAGS, SUCCESS, FAIL = XAResource.TMNOFLAGS, XAResource.TMSUCCESS, XAResource.TMFAIL
SUSPEND, RESUME, JOIN = XAResource.TMSUSPEND, XAResource.TMRESUME, XAResource.TMJOIN
FIRST, SECOND = Xid(1, b"red", b"1"), Xid(1, b"red", b"2")


class Listens(MessageListener):
    def __init__(self, call: Callable[[Any], object]) -> None:
        self._call = call

    def on_message(self, message: Any) -> None:
        self._call(message)


class Ignores(CompletionListener):
    def on_completion(self, message: Any) -> None:
        pass

    def on_exception(self, message: Any, exception: Exception) -> None:
        pass


class Wraps(ServerSession):
    """A server session whose start, on the thread of the provider, is a call; `run` of the session if none is given."""

    def __init__(self, session: Any, start: Callable[[], object] | None = None) -> None:
        self._session = session
        self._start = start or session.run

    @property
    def session(self) -> Session:
        return self._session  # type: ignore[no-any-return]

    def start(self) -> None:
        self._start()


class Pool(ServerSessionPool):
    def __init__(self, take: Callable[[], ServerSession]) -> None:
        self._take = take

    def get_server_session(self) -> ServerSession:
        return self._take()


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE) -> Any:
    return provider.connection_factory().create_context(session_mode=mode)


def _bodies(consumer: Any) -> list[str]:
    return [message.text for message in iter(consumer.receive_no_wait, None)]


def _held(provider: Any, queue: Any) -> str:
    with _context(provider) as context:
        return str(_bodies(context.create_consumer(queue)))


def _send(provider: Any, queue: Any, *texts: str, kind: str = "a") -> None:
    with _context(provider) as context:
        for text in texts:
            context.create_producer().set_property("kind", kind).send(queue, text)


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except XAException as error:
        return f"XAException {error.error_code}"
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__
    return "done"


# --- connection consumers


@contextmanager
def _feeding(provider: Any, mode: int = Session.AUTO_ACKNOWLEDGE) -> Iterator[tuple[Any, Any]]:
    """Give a connection and a session of it to an actor."""
    with provider.clock.actor(), provider.connection_factory().create_connection() as connection:
        yield connection, connection.create_session(session_mode=mode)


def _in_hand(provider: Any, queue: Any) -> str:
    asked, free = provider.clock.event(), provider.clock.event()
    with _feeding(provider) as (connection, session):

        def take() -> ServerSession:
            asked.set()
            free.wait(None)
            return Wraps(session)

        consumer = connection.create_connection_consumer(queue, None, Pool(take), 1)
        connection.start()
        _send(provider, queue, "one")
        asked.wait(1000)
        consumer.close()
        free.set()
        with _context(provider) as context:
            return str(context.create_consumer(queue).receive_body(str, 1000))


def _never_ran(provider: Any, queue: Any) -> str:
    loaded = provider.clock.event()
    _send(provider, queue, "one", "two")
    with _feeding(provider) as (connection, session):
        consumer = connection.create_connection_consumer(queue, None, Pool(lambda: Wraps(session, loaded.set)), 5)
        connection.start()
        loaded.wait(1000)
        consumer.close()
        session.close()
        return _held(provider, queue)


def _rest(provider: Any, queue: Any) -> str:
    clock = provider.clock
    acknowledged = clock.event()
    _send(provider, queue, "one", "two")
    with _feeding(provider, Session.CLIENT_ACKNOWLEDGE) as (connection, session):

        def listen(message: Any) -> None:
            message.acknowledge()
            acknowledged.set()
            clock.event().wait(500)

        session.message_listener = Listens(listen)
        connection.create_connection_consumer(queue, None, Pool(lambda: Wraps(session)), 5)
        connection.start()
        acknowledged.wait(1000)
        provider.sever(connection)
        return _held(provider, queue)


def _first_run(provider: Any, queue: Any, selector: str | None, *failing: str) -> str:
    """Return the messages that the listener gets in the first run of a session; it raises for some of them."""
    calls: list[str] = []
    runs: list[str] = []
    ran = provider.clock.event()

    def listen(message: Any) -> None:
        calls.append(message.text)
        if message.text in failing and calls.count(message.text) == 1:
            raise ValueError(message.text)

    def start(session: Any) -> None:
        session.run()
        runs.append(str(calls))
        ran.set()

    with _feeding(provider) as (connection, session):
        session.message_listener = Listens(listen)
        pool = Pool(lambda: Wraps(session, lambda: start(session)))
        consumer = connection.create_connection_consumer(queue, selector, pool, 5)
        connection.start()
        ran.wait(1000)
        consumer.close()
    return runs[0]


def _failed(provider: Any, queue: Any) -> str:
    _send(provider, queue, "one", "two")
    return _first_run(provider, queue, None, "one")


def _selected(provider: Any, queue: Any) -> str:
    for text, kind in (("one", "a"), ("two", "b"), ("three", "a")):
        _send(provider, queue, text, kind=kind)
    return _first_run(provider, queue, "kind = 'a'")


def _stopped(provider: Any, queue: Any) -> str:
    clock = provider.clock
    first, second = clock.event(), clock.event()
    _send(provider, queue, "one", "two")
    with _feeding(provider) as (connection, session):

        def listen(message: Any) -> None:
            if message.text == "two":
                second.set()
            else:
                first.set()
                clock.event().wait(500)

        session.message_listener = Listens(listen)
        connection.create_connection_consumer(queue, None, Pool(lambda: Wraps(session)), 5)
        connection.start()
        first.wait(1000)
        connection.stop()
        while_stopped = second.wait(1000)
        connection.start()
        return str((while_stopped, second.wait(1000)))


def _refused(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red")
    with provider.connection_factory().create_connection() as connection:
        connection.client_id = "red"
        session = connection.create_session()
        pools: list[Any] = [None, Pool(lambda: Wraps(session))]
        create = connection.create_durable_connection_consumer
        return str([_outcome(lambda pool=pool: create(topic, "red", None, pool, 1)) for pool in pools])  # type: ignore[misc]


def _second_batch(provider: Any, queue: Any) -> str:
    came = {text: provider.clock.event() for text in ("one", "two")}
    with _feeding(provider) as (connection, session):
        session.message_listener = Listens(lambda message: came[message.text].set())
        server_session = Wraps(session)
        connection.create_connection_consumer(queue, None, Pool(lambda: server_session), 1)
        connection.start()
        seen = []
        for text, event in came.items():
            _send(provider, queue, text)
            seen.append(event.wait(1000))
    return str(seen)


# --- branches


def _manager(provider: Any) -> tuple[Any, Any]:
    """Return an XA session of a started connection, and its resource."""
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    session = connection.create_xa_session()
    return session, session.xa_resource


def _sends(session: Any, queue: Any, text: str) -> None:
    session.create_producer(queue).send(session.create_text_message(text))


def _branch(manager: tuple[Any, Any], xid: Xid, queue: Any, text: str, flags: int = SUCCESS) -> Any:
    """Send a message in a new branch and end it; return the resource."""
    session, resource = manager
    resource.start(xid, NOFLAGS)
    _sends(session, queue, text)
    resource.end(xid, flags)
    return resource


def _scans(provider: Any, queue: Any) -> str:
    resource = _branch(_manager(provider), FIRST, queue, "one")
    resource.prepare(FIRST)
    return str([len(resource.recover(XAResource.TMSTARTRSCAN)) for _ in range(2)])


def _timed_out(provider: Any, queue: Any) -> str:
    with provider.clock.actor():
        session, resource = _manager(provider)
        resource.set_transaction_timeout(1)
        resource.start(FIRST, NOFLAGS)
        _sends(session, queue, "one")
        resource.end(FIRST, SUSPEND)
        provider.clock.event().wait(3000)
        _outcome(lambda: [resource.start(FIRST, RESUME), resource.end(FIRST, SUCCESS), resource.commit(FIRST, True)])
        return _held(provider, queue)


def _after_restart(provider: Any, queue: Any) -> str:
    _send(provider, queue, "one")
    session, resource = _manager(provider)
    resource.start(FIRST, NOFLAGS)
    assert _bodies(session.create_consumer(queue)) == ["one"]
    resource.end(FIRST, SUCCESS)
    resource.prepare(FIRST)
    provider.restart()
    _manager(provider)[1].rollback(FIRST)
    return _held(provider, queue)


def _suspended(provider: Any, queue: Any) -> str:
    manager = _manager(provider)
    _branch(manager, FIRST, queue, "one", SUSPEND)
    resource = _branch(manager, SECOND, queue, "two")
    resource.commit(SECOND, True)
    resource.start(FIRST, RESUME)
    resource.end(FIRST, SUCCESS)
    resource.commit(FIRST, True)
    return _held(provider, queue)


def _failed_joined(provider: Any, queue: Any) -> str:
    (session, first), (_, second) = _manager(provider), _manager(provider)
    first.start(FIRST, NOFLAGS)
    second.start(FIRST, JOIN)
    _sends(session, queue, "one")
    first.end(FIRST, FAIL)
    second.end(FIRST, SUCCESS)
    return str((_outcome(lambda: first.commit(FIRST, True)) != "done", _held(provider, queue)))


def _failed_suspended(provider: Any, queue: Any) -> str:
    resource = _branch(_manager(provider), FIRST, queue, "one", SUSPEND)
    resource.end(FIRST, FAIL)
    return str((_outcome(lambda: resource.commit(FIRST, True)) != "done", _held(provider, queue)))


def _two_formats(provider: Any, queue: Any) -> str:
    manager = _manager(provider)
    _branch(manager, FIRST, queue, "one")
    return _outcome(lambda: _branch(manager, Xid(2, b"red", b"1"), queue, "two"))


def _forgotten(provider: Any, queue: Any) -> str:
    resource = _branch(_manager(provider), FIRST, queue, "one")
    resource.prepare(FIRST)
    provider.administer("heuristic", xid=FIRST, outcome="commit")
    resource.forget(FIRST)
    provider.restart()
    return str(list(_manager(provider)[1].recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)))


def _joined(provider: Any, queue: Any) -> str:
    _send(provider, queue, "one", "two")
    (session, first), (other, second) = _manager(provider), _manager(provider)
    first.start(FIRST, NOFLAGS)
    second.start(FIRST, JOIN)
    assert session.create_consumer(queue).receive_no_wait() is not None
    assert other.create_consumer(queue).receive_no_wait() is not None
    second.end(FIRST, SUCCESS)
    first.end(FIRST, SUCCESS)
    first.commit(FIRST, True)
    return _held(provider, queue)


def _closed(provider: Any, queue: Any) -> str:
    _send(provider, queue, "one")
    (session, first), (_, second) = _manager(provider), _manager(provider)
    first.start(FIRST, NOFLAGS)
    assert _bodies(session.create_consumer(queue)) == ["one"]
    first.end(FIRST, SUCCESS)
    session.close()
    second.rollback(FIRST)
    return _held(provider, queue)


def _one_producer(provider: Any, queue: Any) -> str:
    session, resource = _manager(provider)
    producer = session.create_producer(queue)
    resource.start(FIRST, NOFLAGS)
    producer.send(session.create_text_message("one"))
    resource.end(FIRST, SUSPEND)
    resource.start(SECOND, NOFLAGS)
    producer.send(session.create_text_message("two"))
    resource.end(SECOND, SUCCESS)
    resource.commit(SECOND, True)
    return _held(provider, queue)


def _asynchronous(provider: Any, queue: Any) -> str:
    with provider.clock.actor():
        session, resource = _manager(provider)
        resource.start(FIRST, NOFLAGS)
        producer = session.create_producer(queue)
        producer.send(session.create_text_message("one"), completion_listener=Ignores())
        producer.close()
        resource.end(FIRST, SUCCESS)
        resource.rollback(FIRST)
        return _held(provider, queue)


WITNESSES: dict[str, tuple[Callable[[Any, Any], str], str]] = {
    "message-in-hand-is-lost-with-its-closed-consumer": (_in_hand, "one"),
    "only-one-of-the-messages-that-never-ran-returns": (_never_ran, "['one', 'two']"),
    "acknowledge-takes-the-rest-of-the-batch-along": (_rest, "['two']"),
    "run-returns-after-a-failed-listener": (_failed, "['one', 'two']"),
    "batch-is-filled-up-without-the-selector": (_selected, "['one', 'three']"),
    "run-that-has-begun-goes-on-under-a-stop": (_stopped, "(False, True)"),
    "refused-durable-connection-consumer-stays-on-its-subscription": (_refused, "['JMSException', 'done']"),
    "known-server-session-is-started-before-it-is-loaded": (_second_batch, "[True, True]"),
    "scan-begun-anew-lists-nothing": (_scans, "[1, 1]"),
    "suspended-branch-outlives-its-timeout": (_timed_out, "[]"),
    "rolled-back-branch-of-before-a-restart-keeps-its-receipts": (_after_restart, "['one']"),
    "commit-of-another-branch-empties-a-suspended-one": (_suspended, "['two', 'one']"),
    "success-of-one-resource-covers-the-failure-of-another": (_failed_joined, "(True, '[]')"),
    "failure-of-a-suspended-branch-is-not-noted": (_failed_suspended, "(True, '[]')"),
    "format-identifier-does-not-tell-branches-apart": (_two_formats, "done"),
    "forgotten-branch-returns-with-a-restart": (_forgotten, "[]"),
    "receipts-of-a-joined-session-come-back": (_joined, "[]"),
    "rollback-after-the-close-consumes-receipts": (_closed, "['one']"),
    "producer-stays-with-its-first-branch": (_one_producer, "['two']"),
    "asynchronous-sends-leave-the-branch": (_asynchronous, "[]"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(
        name, lambda provider: witness(provider, provider.create_queue("red")), expected, tmp_path, acts=False
    )
