"""Witnesses of red round 6, first half: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import ExceptionListener, JMSContext, JMSException, JMSRuntimeException, MessageListener, Session

AUTO, CLIENT, TRANSACTED = Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED


class Told(ExceptionListener):
    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call

    def on_exception(self, exception: JMSException) -> None:
        self.call()


class Listener(MessageListener):
    def __init__(self, call: Callable[[Any], object]) -> None:
        self.call = call

    def on_message(self, message: Any) -> None:
        self.call(message)


class World:
    """A provider with a queue and a topic, and shortcuts to contexts and connections of it."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider
        self.clock = provider.clock
        self.queue = provider.create_queue("red")
        self.other = provider.create_queue("other")
        self.topic = provider.create_topic("red")

    def context(self, mode: int = JMSContext.AUTO_ACKNOWLEDGE, client_id: str | None = None) -> Any:
        context = self.provider.connection_factory().create_context(session_mode=mode)
        if client_id is not None:
            context.client_id = client_id
        return context

    def connection(self) -> Any:
        return self.provider.connection_factory().create_connection()

    def send(self, *texts: str, to: Any = None) -> None:
        with self.context() as context:
            for text in texts:
                context.create_producer().send(to or self.queue, text)

    def left(self, queue: Any = None) -> str:
        with self.context() as context:
            return texts(context.create_consumer(queue or self.queue))


def texts(consumer: Any) -> str:
    found = []
    while (message := consumer.receive_no_wait()) is not None:
        found.append(message.text)
    return " ".join(found)


def outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__


# --- administered objects and connections -----------------------------------------------------------------------------


def _bound(w: World) -> str:
    w.provider.bind("east/orders", w.queue)
    w.provider.bind("west/orders", w.other)
    return str(w.provider.lookup("east/orders") == w.queue)


def _configured(w: World) -> str:
    factory = w.provider.administer("factory", client_id="clerk")
    with factory.create_context(user_name="anna", password="secret") as context:  # noqa: S106 - any will do
        return str(context.client_id)


def _lost_before_start(w: World) -> str:
    first, second = w.connection(), w.connection()
    first.client_id = "clerk"
    w.provider.sever(first)
    first.close()
    return outcome(lambda: setattr(second, "client_id", "clerk"))


def _second_connection(w: World) -> str:
    with w.connection() as first:
        first.create_session()
    with w.connection() as second:
        return outcome(lambda: setattr(second, "client_id", "clerk"))


def _sibling(w: World) -> str:
    w.send("a")
    with w.context() as context:
        context.auto_start = False
        with context.create_context(JMSContext.AUTO_ACKNOWLEDGE) as sibling:
            return f"{sibling.auto_start} {texts(sibling.create_consumer(w.queue))}"


def _made_while_stopped(w: World) -> str:
    w.send("a")
    with w.connection() as connection:
        connection.start()
        connection.stop()
        return str(connection.create_session().create_consumer(w.queue).receive_no_wait())


def _replaced(w: World) -> str:
    told: list[str] = []
    done = w.clock.event()
    connection = w.connection()
    connection.exception_listener = Told(lambda: (told.append("first"), done.set()))
    connection.start()
    connection.exception_listener = Told(lambda: (told.append("second"), done.set()))
    w.provider.sever(connection)
    done.wait(1000)
    return " ".join(told)


def _closed_while_stopped(w: World) -> str:
    w.send("a")
    connection = w.connection()
    consumer = connection.create_session(session_mode=TRANSACTED).create_consumer(w.queue)
    connection.start()
    consumer.receive_no_wait()
    connection.stop()
    connection.close()
    return w.left()


def _grandchild(w: World) -> str:
    first = w.context()
    second = first.create_context(JMSContext.AUTO_ACKNOWLEDGE)
    third = second.create_context(JMSContext.AUTO_ACKNOWLEDGE)
    first.close()
    second.close()
    return outcome(lambda: third.create_producer().send(w.queue, "a") is None)


def _large(w: World) -> str:
    with w.context() as context:
        context.create_producer().send(w.queue, bytes(200_000))
    with w.context() as context:
        message = context.create_consumer(w.queue).receive_no_wait()
    return outcome(lambda: message.read_bytes(bytearray(10)))


# --- sessions ---------------------------------------------------------------------------------------------------------


def _commit_in_listener(w: World) -> str:
    w.send("a")
    done = w.clock.event()
    with w.context(TRANSACTED) as context:
        consumer = context.create_consumer(w.queue)
        consumer.message_listener = Listener(lambda _: (context.commit(), done.set()))
        done.wait(1000)
    return w.left()


def _other_session(w: World) -> str:
    w.send("a")
    with w.context(TRANSACTED) as first, w.context(TRANSACTED) as second:
        first.create_consumer(w.queue).receive_no_wait()
        first.rollback()
        message = second.create_consumer(w.queue).receive_no_wait()
        return f"{message.jms_redelivered} {message.get_int_property('JMSXDeliveryCount')}"


