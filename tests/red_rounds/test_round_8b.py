"""Witnesses of red round 8, modules b: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    CompletionListener,
    DeliveryMode,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MessageEOFException,
    MessageListener,
    StreamMessage,
)


class Listens(MessageListener):
    def __init__(self, call: Callable[[Any], object]) -> None:
        self._call = call

    def on_message(self, message: Any) -> None:
        self._call(message)


class Completes(CompletionListener):
    def __init__(self, call: Callable[[str], object]) -> None:
        self._call = call

    def on_completion(self, message: Any) -> None:
        self._call("complete")

    def on_exception(self, message: Any, exception: Exception) -> None:
        self._call("failed")


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE) -> Any:
    return provider.connection_factory().create_context(session_mode=mode)


def _bodies(consumer: Any) -> list[str]:
    return [message.text for message in iter(consumer.receive_no_wait, None)]


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__
    return "done"


# --- messages and domains


def _identifier(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().set_property("NOTICE", "a").send(queue, "one")
        return str(_bodies(context.create_consumer(queue, "NOTICE = 'a'")))


def _no_timestamp(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().set_disable_message_timestamp(True).send(queue, "one")
        return str(_bodies(context.create_consumer(queue, "JMSTimestamp >= 0")))


def _bytes_again(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        message = context.create_bytes_message()
        message.write_bytes(b"ab")
        producer = context.create_producer().send(queue, message)
        message.write_bytes(b"c")
        producer.send(queue, message)
        consumer = context.create_consumer(queue)
        return str([consumer.receive_body_no_wait(bytes) for _ in range(2)])


def _foreign(inner: Any) -> StreamMessage:
    """Make a message that is not the provider's own and holds what `inner` holds."""

    def member(name: str) -> object:
        if isinstance(getattr(StreamMessage, name), property):
            return property(lambda _: getattr(inner, name), lambda _, value: setattr(inner, name, value))
        return lambda _, *arguments: getattr(inner, name)(*arguments)

    names = StreamMessage.__abstractmethods__
    made: StreamMessage = type("Foreign", (StreamMessage,), {name: member(name) for name in names})()
    return made


