"""Witnesses of red round 7, chapters 5 to 8: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from red_support import VIRTUAL, assert_visible

from tck.api import (
    CompletionListener,
    DeliveryMode,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    Message,
    MessageListener,
    Session,
)

Witness = Callable[[Any], object]


class Listener(MessageListener):
    """Calls a function."""

    def __init__(self, call: Callable[[Any], None]) -> None:
        self._call = call

    def on_message(self, message: Message) -> None:
        """Call it."""
        self._call(message)


class Completed(CompletionListener):
    """Notes which of the two methods is called."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def on_completion(self, message: Message) -> None:
        """Note it."""
        self.calls.append("completion")

    def on_exception(self, message: Message, exception: Exception) -> None:
        """Note it."""
        self.calls.append("exception")


def _outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE, client_id: str | None = None) -> Any:
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def _connection(provider: Any, client_id: str | None = None) -> Any:
    connection = provider.connection_factory().create_connection()
    if client_id is not None:
        connection.client_id = client_id
    connection.start()
    return connection


def _texts(consumer: Any) -> list[Any]:
    found = []
    while (message := consumer.receive_no_wait()) is not None:
        found.append(message.text)
    return found


def _left(provider: Any) -> list[Any]:
    return _texts(_context(provider).create_consumer(provider.create_queue("red")))


def _send(provider: Any, destination: Any, *texts: str) -> None:
    with _context(provider) as context:
        for text in texts:
            context.create_producer().send(destination, text)


def _lookup(provider: Any) -> object:
    factory = provider.administer("factory", kind="topic-connection-factory", client_id="me")
    provider.bind("factory", factory)
    return provider.lookup("factory").create_topic_connection().client_id


def _password(provider: Any) -> object:
    factory = provider.connection_factory()
    factory.create_connection("u", "right").close()
    return _outcome(lambda: factory.create_connection("u", "wrong").close())


def _client_id(provider: Any) -> object:
    context = provider.administer("factory", kind="connection-factory", client_id="me").create_context()
    return _outcome(lambda: setattr(context, "client_id", "you"))


def _stop(provider: Any) -> object:
    queue, context = provider.create_queue("red"), _context(provider)
    consumer = context.create_consumer(queue)
    context.create_context(JMSContext.AUTO_ACKNOWLEDGE).stop()
    _send(provider, queue, "a")
    return _texts(consumer)


def _active(provider: Any) -> object:
    topic, connection = provider.create_topic("red"), _connection(provider, "me")
    session = connection.create_session()
    session.create_durable_consumer(topic, "s").message_listener = Listener(lambda message: None)
    connection.close()
    return _outcome(lambda: _context(provider, client_id="me").unsubscribe("s"))


def _acknowledge(provider: Any) -> object:
    queue = provider.create_queue("red")
    _send(provider, queue, "a")
    session = _connection(provider).create_session(transacted=True, session_mode=Session.CLIENT_ACKNOWLEDGE)
    consumer = session.create_consumer(queue)
    consumer.receive_no_wait().acknowledge()
    session.rollback()
    return _texts(consumer)


def _failed_commit(provider: Any) -> object:
    queue, connection = provider.create_queue("red"), _connection(provider)
    _send(provider, queue, "a")
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    consumer = session.create_consumer(queue)
    consumer.receive_no_wait()
    provider.administer("fail-next-commit", connection=connection)
    _outcome(session.commit)
    return _texts(consumer)


def _recover(provider: Any) -> object:
    topic, context = provider.create_topic("red"), _context(provider, JMSContext.CLIENT_ACKNOWLEDGE)
    consumer = context.create_shared_consumer(topic, "s")
    _send(provider, topic, "a")
    consumer.receive_no_wait()
    context.recover()
    return _texts(consumer)


def _unsubscribe(provider: Any) -> object:
    queue, topic = provider.create_queue("red"), provider.create_topic("red")
    context = _context(provider, JMSContext.SESSION_TRANSACTED, "me")
    context.create_durable_consumer(topic, "s").close()
    context.create_producer().send(queue, "a")
    context.unsubscribe("s")
    context.rollback()
    return _left(provider)


def _stored(provider: Any) -> object:
    first, queue = provider.create_queue("first"), provider.create_queue("red")
    _send(provider, first, "a")
    _send(provider, queue, "b")
    context = _context(provider, JMSContext.CLIENT_ACKNOWLEDGE)
    context.create_consumer(first).receive_no_wait()
    context.create_consumer(queue).receive_no_wait()
    context.acknowledge()
    provider.kill()
    return _left(provider)


def _deleted(provider: Any) -> object:
    queue = _context(provider).create_temporary_queue()
    session = _connection(provider).create_session()
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("a"))
    queue.delete()
    return _outcome(lambda: producer.send(session.create_text_message("b")))


