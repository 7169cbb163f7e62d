"""7.5 Message properties of a JMSProducer: how they are read, how names are enumerated, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import carried
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.numbers import ACCEPTED_TEXTS, TRUTHS, UNTRUTHS
from tck.suite.support.values.properties import TYPES, comparable, objects, own_names, set_all
from tck.suite.support.values.property_conversions import cells, marked, unmarked
from tck.suite.support.values.seen import tried

UNFIT: tuple[object, ...] = (api.Char("c"), b"bytes", b"", bytearray(b"1"), [], ["text"], {}, {"a": 1})
"""Values whose class is none of a property's."""
NOTHING: Any = None


def _producer(link: Link) -> Any:
    return link.sender.producer


def _filled(link: Link, method: str) -> Mapping[str, object]:
    """Set every value of every type on the producer by one of its two methods; return the objects to be read, by name."""
    producer = _producer(link)
    setter = getattr(producer, method)
    return set_all(producer, lambda one, name, value: setter(name, one.boxed(value)))


def _change(names: object, method: str, *arguments: object) -> Callable[[], object]:
    """Return a call that changes a set; a set without such a method refuses it."""

    def refuse(*_: object) -> None:
        raise api.UnsupportedOperationException(f"the set has no method {method}")

    return partial(getattr(names, method, refuse), *arguments)


def _forwarded(link: Link, message: api.Message) -> Callable[[], object]:
    return partial(_producer(link).send, link.destination, message)


@asserts("7.5-8", "10.3-36")
def test_no_unmarked_cell_can_be_read(case: Case) -> None:
    """Reading a producer's property as a type that it cannot be converted to raises MessageFormatRuntimeException."""
    link = case.link()
    wanted = dict.fromkeys(unmarked(), "raises MessageFormatRuntimeException")
    for method in ("set_property", "set_object_property"):
        names = _filled(link, method)
        for when in ("before a send", "after a send"):
            expect.equal(f"unmarked cells, by {method}, {when}", cells(_producer(link), wanted), wanted)
            expect.equal(
                f"the number of properties, by {method}", len(_producer(link).get_property_names()), len(names)
            )
            link.carry(link.text("x"))
        _producer(link).clear_properties()


@asserts("7.5-8", variant="marked")
def test_every_marked_cell_can_be_read(case: Case) -> None:
    """Reading a producer's property as a type that it can be converted to gives the same value."""
    link = case.link()
    for method in ("set_property", "set_object_property"):
        _filled(link, method)
        for when in ("before a send", "after a send"):
            expect.equal(f"marked cells, by {method}, {when}", cells(_producer(link), marked()), marked())
            link.carry(link.text("x"))
        _producer(link).clear_properties()


@asserts("7.5-8", variant="texts")
def test_texts_are_read_as_numbers_and_booleans(case: Case) -> None:
    """A String property of a producer is read as a number or a boolean as that of a message is."""
    producer = _producer(case.link())
    wanted: dict[str, object] = {
        f"{text!r} as {kind}": TYPES[kind].boxed(value) for kind, text, value in ACCEPTED_TEXTS
    }
    wanted |= {f"{text!r} as boolean": text in TRUTHS for text in (*TRUTHS, *UNTRUTHS)}
    seen: dict[str, object] = {}
    pairs = [(kind, text) for kind, text, _ in ACCEPTED_TEXTS]
    for kind, text in (*pairs, *(("boolean", text) for text in (*TRUTHS, *UNTRUTHS))):
        producer.set_property("text", text)
        seen[f"{text!r} as {kind}"] = tried(partial(TYPES[kind].get, producer, "text"))
    expect.equal("texts as numbers and booleans", seen, wanted)


@asserts("7.5-9")
def test_properties_are_read_as_objects(case: Case) -> None:
    """A property of each type is read as an object of its own class; one that is not set, or no longer, is null."""
    link = case.link()
    producer = _producer(link)
    unset = [partial(producer.get_object_property, "unset"), partial(producer.get_string_property, "unset")]
    for method in ("set_property", "set_object_property"):
        wanted = _filled(link, method)
        expect.equal(f"properties as objects, by {method}", objects(producer, wanted), wanted)
        expect.equal("a property that is not set", [tried(call) for call in unset], [None, None])
        carried(link, link.text("x"))
        expect.equal("properties as objects after a send", objects(producer, wanted), wanted)
        producer.clear_properties()
        expect.equal("properties after clearProperties", objects(producer, wanted), dict.fromkeys(wanted))
    producer.set_property("unset", "set")
    producer.clear_properties()
    producer.set_property("other", api.Int(1))
    expect.equal("a property that was set before", [tried(call) for call in unset], [None, None])


@asserts("7.5-9", variant="message")
def test_properties_of_messages_are_not_read_from_the_producer(case: Case) -> None:
    """A property that a message has, sent by the producer, is null when it is read from the producer."""
    link = case.link()
    producer = _producer(link)
    producer.set_property("own", "producer's")
    message = link.text("x")
    message.set_string_property("other", "message's")
    carried(link, message)
    seen = [producer.get_string_property("own"), *(producer.get_object_property(name) for name in ("own", "other"))]
    expect.equal("properties of the producer", seen, ["producer's", "producer's", None])
    expect.equal("the other one as a text", tried(partial(producer.get_string_property, "other")), None)


