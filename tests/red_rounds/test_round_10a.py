"""Witnesses of red round 10, modules a: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    DeliveryMode,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MessageListener,
    NumberFormatException,
    Session,
    TemporaryTopic,
)


class Listens(MessageListener):
    def __init__(self, call: Callable[[Any], object]) -> None:
        self._call = call

    def on_message(self, message: Any) -> None:
        self._call(message)


def _context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE) -> Any:
    return provider.connection_factory().create_context(session_mode=mode)


def _bodies(consumer: Any) -> list[str]:
    return [message.text for message in iter(consumer.receive_no_wait, None)]


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except (JMSException, JMSRuntimeException, NumberFormatException) as error:
        return type(error).__name__
    return "done"


# --- reliability


def _twice_rolled_back(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        context.create_producer().send(queue, "one")
        context.commit()
        consumer = context.create_consumer(queue)
        for _ in range(2):
            assert consumer.receive(1000) is not None
            context.rollback()
    provider.kill()
    with _context(provider) as context:
        return str(_bodies(context.create_consumer(queue)))


def _copies(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        consumers = [context.create_shared_durable_consumer(topic, name) for name in ("a", "b")]
        context.create_producer().send(topic, "one")
        assert _bodies(consumers[0]) == ["one"]
    provider.kill()
    with _context(provider) as context:
        return str([_bodies(context.create_shared_durable_consumer(topic, name)) for name in ("a", "b")])


def _redelivered(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        for text in "123":
            context.create_producer().send(queue, text)
    consumer = _context(provider, JMSContext.SESSION_TRANSACTED).create_consumer(queue)
    assert _bodies(consumer) == ["1", "2", "3"]
    provider.kill()
    with _context(provider) as context:
        return str([one.jms_redelivered for one in iter(context.create_consumer(queue).receive_no_wait, None)])


# --- the domain-specific API


def _options(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.queue_connection_factory().create_queue_connection() as connection:
        session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
        sender = session.create_sender(queue)
        provider.administer("fail-next-sends", destination=queue)
        message = session.create_text_message("one")
        mode = DeliveryMode.NON_PERSISTENT
        failed = _outcome(lambda: sender.send(message, delivery_mode=mode, priority=9, time_to_live=5000))
        sender.send(message)
        return str((failed != "done", message.jms_delivery_mode, message.jms_priority, message.jms_expiration))


def _session_closed(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.queue_connection_factory().create_queue_connection() as connection:
        session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
        session.create_sender(queue)
        provider.queue_requestor(session, queue).close()
        return _outcome(lambda: session.create_sender(queue))


def _reply_to(provider: Any) -> str:
    topic = provider.create_topic("red")
    with provider.clock.actor(), _context(provider) as context:
        requests = context.create_consumer(topic)
        connection = provider.topic_connection_factory().create_topic_connection()
        connection.start()
        session = connection.create_topic_session(False, Session.AUTO_ACKNOWLEDGE)
        requestor, message = provider.topic_requestor(session, topic), session.create_text_message("ask")
        message.jms_reply_to = provider.create_topic("elsewhere")

        def request() -> None:
            with provider.clock.actor():
                _outcome(lambda: requestor.request(message))

        asking = threading.Thread(target=request)
        asking.start()
        asked = requests.receive(1000)
        context.create_producer().send(asked.jms_reply_to, "answer")
        connection.close()
    asking.join()
    return str(isinstance(asked.jms_reply_to, TemporaryTopic))


# --- calls out of place


def _commit_refused(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.CLIENT_ACKNOWLEDGE) as context:
        context.create_producer().send(queue, "one")
        assert _bodies(context.create_consumer(queue)) == ["one"]
        return _outcome(context.commit)


def _recover_refused(provider: Any) -> str:
    queue, called, outcomes = provider.create_queue("red"), provider.clock.event(), []
    with provider.clock.actor(), _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        context.create_producer().send(queue, "one")
        context.commit()

        def listen(_: Any) -> None:
            outcomes.append(_outcome(context.recover))
            called.set()

        context.create_consumer(queue).message_listener = Listens(listen)
        called.wait(1000)
    return str(outcomes)


def _xa_recover_refused(provider: Any) -> str:
    with provider.xa_connection_factory().create_xa_context() as context:
        return str((context.transacted, _outcome(context.recover)))


# --- arguments


def _bad_selector(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        context.client_id = "red"
        context.create_durable_consumer(topic, "red", "a = 1", False).close()
        return _outcome(lambda: context.create_durable_consumer(topic, "red", "a = = 1", False))


def _cut_text(provider: Any) -> str:
    with _context(provider) as context:
        message = context.create_bytes_message()
        message.write_bytes(b"\x00\x05ab")
        message.reset()
        return _outcome(message.read_utf)


def _stream_end(provider: Any) -> str:
    with _context(provider) as context:
        message = context.create_stream_message()
        message.write_string("a")
        message.write_string(None)
        message.reset()
        return str((message.read_object(), message.read_object(), _outcome(message.read_object)))


def _too_large(provider: Any) -> str:
    with _context(provider) as context:
        message = context.create_map_message()
        message.set_string("a", "128")
        return str((message.get_short("a"), _outcome(lambda: message.get_byte("a"))))


def _read_only(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().send(queue, context.create_map_message())
        message = context.create_consumer(queue).receive_no_wait()
        message.clear_properties()
        return _outcome(lambda: message.set_int("a", 1))


def _sent_on(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        producer = context.create_producer().set_property("a", 1)
        producer.send(queue, "one")
        message = context.create_consumer(queue).receive_no_wait()
        return _outcome(lambda: producer.send(queue, message))


def _failed_commit(provider: Any) -> str:
    queue = provider.create_queue("red")
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        session = connection.create_session(transacted=True, session_mode=Session.SESSION_TRANSACTED)
        session.create_producer(queue).send(session.create_text_message("one"))
        session.commit()
        consumer = session.create_consumer(queue)
        assert _bodies(consumer) == ["one"]
        provider.administer("fail-next-commit", connection=connection)
        return str((_outcome(session.commit), _bodies(consumer)))


def _client_identifier(provider: Any) -> str:
    factory = provider.connection_factory()
    with factory.create_connection() as first, factory.create_connection() as second:
        first.client_id = "red"
        outcomes = [_outcome(lambda: setattr(second, "client_id", "red")) for _ in range(2)]
        return str([*outcomes, _outcome(lambda: setattr(second, "client_id", "blue"))])


def _no_password(provider: Any) -> str:
    provider.administer("users", ann="secret")
    return _outcome(lambda: provider.connection_factory().create_connection("ann", "").close())


def _gone(provider: Any) -> str:
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        queue = context.create_temporary_queue()
        queue.delete()
        return _outcome(lambda: context.create_producer().send(queue, "one"))


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "message-rolled-back-twice-is-lost-by-a-kill": (_twice_rolled_back, "['one']"),
    "acknowledged-copy-returns-while-another-waits": (_copies, "[[], ['one']]"),
    "only-the-first-message-of-a-transaction-says-redelivered": (_redelivered, "[True, True, True]"),
    "failed-send-leaves-its-options-behind": (_options, "(True, 2, 4, 0)"),
    "requestor-with-company-leaves-its-session-open": (_session_closed, "IllegalStateException"),
    "topic-requestor-keeps-a-given-reply-to": (_reply_to, "True"),
    "commit-acknowledges-in-client-mode": (_commit_refused, "IllegalStateRuntimeException"),
    "recover-in-a-transacted-listener-is-ignored": (_recover_refused, "['IllegalStateRuntimeException']"),
    "xa-context-recovers-outside-a-branch": (_xa_recover_refused, "(True, 'IllegalStateRuntimeException')"),
    "known-durable-subscription-takes-any-selector": (_bad_selector, "InvalidSelectorRuntimeException"),
    "text-cut-off-in-its-middle-is-read": (_cut_text, "MessageEOFException"),
    "stream-that-ends-with-null-has-no-end": (_stream_end, "('a', None, 'MessageEOFException')"),
    "entry-with-too-large-a-number-is-of-wrong-format": (_too_large, "(128, 'NumberFormatException')"),
    "clear-properties-makes-a-map-writable": (_read_only, "MessageNotWriteableException"),
    "properties-that-change-nothing-are-not-refused": (_sent_on, "MessageNotWriteableRuntimeException"),
    "failed-commit-of-receipts-alone-returns": (_failed_commit, "('TransactionRolledBackException', ['one'])"),
    "rejected-client-identifier-counts-as-set": (
        _client_identifier,
        "['InvalidClientIDException', 'InvalidClientIDException', 'done']",
    ),
    "empty-password-passes-for-no-credentials": (_no_password, "JMSSecurityException"),
    "transacted-send-to-a-deleted-queue-returns": (_gone, "InvalidDestinationRuntimeException"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, acts=False)
