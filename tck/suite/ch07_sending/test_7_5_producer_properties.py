"""7.5 Message properties set on a JMSProducer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import carried
from tck.suite.support.values.properties import TYPES, comparable, objects, own_names
from tck.suite.support.values.seen import tried

BODIES = ("text", {"entry": 1}, b"bytes", ["object"])
"""A body of each kind that a JMSProducer sends directly."""


def _producer(link: Link) -> Any:
    return link.sender.producer


def _coloured(link: Link) -> api.TextMessage:
    """Create a text message with two properties."""
    message = link.text("x")
    message.set_string_property("colour", "red")
    message.set_int_property("size", 7)
    return message


@asserts("7.5-2")
def test_properties_of_each_type(case: Case) -> None:
    """A property of each type that is set on a JMSProducer is on the message, with its type and value."""
    link = case.link()
    producer = _producer(link)
    wanted: dict[str, object] = {}
    for one in TYPES.values():
        value = one.boxed(one.values[0])
        producer.set_property(f"set_{one.name}", value)
        producer.set_object_property(f"object_{one.name}", value)
        wanted |= {f"set_{one.name}": comparable(value), f"object_{one.name}": comparable(value)}
    expect.equal("the properties received", objects(carried(link, link.text("x")), wanted), wanted)


@asserts("7.5-3")
def test_properties_on_messages_made_of_a_body(case: Case) -> None:
    """The properties of a JMSProducer are on messages whose body was given directly."""
    link = case.link()
    producer = _producer(link)
    producer.set_property("colour", "blue")
    producer.set_property("size", api.Int(9))
    with expect.all_of():
        for body in BODIES:
            producer.send(link.destination, body)
            message = link.receive()
            seen = [
                tried(partial(message.get_string_property, "colour")),
                tried(partial(message.get_int_property, "size")),
            ]
            expect.equal(f"the properties with the body {body!r}", seen, ["blue", 9])


@asserts("7.5-4")
def test_properties_of_the_producer_override(case: Case) -> None:
    """A property of a JMSProducer replaces the message's of the same name, also one of another type."""
    link = case.link()
    producer = _producer(link)
    for value in ("blue", api.Int(5), True):
        producer.set_property("colour", value)
        seen = carried(link, _coloured(link)).get_object_property("colour")
        expect.equal("the property received", comparable(seen), comparable(value))


@asserts("7.5-5")
def test_other_properties_of_the_message_stay(case: Case) -> None:
    """A property of the message that the JMSProducer does not name stays."""
    link = case.link()
    _producer(link).set_property("colour", "blue")
    message = carried(link, _coloured(link))
    expect.equal("the properties received", own_names(message), ["colour", "size"])
    expect.equal("the property that the producer does not name", message.get_int_property("size"), 7)


@asserts("7.5-6")
def test_properties_stay_on_the_producer(case: Case) -> None:
    """A property of a JMSProducer is on each later message, until it changes."""
    link = case.link()
    for value in ("blue", "green"):
        _producer(link).set_property("colour", value)
        seen = [carried(link, link.text("x")).get_string_property("colour") for _ in range(3)]
        expect.equal("the property on three messages", seen, [value] * 3)


@asserts("7.5-7")
def test_properties_are_cleared(case: Case) -> None:
    """After clearProperties a JMSProducer has no property, and a message sent has its own ones only."""
    link = case.link()
    producer = _producer(link)
    producer.set_property("shade", "blue")
    producer.set_property("depth", api.Int(1))
    expect.equal("propertyExists", [producer.property_exists(name) for name in ("shade", "depth")], [True, True])
    expect.equal("the property received", carried(link, link.text("x")).get_string_property("shade"), "blue")
    producer.clear_properties()
    with expect.all_of():
        gone = [producer.property_exists(name) for name in ("shade", "depth")]
        expect.equal("propertyExists after clearProperties", gone, [False, False])
        expect.equal("getPropertyNames after clearProperties", sorted(producer.get_property_names()), [])
        expect.equal("the properties received", own_names(carried(link, _coloured(link))), ["colour", "size"])


@asserts("7.5-10")
def test_the_names_are_those_of_the_properties(case: Case) -> None:
    """The set from getPropertyNames has the names of the properties set, without headers and without the properties of messages."""
    link = case.link()
    producer = _producer(link)
    producer.set_property("shade", "blue")
    producer.set_property("depth", api.Int(1))
    producer.set_jms_type("t")
    producer.set_jms_correlation_id("c")
    producer.set_priority(7)
    for _ in range(2):
        expect.equal("getPropertyNames", sorted(producer.get_property_names()), ["depth", "shade"])
        carried(link, _coloured(link))


_OPTIONS: dict[str, object] = {
    "delivery_mode": api.DeliveryMode.NON_PERSISTENT,
    "priority": 7,
    "time_to_live": 3_600_000,
    "disable_message_id": True,
    "disable_message_timestamp": True,
    "jms_type": "of this one",
    "jms_correlation_id": "of this one",
}
"""The settings of a JMSProducer, but its properties, with the values that it gets."""


def _calls_on(other: Any, link: Link) -> dict[str, Callable[[], object]]:
    """Return calls on another JMSProducer, each of which changes, clears or uses its settings."""
    calls: dict[str, Callable[[], object]] = {
        "setProperty": partial(other.set_property, "shade", "of another"),
        "setProperty of another name": partial(other.set_property, "depth", api.Int(2)),
        "send": partial(other.send, link.destination, "of another"),
        "send to no destination": partial(other.send, None, "of another"),
        "setProperty of no name": partial(other.set_property, "", "x"),
        "clearProperties": other.clear_properties,
        "clearProperties again": other.clear_properties,
        "setAsync(null)": partial(other.set_async, None),
        "setJMSReplyTo": partial(other.set_jms_reply_to, link.destination),
    }
    defaults = (2, 4, 0, False, False, None, None)
    return calls | {
        f"set_{name}({value!r})": partial(getattr(other, f"set_{name}"), value)
        for name, value in zip(_OPTIONS, defaults, strict=True)
    }


@asserts("7.5-6", "7.1-16", variant="others")
def test_calls_on_others_leave_the_settings(case: Case) -> None:
    """Whatever is called on another JMSProducer, of the context or a sibling, older or newer, this one keeps its settings."""
    link = case.link()
    older, producer = link.client.session.create_producer(), _producer(link)
    for name, value in _OPTIONS.items():
        getattr(producer, f"set_{name}")(value)
    producer.set_property("shade", "of this one")
    newer, sibling = link.client.session.create_producer(), link.client.peer().session.create_producer()
    for words, other in (("an older", older), ("a newer", newer), ("a sibling's", sibling)):
        for what, call in _calls_on(other, link).items():
            tried(call)
            with expect.for_row("7.5-6"):
                seen = {name: producer.get_string_property(name) for name in sorted(producer.get_property_names())}
                expect.equal(f"the properties after {what} on {words}", seen, {"shade": "of this one"})
            with expect.for_row("7.1-16"):
                read = {name: getattr(producer, f"get_{name}")() for name in _OPTIONS}
                expect.equal(f"the settings after {what} on {words}", read, _OPTIONS)
                expect.equal(f"JMSReplyTo after {what} on {words}", producer.get_jms_reply_to(), None)
        with expect.for_row("7.5-6"):
            own = case.link(client=link.client, destination=case.destination())
            producer.send(own.destination, "x")
            shade = own.receive().get_string_property("shade")
            expect.equal(f"the property sent after the calls on {words}", shade, "of this one")