@asserts("7.5-11")
def test_the_set_of_names_follows_the_producer(case: Case) -> None:
    """The set from getPropertyNames, got once, has at each time the names of the properties that the producer has then."""
    link = case.link()
    producer = _producer(link)
    empty = producer.get_property_names()
    producer.set_property("first", "x")
    names = producer.get_property_names()
    expect.equal("the names with one property", [sorted(empty), sorted(names)], [["first"]] * 2)
    producer.set_property("second", api.Int(1))
    producer.set_object_property("third", True)
    expect.equal("the names with three", [sorted(empty), sorted(names)], [["first", "second", "third"]] * 2)
    expect.equal("their number, and whether the second is there", [len(names), "second" in names], [3, True])
    carried(link, link.text("x"))
    producer.set_property("first", api.Int(2))
    expect.equal("the names after a send and a change of type", sorted(names), ["first", "second", "third"])
    producer.clear_properties()
    expect.equal("the names after clearProperties", [sorted(empty), sorted(names), len(names)], [[], [], 0])
    producer.set_property("fourth", "x")
    expect.equal("the names afterwards", [sorted(empty), sorted(names)], [["fourth"]] * 2)


@asserts("7.5-12")
def test_the_set_of_names_cannot_be_modified(case: Case) -> None:
    """add, remove, clear and the removal by an iterator raise UnsupportedOperationException, and change nothing."""
    link = case.link()
    producer = _producer(link)
    producer.set_property("shade", "blue")
    producer.set_property("depth", api.Int(1))
    names = producer.get_property_names()
    expect.equal("getPropertyNames", sorted(names), ["depth", "shade"])
    for method, *arguments in (("add", "new"), ("remove", "shade"), ("pop",), ("clear",)):
        call = _change(names, method, *arguments)
        expect.raises(api.UnsupportedOperationException, call, what=f"{method} of the names")
    with expect.all_of():
        expect.equal("getPropertyNames afterwards", sorted(producer.get_property_names()), ["depth", "shade"])
        message = carried(link, link.text("x"))
        expect.equal("the property received", message.get_string_property("shade"), "blue")
        expect.equal("the names received", own_names(message), ["depth", "shade"])


@asserts("7.5-13")
def test_null_and_empty_names_are_refused(case: Case) -> None:
    """Each setProperty refuses a null name and an empty one with IllegalArgumentException, and makes no property."""
    link = case.link()
    producer = _producer(link)
    values = {one.name: one.boxed(one.values[0]) for one in TYPES.values()}
    setters = {
        f"setProperty of a {name}": partial(producer.set_property, value=value) for name, value in values.items()
    }
    setters |= {
        f"setProperty(String, Object) of a {name}": partial(producer.set_object_property, value=value)
        for name, value in values.items()
    }
    named = {what: partial(setter, "named") for what, setter in setters.items()}
    for word, name in (("null", NOTHING), ("empty", "")):
        calls = {f"{what}, with a name that is {word}": partial(setter, name) for what, setter in setters.items()}
        works = dict(zip(calls, named.values(), strict=True))
        expect.all_raise(api.IllegalArgumentException, calls, though_work=works)
    expect.equal("getPropertyNames", sorted(producer.get_property_names()), ["named"])


@asserts("7.5-14", "10.3-35")
def test_objects_of_other_classes_are_refused(case: Case) -> None:
    """An object that is no property value is refused with MessageFormatRuntimeException, makes no property, and changes none."""
    link = case.link()
    producer = _producer(link)
    producer.set_property("fit", "text")
    expect.equal("the property that fits", producer.get_string_property("fit"), "text")
    for value in (*UNFIT, case.provider.unsupported_value()):
        for setter in (producer.set_property, producer.set_object_property):
            for name in ("unfit", "fit"):
                what = f"{setter.__name__} of {name} with a {type(value).__name__}"
                expect.raises(api.MessageFormatRuntimeException, partial(setter, name, value), what=what)
    expect.equal("the property that was there", comparable(producer.get_object_property("fit")), "text")
    expect.equal("getPropertyNames", sorted(producer.get_property_names()), ["fit"])
    expect.equal("the names received", own_names(carried(link, link.text("x"))), ["fit"])


@asserts("7.5-15", "10.3-43", ack=("auto", "transacted"))
def test_read_only_properties_are_not_overridden(case: Case) -> None:
    """A received message is not sent by a producer that has properties: MessageNotWriteableRuntimeException, until it is writable."""
    link = case.link()
    producer = _producer(link)
    for kind in KINDS:
        message = link.message(kind)
        message.set_string_property("colour", "red")
        received = carried(link, message)
        for name in ("colour", "shade"):
            producer.set_property(name, "blue")
            call = _forwarded(link, received)
            expect.raises(
                api.MessageNotWriteableRuntimeException, call, what=f"sending a {kind} message that has colour"
            )
            producer.clear_properties()
        producer.set_property("shade", "blue")
        received.clear_properties()
        expect.equal("the property once it is writable", carried(link, received).get_string_property("shade"), "blue")
        producer.clear_properties()
    expect.only(link, [])


@asserts("7.5-15", variant="no-properties")
def test_a_received_message_is_sent_without_properties_of_the_producer(case: Case) -> None:
    """It is the producer's properties that are refused: without them the same message can be sent, and with them not."""
    link = case.link()
    received = carried(link, link.text("forwarded"))
    forward = _forwarded(link, received)
    forward()
    link.receive()
    _producer(link).set_property("shade", "blue")
    expect.raises(api.MessageNotWriteableRuntimeException, forward, what="sending it with a property of the producer")
    _producer(link).clear_properties()
    expect.only(link, [])
