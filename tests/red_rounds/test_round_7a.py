"""Witnesses of red round 7, chapters 2 to 4: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import JMSContext, JMSException, JMSRuntimeException, Message, MessageListener, Session, TextMessage

Witness = Callable[[Any], object]


class Listener(MessageListener):
    """Calls a function."""

    def __init__(self, call: Callable[[Any], None]) -> None:
        self._call = call

    def on_message(self, message: Message) -> None:
        """Call it."""
        self._call(message)


def _foreign(inner: Any) -> Any:
    """Make a text message of another provider, which keeps its state in `inner`."""

    def member(name: str) -> Any:
        if isinstance(getattr(TextMessage, name), property):
            return property(lambda self: getattr(inner, name), lambda self, value: setattr(inner, name, value))
        return lambda self, *arguments: getattr(inner, name)(*arguments)

    return type("Foreign", (TextMessage,), {name: member(name) for name in TextMessage.__abstractmethods__})()


def _outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE) -> Any:
    return provider.connection_factory().create_context(session_mode=mode)


def _sent(context: Any, message: Any) -> Any:
    queue = context.create_queue("red")
    context.create_producer().send(queue, message)
    return context.create_consumer(queue).receive_no_wait()


def _texts(consumer: Any) -> list[Any]:
    found = []
    while (message := consumer.receive_no_wait()) is not None:
        found.append(message.text)
    return found


def _delivery_time(provider: Any) -> object:
    queue = provider.create_queue("red")
    context = _context(provider)
    message = context.create_text_message("a")
    context.create_producer().set_delivery_delay(5000).send(queue, message)
    provider.restart()
    received = _context(provider).create_consumer(queue).receive(10_000)
    return received.jms_delivery_time == message.jms_delivery_time


def _group(provider: Any) -> object:
    context = _context(provider)
    message = context.create_text_message("a")
    message.set_string_property("JMSXGroupID", "g")
    return _sent(context, message).property_exists("JMSXGroupSeq")


def _foreign_time(provider: Any) -> object:
    context = _context(provider)
    message = _foreign(context.create_text_message("a"))
    context.create_producer().set_delivery_delay(5000).send(context.create_queue("red"), message)
    return message.jms_delivery_time - message.jms_timestamp


def _foreign_null(provider: Any) -> object:
    context = _context(provider)
    message = _foreign(context.create_text_message("a"))
    message.set_string_property("none", None)
    return _sent(context, message).property_exists("none")


def _acknowledged(provider: Any) -> object:
    context = _context(provider, JMSContext.CLIENT_ACKNOWLEDGE)
    message = _sent(context, context.create_text_message("a"))
    message.clear_properties()
    message.acknowledge()
    context.close()
    return _context(provider).create_consumer(provider.create_queue("red")).receive_no_wait()


def _listener(provider: Any) -> object:
    context, seen, done = _context(provider), [], provider.clock.event()

    def take(message: Any) -> None:
        seen.append((message.text, message.jms_redelivered))
        if len(seen) == 1:
            message.clear_body()
            message.text = "changed"
            raise RuntimeError
        done.set()

    queue = context.create_queue("red")
    context.create_consumer(queue).message_listener = Listener(take)
    with _context(provider) as other:
        other.create_producer().send(queue, "a")
    done.wait(60_000)
    return seen


def _written(provider: Any) -> object:
    message = _context(provider).create_bytes_message()
    message.write_bytes(b"abc")
    return message.get_body(bytes)


def _body_map(provider: Any) -> object:
    context = _context(provider)
    topic = context.create_topic("red")
    first, second = context.create_consumer(topic), context.create_consumer(topic)
    context.create_producer().send(topic, {"a": "sent"})
    first.receive_body(dict)["a"] = "changed"
    return second.receive_body(dict)["a"]


def _long_string(provider: Any) -> object:
    context = _context(provider)
    message = context.create_map_message()
    message.set_string("a", "x" * 65_536)
    return _outcome(lambda: len(_sent(context, message).get_string("a")))


def _stream(provider: Any) -> object:
    context = _context(provider)
    message = context.create_stream_message()
    message.write_string("a")
    _sent(context, message)
    return _outcome(lambda: message.write_string("b"))


def _jmsx(provider: Any) -> object:
    context = _context(provider)
    topic = context.create_topic("red")
    consumer = context.create_consumer(topic, "JMSXGroupID = 'g'")
    context.create_producer().set_property("JMSXGroupID", "g").send(topic, "a")
    return _texts(consumer)


def _selected(provider: Any, selector: str, value: object) -> object:
    context = _context(provider)
    queue = context.create_queue("red")
    context.create_producer().set_property("p", value).send(queue, "a")
    return _texts(context.create_consumer(queue, selector))


def _names(provider: Any) -> object:
    context = _context(provider)
    topic = context.create_topic("red")
    first = context.create_shared_consumer(topic, "name")
    second = context.create_shared_consumer(topic, "Name")
    context.create_producer().send(topic, "a")
    return _texts(first) + _texts(second)


def _browsed(provider: Any) -> object:
    context = _context(provider)
    queue = context.create_queue("red")
    producer = context.create_producer().set_property("p", 1)
    producer.set_priority(2).send(queue, "low").set_priority(8).send(queue, "high")
    shown = [message.text for message in context.create_browser(queue, "p = 1").get_enumeration()]
    return shown == _texts(context.create_consumer(queue, "p = 1"))


def _gone(provider: Any) -> object:
    context = _context(provider)
    queue = context.create_queue("red")
    context.create_producer().send(queue, "a").send(queue, "b")
    browser = context.create_browser(queue)
    list(browser.get_enumeration())
    context.create_consumer(queue).receive_no_wait()
    return [message.text for message in browser.get_enumeration()]


def _temporary(provider: Any) -> object:
    context = _context(provider)
    queue = context.create_temporary_queue()
    context.create_consumer(queue).close()
    context.create_producer().send(queue, "a")
    return _texts(context.create_consumer(queue))


def _requestor(provider: Any) -> object:
    queue, elsewhere = provider.create_queue("red"), provider.create_queue("elsewhere")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.queue_requestor(session, queue)
    responder = _context(provider)

    def answer(message: Any) -> None:
        responder.create_producer().send(message.jms_reply_to, "answer")
        if message.jms_reply_to == elsewhere:
            connection.close()  # ends the wait for the answer

    responder.create_consumer(queue).message_listener = Listener(answer)
    message = session.create_text_message("a")
    message.jms_reply_to = elsewhere
    return _outcome(lambda: requestor.request(message).text)


def _sender(provider: Any) -> object:
    asking = _context(provider)
    reply_to = asking.create_temporary_queue()
    session = provider.queue_connection_factory().create_queue_connection().create_queue_session(False, 1)
    _outcome(lambda: session.create_sender(reply_to).send(session.create_text_message("a")))
    return _texts(asking.create_consumer(reply_to))


WITNESSES: dict[str, tuple[Witness, object]] = {
    "delivery-time-is-lost-in-the-file": (_delivery_time, True),
    "group-without-sequence-gets-one": (_group, False),
    "foreign-message-keeps-its-delivery-time": (_foreign_time, 5000),
    "null-properties-of-foreign-messages-are-lost": (_foreign_null, True),
    "message-without-its-properties-acknowledges-nothing": (_acknowledged, None),
    "failed-listener-meets-its-own-changes": (_listener, [("a", False), ("a", True)]),
    "get-body-of-bytes-being-written-is-null": (_written, b"abc"),
    "body-map-is-the-one-of-the-queue": (_body_map, "sent"),
    "long-strings-of-maps-are-refused": (_long_string, 65_536),
    "sent-stream-message-is-read-only": (_stream, None),
    "subscriptions-select-without-group-properties": (_jmsx, ["a"]),
    "quotes-in-lists-stay-doubled": (lambda p: _selected(p, "p IN ('it''s', 'x')", "it's"), ["a"]),
    "between-puts-its-bounds-in-order": (lambda p: _selected(p, "p BETWEEN 9 AND 3", 5), []),
    "one-escape-makes-all-wildcards-plain": (lambda p: _selected(p, "p LIKE 'a!_b_' ESCAPE '!'", "a_bc"), ["a"]),
    "shared-subscription-names-ignore-case": (_names, ["a", "a"]),
    "selecting-browser-forgets-priorities": (_browsed, True),
    "browser-remembers-what-is-gone": (_gone, ["b"]),
    "temporary-queue-ends-with-its-last-consumer": (_temporary, ["a"]),
    "requestor-leaves-a-reply-to-alone": (_requestor, "answer"),
    "queue-sessions-make-no-sender-for-a-reply": (_sender, ["a"]),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, lambda provider: _outcome(lambda: witness(provider)), expected, tmp_path)