def _closed_shared_durable(w: World) -> str:
    with w.context(TRANSACTED) as context:
        consumer = context.create_shared_durable_consumer(w.topic, "shared")
        w.send("a", to=w.topic)
        consumer.receive_no_wait()
        consumer.close()
        context.rollback()
        return texts(context.create_shared_durable_consumer(w.topic, "shared"))


def _waiting(w: World) -> str:
    w.send("a")
    arrived = w.clock.event()
    with w.context(TRANSACTED) as holder, w.context() as waiter:
        holder.create_consumer(w.queue).receive_no_wait()
        waiter.create_consumer(w.queue).message_listener = Listener(lambda _: arrived.set())
        arrived.wait(100)
        holder.rollback()
        return str(arrived.wait(1000))


def _failed_commit(w: World) -> str:
    w.send("a")
    with w.context(TRANSACTED) as context:
        context.create_consumer(w.queue).receive_no_wait()
        context.create_producer().send(w.other, "b")
        w.provider.administer("fail-next-commit", connection=context)
        failed = outcome(context.commit)
        context.commit()
    return f"{failed} {w.left()} {w.left(w.other)}"


def _recover_in_listener(w: World) -> str:
    w.send("a")
    seen: list[str] = []
    with w.context(CLIENT) as context:
        context.auto_start = False

        def second(message: Any) -> None:
            seen.append(message.text)
            if not message.jms_redelivered:
                context.recover()

        context.create_consumer(w.queue).message_listener = Listener(
            lambda message: (seen.append(message.text), message.jms_redelivered or w.send("b", to=w.other))
        )
        context.create_consumer(w.other).message_listener = Listener(second)
        context.start()
        w.clock.event().wait(1000)
    return " ".join(sorted(seen))


def _closed_consumer(w: World) -> str:
    w.send("a", "b")
    with w.context(CLIENT) as context:
        consumer = context.create_consumer(w.queue)
        consumer.receive_no_wait()
        consumer.close()
        context.create_consumer(w.queue).receive_no_wait()
        context.acknowledge()
    return w.left()


def _cumulative(w: World) -> str:
    with w.context(CLIENT) as first, w.context(CLIENT) as second:
        consumers = [one.create_shared_durable_consumer(w.topic, "shared") for one in (first, second)]
        w.send("a", "b", to=w.topic)
        for consumer in consumers:
            consumer.receive_no_wait()
        second.acknowledge()
        first.recover()
        return texts(consumers[0])


def _batches(w: World) -> str:
    heard: list[str] = []
    context = w.context(client_id="clerk")
    consumer = context.create_durable_consumer(w.topic, "durable")
    consumer.message_listener = Listener(lambda message: heard.append(message.text))
    w.send("a", "b", to=w.topic)
    w.clock.event().wait(1000)
    w.provider.sever(context)
    with w.context(client_id="clerk") as again:
        return f"{' '.join(heard)}, then {texts(again.create_durable_consumer(w.topic, 'durable'))}"


def _delayed(w: World) -> str:
    with w.context(TRANSACTED) as context:
        producer = context.create_producer().set_delivery_delay(1000)
        for text in "abc":
            producer.send(w.queue, text)
        context.commit()
    w.clock.advance(2000)
    return w.left()


WITNESSES: dict[str, tuple[Callable[[World], str], str]] = {
    "bindings-collide-on-last-name-component": (_bound, "True"),
    "configured-client-id-lost-with-credentials": (_configured, "clerk"),
    "client-id-stays-taken-after-loss-before-start": (_lost_before_start, "None"),
    "client-id-refused-on-reused-handle": (_second_connection, "None"),
    "sibling-context-inherits-auto-start-off": (_sibling, "True a"),
    "session-made-while-stopped-delivers": (_made_while_stopped, "None"),
    "replaced-exception-listener-is-told": (_replaced, "second"),
    "closing-a-stopped-connection-loses-received-messages": (_closed_while_stopped, "a"),
    "context-made-from-a-sibling-does-not-count": (_grandchild, "False"),
    "large-bytes-message-ends-with-its-session": (_large, "10"),
    "commit-in-a-listener-leaves-its-message": (_commit_in_listener, ""),
    "redelivery-to-another-session-looks-new": (_other_session, "True 2"),
    "rollback-forgets-closed-shared-durable-consumers": (_closed_shared_durable, "a"),
    "rollback-wakes-nobody": (_waiting, "True"),
    "failed-commit-leaves-its-sends": (_failed_commit, "TransactionRolledBackRuntimeException a "),
    "recover-in-a-listener-covers-its-consumer-only": (_recover_in_listener, "a a b b"),
    "context-acknowledge-skips-closed-consumers": (_closed_consumer, ""),
    "acknowledge-is-cumulative-on-shared-durable-subscriptions": (_cumulative, "a"),
    "listener-acknowledges-durable-messages-in-batches": (_batches, "a b, then "),
    "delayed-messages-of-a-transaction-are-reversed": (_delayed, "a b c"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, lambda provider: witness(World(provider)), expected, tmp_path)
