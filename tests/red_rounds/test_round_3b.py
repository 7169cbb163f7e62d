"""Witnesses of red round 3, part b: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import JMSException, JMSRuntimeException, Session, TemporaryQueue


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__
    return "done"


def _selected(provider: Any, selector: str, prepare: Callable[[Any], object]) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_context() as context:
        message = context.create_text_message("a")
        prepare(message)
        context.create_producer().send(queue, message)
        return str(context.create_consumer(queue, selector).receive_no_wait() is not None)


def _message_id(provider: Any) -> str:
    topic = provider.create_topic("red")
    with provider.connection_factory().create_context() as context:
        context.client_id = "red"
        consumer = context.create_durable_consumer(topic, "one", "JMSMessageID LIKE 'ID:%'")
        context.create_producer().send(topic, "a")
        return str(consumer.receive_no_wait() is not None)


def _selector_of_second(provider: Any) -> str:
    topic = provider.create_topic("red")
    with provider.connection_factory().create_context() as context:
        context.create_shared_consumer(topic, "one", "a = 1")
        return str(context.create_shared_consumer(topic, "one", "a = 1").message_selector)


def _common_consumer(provider: Any) -> str:
    queue = provider.create_queue("red")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    session.create_sender(queue).send(session.create_text_message("a"))
    seen = session.create_consumer(queue, "a = 1").receive_no_wait()
    connection.close()
    return str(seen)


def _unsubscribed(provider: Any) -> str:
    topic = provider.create_topic("red")
    connection = provider.topic_connection_factory().create_topic_connection()
    connection.client_id = "red"
    session = connection.create_topic_session(False, Session.AUTO_ACKNOWLEDGE)
    session.create_durable_subscriber(topic, "one").close()
    session.unsubscribe("one")
    again = _outcome(lambda: session.unsubscribe("one"))
    connection.close()
    return again


def _receiver_closed_first(provider: Any) -> str:
    queue = provider.create_queue("red")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.CLIENT_ACKNOWLEDGE)
    session.create_sender(queue).send(session.create_text_message("a"))
    receiver = session.create_receiver(queue)
    receiver.receive_no_wait()
    receiver.close()
    session.close()
    next_session = connection.create_queue_session(False, Session.CLIENT_ACKNOWLEDGE)
    message = next_session.create_receiver(queue).receive_no_wait()
    seen = str(message is not None)
    connection.close()
    return seen


def _preset_reply_to(provider: Any) -> str:
    queue, other = provider.create_queue("red"), provider.create_queue("other")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.queue_requestor(session, queue)
    request = session.create_text_message("a")
    request.jms_reply_to = other
    asking = threading.Thread(target=lambda: _outcome(lambda: requestor.request(request)))
    asking.start()
    with provider.connection_factory().create_context() as context:
        reply_to = context.create_consumer(queue).receive(10_000).jms_reply_to
    connection.close()  # ends the wait
    asking.join()
    return str(isinstance(reply_to, TemporaryQueue))


def _late_reply(provider: Any) -> str:
    queue = provider.create_queue("red")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.queue_requestor(session, queue)
    asking = threading.Thread(target=lambda: requestor.request(session.create_text_message("a")))
    asking.start()
    with provider.connection_factory().create_context() as context:
        reply_to = context.create_consumer(queue).receive(10_000).jms_reply_to
        context.create_producer().send(reply_to, "reply")
        asking.join()
        context.create_producer().send(reply_to, "late")
        requestor.close()
        seen = _outcome(lambda: context.create_producer().send(reply_to, "too late"))
    connection.close()
    return seen


def _topic_in_use(provider: Any) -> str:
    with provider.connection_factory().create_context() as context:
        topic = context.create_temporary_topic()
        context.create_shared_consumer(topic, "one")
        return _outcome(topic.delete)


def _sibling(provider: Any) -> str:
    with provider.connection_factory().create_context() as context:
        queue = context.create_temporary_queue()
        with context.create_context(Session.AUTO_ACKNOWLEDGE) as sibling:
            return _outcome(lambda: sibling.create_consumer(queue))


def _enumerations(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_context() as context:
        for text in "abc":
            context.create_producer().send(queue, text)
        browser = context.create_browser(queue)
        next(browser.get_enumeration())
        return "".join(one.text for one in browser.get_enumeration())


def _browsed_order(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_context() as context:
        context.create_producer().set_priority(1).send(queue, "low")
        context.create_producer().set_priority(9).send(queue, "high")
        return " ".join(one.text for one in context.create_browser(queue, "JMSPriority > 0").get_enumeration())


def _unknown_name(provider: Any) -> str:
    with provider.connection_factory().create_context() as context:
        context.client_id = "red"
        return _outcome(lambda: context.unsubscribe("unknown"))


def _body_once(provider: Any) -> str:
    topic = provider.create_topic("red")
    with provider.connection_factory().create_context() as context:
        context.client_id = "red"
        consumer = context.create_durable_consumer(topic, "one")
        context.create_producer().send(topic, "a")
        first = consumer.receive_body_no_wait(str)
        consumer.close()
        return f"{first} {context.create_durable_consumer(topic, 'one').receive_body_no_wait(str)}"


def _two_clients(provider: Any) -> str:
    topic = provider.create_topic("red")
    factory = provider.connection_factory()
    with factory.create_context() as first, factory.create_context() as second:
        first.client_id, second.client_id = "a", "a.b"
        first.create_durable_consumer(topic, "b.c")
        return _outcome(lambda: second.create_durable_consumer(topic, "c"))


def _text(name: str, value: str) -> Callable[[Any], object]:
    return lambda message: message.set_string_property(name, value)


def _correlated(message: Any) -> None:
    message.jms_correlation_id = "ID:7"


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "header-names-translated-within-literals": (
        lambda p: _selected(p, "a = 'by JMSPriority'", _text("a", "by JMSPriority")),
        "True",
    ),
    "like-reads-a-bar-as-or": (lambda p: _selected(p, "a LIKE 'x|y_'", _text("a", "x|yz")), "True"),
    "empty-string-is-null-in-selectors": (lambda p: _selected(p, "a IS NOT NULL", _text("a", "")), "True"),
    "correlation-id-without-prefix-in-selectors": (
        lambda p: _selected(p, "JMSCorrelationID = 'ID:7'", _correlated),
        "True",
    ),
    "durable-subscriptions-cannot-select-by-message-id": (_message_id, "True"),
    "float-properties-widened-through-text": (
        lambda p: _selected(p, "a = 0.1", lambda message: message.set_float_property("a", 0.1)),
        "False",
    ),
    "between-swaps-reversed-bounds": (
        lambda p: _selected(p, "a BETWEEN 3 AND 1", lambda message: message.set_int_property("a", 2)),
        "False",
    ),
    "selector-of-second-shared-consumer-unknown": (_selector_of_second, "a = 1"),
    "queue-session-common-consumer-takes-all": (_common_consumer, "None"),
    "topic-session-unsubscribe-only-empties": (_unsubscribed, "InvalidDestinationException"),
    "closing-a-receiver-acknowledges": (_receiver_closed_first, "True"),
    "requestor-keeps-a-preset-reply-to": (_preset_reply_to, "True"),
    "requestor-leaves-a-queue-with-late-replies": (_late_reply, "InvalidDestinationRuntimeException"),
    "temporary-topic-with-shared-consumer-deleted": (_topic_in_use, "JMSException"),
    "temporary-queue-bound-to-its-context": (_sibling, "done"),
    "second-enumeration-continues-the-first": (_enumerations, "abc"),
    "selective-browser-ignores-priority": (_browsed_order, "high low"),
    "context-unsubscribe-throws-checked": (_unknown_name, "InvalidDestinationRuntimeException"),
    "receive-body-does-not-settle-durable": (_body_once, "a None"),
    "client-identifier-and-name-joined-by-a-dot": (_two_clients, "done"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, settings={}, acts=False)
