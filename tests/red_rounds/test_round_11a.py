"""Witnesses of red round 11, first half: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import JMSContext, JMSException, JMSRuntimeException

AUTO = JMSContext.AUTO_ACKNOWLEDGE
CLIENT = JMSContext.CLIENT_ACKNOWLEDGE
TRANSACTED = JMSContext.SESSION_TRANSACTED


def _outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__


def _context(provider: Any, mode: int = AUTO, client_id: str | None = None) -> Any:
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def _send(context: Any, destination: Any, *texts: str) -> None:
    for text in texts:
        context.create_producer().send(destination, text)


def _texts(consumer: Any) -> list[str]:
    found = []
    while (message := consumer.receive_no_wait()) is not None:
        found.append(message.text)
    return found


# --- a1 ---------------------------------------------------------------------------------------------------------------


def _browsed_copy(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().set_jms_correlation_id("mine").send(queue, "a")
        next(iter(context.create_browser(queue).get_enumeration())).jms_correlation_id = "of the browser"
        return context.create_consumer(queue).receive_no_wait().jms_correlation_id


def _sent_twice(provider: Any) -> object:
    one, two = provider.create_queue("one"), provider.create_queue("two")
    with _context(provider, TRANSACTED) as context:
        message = context.create_text_message("first")
        context.create_producer().send(one, message)
        message.text = "second"
        context.create_producer().send(two, message)
        context.commit()
        return [_texts(context.create_consumer(queue)) for queue in (one, two)]


def _override_follows(provider: Any) -> object:
    one, two = provider.create_queue("one"), provider.create_queue("two")
    provider.administer("override", destination=one, priority=9)
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        producer = session.create_producer(None)
        message = session.create_text_message("a")
        producer.send(message, destination=one)
        producer.send(message, destination=two)
        return message.jms_priority


def _reply_to_taken(provider: Any) -> object:
    queue, answers = provider.create_queue("red"), provider.create_queue("answers")
    with _context(provider) as context:
        gone = context.create_temporary_queue()
        gone.delete()
        message = context.create_text_message("a")
        message.jms_reply_to = answers
        failure = _outcome(lambda: context.create_producer().send(gone, message))
        context.create_producer().send(queue, message)
        return failure, context.create_consumer(queue).receive_no_wait().jms_reply_to == answers


def _transaction_ids(provider: Any) -> object:
    queue, other = provider.create_queue("red"), provider.create_queue("other")
    with _context(provider) as plain, _context(provider, TRANSACTED) as context:
        _send(plain, queue, "a")
        consumer = context.create_consumer(queue)
        first = consumer.receive_no_wait().get_string_property("JMSXConsumerTXID")
        context.rollback()
        second = consumer.receive_no_wait().get_string_property("JMSXConsumerTXID")
        _send(context, other, "b")
        context.commit()
        sent_in = plain.create_consumer(other).receive_no_wait().get_string_property("JMSXProducerTXID")
        return first == second, second == sent_in


def _released(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider, CLIENT) as context:
        context.create_producer().set_delivery_delay(60_000).send(queue, "late")
        _send(context, queue, "a")
        consumer = context.create_consumer(queue)
        consumer.receive_no_wait()
        context.recover()
        return _texts(consumer)


def _taken_along(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider) as subscriber:
        consumer = subscriber.create_consumer(topic)
        with _context(provider) as publisher:
            _send(publisher, topic, "a")
        return _texts(consumer)


def _shut_out(provider: Any) -> object:
    with _context(provider) as owner, _context(provider) as other:
        queue = owner.create_temporary_queue()
        consumer = owner.create_consumer(queue)
        refusal = _outcome(queue.delete)
        return refusal, _outcome(lambda: _send(other, queue, "a")), _texts(consumer)


def _enumeration_ends(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        _send(context, queue, "a", "b", "c")
        first, second = context.create_browser(queue), context.create_browser(queue)
        messages = first.get_enumeration()
        seen = [next(messages).text]
        second.close()
        return seen + [message.text for message in messages]


# --- a2 ---------------------------------------------------------------------------------------------------------------


def _coloured(context: Any, destination: Any, *colours: str) -> None:
    for colour in colours:
        context.create_producer().set_property("colour", colour).send(destination, colour)


def _lent_selector(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        _coloured(context, queue, "blue", "green")
        browser = context.create_browser(queue, "colour = 'blue'")
        context.create_browser(queue, "colour = 'green'").close()
        return browser.message_selector, [message.text for message in browser.get_enumeration()]


def _begins_late(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        _coloured(context, queue, "green", "blue", "green")
        with context.create_consumer(queue, "colour = 'blue'") as consumer:
            consumer.receive_no_wait()
        return _texts(context.create_consumer(queue, "colour = 'green'"))


def _namesake(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider, client_id="anna") as anna, _context(provider, client_id="bert") as bert:
        for context in (anna, bert):
            context.create_durable_consumer(topic, "news").close()
        _send(anna, topic, "a")
        anna.create_durable_consumer(topic, "news", "colour = 'blue'").close()
        return _texts(bert.create_durable_consumer(topic, "news"))


def _rows_of_others(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider, client_id="anna") as context:
        for name in ("one", "two"):
            context.create_durable_consumer(topic, name).close()
        _send(context, topic, "a")
        context.unsubscribe("one")
    provider.restart()
    with _context(provider, client_id="anna") as context:
        return _texts(context.create_durable_consumer(topic, "two"))


def _credentials(provider: Any) -> object:
    queue = provider.create_queue("red")
    anna, bert = ({"user_name": name, "password": name} for name in ("anna", "bert"))
    factory = provider.administer("factory", **anna)
    seen = []
    for user in ({}, bert, {}):
        with factory.create_context(**user) as context:
            _send(context, queue, "a")
            seen.append(context.create_consumer(queue).receive_no_wait().get_string_property("JMSXUserID"))
    return seen


def _dies(provider: Any) -> object:
    provider.create_queue("red")
    with _context(provider) as context:
        queue = context.create_queue("red")
    with _context(provider) as context:
        failure = _outcome(lambda: _send(context, queue, "a"))
        return failure, _texts(context.create_consumer(context.create_queue("red")))


def _aliases(provider: Any) -> object:
    queue, other = provider.create_queue("red"), provider.create_queue("other")
    for name, bound in (("one", queue), ("two", queue), ("one", other)):
        provider.bind(name, bound)
    return [provider.lookup(name) == queue for name in ("one", "two")]


def _freed(provider: Any) -> object:
    def claimed() -> object:
        with provider.connection_factory().create_connection() as connection:
            return _outcome(lambda: setattr(connection, "client_id", "anna"))

    with _context(provider, client_id="anna"):
        return claimed(), claimed()


def _kept_identifier(provider: Any) -> object:
    factory = provider.administer("factory", client_id="anna")
    failure = _outcome(lambda: factory.create_context(session_mode=77))
    return failure, _outcome(lambda: factory.create_context().close())


def _returned(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as sender, _context(provider, CLIENT) as holder:
        _send(sender, queue, "a")
        message = holder.create_consumer(queue).receive_no_wait()
        with _context(provider, CLIENT) as cut:
            cut.create_consumer(queue)
            provider.sever(cut)
        again = _texts(sender.create_consumer(queue))
        message.acknowledge()
        return again


WITNESSES: dict[str, tuple[Callable[[Any], object], object]] = {
    "header-set-on-a-browsed-copy-reaches-the-receiver": (_browsed_copy, "mine"),
    "second-send-in-a-transaction-rewrites-the-first": (_sent_twice, [["first"], ["second"]]),
    "priority-override-of-one-queue-follows-the-producer": (_override_follows, 4),
    "failed-send-takes-the-reply-to": (_reply_to_taken, ("InvalidDestinationRuntimeException", True)),
    "consumer-transaction-id-outlives-the-rollback": (_transaction_ids, (False, True)),
    "redelivery-releases-delayed-messages": (_released, ["a"]),
    "closed-publisher-takes-its-messages-along": (_taken_along, ["a"]),
    "refused-delete-shuts-other-connections-out": (_shut_out, ("JMSException", None, ["a"])),
    "closing-a-browser-ends-the-enumeration-of-another": (_enumeration_ends, ["a", "b", "c"]),
    "second-browser-lends-the-first-its-selector": (_lent_selector, ("colour = 'blue'", ["blue"])),
    "selecting-consumer-begins-where-a-closed-one-stopped": (_begins_late, ["green", "green"]),
    "replacement-removes-the-namesake-of-another-client": (_namesake, ["a"]),
    "unsubscribe-deletes-rows-that-others-hold": (_rows_of_others, ["a"]),
    "credentials-of-one-call-stay-in-the-factory": (_credentials, ["anna", "bert", "anna"]),
    "queue-object-dies-with-its-connection": (_dies, (None, ["a"])),
    "new-binding-of-a-name-moves-its-aliases": (_aliases, [False, True]),
    "closing-a-refused-connection-frees-the-identifier": (_freed, ("InvalidClientIDException",) * 2),
    "failed-context-keeps-the-configured-identifier": (_kept_identifier, ("JMSRuntimeException", None)),
    "cut-returns-what-other-connections-hold": (_returned, []),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path)
