"""Witnesses of red round 11, second half: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import CompletionListener, DeliveryMode, ExceptionListener, JMSContext, JMSException, JMSRuntimeException

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


# --- b1 ---------------------------------------------------------------------------------------------------------------


class _Completed(CompletionListener):
    def __init__(self) -> None:
        self.calls: list[str] = []

    def on_completion(self, message: Any) -> None:
        self.calls.append(message.text)

    def on_exception(self, message: Any, exception: Exception) -> None:
        self.calls.append(type(exception).__name__)


class _Problems(ExceptionListener):
    def on_exception(self, exception: JMSException) -> None:
        return


def _restarted(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as sender, provider.connection_factory().create_connection() as connection:
        _send(sender, queue, "a")
        session, other = connection.create_session(), connection.create_session()
        consumer = session.create_consumer(queue)
        connection.start()
        connection.stop()
        other.close()
        stopped = _texts(consumer)
        connection.start()
        return stopped, _texts(consumer)


def _listener_dropped(provider: Any) -> object:
    listener = _Problems()
    with _context(provider) as context:
        context.exception_listener = listener
        context.create_context(AUTO).close()
        return context.exception_listener is listener


def _counted_twice(provider: Any) -> object:
    queue = provider.create_queue("red")
    first = _context(provider)
    with first.create_context(AUTO) as second:
        first.close()
        first.close()
        failure = _outcome(lambda: _send(second, queue, "a"))
        return failure, _outcome(lambda: _texts(second.create_consumer(queue)))


def _refused_recover(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider, TRANSACTED) as context, _context(provider) as other:
        _send(context, queue, "a")
        refusal = _outcome(context.recover)
        context.commit()
        return refusal, _texts(other.create_consumer(queue))


def _forgotten(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as sender, _context(provider, TRANSACTED) as context:
        _send(sender, queue, "a")
        with context.create_consumer(queue) as consumer:
            consumer.receive_no_wait()
        context.rollback()
        message = sender.create_consumer(queue).receive_no_wait()
        return message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")


def _sent_after_all(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as receiver, _context(provider, TRANSACTED) as context:
        _send(context, queue, "a")
        provider.administer("fail-next-commit", connection=context)
        failure = _outcome(context.commit)
        _send(context, queue, "b")
        context.commit()
        return failure, _texts(receiver.create_consumer(queue))


def _asynchronous(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        listener = _Completed()
        context.create_producer().set_async(listener).send(queue, "a")
        second = context.create_producer()
        second.send(queue, "b")
        found = second.get_async()
        context.close()
        return found, listener.calls


def _all_cleared(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        first, second = context.create_producer(), context.create_producer()
        first.set_property("colour", "blue")
        second.clear_properties()
        first.send(queue, "a")
        return context.create_consumer(queue).receive_no_wait().get_string_property("colour")


def _left_options(provider: Any) -> object:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        gone = session.create_temporary_queue()
        gone.delete()
        producer = session.create_producer(None)
        message = session.create_text_message("a")
        options = {"delivery_mode": DeliveryMode.PERSISTENT, "priority": 9, "time_to_live": 0}
        failure = _outcome(lambda: producer.send(message, destination=gone, **options))
        producer.send(message, destination=queue)
        return failure, message.jms_priority, producer.priority


def _swallowed(provider: Any) -> object:
    queue = provider.create_queue("red")
    listener = _Completed()
    with _context(provider) as context:
        gone = context.create_temporary_queue()
        gone.delete()
        producer = context.create_producer().set_async(listener)
        failures = [_outcome(lambda: producer.send(gone, "a") and None)]
        for text in ("b", "c"):
            producer.send(queue, text)
    return failures, listener.calls


# --- b2 ---------------------------------------------------------------------------------------------------------------


def _coloured(context: Any, destination: Any, *colours: str) -> None:
    for colour in colours:
        context.create_producer().set_property("colour", colour).send(destination, colour)


def _neighbour(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().set_time_to_live(1_000).send(queue, "short")
        _send(context, queue, "a", "b")
        provider.clock.advance(5_000)
        return _texts(context.create_consumer(queue))


def _delayed_dropped(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        consumer, other = (context.create_shared_consumer(topic, "news") for _ in range(2))
        context.create_producer().set_delivery_delay(1_000).send(topic, "late")
        other.close()
        provider.clock.advance(5_000)
        return _texts(consumer)


def _still_in_use(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider, client_id="anna") as context:
        consumer = context.create_durable_consumer(topic, "news")
        refusal = _outcome(lambda: context.create_durable_consumer(topic, "news"))
        consumer.close()
        return refusal, _outcome(lambda: context.unsubscribe("news"))


def _no_local_stays(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        context.create_consumer(topic, None, True).close()
        consumer = context.create_consumer(topic)
        _send(context, topic, "a")
        return _texts(consumer)


def _shared_ended(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        consumer = context.create_shared_consumer(topic, "news")
        refusal = _outcome(lambda: context.unsubscribe("news"))
        _send(context, topic, "a")
        return refusal, _texts(consumer)


def _selector_taken(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        consumer = context.create_shared_durable_consumer(topic, "news", "colour = 'blue'")
        refusal = _outcome(lambda: context.create_shared_durable_consumer(topic, "news", "colour = 'green'"))
        _coloured(context, topic, "blue", "green")
        return refusal, consumer.message_selector, _texts(consumer)


def _deleted(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider, client_id="anna") as context:
        context.create_durable_consumer(topic, "news").close()
        _send(context, topic, "a")
        refusal = _outcome(lambda: context.create_durable_consumer(topic, "news", "colour = = 'blue'"))
        return refusal, _texts(context.create_durable_consumer(topic, "news"))


def _freed(provider: Any) -> object:
    topic = provider.create_topic("red")
    with _context(provider, CLIENT) as holder, holder.create_context(AUTO) as other:
        consumer = holder.create_shared_durable_consumer(topic, "news")
        _send(other, topic, "a")
        message = consumer.receive_no_wait()
        other.create_shared_durable_consumer(topic, "news").close()
        again = _texts(other.create_shared_durable_consumer(topic, "news"))
        message.acknowledge()
        return again


def _lost(provider: Any) -> object:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        _send(context, queue, "a")
        with context.create_consumer(queue) as consumer:
            failure = _outcome(lambda: consumer.receive_body_no_wait(bytes))
        return failure, _texts(context.create_consumer(queue))


def _one_selector(provider: Any) -> object:
    topic = provider.create_topic("red")
    selectors = {"one": "colour = 'blue'", "two": "colour = 'green'"}
    with _context(provider, client_id="anna") as context:
        for name, selector in selectors.items():
            context.create_durable_consumer(topic, name, selector).close()
    provider.restart()
    with _context(provider, client_id="anna") as context:
        _coloured(context, topic, "blue", "green")
        return [_texts(context.create_durable_consumer(topic, *one)) for one in selectors.items()]


WITNESSES: dict[str, tuple[Callable[[Any], object], object]] = {
    "closing-a-session-restarts-a-stopped-connection": (_restarted, ([], ["a"])),
    "closing-a-context-drops-the-exception-listener": (_listener_dropped, True),
    "context-closed-twice-counts-twice": (_counted_twice, (None, ["a"])),
    "refused-recover-rolls-back": (_refused_recover, ("IllegalStateRuntimeException", ["a"])),
    "rollback-forgets-deliveries-of-a-closed-consumer": (_forgotten, (True, 2)),
    "next-commit-sends-what-a-failed-one-rolled-back": (
        _sent_after_all,
        ("TransactionRolledBackRuntimeException", ["b"]),
    ),
    "new-jms-producer-is-asynchronous-like-the-last": (_asynchronous, (None, ["a"])),
    "clear-properties-clears-those-of-other-producers": (_all_cleared, "blue"),
    "failed-send-leaves-its-options": (_left_options, ("InvalidDestinationException", 4, 4)),
    "asynchronous-send-that-threw-swallows-the-next-callback": (
        _swallowed,
        (["InvalidDestinationRuntimeException"], ["b", "c"]),
    ),
    "expired-message-takes-its-neighbour-along": (_neighbour, ["a", "b"]),
    "closing-one-shared-consumer-drops-delayed-messages": (_delayed_dropped, ["late"]),
    "refused-second-consumer-keeps-the-subscription-in-use": (_still_in_use, ("JMSRuntimeException", None)),
    "no-local-of-a-closed-consumer-stays": (_no_local_stays, ["a"]),
    "failed-unsubscribe-ends-the-shared-non-durable": (
        _shared_ended,
        ("InvalidDestinationRuntimeException", ["a"]),
    ),
    "refused-selector-becomes-that-of-the-subscription": (
        _selector_taken,
        ("JMSRuntimeException", "colour = 'blue'", ["blue"]),
    ),
    "invalid-selector-deletes-the-subscription": (_deleted, ("InvalidSelectorRuntimeException", ["a"])),
    "closing-one-shared-durable-consumer-returns-what-others-hold": (_freed, []),
    "failed-receive-body-loses-the-message-on-close": (_lost, ("MessageFormatRuntimeException", ["a"])),
    "restart-gives-all-subscriptions-of-a-client-one-selector": (_one_selector, [["blue"], ["green"]]),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path)
