"""Witnesses of red round 2, part A: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    Byte,
    BytesMessage,
    DeliveryMode,
    Int,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MessageFormatException,
    Session,
    TextMessage,
)

CLIENT = JMSContext.CLIENT_ACKNOWLEDGE
TRANSACTED = JMSContext.SESSION_TRANSACTED
LONG_LIFE = 5_000_000_000


def _context(provider: Any, mode: int = CLIENT) -> Any:
    return provider.connection_factory().create_context(session_mode=mode)


def _outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except (JMSException, JMSRuntimeException, ValueError) as error:
        return type(error).__name__


def _there_and_back(context: Any, queue: Any, message: Any) -> Any:
    context.create_producer().send(queue, message)
    return context.create_consumer(queue).receive_no_wait()


def _foreign(kind: type, inner: Any) -> Any:
    """Return a message of an implementation that is not the provider's, which keeps its state in `inner`."""
    members: dict[str, Any] = {}
    for name in kind.__abstractmethods__:  # type: ignore[attr-defined]
        if isinstance(inspect.getattr_static(kind, name), property):
            members[name] = property(
                lambda _, name=name: getattr(inner, name), lambda _, value, name=name: setattr(inner, name, value)
            )
        else:
            members[name] = lambda _, *arguments, name=name: getattr(inner, name)(*arguments)
    return type("Foreign", (kind,), members)()


def _foreign_boolean(provider: Any, queue: Any) -> str:
    context = _context(provider)
    inner = context.create_text_message("a")
    inner.set_boolean_property("flag", True)
    return str(_there_and_back(context, queue, _foreign(TextMessage, inner)).get_boolean_property("flag"))