def _foreign_stream(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        inner = context.create_stream_message()
        for value in ("a", None, "b"):
            inner.write_string(value)
        context.create_producer().send(queue, _foreign(inner))
        received = context.create_consumer(queue).receive_no_wait()
        items = []
        try:
            while True:
                items.append(received.read_string())
        except MessageEOFException:
            return str(items)


def _sent_on(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        producer, consumer = context.create_producer(), context.create_consumer(queue)
        producer.send(queue, "old")
        message = consumer.receive_no_wait()
        message.clear_body()
        message.text = "new"
        producer.send(queue, message)
        return str(_bodies(consumer))


def _two_requests(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as responder:

        def reply_twice(request: Any) -> None:
            for number in "12":
                responder.create_producer().send(request.jms_reply_to, request.text + number)
            responder.commit()

        responder.create_consumer(topic).message_listener = Listens(reply_twice)
        with provider.topic_connection_factory().create_topic_connection() as connection:
            session = connection.create_topic_session(transacted=False, acknowledge_mode=JMSContext.AUTO_ACKNOWLEDGE)
            connection.start()
            requestor = provider.topic_requestor(session, topic)
            return str([requestor.request(session.create_text_message(text)).text for text in "ab"])


def _not_chosen(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        selecting = context.create_consumer(queue, "a = 1")
        context.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(queue, "one")
        selecting.close()
        return str(_bodies(context.create_consumer(queue)))


def _deleted(provider: Any) -> str:
    with _context(provider) as context:
        queue = context.create_temporary_queue()
        context.create_producer().send(queue, "one")
        return _outcome(queue.delete)


# --- connections and sessions


def _rolled_back(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        consumer = context.create_consumer(queue)
        context.create_producer().set_delivery_delay(1000).send(queue, "late")
        context.create_producer().send(queue, "now")
        context.rollback()
        provider.clock.advance(2000)
        return str(_bodies(consumer))


@contextmanager
def _client(provider: Any) -> Iterator[Any]:
    with _context(provider) as context:
        context.client_id = "red"
        yield context


def _after_restart(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _client(provider) as context:
        context.create_durable_consumer(topic, "red").close()
        for text in "12":
            context.create_producer().send(topic, text)
    provider.restart()
    with _client(provider) as context:
        consumer = context.create_durable_consumer(topic, "red")
        context.create_producer().send(topic, "3")
        return str(_bodies(consumer))


def _acknowledged(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.CLIENT_ACKNOWLEDGE) as context:
        context.create_producer().send(queue, "one")
        consumer = context.create_consumer(queue)
        message = consumer.receive_no_wait()
        context.stop()
        message.acknowledge()
        context.start()
        context.recover()
        return str(_bodies(consumer))


def _closed_producer(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        session = connection.create_session(session_mode=JMSContext.SESSION_TRANSACTED)
        with session.create_producer(queue) as producer:
            producer.send(session.create_text_message("one"))
        session.commit()
        return str(_bodies(session.create_consumer(queue)))


def _temporary_rolled_back(provider: Any) -> str:
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        queue = context.create_temporary_queue()
        context.create_producer().send(queue, "one")
        context.commit()
        consumer = context.create_consumer(queue)
        assert _bodies(consumer) == ["one"]
        context.rollback()
        return str(_bodies(consumer))


def _time_limit(provider: Any) -> str:
    clock, queue = provider.clock, provider.create_queue("red")
    began, ended = clock.event(), clock.event()
    took: list[int] = []
    with clock.actor(), provider.connection_factory().create_connection() as connection:
        connection.start()
        consumer = connection.create_session().create_consumer(queue)

        def receive() -> None:
            with clock.actor():
                at = clock.now()
                began.set()
                consumer.receive(1000)
                took.append(clock.now() - at)
                ended.set()

        threading.Thread(target=receive).start()
        began.wait()
        clock.event().wait(300)
        connection.stop()
        clock.event().wait(300)
        connection.start()
        ended.wait()
    return str(took)


# --- sending


def _kept_header(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        producer = context.create_producer().set_jms_type("kind").set_property("a", 1)
        producer.clear_properties().send(queue, "one")
        return str((producer.get_jms_type(), context.create_consumer(queue).receive_no_wait().jms_type))


def _thrown(provider: Any) -> str:
    calls: list[str] = []
    with _context(provider) as context:
        queue = context.create_temporary_queue()
        queue.delete()
        producer = context.create_producer().set_async(Completes(calls.append))
        outcome = _outcome(lambda: producer.send(queue, "one"))
    return str((outcome, calls))


def _nested(provider: Any) -> str:
    queue, second = provider.create_queue("red"), provider.clock.event()
    with provider.clock.actor(), _context(provider) as context:
        inner = context.create_producer().set_async(Completes(lambda _: second.set()))
        outer = context.create_producer().set_async(Completes(lambda _: inner.send(queue, "two")))
        outer.send(queue, "one")
        return str(second.wait(1000))


# --- receiving


def _resumed(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        context.create_shared_durable_consumer(topic, "red").close()
        context.create_producer().send(topic, "one")
    provider.restart()
    with _context(provider) as context:
        return str(_bodies(context.create_shared_durable_consumer(topic, "red")))


def _second_listener(provider: Any) -> str:
    first, second = provider.create_queue("red"), provider.create_queue("blue")
    came = provider.clock.event()
    with provider.clock.actor(), _context(provider) as context, _context(provider) as sender:
        context.create_consumer(first).message_listener = Listens(lambda _: None)
        sender.create_producer().send(second, "one")
        context.create_consumer(second).message_listener = Listens(lambda _: came.set())
        return str(came.wait(1000))


def _third_message(provider: Any) -> str:
    queue, third = provider.create_queue("red"), provider.clock.event()

    def fail(message: Any) -> None:
        if message.text == "3":
            third.set()
        raise ValueError(message.text)

    with provider.clock.actor(), _context(provider, JMSContext.CLIENT_ACKNOWLEDGE) as context:
        for text in "123":
            context.create_producer().send(queue, text)
        context.create_consumer(queue).message_listener = Listens(fail)
        return str(third.wait(1000))


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "selector-splits-identifiers-after-not": (_identifier, "['one']"),
    "selector-takes-timestamp-zero-for-absent": (_no_timestamp, "['one']"),
    "bytes-sent-once-are-not-sent-again": (_bytes_again, "[b'ab', b'abc']"),
    "foreign-stream-ends-at-its-first-null": (_foreign_stream, "['a', None, 'b']"),
    "rewritten-text-is-sent-on-as-received": (_sent_on, "['new']"),
    "topic-requestor-returns-a-late-reply": (_two_requests, "['a1', 'b1']"),
    "queue-drops-what-no-open-selector-chooses": (_not_chosen, "['one']"),
    "temporary-queue-with-messages-cannot-be-deleted": (_deleted, "done"),
    "delayed-sends-outlive-the-rollback": (_rolled_back, "[]"),
    "durable-backlog-of-before-a-restart-comes-last": (_after_restart, "['1', '2', '3']"),
    "acknowledge-on-a-stopped-connection-is-lost": (_acknowledged, "[]"),
    "closed-producer-takes-its-uncommitted-sends-along": (_closed_producer, "['one']"),
    "temporary-queues-are-consumed-outside-the-transaction": (_temporary_rolled_back, "['one']"),
    "receive-waits-anew-after-start": (_time_limit, "[1000]"),
    "clear-properties-of-a-producer-clears-its-headers": (_kept_header, "('kind', 'kind')"),
    "deleted-destination-is-reported-twice": (_thrown, "('InvalidDestinationRuntimeException', [])"),
    "sends-of-a-callback-get-no-callback": (_nested, "True"),
    "shared-durable-without-client-id-is-not-found-after-a-restart": (_resumed, "['one']"),
    "second-listener-waits-for-a-new-message": (_second_listener, "True"),
    "listener-that-failed-twice-is-called-no-more": (_third_message, "True"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, acts=False)
