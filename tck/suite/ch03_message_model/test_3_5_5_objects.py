"""3.5.5 Property values as objects."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.object_types import Parcel
from tck.suite.support.values.properties import TYPES, arrived, comparable, names_of, objects, set_all
from tck.suite.support.values.property_conversions import cells, marked, unmarked

CLASSES = (bool, str, api.Byte, api.Short, api.Int, api.Long, api.Float, api.Double)
"""The eight classes, as `comparable` gives them."""


@asserts("3.5.5-1")
def test_each_of_the_eight_classes_can_be_set(case: Case) -> None:
    """A value of each of the eight classes can be set as an object, and is read as an equal one of its class."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        wanted = {
            f"{name}_{at}": one.boxed(value)
            for name, one in TYPES.items()
            for at, value in enumerate(one.values if kind == "text" else one.values[:2])
        }
        for name, value in wanted.items():
            expect.works(f"set_object_property({name}, {value!r})", partial(message.set_object_property, name, value))
        for end, seen in link.both_ends(message):
            expect.equal(f"properties of a {kind} message set as objects {end}", objects(seen, wanted), wanted)


@asserts("3.5.5-2", "10.3-32")
def test_no_other_class_can_be_set(case: Case) -> None:
    """A value of any other class is refused with MessageFormatException, makes no property, and changes none."""
    link = case.link()
    case.provider.register_types(Parcel)
    unfit: tuple[object, ...] = (
        api.Char("c"),
        api.Char("1"),
        b"bytes",
        b"",
        bytearray(b"1"),
        [],
        ["text"],
        {},
        {"a": 1},
        Parcel("x", 1),
    )
    for kind in KINDS:
        message = link.message(kind)
        message.set_object_property("fit", "text")
        expect.equal("a property set as an object", message.get_object_property("fit"), "text")
        for value in (*unfit, case.provider.unsupported_value()):
            for name in ("unfit", "fit"):
                what = f"set_object_property of {name} with a value of type {type(value).__name__}, on a {kind} message"
                expect.raises(api.MessageFormatException, partial(message.set_object_property, name, value), what=what)
        expect.equal("whether a property was made", message.property_exists("unfit"), False)
        expect.equal("the property that was there", message.get_object_property("fit"), "text")


@asserts("3.5.5-3")
def test_typed_values_are_read_as_objects(case: Case) -> None:
    """What was set with a typed setter is read as an object of the type's own class, before the send and after it."""
    link = case.link()
    message = link.text("x")
    wanted = set_all(message)
    expect.equal("properties before the send", objects(message, wanted), wanted)
    for end, seen in link.both_ends(message):
        present = arrived(seen, wanted)
        expect.equal(f"properties {end}", objects(seen, present), present)


@asserts("3.5.5-4")
def test_no_other_class_is_read(case: Case) -> None:
    """Whatever properties a received message has, the provider's own too: each is null or of one of the eight classes."""
    link = case.link()
    message = link.text("x")
    set_all(message)
    received = link.carry(message)
    classes = {name: type(comparable(received.get_object_property(name))) for name in names_of(received)}
    others = {name: kind.__name__ for name, kind in classes.items() if kind not in (*CLASSES, type(None))}
    expect.true("each property is of one of the eight classes", classes and not others, f"{others} were not")


@asserts("3.5.5-5")
def test_an_unused_name_reads_as_null(case: Case) -> None:
    """An unused name reads as null on a fresh, a sent, a received and a cleared message."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("used", "text")
    expect.equal("a used name", message.get_object_property("used"), "text")
    read = partial(message.get_object_property, "unused")
    expect.equal("an unused name on a fresh message", expect.works("reading an unused name", read), None)
    for end, seen in link.both_ends(message):
        read = partial(seen.get_object_property, "unused")
        expect.equal(f"an unused name {end}", expect.works("reading an unused name", read), None)
        seen.clear_properties()
        expect.equal(f"an unused name {end}, cleared", expect.works("reading an unused name", read), None)


@asserts("3.5.5-6")
def test_values_set_as_objects_convert_alike(case: Case) -> None:
    """What was set as an object can be read as what its row of the table marks, and as nothing else."""
    link = case.link()
    message = link.text("x")
    set_all(message, lambda one, name, value: message.set_object_property(name, one.boxed(value)))
    for end, seen in link.both_ends(message):
        wanted = arrived(seen, marked())
        expect.equal(f"marked cells {end}", cells(seen, wanted), wanted)
        expect.equal(f"unmarked cells {end}", cells(seen, unmarked()), unmarked())
