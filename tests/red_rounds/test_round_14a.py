"""Witnesses of round 14, stranger A: each sees its fault through the API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import CompletionListener, JMSContext, JMSException, JMSRuntimeException, MessageListener

CLIENT, DUPS_OK = JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE
TRANSACTED = JMSContext.SESSION_TRANSACTED
SHORT = 50


def context(provider: Any, mode: int = JMSContext.AUTO_ACKNOWLEDGE, client_id: str | None = None) -> Any:
    made = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        made.client_id = client_id
    return made


def text(ctx: Any, body: str, **properties: object) -> Any:
    message = ctx.create_text_message(body)
    for name, value in properties.items():
        message.set_object_property(name, value)
    return message


def texts(consumer: Any) -> list[Any]:
    found = []
    while (message := consumer.receive(SHORT)) is not None:
        found.append(message.text)
    return found


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except (JMSException, JMSRuntimeException) as error:
        return type(error).__name__


class Listener(MessageListener):
    def __init__(self, act: Callable[[Any], None]) -> None:
        self.act = act

    def on_message(self, message: Any) -> None:
        self.act(message)


class Done(CompletionListener):
    def __init__(self, event: Any) -> None:
        self.event = event

    def on_completion(self, message: Any) -> None:
        self.event.set()

    def on_exception(self, message: Any, error: Exception) -> None:
        self.event.set()


# --- chapter 3


def byte_after_restart(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider)
    message = text(ctx, "x")
    message.set_byte_property("b", 5)
    message.jms_correlation_id = "c"
    ctx.create_producer().send(queue, message)
    provider.restart()
    received = context(provider).create_consumer(queue).receive(SHORT)
    return outcome(lambda: received.get_byte_property("b"))


def expiration_after_rollback(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider, TRANSACTED)
    message = text(ctx, "x")
    context(provider).create_producer().set_delivery_delay(100).set_time_to_live(10_000).send(queue, message)
    consumer = ctx.create_consumer(queue)
    first = consumer.receive(1000).jms_expiration
    ctx.rollback()
    second = consumer.receive(1000).jms_expiration
    return first == message.jms_expiration, second == message.jms_expiration


def map_after_clear(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider, CLIENT)
    ctx.create_producer().send(queue, {f"n{number}": number for number in range(8)})
    consumer = ctx.create_consumer(queue)
    message = consumer.receive(SHORT)
    message.clear_body()
    message.set_string("other", "value")
    ctx.recover()
    return sorted(consumer.receive(SHORT).get_map_names())


def one_object_twice(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider, TRANSACTED)
    message, producer = ctx.create_text_message("first"), ctx.create_producer()
    producer.send(queue, message)
    message.text = "second"
    producer.send(queue, message)
    ctx.commit()
    return texts(ctx.create_consumer(queue))


def array_in_thirds(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider)
    message = ctx.create_stream_message()
    message.write_bytes(b"123456")
    message.write_int(7)
    ctx.create_producer().send(queue, message)
    received, buffer = ctx.create_consumer(queue).receive(SHORT), bytearray(2)
    return [outcome(lambda: received.read_bytes(buffer)) for _ in range(4)], received.read_int()


def bytes_after_body(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider)
    ctx.create_producer().send(queue, b"ab")
    received = ctx.create_consumer(queue).receive(SHORT)
    read = [received.read_byte(), received.read_byte()]
    return read, received.get_body(bytes), outcome(received.read_byte)


def float_between(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider)
    message = text(ctx, "x")
    message.set_float_property("f", 3.0)
    ctx.create_producer().send(queue, message)
    return texts(ctx.create_consumer(queue, "f BETWEEN 1 AND 3"))


def escaped_like(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider)
    ctx.create_producer().send(queue, text(ctx, "x", s="a_\nb"))
    return texts(ctx.create_consumer(queue, "s LIKE 'a!_%b' ESCAPE '!'"))


def asynchronous_group(provider: Any) -> object:
    queue, ctx, event = provider.create_queue("q"), context(provider), provider.clock.event()
    producer = ctx.create_producer().set_property("JMSXGroupID", "g")
    producer.set_object_property("JMSXGroupSeq", group_seq(ctx))
    producer.set_async(Done(event)).send(queue, "x")
    event.wait(1000)
    received = ctx.create_consumer(queue).receive(SHORT)
    return received.get_string_property("JMSXGroupID"), received.property_exists("JMSXGroupSeq")


def group_seq(ctx: Any) -> object:
    carrier = ctx.create_message()
    carrier.set_int_property("JMSXGroupSeq", 3)
    return carrier.get_object_property("JMSXGroupSeq")


def reply_to_own_topic(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider)
    consumer = ctx.create_consumer(topic)
    message = text(ctx, "x")
    message.jms_reply_to = topic
    ctx.create_producer().send(topic, message)
    return consumer.receive(SHORT).jms_reply_to == topic


# --- chapter 4


def browsed_after_recover(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider, CLIENT)
    for body in "abc":
        ctx.create_producer().send(queue, body)
    ctx.create_consumer(queue).receive(SHORT)
    ctx.recover()
    return [message.text for message in context(provider).create_browser(queue).get_enumeration()]


def mixed_transaction(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider, TRANSACTED)
    producer = ctx.create_producer()
    for number in range(10):
        producer.set_time_to_live(60_000 if number % 2 else 0).send(queue, str(number))
    ctx.commit()
    return texts(ctx.create_consumer(queue))


def delete_in_use(provider: Any) -> object:
    ctx = context(provider)
    queue = ctx.create_temporary_queue()
    consumer = ctx.create_consumer(queue, "a = 1")
    refused = outcome(queue.delete)
    consumer.close()
    return refused is not None, outcome(queue.delete)


def second_enumeration(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider)
    ctx.create_producer().send(queue, text(ctx, "a", n="1"))
    browser = ctx.create_browser(queue, "n = '1'")
    first = [message.text for message in browser.get_enumeration()]
    ctx.create_producer().send(queue, text(ctx, "b", n="1"))
    return first, [message.text for message in browser.get_enumeration()]


def copies_after_rollback(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider, TRANSACTED)
    other = context(provider, client_id="c")
    durable, plain = other.create_durable_consumer(topic, "d"), ctx.create_consumer(topic)
    context(provider).create_producer().send(topic, "x")
    plain.receive(SHORT)
    ctx.rollback()
    message = durable.receive(SHORT)
    return message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")


def recovered_then_closed(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider, CLIENT, "c")
    consumer = ctx.create_durable_consumer(topic, "d")
    ctx.create_producer().send(topic, "a").send(topic, "b")
    consumer.receive(SHORT)
    ctx.recover()
    consumer.close()
    return texts(ctx.create_durable_consumer(topic, "d"))


def long_names(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider)
    one, two = (ctx.create_shared_consumer(topic, "n" * 100 + end) for end in "ab")
    ctx.create_producer().send(topic, "x")
    return texts(one), texts(two)


def one_of_two_closes(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider)
    one, two = (ctx.create_shared_consumer(topic, "s", "a = 1") for _ in range(2))
    message = ctx.create_text_message("x")
    message.set_int_property("a", 1)
    ctx.create_producer().send(topic, message)
    one.close()
    return texts(two)


def many_selectors(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider)
    others = [ctx.create_consumer(topic, f"a = 'v{number}'") for number in range(10)]
    local = ctx.create_consumer(topic, None, no_local=True)
    ctx.create_producer().send(topic, text(ctx, "own", a="v1"))
    context(provider).create_producer().send(topic, "foreign")
    return texts(others[1]), texts(local)


def recovered_subscriber(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider, CLIENT)
    consumer = ctx.create_consumer(topic, "a = 'x'")
    for body, time_to_live in (("a", 0), ("b", 60_000)):
        ctx.create_producer().set_time_to_live(time_to_live).send(topic, text(ctx, body, a="x"))
    first = texts(consumer)
    ctx.recover()
    return first, texts(consumer)


# --- chapter 8


def padded_selector(provider: Any) -> object:
    topic, ctx, selector = provider.create_topic("t"), context(provider, client_id="c"), " a = 'x' "
    ctx.create_durable_consumer(topic, "d", selector).close()
    ctx.create_producer().send(topic, text(ctx, "kept", a="x"))
    provider.restart()
    return texts(context(provider, client_id="c").create_durable_consumer(topic, "d", selector))


def failed_body(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider, DUPS_OK)
    consumer = ctx.create_consumer(topic)
    ctx.create_producer().send(topic, "x")
    failed = outcome(lambda: consumer.receive_body(bytes, SHORT))
    message = consumer.receive(SHORT)
    return failed, message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")


def overtaken(provider: Any) -> object:
    queue, ctx, sender = provider.create_queue("q"), context(provider), context(provider)
    seen, event = list[str](), provider.clock.event()

    def act(message: Any) -> None:
        seen.append(message.text)
        if len(seen) == 4:
            event.set()
        if len(seen) == 1:
            sender.create_producer().set_priority(9).send(queue, "urgent")
        if len(seen) < 3 and message.text == "slow":
            raise RuntimeError("fails")

    sender.create_producer().send(queue, "slow")
    ctx.create_consumer(queue).message_listener = Listener(act)
    event.wait(2000)
    return seen


def third_count(provider: Any) -> object:
    queue, ctx = provider.create_queue("q"), context(provider, DUPS_OK)
    seen, event = list[int](), provider.clock.event()

    def act(message: Any) -> None:
        seen.append(message.get_int_property("JMSXDeliveryCount"))
        if len(seen) < 3:
            raise RuntimeError("fails")
        event.set()

    ctx.create_producer().send(queue, "x")
    ctx.create_consumer(queue).message_listener = Listener(act)
    event.wait(2000)
    return seen


def acknowledged_after_close(provider: Any) -> object:
    queue, other, ctx = provider.create_queue("q"), provider.create_queue("other"), context(provider, CLIENT)
    ctx.create_consumer(other)
    ctx.create_producer().send(queue, "x")
    consumer = ctx.create_consumer(queue)
    message = consumer.receive(SHORT)
    consumer.close()
    message.acknowledge()
    ctx.close()
    return texts(context(provider).create_consumer(queue))


def started_by_second(provider: Any) -> object:
    topic, first = provider.create_topic("t"), context(provider)
    first.auto_start = False
    waiting = first.create_consumer(topic)
    first.create_context(JMSContext.AUTO_ACKNOWLEDGE).create_shared_durable_consumer(topic, "s")
    context(provider).create_producer().send(topic, "x")
    return texts(waiting)


def waits_with_zero(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider)
    consumer = ctx.create_shared_durable_consumer(topic, "s")
    ctx.create_producer().set_delivery_delay(500).send(topic, "late")
    message = consumer.receive(0)
    return None if message is None else message.text


def other_case(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider)
    first = ctx.create_shared_durable_consumer(topic, "s", "a = 'x'")
    refused = outcome(lambda: ctx.create_shared_durable_consumer(topic, "s", "a = 'X'").message_selector)
    return first.message_selector, refused


def selector_dropped(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider, client_id="c")
    ctx.create_durable_consumer(topic, "d", "a = 'x'").close()
    ctx.create_producer().send(topic, text(ctx, "old", a="x"))
    consumer = ctx.create_durable_consumer(topic, "d")
    ctx.create_producer().send(topic, "new")
    return texts(consumer)


def own_while_inactive(provider: Any) -> object:
    topic, ctx = provider.create_topic("t"), context(provider, client_id="c")
    ctx.create_durable_consumer(topic, "d", None, no_local=True).close()
    ctx.create_producer().send(topic, "own")
    context(provider).create_producer().send(topic, "foreign")
    return texts(ctx.create_durable_consumer(topic, "d", None, no_local=True))


WITNESSES: dict[str, tuple[Callable[[Any], object], object]] = {
    "a14-byte-widened-from-file": (byte_after_restart, 5),
    "a14-expiration-lost-after-delay": (expiration_after_rollback, (True, True)),
    "a14-large-map-cleared-in-place": (map_after_clear, [f"n{number}" for number in range(8)]),
    "a14-second-send-has-first-text": (one_object_twice, ["first", "second"]),
    "a14-stream-array-ends-early": (array_in_thirds, ([2, 2, 2, -1], 7)),
    "a14-body-leaves-pointer-at-end": (bytes_after_body, ([97, 98], b"ab", 97)),
    "a14-between-excludes-float-bound": (float_between, ["x"]),
    "a14-escaped-like-stops-at-newline": (escaped_like, ["x"]),
    "a14-group-seq-lost-asynchronously": (asynchronous_group, ("g", True)),
    "a14-reply-to-own-topic-null": (reply_to_own_topic, True),
    "a14-browser-shows-redelivered-last": (browsed_after_recover, ["a", "b", "c"]),
    "a14-large-commit-puts-expiring-first": (mixed_transaction, [str(number) for number in range(10)]),
    "a14-selective-receiver-does-not-hold-queue": (delete_in_use, (True, None)),
    "a14-enumeration-kept-with-selector": (second_enumeration, (["a"], ["a", "b"])),
    "a14-rollback-counts-for-other-copies": (copies_after_rollback, (False, 1)),
    "a14-recovered-lost-on-durable-close": (recovered_then_closed, ["a", "b"]),
    "a14-long-shared-name-cut": (long_names, (["x"], ["x"])),
    "a14-shared-selective-backlog-dropped": (one_of_two_closes, ["x"]),
    "a14-no-local-lost-in-fan-out": (many_selectors, (["own"], ["foreign"])),
    "a14-selective-subscriber-loses-expiring": (recovered_subscriber, (["a", "b"], ["a", "b"])),
    "a14-padded-selector-changes-at-restart": (padded_selector, ["kept"]),
    "a14-failed-topic-body-counted-when-lazy": (failed_body, ("MessageFormatRuntimeException", False, 1)),
    "a14-second-failure-lets-others-pass": (overtaken, ["slow", "slow", "slow", "urgent"]),
    "a14-lazy-listener-count-stays-two": (third_count, [1, 2, 3]),
    "a14-acknowledge-skips-closed-consumer": (acknowledged_after_close, []),
    "a14-second-context-does-not-start": (started_by_second, ["x"]),
    "a14-zero-does-not-wait-for-shared": (waits_with_zero, "late"),
    "a14-selector-case-joins-shared-durable": (other_case, ("a = 'x'", "JMSRuntimeException")),
    "a14-backlog-keeps-dropped-selector": (selector_dropped, ["new"]),
    "a14-no-local-asleep-while-inactive": (own_while_inactive, ["foreign"]),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_fault_is_visible(name: str, tmp_path: Path) -> None:
    witness, expected = WITNESSES[name]
    assert_visible(name, witness, expected, tmp_path)
