"""Witnesses of red round 3a: each fault shows itself to a program that uses the API alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import CompletionListener, DeliveryMode, JMSContext, Message, MessageListener, TextMessage

AUTO, CLIENT, TRANSACTED = JMSContext.AUTO_ACKNOWLEDGE, JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED


class World:
    """A provider with a queue, a topic and a way to open contexts."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider
        self.queue = provider.create_queue("red")
        self.topic = provider.create_topic("reds")
        self.contexts: list[Any] = []

    def open(self, mode: int = AUTO) -> Any:
        """Open a context."""
        context = self.provider.connection_factory().create_context(session_mode=mode)
        self.contexts.append(context)
        return context

    def restarted(self) -> Any:
        """Restart the provider and open a context."""
        self.provider.restart()
        self.contexts.clear()
        return self.open()


def _due_at_restart(world: World) -> str:
    context = world.open()
    context.create_shared_durable_consumer(world.topic, "s").close()
    context.create_producer().set_delivery_delay(60_000).send(world.topic, "later")
    consumer = world.restarted().create_shared_durable_consumer(world.topic, "s")
    return repr(consumer.receive_no_wait())


def _flag_after_restart(world: World) -> str:
    context = world.open(CLIENT)
    consumer = context.create_shared_durable_consumer(world.topic, "s")
    context.create_producer().send(world.topic, "a")
    consumer.receive_no_wait()
    message = world.restarted().create_shared_durable_consumer(world.topic, "s").receive_no_wait()
    return str(message.jms_redelivered)


def _time_after_restart(world: World) -> str:
    context = world.open()
    message = context.create_text_message("a")
    context.create_producer().set_delivery_delay(5_000).send(world.queue, message)
    world.provider.clock.advance(6_000)
    received = world.restarted().create_consumer(world.queue).receive_no_wait()
    return str(received.jms_delivery_time - message.jms_delivery_time)


def _type_after_restart(world: World) -> str:
    context = world.open()
    message = context.create_message()
    message.set_short_property("a", 7)
    context.create_producer().send(world.queue, message)
    received = world.restarted().create_consumer(world.queue).receive_no_wait()
    return type(received.get_object_property("a")).__name__


def _returned(world: World, give_back: Callable[[Any, Any], None]) -> str:
    context = world.open(CLIENT)
    context.create_producer().send(world.queue, "a")
    consumer = context.create_consumer(world.queue)
    consumer.receive_no_wait()
    give_back(context, consumer)
    message = world.open().create_consumer(world.queue).receive_no_wait()
    return f"{message.jms_redelivered} {message.get_int_property('JMSXDeliveryCount')}"


def _close_both(context: Any, consumer: Any) -> None:
    consumer.close()
    context.close()


def _merged(world: World) -> str:
    context = world.open(TRANSACTED)
    context.create_producer().set_delivery_delay(1_000).send(world.queue, "soon")
    context.create_producer().set_delivery_delay(60_000).send(world.queue, "late")
    context.commit()
    world.provider.clock.advance(2_000)
    consumer = world.open().create_consumer(world.queue)
    return f"{consumer.receive_body_no_wait(str)} {consumer.receive_no_wait()}"


def _browsed(world: World) -> str:
    context = world.open()
    context.create_producer().set_delivery_delay(60_000).set_property("a", 1).send(world.queue, "later")
    return str(len(list(context.create_browser(world.queue, "a = 1").get_enumeration())))


def _shared_destination(world: World) -> str:
    context = world.open()
    consumer = context.create_shared_durable_consumer(world.topic, "s")
    context.create_producer().send(world.topic, "a")
    return str(consumer.receive_no_wait().jms_destination == world.topic)


def _sent_on(world: World) -> str:
    context = world.open(CLIENT)
    other = context.create_queue("next")
    consumer = context.create_consumer(world.queue)
    context.create_producer().send(world.queue, "a")
    consumer.receive_no_wait()
    context.recover()
    context.create_producer().send(other, consumer.receive_no_wait())
    return str(context.create_consumer(other).receive_no_wait().jms_redelivered)


class _Completion(CompletionListener):
    def __init__(self, clock: Any) -> None:
        self.done = clock.event()

    def on_completion(self, message: Message) -> None:
        self.done.set()

    def on_exception(self, message: Message, exception: Exception) -> None:
        self.done.set()


def _asynchronously(world: World, message: Any) -> Any:
    listener = _Completion(world.provider.clock)
    producer = world.open().create_producer().set_async(listener).set_time_to_live(9_000)
    producer.send(world.queue, message)
    assert listener.done.wait(10_000)
    return message


def _expiration(world: World) -> str:
    message = _asynchronously(world, world.open().create_message())
    return str(message.jms_expiration - message.jms_timestamp)


def _foreign_text(inner: Any) -> Any:
    """Return a text message of another implementation, which keeps its state in `inner`."""

    def member(name: str) -> Any:
        if isinstance(getattr(TextMessage, name), property):
            return property(lambda _: getattr(inner, name), lambda _, value: setattr(inner, name, value))
        return lambda _, *arguments: getattr(inner, name)(*arguments)

    return type("Foreign", (TextMessage,), {name: member(name) for name in TextMessage.__abstractmethods__})()


