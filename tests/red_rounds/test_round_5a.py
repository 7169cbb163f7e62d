"""Witnesses of red round 5, first group: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    OMITTED,
    DeliveryMode,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MapMessage,
    Session,
)

AUTO, CLIENT, TRANSACTED = JMSContext.AUTO_ACKNOWLEDGE, JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED


def _outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except (JMSException, JMSRuntimeException, ValueError) as error:
        return type(error).__name__


def _context(provider: Any, mode: int = AUTO, client_id: str | None = None) -> Any:
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def _next(context: Any, destination: Any, selector: Any = OMITTED) -> Any:
    consumer = context.create_consumer(destination, selector)
    message = consumer.receive_no_wait()
    consumer.close()
    return message


def _after_restart(provider: Any, queue: Any, message: Callable[[Any], Any], **options: int) -> Any:
    """Send a message and receive it from the provider that was started again."""
    context = _context(provider)
    producer = context.create_producer()
    for name, value in options.items():
        getattr(producer, f"set_{name}")(value)
    sent = message(context)
    producer.send(queue, sent)
    provider.clock.advance(500)
    provider.restart()
    return sent, _next(_context(provider), queue)


def _twice(provider: Any, queue: Any) -> str:
    context = _context(provider, TRANSACTED)
    message = context.create_text_message("a")
    context.create_producer().send(queue, message)
    first = message.jms_message_id
    context.create_producer().send(queue, message)
    return str(message.jms_message_id != first)


def _delayed_expiration(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_text_message("a")
    context.create_producer().set_time_to_live(5000).set_delivery_delay(2000).send(queue, message)
    return str(message.jms_expiration - message.jms_timestamp)


def _expiration(provider: Any, queue: Any) -> str:
    sent, received = _after_restart(provider, queue, lambda c: c.create_text_message("a"), time_to_live=5000)
    return str(sent.jms_expiration == received.jms_expiration)


def _reply(provider: Any, queue: Any) -> str:
    context, topic = _context(provider), provider.create_topic("red-topic")
    consumer = context.create_consumer(topic)
    context.create_producer().set_jms_reply_to(queue).send(topic, "request")
    context.create_producer().send(consumer.receive_no_wait().jms_reply_to, "reply")
    return str(_next(context, queue))[:5]


def _application(provider: Any, queue: Any) -> str:
    first, second = _context(provider, client_id="first"), _context(provider, client_id="second")
    first.create_producer().send(queue, "a")
    message = _next(second, queue)
    second.create_producer().send(queue, message)
    return str(_next(first, queue).get_string_property("JMSXAppID"))


def _sent_on(provider: Any, queue: Any) -> Any:
    context = _context(provider)
    context.create_producer().set_priority(8).send(queue, "a")
    message = _next(context, queue)
    context.create_producer().send(queue, message)
    return message


def _marked(provider: Any, queue: Any) -> str:
    context = _context(provider, TRANSACTED)
    for text in "ab":
        context.create_producer().send(queue, text)
    context.commit()
    consumer = context.create_consumer(queue)
    for _ in "ab":
        consumer.receive_no_wait()
    context.rollback()
    return str([consumer.receive_no_wait().jms_redelivered for _ in "ab"])


def _with_float(context: Any) -> Any:
    message = context.create_text_message("a")
    message.set_float_property("a", 1.5)
    return message


def _later(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_text_message("a")
    message.set_int_property("a", 1)
    context.create_producer().set_delivery_delay(1000).send(queue, message)
    message.set_int_property("a", 2)
    provider.clock.advance(1000)
    return str(_next(context, queue).get_int_property("a"))


def _rest(provider: Any, queue: Any) -> str:
    context = _context(provider)
    context.create_producer().send(queue, b"abcd")
    message = _next(context, queue)
    message.read_byte()
    context.create_producer().send(queue, message)
    return repr(_next(context, queue).get_body(bytes))


def _object(provider: Any, queue: Any) -> str:
    context, value = _context(provider), ["a"]
    message = context.create_object_message(value)
    value.append("b")
    context.create_producer().send(queue, message)
    return repr(_next(context, queue).object)


def _positions(provider: Any, _: Any) -> str:
    context, topic = _context(provider), provider.create_topic("red-topic")
    consumers = [context.create_consumer(topic) for _ in range(2)]
    context.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(topic, b"ab")
    return str([_outcome(consumer.receive_no_wait().read_byte) for consumer in consumers])


def _stream(provider: Any, queue: Any, *values: object) -> Any:
    context = _context(provider)
    message = context.create_stream_message()
    for value in values:
        message.write_object(value)
    context.create_producer().send(queue, message)
    return _next(context, queue)


def _reset(provider: Any, queue: Any) -> str:
    message = _stream(provider, queue, True, b"abc")
    message.read_boolean()
    message.read_bytes(bytearray(2))
    message.reset()
    return _outcome(message.read_boolean)


def _string(provider: Any, queue: Any) -> str:
    message = _stream(provider, queue, "a", "b")
    return _outcome(lambda: message.read_bytes(bytearray(2))) + _outcome(message.read_string)


def _foreign_map() -> Any:
    members: dict[str, Any] = dict.fromkeys(MapMessage.__abstractmethods__)
    members |= {"get_map_names": lambda self: iter(()), "get_property_names": lambda self: iter(())}
    return type("ForeignMap", (MapMessage,), members)()


def _foreign(provider: Any, queue: Any) -> str:
    context = _context(provider)
    context.create_producer().send(queue, _foreign_map())
    return str(isinstance(_next(context, queue), MapMessage))


def _correlated(provider: Any, queue: Any) -> str:
    context = _context(provider)
    request = context.create_text_message("request")
    context.create_producer().send(context.create_temporary_queue(), request)
    context.create_producer().set_jms_correlation_id(request.jms_message_id).send(queue, "reply")
    return str(_next(context, queue, f"JMSCorrelationID = '{request.jms_message_id}'") is not None)


def _mode(provider: Any, queue: Any) -> str:
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session(session_mode=Session.AUTO_ACKNOWLEDGE)
        producer = session.create_producer(queue)
        message, mode = session.create_message(), DeliveryMode.NON_PERSISTENT
        producer.send(message, delivery_mode=mode, priority=4, time_to_live=0)
    return str(_next(_context(provider), queue, "JMSDeliveryMode = 'NON_PERSISTENT'") is not None)


def _resumed(provider: Any, _: Any) -> str:
    context, topic = _context(provider, client_id="client"), provider.create_topic("red-topic")
    context.create_durable_consumer(topic, "name").close()
    context.create_producer().send(topic, "a")
    return str(context.create_durable_consumer(topic, "name", "", False).receive_no_wait() is not None)


WITNESSES: dict[str, tuple[Callable[[Any, Any], str], str]] = {
    "message-sent-twice-in-a-transaction-keeps-its-id": (_twice, "True"),
    "expiration-of-a-delayed-message-counts-from-its-delivery-time": (_delayed_expiration, "5000"),
    "time-to-live-begins-anew-after-a-restart": (_expiration, "True"),
    "reply-queue-of-a-topic-message-is-a-topic": (_reply, "<text"),
    "sent-on-message-keeps-the-first-application": (_application, "second"),
    "sending-on-opens-the-properties": (
        lambda p, q: _outcome(lambda: _sent_on(p, q).set_int_property("a", 1)),
        "MessageNotWriteableException",
    ),
    "sent-on-message-keeps-its-priority": (lambda p, q: str(_sent_on(p, q).jms_priority), "4"),
    "rollback-marks-only-its-first-message": (_marked, "[True, True]"),
    "float-property-is-a-double-after-a-restart": (
        lambda p, q: _outcome(lambda: _after_restart(p, q, _with_float)[1].get_float_property("a")),
        "1.5",
    ),
    "delayed-message-shows-later-properties": (_later, "1"),
    "bytes-read-in-part-are-sent-on-without-the-part": (_rest, "b'abcd'"),
    "new-object-message-copies-its-object-at-the-send": (_object, "['a']"),
    "subscribers-share-the-read-position-of-bytes": (_positions, "['97', '97']"),
    "reset-stays-within-an-open-array": (_reset, "True"),
    "read-bytes-of-a-string-moves-on": (_string, "MessageFormatException'a'"),
    "empty-text-is-null-after-a-restart": (
        lambda p, q: repr(_after_restart(p, q, lambda c: c.create_text_message(""))[1].text),
        "''",
    ),
    "empty-foreign-map-is-a-plain-message": (_foreign, "True"),
    "selector-sees-correlated-ids-without-prefix": (_correlated, "True"),
    "selector-sees-the-delivery-mode-of-the-producer": (_mode, "True"),
    "empty-selector-begins-a-durable-subscription-anew": (_resumed, "True"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, lambda provider: witness(provider, provider.create_queue("red")), expected, tmp_path)
