"""Witnesses of red round 6, second half: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
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
    MessageListener,
    Session,
)

AUTO, CLIENT, TRANSACTED = Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED


class Completed(CompletionListener):
    def __init__(self, done: Callable[[Any], object], failed: Callable[[Any], object]) -> None:
        self.done = done
        self.failed = failed

    def on_completion(self, message: Any) -> None:
        self.done(message)

    def on_exception(self, message: Any, exception: Exception) -> None:
        self.failed(message)


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


# --- sending ----------------------------------------------------------------------------------------------------------


def _time_to_live(w: World) -> str:
    with w.connection() as connection:
        session = connection.create_session()
        message = session.create_text_message("a")
        session.create_producer(None).send(message, destination=w.queue, delivery_mode=2, priority=4, time_to_live=500)
        return str(message.jms_expiration - message.jms_timestamp)


def _new_producer(w: World) -> str:
    with w.connection() as connection:
        session = connection.create_session()
        first = session.create_producer(w.queue)
        first.delivery_delay = 1000
        first.close()
        return str(session.create_producer(w.queue).delivery_delay)


def _mixed_sends(w: World) -> str:
    nothing = Completed(lambda _: None, lambda _: None)
    with w.context(TRANSACTED) as context:
        producer = context.create_producer()
        producer.set_async(nothing).send(w.queue, "a").send(w.queue, "b")
        producer.set_async(None).send(w.queue, "c")
        context.commit()
    return w.left()


def _raising_callback(w: World) -> str:
    calls: list[str] = []

    def done(_: Any) -> None:
        calls.append("done")
        raise ValueError

    with w.context() as context:
        listener = Completed(done, lambda _: calls.append("failed"))
        context.create_producer().set_async(listener).send(w.queue, "a")
    return " ".join(calls)


def _close_in_on_exception(w: World) -> str:
    w.provider.administer("fail-next-sends", destination=w.queue)
    outcomes: list[str] = []
    with w.connection() as connection, connection.create_session() as session:
        producer = session.create_producer(w.queue)
        listener = Completed(lambda _: None, lambda _: outcomes.append(outcome(producer.close)))
        producer.send(session.create_text_message("a"), completion_listener=listener)
    return " ".join(outcomes)


def _expired(w: World) -> str:
    with w.context(TRANSACTED) as context:
        context.create_producer().set_time_to_live(1000).send(w.queue, "a")
        context.commit()
        consumer = context.create_consumer(w.queue)
        consumer.receive_no_wait()
        context.rollback()
        w.clock.advance(60_000)
        return texts(consumer)


def _delayed_over_restart(w: World) -> str:
    with w.context(client_id="clerk") as context:
        context.create_durable_consumer(w.topic, "durable").close()
        context.create_producer().set_delivery_delay(60_000).send(w.topic, "a")
    w.provider.restart()
    with w.context(client_id="clerk") as context:
        consumer = context.create_durable_consumer(w.topic, "durable")
        early = texts(consumer)
        w.clock.advance(60_000)
        return f"{early}, later {texts(consumer)}"


def _mixed_transaction(w: World) -> str:
    with w.context(TRANSACTED) as context:
        producer = context.create_producer()
        producer.set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(w.other, "a")
        producer.set_delivery_mode(DeliveryMode.PERSISTENT).send(w.queue, "b")
        context.commit()
    w.provider.kill()
    return w.left()


# --- receiving --------------------------------------------------------------------------------------------------------


def _waiting_with_selector(w: World) -> str:
    w.send("a")
    heard: list[str] = []
    with w.context(TRANSACTED) as holder, w.context() as choosy:
        consumer = holder.create_consumer(w.queue)
        consumer.receive_no_wait()
        listener = Listener(lambda message: heard.append(message.text))
        choosy.create_consumer(w.queue, "colour = 'red'").message_listener = listener
        w.clock.event().wait(100)
        holder.rollback()
        w.clock.event().wait(100)
        return f"{texts(consumer)}, heard {' '.join(heard)}"


def _stopped_subscriber(w: World) -> str:
    with w.context() as context:
        consumer = context.create_consumer(w.topic)
        context.stop()
        context.create_producer().set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(w.topic, "a")
        context.start()
        return texts(consumer)


def _empty_selector(w: World) -> str:
    with w.connection() as connection:
        connection.client_id = "clerk"
        subscriber = connection.create_session().create_durable_subscriber(w.topic, "durable", "", no_local=False)
        connection.start()
        w.send("a", to=w.topic)
        return texts(subscriber)


def _last_subscriber(w: World) -> str:
    with w.context(client_id="clerk") as context:
        context.create_durable_consumer(w.topic, "durable").close()
        context.create_consumer(w.topic).close()
        w.send("a", to=w.topic)
        return texts(context.create_durable_consumer(w.topic, "durable"))


def _outliving(w: World) -> str:
    with w.context() as context:
        context.create_shared_consumer(w.topic, "shared")
        w.send("a", to=w.topic)
    with w.context() as context:
        return texts(context.create_shared_consumer(w.topic, "shared"))


def _no_local(w: World) -> str:
    def subscribe(context: Any) -> Any:
        return context.create_durable_consumer(w.topic, "durable", None, no_local=True)

    with w.context(client_id="clerk") as context:
        subscribe(context).close()
    w.send("a", to=w.topic)
    w.provider.restart()
    with w.context(client_id="clerk") as context:
        return texts(subscribe(context))


def _changed_selector(w: World) -> str:
    with w.context() as context:
        context.create_shared_durable_consumer(w.topic, "shared", "a = 1").close()
        consumers = [lambda: context.create_shared_durable_consumer(w.topic, "shared", "a = 2") for _ in range(2)]
        return " ".join(outcome(lambda make=make: make() is None) for make in consumers)


def _unsubscribe_elsewhere(w: World) -> str:
    with w.context() as context:
        context.create_shared_durable_consumer(w.topic, "shared").close()
    w.send("a", to=w.topic)
    with w.context() as context:
        context.unsubscribe("shared")
    with w.context() as context:
        return texts(context.create_shared_durable_consumer(w.topic, "shared"))


def _own_publish(w: World) -> str:
    with w.context(client_id="clerk") as context:
        context.create_durable_consumer(w.topic, "durable").close()
    with w.context(TRANSACTED, client_id="clerk") as context:
        context.create_producer().send(w.topic, "a")
        context.commit()
        return texts(context.create_durable_consumer(w.topic, "durable"))


def _timed_body(w: World) -> str:
    w.send("a", "b")
    with w.context() as context:
        consumer = context.create_consumer(w.queue)
        failed = outcome(lambda: consumer.receive_body(dict, 1000))
        return f"{failed} {texts(consumer)}"


def _removed_listener(w: World) -> str:
    with w.context() as context:
        consumer = context.create_consumer(w.queue)
        context.stop()
        consumer.message_listener = Listener(lambda _: None)
        consumer.message_listener = None
        context.start()
        w.send("a")
        return outcome(lambda: texts(consumer))


def _two_listeners(w: World) -> str:
    w.send("a")
    w.send("b", to=w.other)
    heard: list[str] = []

    def hear(message: Any) -> None:
        heard.append(message.text)
        if message.text == "a" and not message.jms_redelivered:
            raise ValueError

    with w.context() as context:
        context.auto_start = False
        for queue in (w.queue, w.other):
            context.create_consumer(queue).message_listener = Listener(hear)
        context.start()
        w.clock.event().wait(1000)
    return " ".join(heard)


WITNESSES: dict[str, tuple[Callable[[World], str], str]] = {
    "time-to-live-ignored-with-destination-argument": (_time_to_live, "500"),
    "new-producer-has-the-delay-of-a-closed-one": (_new_producer, "0"),
    "transacted-synchronous-send-overtakes": (_mixed_sends, "a b c"),
    "failing-on-completion-is-followed-by-on-exception": (_raising_callback, "done"),
    "producer-closed-by-on-exception": (_close_in_on_exception, "IllegalStateException"),
    "messages-given-back-to-a-queue-do-not-expire": (_expired, ""),
    "restart-releases-delayed-messages-of-subscriptions": (_delayed_over_restart, ", later a"),
    "transaction-stored-by-its-first-message": (_mixed_transaction, "b"),
    "rollback-hands-over-without-the-selector": (_waiting_with_selector, "a, heard "),
    "non-persistent-dropped-while-subscriber-is-stopped": (_stopped_subscriber, "a"),
    "empty-selector-of-a-durable-subscriber-matches-nothing": (_empty_selector, "a"),
    "last-subscriber-takes-the-topic-along": (_last_subscriber, "a"),
    "shared-subscription-outlives-its-session": (_outliving, ""),
    "no-local-lost-on-restart": (_no_local, "a"),
    "changed-shared-durable-subscription-is-exclusive": (_changed_selector, "False False"),
    "unsubscribe-elsewhere-of-shared-durable-does-nothing": (_unsubscribe_elsewhere, ""),
    "transacted-publish-misses-own-inactive-subscription": (_own_publish, "a"),
    "receive-body-with-time-limit-loses-the-message": (_timed_body, "MessageFormatRuntimeException a b"),
    "no-receive-after-a-listener-was-removed": (_removed_listener, "'a'"),
    "failed-message-waits-its-turn": (_two_listeners, "a a b"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, lambda provider: witness(World(provider)), expected, tmp_path)