def _foreign_id(world: World) -> str:
    message = _asynchronously(world, _foreign_text(world.open().create_text_message("a")))
    received = world.open().create_consumer(world.queue).receive_no_wait()
    return str(message.jms_message_id == received.jms_message_id)


class _Failing(MessageListener):
    def __init__(self, clock: Any) -> None:
        self.seen: list[str] = []
        self.done = clock.event()

    def on_message(self, message: Any) -> None:
        self.seen.append(str(message.text))
        if len(self.seen) == 1:
            message.clear_body()
            message.text = "changed"
            raise RuntimeError("once more")
        self.done.set()


def _listened(world: World) -> str:
    context = world.open()
    listener = _Failing(world.provider.clock)
    context.create_consumer(world.queue).message_listener = listener
    world.open().create_producer().send(world.queue, "a")
    assert listener.done.wait(10_000)
    return " ".join(listener.seen)


def _stream(world: World) -> str:
    context = world.open(TRANSACTED)
    message = context.create_stream_message()
    message.write_string("first")
    message.write_string("second")
    context.create_producer().send(world.queue, message)
    context.commit()
    consumer = context.create_consumer(world.queue)
    consumer.receive_no_wait().read_string()
    context.rollback()
    return str(consumer.receive_no_wait().read_string())


def _copies(world: World) -> str:
    context = world.open()
    one, other = context.create_consumer(world.topic), context.create_consumer(world.topic)
    context.create_producer().set_property("a", 1).send(world.topic, "a")
    one.receive_no_wait().clear_properties()
    return str(other.receive_no_wait().property_exists("a"))


def _overridden(world: World) -> str:
    world.provider.administer("override", destination=world.queue, priority=0, time_to_live=0)
    context = world.open()
    message = context.create_message()
    context.create_producer().set_priority(7).set_time_to_live(9_000).send(world.queue, message)
    return f"{message.jms_priority} {message.jms_expiration}"


def _sequence(world: World) -> str:
    context = world.open()
    message = context.create_message()
    message.set_string_property("JMSXGroupID", "g")
    message.set_int_property("JMSXGroupSeq", 0)
    context.create_producer().send(world.queue, message)
    return str(context.create_consumer(world.queue).receive_no_wait().property_exists("JMSXGroupSeq"))


def _transactions(world: World) -> str:
    context = world.open(TRANSACTED)
    message = context.create_message()
    consumer = world.open().create_consumer(world.queue)
    seen = set()
    for _ in range(2):
        context.create_producer().send(world.queue, message)
        context.commit()
        seen.add(consumer.receive_no_wait().get_string_property("JMSXProducerTXID"))
    return str(len(seen))


def _reused(world: World) -> str:
    context = world.open(TRANSACTED)
    message = context.create_text_message()
    producer = context.create_producer()
    for text in ("a", "b"):
        message.text = text
        producer.send(world.queue, message)
    context.commit()
    consumer = context.create_consumer(world.queue)
    return f"{consumer.receive_body_no_wait(str)} {consumer.receive_body_no_wait(str)}"


def _expires(world: World) -> str:
    context = world.open()
    producer = context.create_producer().set_disable_message_timestamp(True).set_time_to_live(1_000)
    producer.set_delivery_mode(DeliveryMode.NON_PERSISTENT).send(world.queue, "a")
    world.provider.clock.advance(5_000)
    return repr(context.create_consumer(world.queue).receive_body_no_wait(str))


WITNESSES: dict[str, tuple[Callable[[World], str], str]] = {
    "delayed-to-durable-due-at-restart": (_due_at_restart, "None"),
    "redelivered-of-durable-forgotten-at-restart": (_flag_after_restart, "True"),
    "delivery-time-lost-at-restart": (_time_after_restart, "0"),
    "small-integers-widened-at-restart": (_type_after_restart, "Short"),
    "not-redelivered-after-closed-consumer": (lambda world: _returned(world, _close_both), "True 2"),
    "severed-link-redelivers-with-count-one-less": (
        lambda world: _returned(world, lambda context, _: world.provider.sever(context)),
        "True 2",
    ),
    "delays-of-one-transaction-merged": (_merged, "soon None"),
    "browser-with-selector-shows-the-future": (_browsed, "0"),
    "shared-durable-shows-its-own-queue": (_shared_destination, "True"),
    "redelivered-flag-travels-on": (_sent_on, "False"),
    "asynchronous-send-leaves-expiration": (_expiration, "9000"),
    "asynchronous-send-leaves-foreign-id": (_foreign_id, "True"),
    "failed-listener-gets-its-own-changes": (_listened, "a a"),
    "stream-not-reset-after-rollback": (_stream, "first"),
    "topic-copies-share-their-properties": (_copies, "True"),
    "override-of-zero-ignored": (_overridden, "0 0"),
    "group-sequence-zero-is-none": (_sequence, "True"),
    "producer-transaction-of-first-send": (_transactions, "2"),
    "transaction-sends-object-as-last-seen": (_reused, "a b"),
    "no-timestamp-never-expires": (_expires, "None"),
}


def _in_a_world(witness: Callable[[World], str], provider: Any) -> str:
    world = World(provider)
    seen = witness(world)
    for context in world.contexts:
        context.close()
    return seen


@pytest.mark.parametrize("name", WITNESSES)
def test_the_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, partial(_in_a_world, witness), expected, tmp_path)
