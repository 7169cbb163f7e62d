"""Witnesses of red round 1: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import DeliveryMode, JMSContext, JMSException, JMSRuntimeException


def _sent(context: Any, queue: Any, message: Any, mode: int = DeliveryMode.PERSISTENT) -> Any:
    context.create_producer().set_delivery_mode(mode).send(queue, message)
    return context.create_consumer(queue).receive_no_wait()


def _correlation(context: Any, queue: Any) -> str:
    message = context.create_text_message("a")
    message.jms_correlation_id = ""
    return repr(_sent(context, queue, message).jms_correlation_id)


def _reply_again(context: Any, queue: Any) -> str:
    message = context.create_text_message("a")
    message.jms_reply_to = queue
    context.create_producer().send(queue, message)
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.recover()
    return str(consumer.receive_no_wait().jms_reply_to == queue)


def _reply_topic(context: Any, queue: Any) -> str:
    message = context.create_text_message("a")
    message.jms_reply_to = topic = context.create_temporary_topic()
    return str(_sent(context, queue, message, DeliveryMode.NON_PERSISTENT).jms_reply_to == topic)


def _map(context: Any, queue: Any, text: str | None) -> Any:
    message = context.create_map_message()
    message.set_string("a", text)
    return _sent(context, queue, message)


def _opened(context: Any, queue: Any) -> str:
    message = _map(context, queue, "a")
    message.clear_body()
    return _outcome(lambda: message.set_int_property("a", 1))


def _browsed(context: Any, queue: Any) -> str:
    context.create_producer().send(queue, context.create_text_message("a"))
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    consumer.close()
    context.recover()
    return str(len(list(context.create_browser(queue).get_enumeration())))


def _outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except (JMSException, JMSRuntimeException, ValueError) as error:
        return type(error).__name__


WITNESSES: dict[str, tuple[Callable[[Any, Any], str], str]] = {
    "empty-correlation-id-is-null": (_correlation, "''"),
    "reply-to-lost-on-redelivery": (_reply_again, "True"),
    "non-persistent-temporary-topic-reply-to-lost": (_reply_topic, "True"),
    "null-map-entries-dropped-on-the-way": (lambda c, q: str(_map(c, q, None).item_exists("a")), "True"),
    "clear-body-of-a-map-opens-properties": (_opened, "MessageNotWriteableException"),
    "browser-hides-redelivered": (_browsed, "1"),
    "map-long-refuses-plus-sign": (lambda c, q: _outcome(lambda: _map(c, q, "+7").get_long("a")), "7"),
    "map-boolean-of-mixed-case-is-false": (lambda c, q: str(_map(c, q, "tRuE").get_boolean("a")), "True"),
}


def _in_a_context(witness: Callable[[Any, Any], str]) -> Callable[[Any], str]:
    def run(provider: Any) -> str:
        queue = provider.create_queue("red")
        with provider.connection_factory().create_context(session_mode=JMSContext.CLIENT_ACKNOWLEDGE) as context:
            return witness(context, queue)

    return run


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, _in_a_context(witness), expected, tmp_path, settings={}, acts=False)
