"""Witnesses of red round 9, modules b: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import CompletionListener, DeliveryMode, JMSContext, JMSException, JMSRuntimeException, MessageListener

_DAY = 24 * 3600 * 1000


class Listens(MessageListener):
    def __init__(self, call: Callable[[Any], object]) -> None:
        self._call = call

    def on_message(self, message: Any) -> None:
        self._call(message)


class Completes(CompletionListener):
    def __init__(self, call: Callable[[], object]) -> None:
        self._call = call

    def on_completion(self, message: Any) -> None:
        self._call()

    def on_exception(self, message: Any, exception: Exception) -> None:
        raise exception


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE) -> Any:
    return provider.connection_factory().create_context(session_mode=mode)


@contextmanager
def _client(provider: Any) -> Iterator[Any]:
    with _context(provider) as context:
        context.client_id = "red"
        yield context


def _bodies(consumer: Any) -> list[str]:
    return [message.text for message in iter(consumer.receive_no_wait, None)]


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__
    return "done"


@contextmanager
def _meanwhile(provider: Any, work: Callable[[], object]) -> Iterator[None]:
    """Run `work` in another thread that acts, from the beginning of the block; at the end wait until it is done."""
    began, ended = provider.clock.event(), provider.clock.event()

    def run() -> None:
        with provider.clock.actor():
            began.set()
            try:
                work()
            finally:
                ended.set()

    with provider.clock.actor():
        threading.Thread(target=run).start()
        began.wait()
        yield
        ended.wait()


def _pause(provider: Any, ms: int) -> None:
    provider.clock.event().wait(ms)


# --- sending


def _sent_again(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        session = connection.create_session()
        producer = session.create_producer(queue)
        seen = []
        for text in "12":
            producer.send(session.create_text_message(text))
            with session.create_consumer(queue) as consumer:
                seen += _bodies(consumer)
        return str(seen)


def _after_a_day(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().set_time_to_live(50 * _DAY).send(queue, "one")
        provider.clock.advance(_DAY)
        return str(_bodies(context.create_consumer(queue)))


def _listeners_called(provider: Any) -> str:
    queue, go = provider.create_queue("red"), provider.clock.event()
    called: list[str] = []
    with provider.clock.actor(), _context(provider) as context:

        def first() -> None:
            go.wait(1000)
            called.append("first")

        producer = context.create_producer().set_async(Completes(first))
        producer.send(queue, "1").send(queue, "2")
        producer.set_async(Completes(lambda: called.append("second")))
        go.set()
    return str(called)


def _close_waits(provider: Any) -> str:
    queue, began = provider.create_queue("red"), provider.clock.event()
    order: list[str] = []

    def callback() -> None:
        began.set()
        _pause(provider, 100)
        order.append("callback")

    with provider.clock.actor(), provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        with session.create_producer(queue) as producer:
            producer.send(session.create_text_message("one"), completion_listener=Completes(callback))
            began.wait()
        order.append("closed")
    return str(order)


def _second_transaction(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context, _context(provider) as other:
        producer = context.create_producer().set_async(Completes(lambda: None))
        producer.send(queue, "1")
        context.commit()
        producer.send(queue, "2")
        return str(_bodies(other.create_consumer(queue)))


def _null_text(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().set_property("a", 1).send(queue, None, body_type=str)
        return str(context.create_consumer(queue).receive_no_wait().property_exists("a"))


def _delayed_over_restart(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        context.create_shared_durable_consumer(topic, "red").close()
        context.create_producer().set_delivery_delay(10_000).send(topic, "one")
    provider.restart()
    with _context(provider) as context:
        consumer = context.create_shared_durable_consumer(topic, "red")
        early = _bodies(consumer)
        provider.clock.advance(10_000)
        return str((early, _bodies(consumer)))


def _mixed_transaction(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        producer = context.create_producer()
        producer.set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(queue, "1")
        producer.set_delivery_mode(DeliveryMode.PERSISTENT).send(queue, "2")
        context.commit()
    provider.kill()
    with _context(provider) as context:
        return str("2" in _bodies(context.create_consumer(queue)))


# --- subscriptions


def _other_no_local(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _client(provider) as context, _context(provider) as other:
        context.create_durable_consumer(topic, "red", None, no_local=False).close()
        other.create_producer().send(topic, "one")
        return str(_bodies(context.create_durable_consumer(topic, "red", None, no_local=True)))


def _other_kind(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _client(provider) as context:
        context.create_shared_durable_consumer(topic, "red").close()
    provider.restart()
    with _client(provider) as context:
        return _outcome(lambda: context.create_durable_consumer(topic, "red"))


def _without_founder(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        founder = context.create_shared_consumer(topic, "red")
        other = context.create_shared_consumer(topic, "red")
        context.create_producer().send(topic, "one")
        founder.close()
        return str(_bodies(other))


def _no_local(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _client(provider) as context:
        context.create_durable_consumer(topic, "red", None, no_local=True).close()
    with _client(provider) as context:
        context.create_producer().send(topic, "own")
        return str(_bodies(context.create_durable_consumer(topic, "red", None, no_local=True)))


def _paused(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context, _context(provider) as other:
        consumer = context.create_consumer(topic)
        context.stop()
        other.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(topic, "one")
        context.start()
        return str(_bodies(consumer))


def _resubscribed(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        context.create_shared_durable_consumer(topic, "red").close()
        context.create_producer().set_delivery_delay(1000).send(topic, "one")
        context.unsubscribe("red")
        consumer = context.create_shared_durable_consumer(topic, "red")
        provider.clock.advance(2000)
        return str(_bodies(consumer))


# --- receiving


def _failed_body(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.clock.actor(), _context(provider) as context, _context(provider) as other:
        consumer = context.create_consumer(queue)

        def send() -> None:
            _pause(provider, 100)
            other.create_producer().send(queue, "one")

        with _meanwhile(provider, send):
            failed = _outcome(lambda: consumer.receive_body(bytes, 1000))
        message = consumer.receive_no_wait()
        return str((failed, message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")))


def _repeats(provider: Any) -> str:
    queue, done = provider.create_queue("red"), provider.clock.event()
    counts: list[int] = []

    def fail_twice(message: Any) -> None:
        counts.append(message.get_int_property("JMSXDeliveryCount"))
        if len(counts) < 3:
            raise ValueError(counts)
        done.set()

    with provider.clock.actor(), _context(provider) as context:
        context.create_producer().send(queue, "one")
        context.create_consumer(queue).message_listener = Listens(fail_twice)
        done.wait(1000)
    return str(counts)


def _set_again(provider: Any) -> str:
    first, second = provider.create_queue("red"), provider.create_queue("blue")
    came = provider.clock.event()
    with provider.clock.actor(), _context(provider) as context, _context(provider) as sender:
        context.create_consumer(first).message_listener = Listens(lambda _: None)
        consumer = context.create_consumer(second)
        for listener in (Listens(lambda _: None), None, Listens(lambda _: came.set())):
            consumer.message_listener = listener
        sender.create_producer().send(second, "one")
        return str(came.wait(1000))


def _closed_by_listener(provider: Any) -> str:
    topic, closed = provider.create_topic("red"), provider.clock.event()
    with provider.clock.actor(), _context(provider) as context:
        consumer = context.create_shared_durable_consumer(topic, "red")

        def close(_: Any) -> None:
            consumer.close()
            closed.set()

        consumer.message_listener = Listens(close)
        with _context(provider) as other:
            other.create_producer().send(topic, "one")
        closed.wait(1000)
    with _context(provider) as context:
        return str(_bodies(context.create_shared_durable_consumer(topic, "red")))


def _selected(provider: Any) -> str:
    queue = provider.create_queue("red")
    seen: list[object] = []
    with (
        provider.clock.actor(),
        _context(provider, JMSContext.SESSION_TRANSACTED) as context,
        _context(provider) as other,
    ):
        other.create_producer().set_property("a", 2).send(queue, "two")
        assert _bodies(context.create_consumer(queue)) == ["two"]
        selecting = other.create_consumer(queue, "a = 1")
        with _meanwhile(provider, lambda: seen.append(selecting.receive(1000))):
            _pause(provider, 100)
            context.rollback()
    return str(seen)


def _endless(provider: Any) -> str:
    queue = provider.create_queue("red")
    seen: list[bool] = []
    with (
        provider.clock.actor(),
        provider.connection_factory().create_connection() as connection,
        _context(provider) as other,
    ):
        consumer = connection.create_session().create_consumer(queue)
        with _meanwhile(provider, lambda: seen.append(consumer.receive() is not None)):
            _pause(provider, 100)
            connection.start()
            _pause(provider, 100)
            other.create_producer().send(queue, "one")
    return str(seen)


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "older-producer-sends-to-a-deleted-queue": (_sent_again, "['1', '2']"),
    "time-to-live-is-cut-to-32-bits": (_after_a_day, "['one']"),
    "callback-goes-to-the-listener-set-last": (_listeners_called, "['first', 'first']"),
    "producer-close-passes-over-a-running-callback": (_close_waits, "['callback', 'closed']"),
    "asynchronous-sends-miss-later-transactions": (_second_transaction, "['1']"),
    "null-text-gets-no-properties": (_null_text, "True"),
    "restart-makes-delayed-durable-messages-due": (_delayed_over_restart, "([], ['one'])"),
    "first-message-decides-for-its-transaction": (_mixed_transaction, "True"),
    "no-local-change-keeps-the-backlog": (_other_no_local, "[]"),
    "restart-forgets-whether-a-subscription-is-shared": (_other_kind, "JMSRuntimeException"),
    "shared-backlog-goes-with-its-founder": (_without_founder, "['one']"),
    "inactive-no-local-knows-its-first-connection-only": (_no_local, "[]"),
    "paused-subscriber-misses-non-persistent-messages": (_paused, "['one']"),
    "failed-body-counts-if-the-call-had-to-wait": (_failed_body, "('MessageFormatRuntimeException', False, 1)"),
    "repeats-for-a-listener-are-counted-up-to-two": (_repeats, "[1, 2, 3]"),
    "listener-set-again-beside-another-is-not-called": (_set_again, "True"),
    "shared-consumer-closed-by-its-listener-gives-the-message-back": (_closed_by_listener, "[]"),
    "message-given-back-passes-by-the-selector": (_selected, "[None]"),
    "endless-receive-ends-when-the-connection-starts": (_endless, "[True]"),
    "delayed-backlog-outlives-unsubscribe": (_resubscribed, "[]"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, acts=False)
