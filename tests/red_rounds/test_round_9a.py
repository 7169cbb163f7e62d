"""Witnesses of red round 9, modules a: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    CompletionListener,
    DeliveryMode,
    ExceptionListener,
    JMSContext,
    JMSException,
    JMSRuntimeException,
    MessageListener,
)


class Listens(MessageListener):
    def __init__(self, call: Callable[[Any], object]) -> None:
        self._call = call

    def on_message(self, message: Any) -> None:
        self._call(message)


class Hears(ExceptionListener):
    def __init__(self, call: Callable[[], object]) -> None:
        self._call = call

    def on_exception(self, exception: Any) -> None:
        self._call()


class Completes(CompletionListener):
    def __init__(self, call: Callable[[], object]) -> None:
        self._call = call

    def on_completion(self, message: Any) -> None:
        self._call()

    def on_exception(self, message: Any, exception: Exception) -> None:
        raise exception


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


# --- administered objects


def _configured_id(provider: Any) -> str:
    factory = provider.administer("factory", client_id="red")
    name = "ann"
    with factory.create_context(user_name=name, password=name) as context:
        return str(context.client_id)


def _id_after_failure(provider: Any) -> str:
    factory = provider.administer("factory", client_id="red")
    with factory.create_context():
        refused = _outcome(factory.create_context)
    with factory.create_context() as context:
        return str((refused, context.client_id))


def _two_names(provider: Any) -> str:
    queue = provider.create_queue("red")
    provider.bind("one/name", queue)
    provider.bind("other/name", queue)
    with _context(provider) as context:
        context.create_producer().send(provider.lookup("one/name"), "one")
        return str(_bodies(context.create_consumer(provider.lookup("other/name"))))


# --- connections


def _claim(context: Any) -> str:
    def claim() -> None:
        context.client_id = "red"

    return _outcome(claim)


def _third_claim(provider: Any) -> str:
    with _context(provider) as holder:
        holder.client_id = "red"
        outcomes = []
        for _ in range(2):
            with _context(provider) as other:
                outcomes.append(_claim(other))
        return str(outcomes)


def _sibling_auto_start(provider: Any) -> str:
    with _context(provider) as context:
        context.auto_start = False
        with context.create_context(JMSContext.AUTO_ACKNOWLEDGE) as sibling:
            return str(sibling.auto_start)


def _stopped_by_one(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context, context.create_context(JMSContext.AUTO_ACKNOWLEDGE) as sibling:
        consumer = sibling.create_consumer(queue)
        context.start()
        sibling.start()
        context.stop()
        context.create_producer().send(queue, "one")
        return str(_bodies(consumer))


def _heard(provider: Any) -> str:
    heard = provider.clock.event()
    with provider.clock.actor(), _context(provider) as context:
        with context.create_context(JMSContext.AUTO_ACKNOWLEDGE) as sibling:
            sibling.exception_listener = Hears(heard.set)
        provider.sever(context)
        return str(heard.wait(1000))


# --- sessions


def _temporary(provider: Any) -> str:
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        queue = context.create_temporary_queue()
        context.rollback()
        sent = _outcome(lambda: context.create_producer().send(queue, "one"))
        context.commit()
        return sent


def _interleaved(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context:
        first, second = context.create_producer(), context.create_producer()
        for producer, text in ((first, "1"), (second, "2"), (first, "3")):
            producer.send(queue, text)
        context.commit()
        return str(_bodies(context.create_consumer(queue)))


def _given_back(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().send(queue, "one")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context, context.create_consumer(queue) as consumer:
        assert _bodies(consumer) == ["one"]
    with _context(provider) as context:
        return str(_bodies(context.create_consumer(queue)))


def _resumed(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider, JMSContext.DUPS_OK_ACKNOWLEDGE) as context:
        context.client_id = "red"
        with context.create_durable_consumer(topic, "red") as consumer:
            for text in "123":
                context.create_producer().send(topic, text)
            assert _bodies(consumer) == ["1", "2", "3"]
        return str(_bodies(context.create_durable_consumer(topic, "red")))


def _beside_an_idle_one(provider: Any) -> str:
    topic = provider.create_topic("red")
    with _context(provider) as context:
        context.create_consumer(topic)
        reading = context.create_consumer(topic)
        count = 0
        for number in range(60):
            context.create_producer().send(topic, str(number))
            count += len(_bodies(reading))
        return str(count)


def _uncommitted(provider: Any) -> str:
    queue, topic = provider.create_queue("red"), provider.create_topic("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context, _context(provider) as other:
        context.create_producer().send(queue, "one")
        context.create_shared_durable_consumer(topic, "red")
        return str(_bodies(other.create_consumer(queue)))


def _after_failed_commit(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider, JMSContext.SESSION_TRANSACTED) as context, _context(provider) as other:
        provider.administer("fail-next-commit", connection=context)
        failed = _outcome(context.commit)
        context.create_producer().send(queue, "one")
        return str((failed, _bodies(other.create_consumer(queue))))


def _recovered(provider: Any) -> str:
    queue, done = provider.create_queue("red"), provider.clock.event()
    seen: list[tuple[bool, int]] = []
    with provider.clock.actor(), _context(provider, JMSContext.CLIENT_ACKNOWLEDGE) as context:

        def look(message: Any) -> None:
            seen.append((message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")))
            if len(seen) == 1:
                context.recover()
            else:
                message.acknowledge()
                done.set()

        context.create_producer().send(queue, "one")
        context.create_consumer(queue).message_listener = Listens(look)
        done.wait(1000)
    return str(seen)


def _large(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().send(queue, "x" * 200_000)
        message = context.create_consumer(queue).receive_no_wait()
    return _outcome(lambda: message.text)


def _called_while_stopped(provider: Any) -> str:
    queue, called = provider.create_queue("red"), provider.clock.event()
    with provider.clock.actor(), _context(provider) as context:
        context.start()
        context.stop()
        producer = context.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT)
        producer.set_async(Completes(called.set)).send(queue, "one")
        return str(called.wait(1000))


def _ended_by_close(provider: Any) -> str:
    clock, queue = provider.clock, provider.create_queue("red")
    began, ended = clock.event(), clock.event()
    took: list[int] = []
    with clock.actor(), provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        consumer = session.create_consumer(queue)

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
        session.close()
        ended.wait()
    return str(took)


# --- sending


def _empty_text(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        context.create_producer().send(queue, "")
        return str(_bodies(context.create_consumer(queue)))


def _own_type(provider: Any) -> str:
    queue = provider.create_queue("red")
    with _context(provider) as context:
        message = context.create_text_message("one")
        message.jms_type = "own"
        context.create_producer().set_jms_type("other").set_jms_type(None).send(queue, message)
        return str(context.create_consumer(queue).receive_no_wait().jms_type)


WITNESSES: dict[str, tuple[Callable[[Any], str], str]] = {
    "credentials-drop-the-configured-client-id": (_configured_id, "red"),
    "factory-that-failed-forgets-its-client-id": (_id_after_failure, "('InvalidClientIDRuntimeException', 'red')"),
    "second-name-of-a-destination-leads-elsewhere": (_two_names, "['one']"),
    "failed-claim-frees-the-client-id": (_third_claim, str(["InvalidClientIDRuntimeException"] * 2)),
    "siblings-inherit-auto-start-off": (_sibling_auto_start, "True"),
    "stop-has-to-come-from-every-context-that-started": (_stopped_by_one, "[]"),
    "exception-listener-goes-with-its-context": (_heard, "True"),
    "rollback-deletes-new-temporary-destinations": (_temporary, "done"),
    "transaction-is-sent-producer-by-producer": (_interleaved, "['1', '2', '3']"),
    "session-close-loses-what-a-closed-consumer-had": (_given_back, "['one']"),
    "lazy-acknowledgement-is-dropped-with-its-consumer": (_resumed, "[]"),
    "subscriber-far-behind-cuts-the-others-off": (_beside_an_idle_one, "60"),
    "new-durable-subscription-commits-the-transaction": (_uncommitted, "[]"),
    "sends-after-a-failed-commit-go-out-at-once": (
        _after_failed_commit,
        "('TransactionRolledBackRuntimeException', [])",
    ),
    "recover-in-a-listener-does-not-count": (_recovered, "[(False, 1), (True, 2)]"),
    "large-text-is-unreadable-after-close": (_large, "done"),
    "callbacks-of-non-persistent-sends-wait-for-start": (_called_while_stopped, "True"),
    "session-close-waits-out-a-timed-receive-when-stopped": (_ended_by_close, "[300]"),
    "empty-string-body-is-sent-as-null": (_empty_text, "['']"),
    "type-set-back-to-null-still-overrides": (_own_type, "own"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path, acts=False)
