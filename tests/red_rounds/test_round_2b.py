"""Witnesses of red round 2, part b: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reference_provider.adapter import open_provider
from reference_provider.saboteurs.nearly_right import all_nearly_right
from reference_provider.saboteurs.registry import Patch
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


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "not-like-ignores-escape": (_selected("a NOT LIKE 'x!_y' ESCAPE '!'", {"a": "x_y"}, {"a": "xzy"}, {"a": "x!zy"}), "1,2"),
    "selector-correlation-without-id-prefix": (_selected("JMSCorrelationID = 'ID:7'", {}, correlation="ID:7"), "0"),
    "selector-ends-at-semicolon": (_semicolon, "InvalidSelectorRuntimeException"),
    "long-literals-lose-their-last-bits": (
        _selected("a = 9007199254740993", {"a": 9007199254740992}, {"a": 9007199254740993}),
        "1",
    ),
    "in-list-keeps-doubled-quotes": (_selected("a IN ('x', 'it''s')", {"a": "it's"}), "0"),
    "empty-property-is-null": (_selected("a IS NULL", {"a": ""}, {}), "1"),
    "and-stops-at-unknown-on-the-left": (_selected("NOT (a = 'x' AND b = 'y')", {"b": "z"}, {"a": "z"}), "0,1"),
    "spaces-in-literals-collapse": (_selected("a  =  'x  y'", {"a": "x y"}, {"a": "x  y"}), "1"),
    "selective-consumer-sees-one-page": (_behind_a_page, "wanted"),
    "browser-shows-returned-messages-last": (_browsed_again, "a,b,c"),
    "requestor-keeps-reply-to": (_requested, "False"),
}


def _observed(witness: Callable[[Any], str], folder: Path) -> str:
    folder.mkdir()
    provider = open_provider({}, folder)
    try:
        return witness(provider)
    finally:
        provider.close()


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert _observed(witness, tmp_path / "sound") == expected
    patch = Patch()
    all_nearly_right()[name].install(patch)
    try:
        assert _observed(witness, tmp_path / "broken") != expected
    finally:
        patch.undo()