def _foreign_empty(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = _foreign(BytesMessage, context.create_bytes_message())
    return _outcome(lambda: _there_and_back(context, queue, message).body_length)


def _utf(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_bytes_message()
    message.write_utf("a\U0001f600b")
    return str(_there_and_back(context, queue, message).read_utf())


def _reply_queue(provider: Any, queue: Any) -> str:
    context = _context(provider)
    topic = provider.create_topic("news")
    consumer = context.create_consumer(topic)
    message = context.create_text_message("a")
    message.jms_reply_to = queue
    context.create_producer().send(topic, message)
    context.create_producer().send(consumer.receive_no_wait().jms_reply_to, "reply")
    return str(context.create_consumer(queue).receive_no_wait() is not None)


def _map_again(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_map_message()
    message.set_int("a", 7)
    context.create_producer().send(queue, message)
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait().clear_body()
    context.recover()
    return str(consumer.receive_no_wait().item_exists("a"))


def _list_changed(provider: Any, queue: Any) -> str:
    context = _context(provider)
    content = ["a"]
    message = context.create_object_message()
    message.object = content
    content.append("b")
    return str(_there_and_back(context, queue, message).object)


def _array_parts(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_stream_message()
    message.write_bytes(b"abcdef")
    received = _there_and_back(context, queue, message)
    buffer = bytearray(4)
    received.read_bytes(buffer)
    with pytest.raises(MessageFormatException):
        received.read_string()
    return str((received.read_bytes(buffer), buffer[:1]))


def _durable_again(provider: Any, _: Any) -> str:
    topic = provider.create_topic("news")
    context = _context(provider)
    context.client_id = "red"
    consumer = context.create_durable_consumer(topic, "one")
    context.create_producer().send(topic, "a")
    consumer.receive_no_wait()
    context.recover()
    return str(consumer.receive_no_wait().jms_destination == topic)


def _group_cleared(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_text_message("a")
    message.set_string_property("JMSXGroupID", "g")
    received = _there_and_back(context, queue, message)
    received.clear_properties()
    return str(list(received.get_property_names()))


def _group_sequence(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_text_message("a")
    message.set_string_property("JMSXGroupID", "g")
    message.set_int_property("JMSXGroupSeq", -1)
    return str(_there_and_back(context, queue, message).get_object_property("JMSXGroupSeq") == Int(-1))


def _closed_client(provider: Any, queue: Any) -> str:
    with _context(provider) as context:
        _there_and_back(context, queue, context.create_text_message("a"))
    return str(_context(provider).create_consumer(queue).receive_no_wait().jms_redelivered)


def _rolled_back(provider: Any, queue: Any) -> str:
    with _context(provider) as sender:
        message = sender.create_text_message("a")
        sender.create_producer().set_time_to_live(60_000).send(queue, message)
    context = _context(provider, TRANSACTED)
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.rollback()
    return str(consumer.receive_no_wait().jms_expiration == message.jms_expiration)


def _acknowledged(provider: Any, queue: Any) -> str:
    with _context(provider) as sender:
        sender.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(queue, "a")
    context = _context(provider, TRANSACTED)
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait().acknowledge()
    context.rollback()
    return str(consumer.receive_no_wait() is not None)


def _sent_on(provider: Any, queue: Any) -> Any:
    """Return a message that was received twice and then sent on, and its first receipt there."""
    context = _context(provider)
    context.create_producer().send(queue, "a")
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.recover()
    received = consumer.receive_no_wait()
    before = received.jms_message_id
    return before, _there_and_back(context, provider.create_queue("next"), received)


def _committed(provider: Any, queue: Any) -> str:
    context = _context(provider, TRANSACTED)
    message = context.create_text_message("a")
    context.create_producer().send(queue, message)
    provider.clock.advance(5_000)
    context.commit()
    received = context.create_consumer(queue).receive_no_wait()
    return str(received.jms_timestamp == message.jms_timestamp)


def _sent_on_id(provider: Any, queue: Any) -> str:
    before, received = _sent_on(provider, queue)
    return str(received.jms_message_id == before)


def _long_life(provider: Any, queue: Any) -> str:
    context = _context(provider)
    message = context.create_text_message("a")
    context.create_producer().set_time_to_live(LONG_LIFE).send(queue, message)
    return str(message.jms_expiration - message.jms_timestamp)


def _second_context(provider: Any, queue: Any) -> str:
    first = _context(provider)
    first.auto_start = False
    first.create_producer().send(queue, "a")
    consumer = first.create_context(JMSContext.AUTO_ACKNOWLEDGE).create_consumer(queue)
    return str(consumer.receive(1_000) is not None)


def _queue_session(provider: Any, queue: Any) -> str:
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.CLIENT_ACKNOWLEDGE)
    sender = session.create_sender(queue)
    sender.delivery_mode = DeliveryMode.NON_PERSISTENT
    sender.send(session.create_text_message("a"))
    session.create_receiver(queue).receive_no_wait()
    session.close()
    second = connection.create_queue_session(False, Session.CLIENT_ACKNOWLEDGE)
    return str(second.create_receiver(queue).receive_no_wait() is not None)


def _restarted(provider: Any, queue: Any) -> str:
    with _context(provider) as sender:
        message = sender.create_text_message("a")
        message.set_byte_property("small", 7)
        sender.create_producer().send(queue, message)
    provider.restart()
    received = _context(provider).create_consumer(queue).receive_no_wait()
    return str(received.get_object_property("small") == Byte(7))


WITNESSES: dict[str, tuple[Callable[[Any, Any], str], str]] = {
    "boolean-properties-of-foreign-messages-lost": (_foreign_boolean, "True"),
    "empty-foreign-bytes-message-refused": (_foreign_empty, "0"),
    "read-utf-mangles-supplementary-characters": (_utf, "a\U0001f600b"),
    "reply-queue-of-a-published-message-becomes-a-topic": (_reply_queue, "True"),
    "clear-body-of-a-received-map-empties-the-broker-s": (_map_again, "True"),
    "lists-are-serialised-by-the-send": (_list_changed, "['a']"),
    "failed-read-restarts-a-byte-array": (_array_parts, "(2, bytearray(b'e'))"),
    "redelivery-of-a-durable-subscription-names-its-queue": (_durable_again, "True"),
    "group-id-survives-clear-properties": (_group_cleared, "[]"),
    "group-sequence-below-one-not-sent": (_group_sequence, "True"),
    "messages-of-a-closed-client-session-come-as-new": (_closed_client, "True"),
    "expiration-lost-on-rollback": (_rolled_back, "True"),
    "acknowledge-settles-non-persistent-within-a-transaction": (_acknowledged, "True"),
    "redelivered-message-sent-on-keeps-its-count": (
        lambda provider, queue: str(_sent_on(provider, queue)[1].get_int_property("JMSXDeliveryCount")),
        "1",
    ),
    "commit-stamps-the-messages": (_committed, "True"),
    "received-message-sent-on-keeps-its-id": (_sent_on_id, "False"),
    "time-to-live-of-32-bits": (_long_life, str(LONG_LIFE)),
    "created-context-inherits-no-auto-start": (_second_context, "True"),
    "queue-session-takes-non-persistent-messages-along": (_queue_session, "True"),
    "small-numbers-come-back-from-the-file-as-int": (_restarted, "True"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, lambda provider: witness(provider, provider.create_queue("red")), expected, tmp_path)
