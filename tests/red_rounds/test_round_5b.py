"""Witnesses of red round 5, second group: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import JMSContext, JMSException, JMSRuntimeException, Session

AUTO, CLIENT, TRANSACTED = JMSContext.AUTO_ACKNOWLEDGE, JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED


def _outcome(call: Callable[[], object]) -> str:
    try:
        return "done" if call() is not None else "nothing"
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__


def _context(provider: Any, mode: int = AUTO, client_id: str | None = None) -> Any:
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def _texts(consumer: Any, count: int) -> str:
    received = [consumer.receive_no_wait() for _ in range(count)]
    return ",".join("-" if message is None else message.text for message in received)


# --- selectors --------------------------------------------------------------------------------------------------------


def _selected(provider: Any, queue: Any, selector: str, **properties: object) -> str:
    context = _context(provider)
    producer = context.create_producer()
    for name, value in properties.items():
        producer.set_property(name, value)
    producer.send(queue, "a")
    return _outcome(lambda: context.create_consumer(queue, selector).receive_no_wait())


# --- architecture -----------------------------------------------------------------------------------------------------


def _same_name(provider: Any, queue: Any) -> str:
    context, topic = _context(provider), provider.create_topic("red")
    subscriber, receiver = context.create_consumer(topic), context.create_consumer(queue)
    context.create_producer().send(queue, "a").send(topic, "b")
    return _texts(receiver, 2) + " " + _texts(subscriber, 2)


def _second_context(provider: Any, queue: Any) -> str:
    second = _context(provider).create_context(AUTO)
    second.create_producer().send(queue, "a")
    return _texts(second.create_consumer(queue), 1)


def _topic_connection(provider: Any) -> Any:
    connection = provider.topic_connection_factory().create_topic_connection()
    connection.client_id = "client"
    connection.start()
    return connection, connection.create_topic_session(False, Session.CLIENT_ACKNOWLEDGE)


def _closed(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red-topic")
    connection, session = _topic_connection(provider)
    subscriber = session.create_durable_subscriber(topic, "name")
    session.create_publisher(topic).publish(session.create_text_message("a"))
    received = _texts(subscriber, 1)
    connection.close()
    connection, session = _topic_connection(provider)
    return received + _texts(session.create_durable_subscriber(topic, "name"), 1)


def _both(provider: Any, queue: Any) -> str:
    topic = provider.create_topic("red-topic")
    subscriber = _context(provider).create_consumer(topic)
    context = _context(provider, TRANSACTED)
    context.create_producer().send(queue, "a")
    context.commit()
    context.create_consumer(queue).receive_no_wait()
    context.create_producer().send(topic, "b")
    context.commit()
    return _texts(subscriber, 1)


# --- temporary destinations -------------------------------------------------------------------------------------------


def _younger(provider: Any, _: Any) -> str:
    older = _context(provider)
    queue = older.create_temporary_queue()
    _outcome(lambda: _context(provider).create_producer().send(queue, "a"))
    return _texts(older.create_consumer(queue), 1)


def _of_second(provider: Any, _: Any) -> str:
    first = _context(provider)
    queue = first.create_context(AUTO).create_temporary_queue()
    return _outcome(lambda: first.create_consumer(queue))


def _in_use(provider: Any, _: Any) -> str:
    context = _context(provider)
    topic = context.create_temporary_topic()
    consumer = context.create_shared_consumer(topic, "name")
    return _outcome(topic.delete) + str(consumer is None)


def _left(provider: Any, queue: Any) -> str:
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.queue_requestor(session, queue)
    context = _context(provider)
    replies: list[Any] = []

    class Responder:
        def on_message(self, message: Any) -> None:
            replies.append(message.jms_reply_to)
            context.create_producer().send(message.jms_reply_to, "a").send(message.jms_reply_to, "b")

    context.create_consumer(queue).message_listener = Responder()
    requestor.request(session.create_text_message("request"))
    provider.clock.event().wait(100)
    requestor.close()
    return _outcome(lambda: _context(provider).create_producer().send(replies[0], "c"))


# --- queues and browsers ----------------------------------------------------------------------------------------------


def _browsed(provider: Any, queue: Any) -> str:
    context = _context(provider, TRANSACTED)
    context.create_producer().send(queue, "a")
    context.commit()
    list(context.create_browser(queue).get_enumeration())
    message = context.create_consumer(queue).receive_no_wait()
    return f"{message.jms_redelivered} {message.get_int_property('JMSXDeliveryCount')}"


def _order(provider: Any, queue: Any) -> str:
    context = _context(provider, CLIENT)
    for text in "abc":
        context.create_producer().send(queue, text)
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.recover()
    shown = ",".join(message.text for message in context.create_browser(queue).get_enumeration())
    return f"{shown} {_texts(consumer, 3)}"


def _passed(provider: Any, queue: Any) -> str:
    context = _context(provider)
    context.create_producer().set_property("kind", 1).send(queue, "a")
    selecting = context.create_consumer(queue, "kind = 2")
    nothing = _texts(selecting, 1)
    return nothing + _texts(context.create_consumer(queue), 1)


# --- subscriptions ----------------------------------------------------------------------------------------------------


def _dotted(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red-topic")
    names = {"a": "b.c", "a.b": "c"}
    contexts = {client: _context(provider, client_id=client) for client in names}
    for client, name in names.items():
        contexts[client].create_durable_consumer(topic, name).close()
    _context(provider).create_producer().send(topic, "a")
    received = ""
    for client, name in names.items():
        consumer = contexts[client].create_durable_consumer(topic, name)
        received += _texts(consumer, 1)
        consumer.close()
    return received


def _ended(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red-topic")
    first, second = _context(provider), _context(provider)
    first.create_shared_consumer(topic, "name")
    consumer = second.create_shared_consumer(topic, "name")
    second.create_producer().send(topic, "a")
    first.close()
    second.create_producer().send(topic, "b")
    return _texts(consumer, 2)


def _copies(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red-topic")
    context = _context(provider, client_id="client")
    for name in "ab":
        context.create_durable_consumer(topic, name).close()
    context.create_producer().send(topic, "text")
    received = _texts(context.create_durable_consumer(topic, "a"), 1)
    provider.restart()
    return received + _texts(_context(provider, client_id="client").create_durable_consumer(topic, "b"), 1)


def _counted(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red-topic")
    context = _context(provider, CLIENT)
    consumers = [context.create_shared_consumer(topic, name) for name in "ab"]
    context.create_producer().send(topic, "text")
    consumers[0].receive_no_wait()
    context.recover()
    message = consumers[1].receive_no_wait()
    return f"{message.jms_redelivered} {message.get_int_property('JMSXDeliveryCount')}"


def _local(provider: Any, _: Any) -> str:
    topic = provider.create_topic("red-topic")
    context = _context(provider)
    consumer = context.create_consumer(topic, None, True)
    context.create_context(AUTO).create_producer().send(topic, "own")
    _context(provider).create_producer().send(topic, "foreign")
    return _texts(consumer, 2)


WITNESSES: dict[str, tuple[Callable[[Any, Any], str], str]] = {
    "negated-alternatives-know-no-null": (lambda p, q: _selected(p, q, "NOT (a = 1 OR b = 2)", b=3), "nothing"),
    "like-with-underscore-knows-character-classes": (lambda p, q: _selected(p, q, "a LIKE '_[ab]'", a="xa"), "nothing"),
    "selector-ends-at-its-closing-bracket": (
        lambda p, q: _selected(p, q, "(a = 1) b = 2", a=1),
        "InvalidSelectorRuntimeException",
    ),
    "not-before-like-takes-in-what-follows": (
        lambda p, q: _selected(p, q, "NOT a LIKE 'x%' AND b = 1", a="x", b=2),
        "nothing",
    ),
    "producer-knows-destinations-by-name-only": (_same_name, "a,- b,-"),
    "context-of-a-context-does-not-start": (_second_context, "a"),
    "closed-connection-acknowledges-durable-subscribers": (_closed, "aa"),
    "commit-over-both-domains-forgets-subscribers": (_both, "b"),
    "younger-connections-take-temporary-queues-for-deleted": (_younger, "a"),
    "temporary-queue-of-a-second-context-is-its-own": (_of_second, "done"),
    "temporary-topic-with-shared-consumers-can-be-deleted": (_in_use, "JMSExceptionFalse"),
    "requestor-leaves-its-queue-if-a-reply-is-left": (_left, "InvalidDestinationRuntimeException"),
    "browsing-in-a-transacted-session-counts-as-delivery": (_browsed, "False 1"),
    "browser-shows-redelivered-messages-last": (_order, "a,b,c a,b,c"),
    "passed-over-messages-wait-for-the-selecting-consumer": (_passed, "-a"),
    "client-identifier-and-name-are-joined-by-a-dot": (_dotted, "aa"),
    "shared-subscription-ends-with-the-session-that-opened-it": (_ended, "a,b"),
    "first-acknowledgement-deletes-the-stored-copies": (_copies, "texttext"),
    "shared-subscriptions-count-deliveries-together": (_counted, "False 1"),
    "no-local-leaves-out-the-own-session-only": (_local, "foreign,-"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, lambda provider: witness(provider, provider.create_queue("red")), expected, tmp_path)
