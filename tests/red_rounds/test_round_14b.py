"""The faults of round 14b are visible: each witness uses the messaging API alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from red_support import assert_visible

from tck.api import (
    CompletionListener,
    DeliveryMode,
    InvalidClientIDException,
    JMSContext,
    Message,
    MessageFormatRuntimeException,
    MessageListener,
    Session,
    Short,
)

_AUTO, _CLIENT = JMSContext.AUTO_ACKNOWLEDGE, JMSContext.CLIENT_ACKNOWLEDGE
_DUPS, _TRANSACTED = JMSContext.DUPS_OK_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED
_NP = DeliveryMode.NON_PERSISTENT
Witness = Callable[[Any], object]


def _context(provider: Any, mode: int = _AUTO, client_id: str | None = None) -> Any:
    context = provider.connection_factory().create_context(session_mode=mode)
    if client_id is not None:
        context.client_id = client_id
    return context


def _texts(consumer: Any) -> list[str]:
    found = []
    while (message := consumer.receive_no_wait()) is not None:
        found.append(message.text)
    return found


def _send(context: Any, destination: Any, *texts: str, **properties: object) -> None:
    producer = context.create_producer()
    for name, value in properties.items():
        producer.set_property(name, value)
    for text in texts:
        producer.send(destination, text)


class _Told(CompletionListener):
    """Notes callbacks, after a wait if there is one."""

    def __init__(self, provider: Any, wait_ms: int = 0) -> None:
        self.told: list[str] = []
        self._provider, self._wait_ms = provider, wait_ms

    def on_completion(self, message: Message) -> None:
        if self._wait_ms:
            self._provider.clock.event().wait(self._wait_ms)
        self.told.append("done")

    def on_exception(self, message: Message, exception: Exception) -> None:
        self.told.append("failed")


class _Failing(MessageListener):
    """Fails a number of times, and notes what it got."""

    def __init__(self, times: int) -> None:
        self.got: list[str] = []
        self._times = times

    def on_message(self, message: Message) -> None:
        self.got.append(message.text)  # type: ignore[attr-defined] # text messages only
        if len(self.got) <= self._times:
            raise ValueError("as ordered")


# --- messages and factories -------------------------------------------------------------------------------------------


def _reply_gone_in_repeat(provider: Any) -> object:
    topic, reply = provider.create_topic("t"), provider.create_queue("r")
    context = _context(provider, _CLIENT)
    consumer = context.create_consumer(topic)
    context.create_producer().set_jms_reply_to(reply).send(topic, "a")
    first = consumer.receive_no_wait().jms_reply_to
    context.recover()
    return first == reply, consumer.receive_no_wait().jms_reply_to == reply


def _correlation_latin(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider)
    consumer, producer = context.create_consumer(queue), context.create_producer()
    producer.set_delivery_mode(_NP).set_jms_correlation_id("é€").send(queue, "a")
    return consumer.receive_no_wait().jms_correlation_id


def _negative_short_widened(provider: Any) -> object:
    queue = provider.create_queue("q")
    _send(_context(provider), queue, "a", low=Short(-3), high=Short(3))
    provider.restart()
    message = _context(provider).create_consumer(queue).receive_no_wait()
    return message.get_object_property("low"), message.get_object_property("high")


def _own_user_no_identifier(provider: Any) -> object:
    factory = provider.administer("factory", kind="connection-factory", client_id="me")
    with factory.create_connection() as plain:
        first = plain.client_id
    with factory.create_connection("anna", "secret") as own:
        return first, own.client_id


# --- connections ------------------------------------------------------------------------------------------------------


def _arrived_while_stopped(provider: Any) -> object:
    topic, context, other = provider.create_topic("t"), _context(provider), _context(provider)
    consumer = context.create_consumer(topic)
    producer = other.create_producer().set_delivery_mode(_NP)
    producer.send(topic, "a")
    context.stop()
    producer.send(topic, "b")
    context.start()
    return _texts(consumer)


def _sibling_respects_stop(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider)
    sibling = context.create_context(_AUTO)
    _send(context, queue, "a")
    context.stop()
    return _texts(sibling.create_consumer(queue))


def _identifier_kept_by_durable(provider: Any) -> object:
    topic = provider.create_topic("t")
    connection = provider.connection_factory().create_connection()
    connection.client_id = "me"
    connection.create_session().create_durable_consumer(topic, "s")
    connection.close()
    with provider.connection_factory().create_connection() as again:
        try:
            again.client_id = "me"
        except InvalidClientIDException:
            return "refused"
        return again.client_id


def _close_while_stopped(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider)
    connection = provider.connection_factory().create_connection()
    connection.create_session().create_consumer(queue, "n = 1")
    connection.start()
    connection.stop()
    producer = context.create_producer().set_delivery_mode(_NP).set_property("n", 1)
    producer.send(queue, "a")
    connection.close()
    return _texts(context.create_consumer(queue))


# --- transactions and order -------------------------------------------------------------------------------------------


def _delayed_escapes_rollback(provider: Any) -> object:
    queue, later, context = provider.create_queue("q"), provider.create_queue("l"), _context(provider, _TRANSACTED)
    _send(_context(provider), queue, "a")
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.create_producer().set_delivery_delay(100).send(later, "b")
    context.rollback()
    return _context(provider).create_consumer(later).receive(1000)


def _closed_publisher_forgotten(provider: Any) -> object:
    topic, context = provider.create_topic("t"), _context(provider)
    consumer = context.create_consumer(topic)
    session = (
        provider.connection_factory()
        .create_connection()
        .create_session(transacted=True, session_mode=Session.SESSION_TRANSACTED)
    )
    first, second = session.create_producer(topic), session.create_producer(topic)
    first.send(session.create_text_message("a"))
    second.send(session.create_text_message("b"))
    first.close()
    session.commit()
    return _texts(consumer)


def _commit_by_producer(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _TRANSACTED)
    first, second = context.create_producer(), context.create_producer()
    first.send(queue, "a")
    second.send(queue, "b")
    first.send(queue, "c")
    context.commit()
    return _texts(context.create_consumer(queue))


def _backlog_second_first(provider: Any) -> object:
    topic, context = provider.create_topic("t"), _context(provider, client_id="me")
    context.create_durable_consumer(topic, "s", "n = 1", False).close()
    _send(context, topic, "a", "b", "c", n=1)
    return _texts(context.create_durable_consumer(topic, "s", "n = 1", False))


# --- acknowledgement and redelivery -----------------------------------------------------------------------------------


def _acknowledge_open_only(provider: Any) -> object:
    topic, context = provider.create_topic("t"), _context(provider, _CLIENT)
    consumer = context.create_shared_durable_consumer(topic, "s")
    _send(context, topic, "a")
    consumer.receive_no_wait()
    consumer.close()
    context.acknowledge()
    context.close()
    return _texts(_context(provider).create_shared_durable_consumer(topic, "s"))


def _recover_one_per_group(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _CLIENT)
    _send(context, queue, "a", "b", JMSXGroupID="g")
    consumer = context.create_consumer(queue)
    first = _texts(consumer)
    context.recover()
    return first, _texts(consumer)


def _rolled_back_to_another(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _TRANSACTED)
    _send(_context(provider), queue, "a")
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.rollback()
    consumer.close()
    return _context(provider).create_consumer(queue).receive_no_wait().jms_redelivered


def _close_after_acknowledge(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _CLIENT)
    _send(_context(provider), queue, "a", "b")
    consumer = context.create_consumer(queue)
    consumer.receive_no_wait()
    context.acknowledge()
    consumer.receive_no_wait()
    context.close()
    return _texts(_context(provider).create_consumer(queue))


# --- sending and settings ---------------------------------------------------------------------------------------------


def _zero_life_async(provider: Any) -> object:
    queue, told = provider.create_queue("q"), _Told(provider)
    session = provider.connection_factory().create_connection().create_session()
    producer, message = session.create_producer(queue), session.create_text_message("a")
    producer.time_to_live = 5000
    producer.send(message, delivery_mode=2, priority=4, time_to_live=0, completion_listener=told)
    producer.close()
    return message.jms_expiration


def _priority_sticks(provider: Any) -> object:
    queue = provider.create_queue("q")
    session = provider.connection_factory().create_connection().create_session()
    producer, message = session.create_producer(None), session.create_text_message("a")
    producer.send(message, destination=queue, delivery_mode=2, priority=7, time_to_live=0)
    first = message.jms_priority
    producer.send(message, destination=queue)
    return first, message.jms_priority


def _properties_once_for_maps(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider)
    producer = context.create_producer().set_property("n", "x").set_async(_Told(provider))
    producer.send(queue, {"k": "v"})
    producer.send(queue, {"k": "w"})
    consumer = context.create_consumer(queue)
    return [consumer.receive_no_wait().get_string_property("n") for _ in range(2)]


def _old_reply_wins(provider: Any) -> object:
    queue, old, new = (provider.create_queue(name) for name in ("q", "old", "new"))
    context = _context(provider)
    message = context.create_text_message("a")
    message.jms_reply_to = old
    context.create_producer().send(queue, message)
    context.create_producer().set_jms_reply_to(new).send(queue, message)
    consumer = context.create_consumer(queue)
    return consumer.receive_no_wait().jms_reply_to == old, consumer.receive_no_wait().jms_reply_to == new


def _delay_counted_twice(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider)
    consumer = context.create_consumer(queue)
    context.create_producer().set_delivery_delay(1000).set_time_to_live(1500).send(queue, "a")
    message = consumer.receive(1200)
    return None if message is None else message.text


def _mode_of_the_last(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _TRANSACTED)
    producer = context.create_producer().send(queue, "a")
    producer.set_delivery_mode(_NP).send(queue, "b")
    context.commit()
    provider.kill()
    return "a" in _texts(_context(provider).create_consumer(queue))


# --- asynchronous sends -----------------------------------------------------------------------------------------------


def _async_last_in_commit(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _TRANSACTED)
    producer = context.create_producer().set_async(_Told(provider)).send(queue, "a")
    producer.set_async(None).send(queue, "b")
    context.commit()
    return _texts(context.create_consumer(queue))


def _nobody_no_completion(provider: Any) -> object:
    topic, context, told = provider.create_topic("t"), _context(provider), _Told(provider)
    context.create_producer().set_delivery_mode(_NP).set_async(told).send(topic, "a")
    context.close()
    return told.told


def _sibling_close_hurries(provider: Any) -> object:
    queue, context, told = provider.create_queue("q"), _context(provider), _Told(provider, 500)
    sibling = context.create_context(_AUTO)
    sibling.create_producer().set_async(told).send(queue, "a")
    sibling.close()
    return list(told.told)


# --- consumers and subscriptions --------------------------------------------------------------------------------------


def _subscriber_empty_selector(provider: Any) -> object:
    topic, connection = provider.create_topic("t"), provider.connection_factory().create_connection()
    connection.client_id = "me"
    connection.start()
    session = connection.create_session()
    session.create_durable_subscriber(topic, "s").close()
    session.create_producer(topic).send(session.create_text_message("a"))
    return _texts(session.create_durable_subscriber(topic, "s", "", False))


def _founder_takes_all(provider: Any) -> object:
    topic, first, second = provider.create_topic("t"), _context(provider), _context(provider)
    founder = first.create_shared_consumer(topic, "s")
    other = second.create_shared_consumer(topic, "s")
    _send(second, topic, "a", "b")
    founder.close()
    return _texts(other)


def _refused_body_counted(provider: Any) -> object:
    queue, transacted = provider.create_queue("q"), _context(provider, _TRANSACTED)
    _send(_context(provider), queue, "a")
    former = transacted.create_consumer(queue)
    former.receive_no_wait()
    transacted.rollback()
    former.close()
    consumer = _context(provider).create_consumer(queue)
    with pytest.raises(MessageFormatRuntimeException):
        consumer.receive_body_no_wait(bytes)
    return consumer.receive_no_wait().get_int_property("JMSXDeliveryCount")


def _dups_ok_gives_up(provider: Any) -> object:
    queue, context, listener = provider.create_queue("q"), _context(provider, _DUPS), _Failing(2)
    context.create_consumer(queue).message_listener = listener
    _send(_context(provider), queue, "a")
    provider.clock.event().wait(1000)
    return listener.got


def _closed_selection_consumed(provider: Any) -> object:
    queue, context = provider.create_queue("q"), _context(provider, _TRANSACTED)
    _send(_context(provider), queue, "a", n=1)
    consumer = context.create_consumer(queue, "n = 1")
    consumer.receive_no_wait()
    consumer.close()
    context.rollback()
    return _texts(_context(provider).create_consumer(queue))


_VISIBLE: dict[Witness, object] = {
    _reply_gone_in_repeat: (True, True), _correlation_latin: "é€", _negative_short_widened: (Short(-3), Short(3)),
    _own_user_no_identifier: ("me", "me"), _arrived_while_stopped: ["a", "b"], _sibling_respects_stop: ["a"],
    _identifier_kept_by_durable: "me", _close_while_stopped: ["a"], _delayed_escapes_rollback: None,
    _closed_publisher_forgotten: ["a", "b"], _commit_by_producer: ["a", "b", "c"],
    _backlog_second_first: ["a", "b", "c"], _acknowledge_open_only: [],
    _recover_one_per_group: (["a", "b"], ["a", "b"]), _rolled_back_to_another: True,
    _close_after_acknowledge: ["b"], _zero_life_async: 0, _priority_sticks: (7, 4),
    _properties_once_for_maps: ["x", "x"], _old_reply_wins: (True, True), _delay_counted_twice: "a",
    _mode_of_the_last: True, _async_last_in_commit: ["a", "b"], _nobody_no_completion: ["done"],
    _sibling_close_hurries: ["done"], _subscriber_empty_selector: ["a"], _founder_takes_all: ["a", "b"],
    _refused_body_counted: 2, _dups_ok_gives_up: ["a", "a", "a"], _closed_selection_consumed: ["a"],
}  # fmt: skip
"""What each witness sees on the sound provider; a fault is called as its witness, after the round."""


@pytest.mark.parametrize("witness", _VISIBLE, ids=lambda witness: witness.__name__.strip("_"))
def test_visible(witness: Witness, tmp_path: Path) -> None:
    """The fault changes what the witness sees."""
    name = "fourteen-b-" + witness.__name__.strip("_").replace("_", "-")
    assert_visible(name, witness, _VISIBLE[witness], tmp_path)
