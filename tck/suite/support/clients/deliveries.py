"""Ways to get a message: from a consumer or a listener, with or without reading the body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck import api
from tck.suite.support.clients.client import Consumer
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import tried


def from_consumer(case: RunningCase, consumer: Consumer) -> api.Message:
    """Receive one message from a consumer without settling it and without reading its body.

    Raises:
        Undecided: none came within the profile's deadline.
    """
    message = consumer.receive(case.timing.deadline)
    if message is None:
        raise Undecided(f"no message came within {case.timing.deadline} ms")
    case.witness("a message came")
    return message


def unread(link: Link) -> api.Message:
    """Receive one message and settle it without reading its body.

    Raises:
        Undecided: none came within the profile's deadline.
    """
    message = from_consumer(link.case, link.consumer)
    link.client.settle(message)
    return message


def _by_receive(case: RunningCase, link: Link) -> api.Message:
    """Receive one message with a blocking receive."""
    return from_consumer(case, link.consumer)


def _by_polling(case: RunningCase, link: Link) -> api.Message:
    """Receive one message with receive_no_wait, called again for a bounded time.

    Raises:
        Undecided: none came within the profile's deadline.
    """
    for _ in range(200):
        message = link.consumer.receive_no_wait()
        if message is not None:
            case.witness("a message came without waiting")
            return message
        case.provider.clock.event().wait(max(case.timing.deadline / 200, 1))
    raise Undecided(f"receive_no_wait() gave null for {case.timing.deadline} ms")


def _by_listener(case: RunningCase, link: Link) -> api.Message:
    """Get one message through a listener.

    Raises:
        Undecided: none came within the profile's deadline.
    """
    done = case.provider.clock.event()
    seen: list[api.Message] = []

    def keep(message: api.Message, _ordinal: int) -> None:
        seen.append(message)
        done.set()

    link.consumer.message_listener = Listener(keep)
    if not done.wait(case.timing.deadline):
        raise Undecided(f"no message came to a listener within {case.timing.deadline} ms")
    case.witness("a message came to a listener")
    return seen[0]


WAYS: dict[str, Callable[[RunningCase, Link], api.Message]] = {
    "receive": _by_receive,
    "receive_no_wait": _by_polling,
    "a listener": _by_listener,
}
"""Each way to get one message, by name; the listener is last because it stays."""


def delivery_count(message: api.Message) -> int:
    """Read JMSXDeliveryCount; 0, which no delivery has, where it is not set."""
    return message.get_int_property("JMSXDeliveryCount") if message.property_exists("JMSXDeliveryCount") else 0


def counted(message: api.Message) -> tuple[bool, int]:
    """Read JMSRedelivered and JMSXDeliveryCount."""
    return message.jms_redelivered, delivery_count(message)


def receive_body(link: Link, body_type: api.BodyType) -> object:
    """Call receiveBody(type, timeout) with the profile's deadline; show the body, or `raises TYPE`."""
    consumer: Any = link.consumer
    return tried(lambda: consumer.receive_body(body_type, int(link.case.timing.deadline)))
