"""Witnesses of red round 8a: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    DeliveryMode,
    JavaException,
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

_SETTINGS = {"clock": "virtual"}
_NO_FLAGS, _SUCCESS = XAResource.TMNOFLAGS, XAResource.TMSUCCESS
_XID = Xid(7, b"global", b"branch")


def _outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except XAException as error:
        return f"XAException {error.error_code}"
    except (JMSException, JMSRuntimeException, JavaException) as error:
        return type(error).__name__


def _left(provider: Any, queue: Any) -> str:
    """Consume a queue; return the texts."""
    with provider.connection_factory().create_context() as context:
        consumer = context.create_consumer(queue)
        found = []
        while (message := consumer.receive_no_wait()) is not None:
            found.append(message.text[:10])
        return ",".join(found)


def _send(provider: Any, queue: Any, *texts: str, mode: int = DeliveryMode.PERSISTENT, time_to_live: int = 0) -> None:
    with provider.connection_factory().create_context() as context:
        producer = context.create_producer().set_delivery_mode(mode).set_time_to_live(time_to_live)
        for text in texts:
            producer.send(queue, text)


# --- 9 ----------------------------------------------------------------------------------------------------------------


def _large_again(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "first" + "." * 200_000)
    _left(provider, queue)
    _send(provider, queue, "second" + "." * 200_000)
    provider.restart()
    return _left(provider, queue)


def _moved_on(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "old")
    with provider.connection_factory().create_context(session_mode=JMSContext.SESSION_TRANSACTED) as context:
        context.create_consumer(queue).receive_no_wait()
        context.create_producer().send(queue, "new")
        context.commit()
    provider.restart()
    return _left(provider, queue)


def _acknowledged_and_severed(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "a", mode=DeliveryMode.NON_PERSISTENT)
    with provider.connection_factory().create_context(session_mode=JMSContext.CLIENT_ACKNOWLEDGE) as context:
        context.create_consumer(queue).receive_no_wait().acknowledge()
        provider.sever(context)
        return _left(provider, queue)


def _null_with_options(provider: Any) -> str:
    with provider.queue_connection_factory().create_queue_connection() as connection:
        session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
        sender, message = session.create_sender(None), session.create_text_message("a")
        return _outcome(lambda: sender.send(message, destination=None, delivery_mode=2, priority=4, time_to_live=1000))


# --- 10 ---------------------------------------------------------------------------------------------------------------


def _refused_commit(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_context(session_mode=JMSContext.SESSION_TRANSACTED) as context:
        context.create_producer().send(queue, "a")
        provider.administer("fail-next-sends", destination=queue, count=1)
        return _outcome(context.commit)


def _ended_temporary(provider: Any) -> str:
    other = provider.connection_factory().create_context()
    queue = other.create_temporary_queue()
    other.close()
    with provider.connection_factory().create_context() as context:
        return _outcome(lambda: str(context.create_producer().send(queue, "a")) and "sent")


def _stranger(provider: Any) -> str:
    provider.administer("users", anna="secret")
    factory = provider.connection_factory()
    return _outcome(lambda: factory.create_connection("berta", "secret"))


def _short_utf(provider: Any) -> str:
    with provider.connection_factory().create_context() as context:
        message = context.create_bytes_message()
        message.write_short(5)
        message.write_bytes(b"abc")
        message.reset()
        return _outcome(message.read_utf)


def _same_property(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_context() as context:
        producer = context.create_producer().set_property("step", "one")
        producer.send(queue, "a")
        message = context.create_consumer(queue).receive_no_wait()
        return _outcome(lambda: str(producer.set_property("step", "two").send(queue, message)) and "sent")


# --- 11.2 -------------------------------------------------------------------------------------------------------------


class _Server(ServerSessionPool, ServerSession):
    """A pool of one; the test calls `run` itself when `started` is set. With `gate` the pool blocks until it is set."""

    def __init__(self, provider: Any, session: Any) -> None:
        self._session = session
        self.asked, self.started, self.gate = (provider.clock.event() for _ in range(3))
        self.gate.set()

    def get_server_session(self) -> ServerSession:
        self.asked.set()
        self.gate.wait(None)
        return self

    @property
    def session(self) -> Session:
        return self._session

    def start(self) -> None:
        self.started.set()

    def run(self) -> None:
        assert self.started.wait(1000)
        self._session.run()


class _Listener(MessageListener):
    def __init__(self, provider: Any, then: Callable[[str], None] = lambda _: None) -> None:
        self.messages: list[Any] = []
        self.called = provider.clock.event()
        self._then = then

    def on_message(self, message: Any) -> None:
        self.messages.append(message)
        self.called.set()
        self._then(message.text)

    def texts(self) -> str:
        return ",".join(message.text for message in self.messages)


def _server(provider: Any, connection: Any, mode: int, then: Callable[[str], None] = lambda _: None) -> Any:
    server = _Server(provider, connection.create_session(session_mode=mode))
    listener = _Listener(provider, then)
    server.session.message_listener = listener
    return server, listener


def _resumed(provider: Any) -> str:
    topic = provider.create_topic("red")
    with provider.connection_factory().create_connection() as connection:
        connection.client_id = "red"
        server, _ = _server(provider, connection, Session.AUTO_ACKNOWLEDGE)
        connection.create_durable_connection_consumer(topic, "name", None, server, 1).close()
        session = connection.create_session()
        return _outcome(lambda: session.create_durable_consumer(topic, "name").message_selector)


def _while_blocked(provider: Any) -> str:
    fed, other = provider.create_queue("fed"), provider.create_queue("other")
    with provider.connection_factory().create_connection() as connection:
        server, _ = _server(provider, connection, Session.AUTO_ACKNOWLEDGE)
        server.gate = provider.clock.event()
        connection.create_connection_consumer(fed, None, server, 1)
        listener = _Listener(provider)
        connection.create_session().create_consumer(other).message_listener = listener
        connection.start()
        _send(provider, fed, "a")
        assert server.asked.wait(1000)
        _send(provider, other, "b")
        listener.called.wait(1000)
        seen = listener.texts()
        server.gate.set()
        server.run()
        return seen


def _expired_in_between(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_connection() as connection:
        server, listener = _server(provider, connection, Session.AUTO_ACKNOWLEDGE)
        server.gate = provider.clock.event()
        connection.create_connection_consumer(queue, None, server, 1)
        connection.start()
        _send(provider, queue, "a", time_to_live=500)
        assert server.asked.wait(100)
        provider.clock.advance(1000)
        server.gate.set()
        if not server.started.wait(100):
            return "run with messages"
        server.run()
        return "run with messages" if listener.messages else "run without messages"


def _failing(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "a", "b", "c")

    def fail(text: str) -> None:
        if text == "a":
            raise ValueError(text)

    with provider.connection_factory().create_connection() as connection:
        server, listener = _server(provider, connection, Session.CLIENT_ACKNOWLEDGE, fail)
        connection.create_connection_consumer(queue, None, server, 3)
        connection.start()
        server.run()
        return listener.texts()


def _acknowledged_late(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "a")
    with provider.connection_factory().create_connection() as connection:
        server, listener = _server(provider, connection, Session.CLIENT_ACKNOWLEDGE)
        connection.create_connection_consumer(queue, None, server, 1)
        connection.start()
        server.run()
        listener.messages[0].acknowledge()
    return _left(provider, queue)


# --- 11.3 -------------------------------------------------------------------------------------------------------------


def _xa(provider: Any) -> tuple[Any, Any, Any]:
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    session = connection.create_xa_session()
    return connection, session, session.xa_resource


def _sent_in_branch(provider: Any, destination: Any, xid: Xid = _XID, *, timeout: int = 0) -> tuple[Any, Any, Any]:
    connection, session, resource = _xa(provider)
    resource.set_transaction_timeout(timeout)
    resource.start(xid, _NO_FLAGS)
    session.create_producer(destination).send(session.create_text_message("a"))
    return connection, session, resource


def _unknown_rolled_back(provider: Any) -> str:
    queue = provider.create_queue("red")
    _, _, resource = _sent_in_branch(provider, queue)
    refused = _outcome(lambda: resource.rollback(Xid(7, b"unknown", b"")))
    resource.end(_XID, _SUCCESS)
    return f"{refused} {_outcome(lambda: resource.commit(_XID, True))} {_left(provider, queue)}"


def _prepared_and_severed(provider: Any) -> str:
    queue = provider.create_queue("red")
    connection, _, resource = _sent_in_branch(provider, queue)
    resource.end(_XID, _SUCCESS)
    resource.prepare(_XID)
    provider.sever(connection)
    other = _xa(provider)[2]
    return f"{_outcome(lambda: other.commit(_XID, False))} {_left(provider, queue)}"


def _prepared_receipt(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "a", mode=DeliveryMode.NON_PERSISTENT)
    _, session, resource = _xa(provider)
    consumer = session.create_consumer(queue)
    resource.start(_XID, _NO_FLAGS)
    consumer.receive_no_wait()
    resource.end(_XID, _SUCCESS)
    resource.prepare(_XID)
    outcome = _outcome(lambda: resource.rollback(_XID))
    session.close()
    return f"{outcome} {_left(provider, queue)}"


def _prepared_in_time(provider: Any) -> str:
    queue = provider.create_queue("red")
    _, _, resource = _sent_in_branch(provider, queue, timeout=5)
    resource.end(_XID, _SUCCESS)
    resource.prepare(_XID)
    provider.clock.advance(10_000)
    return f"{_outcome(lambda: resource.commit(_XID, False))} {_left(provider, queue)}"


def _run_in_branch(provider: Any) -> str:
    queue = provider.create_queue("red")
    _send(provider, queue, "a")
    connection, session, resource = _xa(provider)
    server, listener = _Server(provider, session), _Listener(provider)
    session.message_listener = listener
    consumer = connection.create_connection_consumer(queue, None, server, 1)
    resource.start(_XID, _NO_FLAGS)
    server.run()
    resource.end(_XID, _SUCCESS)
    consumer.close()
    resource.rollback(_XID)
    return f"{listener.texts()} {_left(provider, queue)}"


def _two_subscriptions(provider: Any) -> str:
    topic = provider.create_topic("red")
    for name in ("one", "two"):
        with provider.connection_factory().create_context() as context:
            context.create_shared_durable_consumer(topic, name)
    _, _, resource = _sent_in_branch(provider, topic)
    resource.end(_XID, _SUCCESS)
    resource.prepare(_XID)
    provider.restart()
    _xa(provider)[2].commit(_XID, False)
    found = []
    for name in ("one", "two"):
        with provider.connection_factory().create_context() as context:
            message = context.create_shared_durable_consumer(topic, name).receive_no_wait()
            found.append("nothing" if message is None else message.text)
    return ",".join(found)


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "large-message-in-the-place-of-a-consumed-one-is-not-stored": (_large_again, "second...."),
    "message-consumed-by-a-transaction-that-sends-to-its-queue-comes-again": (_moved_on, "new"),
    "acknowledged-non-persistent-messages-come-again-after-a-severed-link": (_acknowledged_and_severed, ""),
    "null-destination-with-options-is-unsupported": (_null_with_options, "InvalidDestinationException"),
    "commit-refused-by-a-destination-raises-its-own-exception": (
        _refused_commit,
        "TransactionRolledBackRuntimeException",
    ),
    "temporary-destination-that-ended-with-its-connection-takes-messages": (
        _ended_temporary,
        "InvalidDestinationRuntimeException",
    ),
    "unknown-users-are-no-matter-of-security": (_stranger, "JMSSecurityException"),
    "read-utf-beyond-the-end-gives-what-is-left": (_short_utf, "MessageEOFException"),
    "producer-replaces-the-properties-of-a-received-message": (_same_property, "MessageNotWriteableRuntimeException"),
    "closed-durable-connection-consumer-occupies-its-subscription": (_resumed, "None"),
    "pool-that-blocks-stops-the-listeners-of-the-connection": (_while_blocked, "b"),
    "session-is-started-for-a-message-that-has-expired": (_expired_in_between, "run with messages"),
    "failing-own-listener-ends-the-run": (_failing, "a,b,c"),
    "acknowledge-after-the-run-is-ignored": (_acknowledged_late, ""),
    "xa-rollback-of-an-unknown-branch-dooms-the-present-one": (_unknown_rolled_back, "XAException -4 None a"),
    "xa-severed-link-rolls-prepared-branches-back": (_prepared_and_severed, "None a"),
    "xa-prepare-of-non-persistent-receipts-consumes-them": (_prepared_receipt, "None a"),
    "xa-timeout-rolls-prepared-branches-back": (_prepared_in_time, "None a"),
    "xa-server-session-works-outside-of-the-branch": (_run_in_branch, "a a"),
    "xa-restart-spares-the-first-subscription-only": (_two_subscriptions, "a,a"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, acts=False)
