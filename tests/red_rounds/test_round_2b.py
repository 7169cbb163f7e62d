"""Witnesses of red round 2, part b: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import JMSContext, JMSException, JMSRuntimeException, Session


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE, client_id: str | None = None) -> Any:
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def _drained(consumer: Any) -> str:
    texts = []
    while (message := consumer.receive_no_wait()) is not None:
        texts.append(message.text)
    return ",".join(texts)


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__
    return "done"


def _selected(selector: str, *messages: Mapping[str, Any], correlation: str | None = None) -> Callable[[Any], str]:
    """Send messages with these properties; return which of them the selector chooses."""

    def witness(provider: Any) -> str:
        with _context(provider) as context:
            queue = provider.create_queue("red")
            for number, properties in enumerate(messages):
                message = context.create_text_message(str(number))
                message.jms_correlation_id = correlation
                for name, value in properties.items():
                    (message.set_long_property if isinstance(value, int) else message.set_string_property)(name, value)
                context.create_producer().send(queue, message)
            return _drained(context.create_consumer(queue, selector))

    return witness


def _semicolon(provider: Any) -> str:
    with _context(provider) as context:
        return _outcome(lambda: context.create_consumer(provider.create_queue("red"), "a = 1; b = 2"))


def _behind_a_page(provider: Any) -> str:
    with _context(provider) as context:
        queue = provider.create_queue("red")
        for _ in range(200):
            context.create_producer().send(queue, "dull")
        context.create_producer().set_property("a", "x").send(queue, "wanted")
        return _drained(context.create_consumer(queue, "a = 'x'"))


def _browsed_again(provider: Any) -> str:
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        queue = provider.create_queue("red")
        for text in "abc":
            context.create_producer().send(queue, text)
        context.commit()
        consumer = context.create_consumer(queue)
        consumer.receive_no_wait()
        consumer.close()
        context.rollback()
        return ",".join(message.text for message in context.create_browser(queue).get_enumeration())


def _requested(provider: Any) -> str:
    queue, other = provider.create_queue("red"), provider.create_queue("other")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.queue_requestor(session, queue)
    message = session.create_text_message("request")
    message.jms_reply_to = other
    client = threading.Thread(target=lambda: _outcome(lambda: requestor.request(message)))
    client.start()
    with _context(provider) as context:
        request = context.create_consumer(queue).receive(5000)
        if request.jms_reply_to != other:
            context.create_producer().send(request.jms_reply_to, "reply")
            client.join(5)
    connection.close()
    client.join(5)
    return str(request.jms_reply_to == other)


def _empty_selector(provider: Any) -> str:
    with _context(provider, client_id="c") as context:
        topic = provider.create_topic("news")
        consumer = context.create_durable_consumer(topic, "s", "", False)
        context.create_producer().send(topic, "a")
        return _drained(consumer)


def _dots(provider: Any) -> str:
    topic = provider.create_topic("news")
    with _context(provider, client_id="a") as one, _context(provider, client_id="a.b") as other:
        one.create_durable_consumer(topic, "b.c").close()
        consumer = other.create_durable_consumer(topic, "c")
        other.create_producer().send(topic, "m")
        mine = _drained(consumer)
        consumer.close()
        return f"{mine};{_drained(one.create_durable_consumer(topic, 'b.c'))}"


def _long_names(provider: Any) -> str:
    topic = provider.create_topic("news")
    with _context(provider) as context:
        first = context.create_shared_consumer(topic, "n" * 100 + "1")
        second = context.create_shared_consumer(topic, "n" * 100 + "2")
        context.create_producer().send(topic, "m")
        return f"{_drained(first)};{_drained(second)}"


def _shared_durable(provider: Any) -> str:
    topic = provider.create_topic("news")
    with _context(provider) as nobody, _context(provider, client_id="c") as client:
        first = nobody.create_shared_durable_consumer(topic, "s")
        second = client.create_shared_durable_consumer(topic, "s")
        nobody.create_producer().send(topic, "m")
        return f"{_drained(first)};{_drained(second)}"


def _copies(provider: Any) -> str:
    topic = provider.create_topic("news")
    with _context(provider, JMSContext.CLIENT_ACKNOWLEDGE, "c") as context:
        first = context.create_durable_consumer(topic, "one")
        second = context.create_durable_consumer(topic, "two")
        context.create_producer().send(topic, "m")
        first.receive_no_wait()
        context.recover()
        copy = second.receive_no_wait()
        return f"{copy.jms_redelivered} {copy.get_int_property('JMSXDeliveryCount')}"


def _shared_destination(provider: Any) -> str:
    topic = provider.create_topic("news")
    with _context(provider) as context:
        consumer = context.create_shared_consumer(topic, "s")
        context.create_producer().send(topic, "m")
        return str(consumer.receive_no_wait().jms_destination == topic)


def _local(provider: Any) -> str:
    topic = provider.create_topic("news")
    with _context(provider) as context:
        consumer = context.create_consumer(topic, "a IS NULL", True)
        context.create_producer().send(topic, "m")
        return _drained(consumer)


def _stranger(provider: Any) -> str:
    with _context(provider) as owner, _context(provider) as stranger:
        topic = owner.create_temporary_topic()
        return _outcome(lambda: stranger.create_shared_consumer(topic, "s"))


def _after_session(provider: Any) -> str:
    with _context(provider) as context:
        child = context.create_context(JMSContext.SESSION_TRANSACTED)
        queue = child.create_temporary_queue()
        child.close()
        return _outcome(lambda: context.create_producer().send(queue, "m"))


def _deleted(provider: Any) -> str:
    with _context(provider) as context, context.create_context(JMSContext.AUTO_ACKNOWLEDGE) as child:
        topic = context.create_temporary_topic()
        child.create_consumer(topic)
        return _outcome(topic.delete)


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "not-like-ignores-escape": (
        _selected("a NOT LIKE 'x!_y' ESCAPE '!'", {"a": "x_y"}, {"a": "xzy"}, {"a": "x!zy"}),
        "1,2",
    ),
    "selector-correlation-without-id-prefix": (_selected("JMSCorrelationID = 'ID:7'", {}, correlation="ID:7"), "0"),
    "selector-ends-at-semicolon": (_semicolon, "InvalidSelectorRuntimeException"),
    "long-literals-lose-their-last-bits": (
        _selected("a = 9007199254740993", {"a": 9007199254740992}, {"a": 9007199254740993}),
        "1",
    ),
    "in-list-keeps-doubled-quotes": (_selected("a IN ('x', 'it''s')", {"a": "it's"}), "0"),
    "empty-property-is-null-in-selectors": (_selected("a IS NULL", {"a": ""}, {}), "1"),
    "and-stops-at-unknown-on-the-left": (_selected("NOT (a = 'x' AND b = 'y')", {"b": "z"}, {"a": "z"}), "0,1"),
    "spaces-in-literals-collapse": (_selected("a  =  'x  y'", {"a": "x y"}, {"a": "x  y"}), "1"),
    "selective-consumer-sees-one-page": (_behind_a_page, "wanted"),
    "browser-shows-returned-messages-last": (_browsed_again, "a,b,c"),
    "requestor-keeps-reply-to": (_requested, "False"),
    "empty-selector-of-durable-selects-nothing": (_empty_selector, "a"),
    "dots-confuse-durable-subscriptions": (_dots, "m;m"),
    "shared-names-cut-at-sixty-four": (_long_names, "m;m"),
    "shared-durable-falls-back-to-global": (_shared_durable, "m;m"),
    "durable-copies-share-delivery-count": (_copies, "False 1"),
    "shared-subscription-in-destination": (_shared_destination, "True"),
    "no-local-lost-beside-a-selector": (_local, ""),
    "strangers-share-temporary-topics": (_stranger, "InvalidDestinationRuntimeException"),
    "temporary-queue-ends-with-transacted-session": (_after_session, "done"),
    "delete-asks-one-session-only": (_deleted, "JMSException"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, settings={}, acts=False)
