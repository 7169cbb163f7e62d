"""3.5.1 Property names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.names import CASES, PROPERTY_NAMES
from tck.suite.support.values.properties import TYPES, comparable, objects, own_names, setters
from tck.suite.support.values.seen import tried

UNFIT = ("1a", "a-b", "a b", "a.b")
RESERVED = ("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS")
NOTHING: Any = None


def _set_and_read(message: api.Message, setter: Callable[[str], None]) -> object:
    setter("named")
    return message.get_object_property("named")


def _refused(message: api.Message, names: tuple[str, ...]) -> list[str]:
    """Set a property of each name; return the names that were refused by any exception."""
    return [name for name in names if str(tried(partial(message.set_int_property, name, 1))).startswith("raises ")]


@asserts("3.5.1-1")
def test_every_identifier_is_a_property_name(case: Case) -> None:
    """Letters, digits behind the first, _, $, letters of other scripts, and long names can be set, sent and read."""
    link = case.link()
    message = link.text("x")
    for number, name in enumerate(PROPERTY_NAMES):
        expect.works(f"setting property {name[:20]!r}", partial(message.set_int_property, name, number))
    link.send(message)
    received = expect.arrival(link)
    wanted: dict[str, object] = {name: number for number, name in enumerate(PROPERTY_NAMES)}
    for end, one in (("on the sender's message", message), ("at the receiver", received)):
        seen = {name: tried(partial(one.get_int_property, name)) for name in PROPERTY_NAMES}
        expect.equal(f"properties {end}", seen, wanted)
        expect.equal(f"names {end}", own_names(one), sorted(PROPERTY_NAMES))


@asserts("3.5.1-1", variant="types")
def test_every_identifier_names_a_property_of_any_type(case: Case) -> None:
    """Each name serves for properties of several types, and each type is set under several names."""
    link = case.link()
    for turn in (0, 3, 5):
        message = link.text("x")
        wanted: dict[str, object] = {}
        for name, one in zip(PROPERTY_NAMES, islice(cycle(TYPES.values()), turn, None), strict=False):
            expect.works(f"a {one.name} named {name[:20]!r}", partial(one.set, message, name, one.values[0]))
            wanted[name] = comparable(one.boxed(one.values[0]))
        for end, seen in link.both_ends(message):
            expect.equal(f"properties {end}", objects(seen, wanted), wanted)


@asserts("3.5.1-2")
def test_names_that_are_no_identifiers(case: Case) -> None:
    """Whether a name that is no identifier is refused is the provider's choice, and recorded."""
    link = case.link()
    message = link.text("x")
    message.set_int_property("a_b", 1)
    received = link.carry(message)
    expect.equal("a property named by an identifier", received.get_int_property("a_b"), 1)
    expect.record(f"refused as property names: {_refused(message, UNFIT)}, of {list(UNFIT)}")


@asserts("3.5.1-3")
def test_names_that_are_reserved_words(case: Case) -> None:
    """Whether a reserved word of selectors is refused as a name is the provider's choice, and recorded."""
    words = tuple(form for word in RESERVED for form in (word, word.lower()))
    link = case.link()
    message = link.text("x")
    message.set_int_property("nullable", 1)
    received = link.carry(message)
    expect.equal("a property named by an identifier", received.get_int_property("nullable"), 1)
    expect.record(f"{len(_refused(message, words))} of {len(words)} reserved words are refused as property names")


@asserts("3.5.1-4")
def test_null_and_empty_names_are_refused(case: Case) -> None:
    """Each setter refuses a name that is null or empty with IllegalArgumentException."""
    message = case.link().text("x")
    for what, setter in setters(message).items():
        for name in (NOTHING, ""):
            expect.raises(
                api.IllegalArgumentException,
                partial(setter, name),
                what=f"{what} with the name {name!r}",
                though_works=partial(_set_and_read, message, setter),
            )


@asserts("3.5.1-4", api=("simplified",), variant="producer")
def test_a_producer_refuses_null_and_empty_names(case: Case) -> None:
    """JMSProducer.setProperty refuses a name that is null or empty with IllegalArgumentException."""
    producer: api.JMSProducer = case.link().sender.producer
    for value in (True, api.Byte(1), api.Short(1), api.Int(1), 1, api.Float(1.0), 1.0, "x"):
        for name in (NOTHING, ""):
            expect.raises(
                api.IllegalArgumentException,
                partial(producer.set_property, name, value),
                what=f"JMSProducer.setProperty with the name {name!r} and {value!r}",
                though_works=partial(_set_on_producer, producer, value),
            )


def _set_on_producer(producer: api.JMSProducer, value: object) -> object:
    producer.set_property("named", value)
    return producer.get_object_property("named")


@asserts("3.5.1-5")
def test_names_differ_by_case(case: Case) -> None:
    """Names that differ in case alone are two properties, at the receiver too."""
    link = case.link()
    for one in TYPES.values():
        message = link.text("x")
        wanted = {f"{name}{one.name}": one.boxed(value) for name, value in zip(CASES, one.values * 2, strict=False)}
        for name, value in zip(wanted, one.values * 2, strict=False):
            one.set(message, name, value)
        for end, seen in link.both_ends(message):
            read = {name: tried(partial(one.get, seen, name)) for name in wanted}
            expect.equal(f"properties named by {CASES} {end}", read, wanted)
            expect.equal(f"their names {end}", own_names(seen), sorted(wanted))
            expect.equal(f"a name in yet another case {end}", seen.property_exists(f"coLOR{one.name}"), False)
