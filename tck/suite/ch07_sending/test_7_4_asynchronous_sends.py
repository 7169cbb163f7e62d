"""7.4 Message delivery options of asynchronous sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.timed_send import Sending
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import headers

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
HOUR = 3_600_000
ARGUMENTS = ("delivery_mode", "priority", "time_to_live")
SENDS: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...] = (
    ((PERSISTENT, 4, 0), (NON_PERSISTENT, 4, 0)),
    ((NON_PERSISTENT, 4, 0), (PERSISTENT, 4, 0)),
    ((PERSISTENT, 8, 0), (PERSISTENT, 4, 0)),
    ((PERSISTENT, 4, 0), (PERSISTENT, 0, 0)),
    ((PERSISTENT, 4, HOUR), (PERSISTENT, 4, 0)),
    ((PERSISTENT, 4, 0), (PERSISTENT, 4, HOUR)),
    ((NON_PERSISTENT, 2, HOUR), (PERSISTENT, 7, 3 * HOUR)),
)
"""Mode, priority and time to live (ms) of the producer, and those of one of its sends."""


def _later(link: Link, given: Mapping[str, int], **addressed: Any) -> tuple[api.Message, Sending]:
    """Send asynchronously, with arguments where the interface has them; return the message after the completion."""
    case = link.case
    completion = Completion(case.provider.clock.event(), headers)
    message = link.text("x")
    producer = addressed.pop("producer", link.sender.producer)
    called = case.now()
    if case.api == "simplified":
        producer.set_async(completion).send(link.destination, message)
        producer.set_async(None)
    else:
        producer.send(message, completion_listener=completion, **given, **addressed)
    sending = Sending(called, case.now())
    if not completion.done.wait(case.timing.deadline) or completion.error is not None:
        raise Undecided(f"the asynchronous send did not complete: {completion.error or 'no callback'}")
    link.client.settle()
    return message, Sending(sending.called, case.now())


def _optional(link: Link, options: tuple[int, int, int] | None) -> Mapping[str, int]:
    """Return the arguments of a send with these options; in the simplified interface set them on the producer instead."""
    if options is None:
        return {}
    if link.case.api == "simplified":
        link.sender.set(mode=options[0], priority=options[1], ttl=options[2])
        return {}
    return dict(zip(ARGUMENTS, options, strict=True))


def _judge(what: str, link: Link, sent: tuple[api.Message, Sending], options: tuple[int, int, int]) -> None:
    """Demand these options on the sent message and on the received one."""
    mode, priority, ttl = options
    message, sending = sent
    low, high = (sending.called + ttl, sending.returned + ttl) if ttl else (0, 0)
    for end, seen in (("after the send", message), ("at the receiver", link.receive())):
        shown = [seen.jms_delivery_mode, seen.jms_priority]
        expect.equal(f"mode and priority of {what} {end}", shown, [mode, priority])
        expect.between(f"JMSExpiration of {what} {end}", seen.jms_expiration, low, high)


@asserts("7.4-9", ack=("auto", "transacted"))
def test_options_of_asynchronous_sends(case: Case) -> None:
    """The options of a producer, and those of one send, count for asynchronous sends; those of one send end with it."""
    link = case.link()
    for own, given in SENDS:
        link.sender.set(mode=own[0], priority=own[1], ttl=own[2])
        _judge(f"a send of a producer with {own}", link, _later(link, {}), own)
        _judge(f"a send with {given} of a producer with {own}", link, _later(link, _optional(link, given)), given)
        link.sender.set(mode=own[0], priority=own[1], ttl=own[2])
        _judge(f"the send after one with {given}", link, _later(link, {}), own)
    link.sender.set(ttl=0)
    seen = link.carry(link.text("plain"))
    expect.equal("mode and priority of a later plain send", [seen.jms_delivery_mode, seen.jms_priority], [1, 2])
    expect.equal("JMSExpiration of a later plain send", seen.jms_expiration, 0)


@asserts("7.4-9", variant="no-destination", api=("classic",))
def test_options_of_asynchronous_sends_with_a_destination(case: Case) -> None:
    """The options count for asynchronous sends that name their destination too."""
    link = case.link()
    producer = link.client.session.create_producer(None)
    for own, given in SENDS:
        producer.delivery_mode, producer.priority, producer.time_to_live = own
        to = {"destination": link.destination, "producer": producer}
        options = _optional(link, given)
        _judge(f"a send with {given}", link, _later(link, options, **to), given)
        _judge(f"the send after one with {given}", link, _later(link, {}, **to), own)


@asserts("7.4-9", variant="delay", ack=("auto", "transacted"))
def test_the_delay_of_asynchronous_sends(case: Case) -> None:
    """The delivery delay of a producer counts for asynchronous sends, with options and without."""
    link = case.link()
    link.sender.set(delay=HOUR)
    for given in (None, (NON_PERSISTENT, 3, 2 * HOUR), None):
        message, sending = _later(link, _optional(link, given))
        low, high = sending.called + HOUR, sending.returned + HOUR
        expect.between(f"JMSDeliveryTime of a send with {given or 'no options'}", message.jms_delivery_time, low, high)
    link.sender.set(delay=0, mode=PERSISTENT, priority=4, ttl=0)
    expect.only(link, [])