def _completed(provider: Any) -> object:
    queue, session, completed = provider.create_queue("red"), _connection(provider).create_session(), Completed()
    producer = session.create_producer(queue)
    producer.delivery_mode = DeliveryMode.NON_PERSISTENT
    provider.administer("fail-next-sends", destination=queue)
    producer.send(session.create_text_message("a"), completion_listener=completed)
    producer.close()
    return completed.calls


def _month(provider: Any) -> object:
    queue, context = provider.create_queue("red"), _context(provider)
    context.create_producer().set_delivery_delay(30 * 24 * 3_600_000).send(queue, "a")
    return _texts(context.create_consumer(queue))


def _waits(provider: Any) -> object:
    queue, context = provider.create_queue("red"), _context(provider, JMSContext.SESSION_TRANSACTED)
    context.create_producer().set_delivery_delay(5000).send(queue, "late")
    context.create_producer().send(queue, "now")
    context.commit()
    return _left(provider)


def _no_local(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider, client_id="me") as first:
        first.create_durable_consumer(topic, "s", None, True)
    with _context(provider, client_id="me") as second:
        second.create_producer().send(topic, "a")
        return _texts(second.create_durable_consumer(topic, "s", None, True))


def _selector(provider: Any) -> object:
    topic, context = provider.create_topic("red"), _context(provider, client_id="me")
    context.create_durable_consumer(topic, "s", "p = 1", False).close()
    consumer = context.create_durable_consumer(topic, "s")
    _send(provider, topic, "a")
    return _texts(consumer)


def _namesake(provider: Any) -> object:
    topic, context = provider.create_topic("red"), _context(provider, client_id="me")
    consumer = context.create_shared_consumer(topic, "s")
    context.create_durable_consumer(topic, "s").close()
    context.unsubscribe("s")
    _send(provider, topic, "a")
    return _texts(consumer)


def _expired(provider: Any) -> object:
    queue, context = provider.create_queue("red"), _context(provider)
    context.create_producer().set_time_to_live(1000).send(queue, "dead")
    context.create_producer().send(queue, "alive")
    provider.clock.advance(2000)
    return _texts(context.create_consumer(queue))


def _fetched(provider: Any) -> object:
    queue, connection = provider.create_queue("red"), _connection(provider)
    consumer = connection.create_session().create_consumer(queue)
    connection.stop()
    _send(provider, queue, "a", "b")
    consumer.close()
    return _left(provider)


def _owes(provider: Any) -> object:
    queue, done = provider.create_queue("red"), provider.clock.event()
    context = _context(provider, JMSContext.DUPS_OK_ACKNOWLEDGE)
    consumer = context.create_consumer(queue)

    def take(_: Message) -> None:
        consumer.close()
        done.set()

    consumer.message_listener = Listener(take)
    _send(provider, queue, "a")
    done.wait(60_000)
    context.close()
    return _left(provider)


WITNESSES: dict[str, tuple[Witness, object]] = {
    "looked-up-topic-factory-has-no-client-id": (_lookup, "me"),
    "password-is-checked-once-for-each-user": (_password, "JMSSecurityException"),
    "context-replaces-a-configured-client-id": (_client_id, "IllegalStateRuntimeException"),
    "stop-of-a-further-context-stops-itself-only": (_stop, []),
    "listening-durable-subscriber-outlives-its-connection": (_active, None),
    "transacted-session-heeds-its-second-argument": (_acknowledge, ["a"]),
    "session-is-stopped-by-a-failed-commit": (_failed_commit, ["a"]),
    "recover-skips-shared-subscriptions": (_recover, ["a"]),
    "unsubscribe-commits-the-transaction": (_unsubscribe, []),
    "acknowledge-is-stored-for-one-destination": (_stored, []),
    "used-producer-does-not-see-its-queue-deleted": (_deleted, "InvalidDestinationException"),
    "failed-non-persistent-send-counts-as-complete": (_completed, ["exception"]),
    "delay-of-a-month-is-none": (_month, []),
    "transaction-waits-for-its-delayed-message": (_waits, ["now"]),
    "no-local-means-the-connection-that-subscribed": (_no_local, []),
    "durable-selector-stays-when-left-out": (_selector, ["a"]),
    "unsubscribe-ends-the-non-durable-namesake": (_namesake, ["a"]),
    "expired-message-ends-receive-no-wait": (_expired, ["alive"]),
    "consumer-closed-while-stopped-takes-a-message-along": (_fetched, ["a", "b"]),
    "listener-that-closed-its-consumer-owes-the-message": (_owes, []),
}

SETTINGS: Mapping[str, Mapping[str, object]] = {"password-is-checked-once-for-each-user": {"users": {"u": "right"}}}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(
        name,
        lambda provider: _outcome(lambda: witness(provider)),
        expected,
        tmp_path,
        settings={**VIRTUAL, **SETTINGS.get(name, {})},
    )
