"""3.5.2 and 3.5.3 Property values: the eight types, and what travels."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.client import KINDS
from tck.suite.support.deliveries import WAYS
from tck.suite.support.properties import TYPES, comparable, objects, own_names, set_all, setters
from tck.suite.support.seen import tried


def _carries(case: Case, type_name: str) -> None:
    """Set telling values of a type, send, and read them with the type's getter and as objects."""
    one = TYPES[type_name]
    link = case.link()
    message = link.text("x")
    names = {f"p{number}": value for number, value in enumerate(one.values)}
    for name, value in names.items():
        one.set(message, name, value)
    received = link.carry(message)
    wanted = {name: comparable(one.boxed(value)) for name, value in names.items()}
    seen = {name: tried(partial(one.get, received, name)) for name in names}
    expect.equal(f"{type_name} properties at the receiver", seen, wanted)
    expect.equal(f"{type_name} properties at the receiver, as objects", objects(received, names), wanted)


@asserts("3.5.2-1")
def test_boolean(case: Case) -> None:
    """True and false travel as properties."""
    _carries(case, "boolean")


@asserts("3.5.2-2")
def test_byte(case: Case) -> None:
    """The least, the greatest and zero travel as byte properties."""
    _carries(case, "byte")


@asserts("3.5.2-3")
def test_short(case: Case) -> None:
    """The least, the greatest and zero travel as short properties."""
    _carries(case, "short")


@asserts("3.5.2-4")
def test_int(case: Case) -> None:
    """The least, the greatest, zero and a number beyond a float's precision travel as int properties."""
    _carries(case, "int")


@asserts("3.5.2-5")
def test_long(case: Case) -> None:
    """The least, the greatest, zero and a number beyond a double's precision travel as long properties."""
    _carries(case, "long")


@asserts("3.5.2-6")
def test_float(case: Case) -> None:
    """The extremes, negative zero, a fraction, NaN and the infinities travel as float properties."""
    _carries(case, "float")


@asserts("3.5.2-7")
def test_double(case: Case) -> None:
    """The extremes, negative zero, a fraction, NaN and the infinities travel as double properties."""
    _carries(case, "double")


@asserts("3.5.2-8")
def test_string(case: Case) -> None:
    """Empty, long and supplementary text travels as String properties."""
    _carries(case, "string")


@asserts("3.3-2")
def test_every_kind_of_message_has_properties(case: Case) -> None:
    """A property of each of the eight types travels with each of the six kinds of message."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        wanted = set_all(message)
        received = expect.delivers(link, message, f"a {kind} message with properties of all types")
        expect.equal(f"properties of a {kind} message at the receiver", objects(received, wanted), wanted)


@asserts("3.5.3-1", "7.5-1")
def test_properties_travel_and_none_is_added(case: Case) -> None:
    """All properties set before the send are there at the receiver, and no others but those reserved by name."""
    link = case.link()
    message = link.text("x")
    wanted = set_all(message)
    received = link.carry(message)
    expect.equal("properties at the receiver", objects(received, wanted), wanted)
    expect.equal("names at the receiver", own_names(received), sorted(wanted))


@asserts("3.5.3-2", "10.3-42")
def test_properties_of_a_received_message_are_read_only(case: Case) -> None:
    """Each setter refuses on a received message, for a new name and for one that is there; nothing changes."""
    link = case.link()
    message = link.text("x")
    names = set_all(message)
    received = link.carry(message)
    before = objects(received, names)
    for what, setter in setters(received).items():
        for name in ("new", "string_0"):
            refused = f"{what}({name!r}) on a received message"
            expect.raises(api.MessageNotWriteableException, partial(setter, name), what=refused)
    expect.equal("properties afterwards", objects(received, names), before)
    expect.equal("a new property afterwards", received.property_exists("new"), False)


@asserts("3.5.3-2", "10.3-42", variant="ways")
def test_properties_are_read_only_whichever_way_they_came(case: Case) -> None:
    """A setter refuses on a message got by a receive, without waiting, or by a listener."""
    link = case.link()
    for way, get in WAYS.items():
        message = link.text("x")
        message.set_int_property("there", 1)
        link.send(message)
        received = get(case, link)
        for name in ("there", "new"):
            what = f"set_int_property({name!r}) on a message got by {way}"
            expect.raises(api.MessageNotWriteableException, partial(received.set_int_property, name, 2), what=what)
        expect.equal(f"the property of a message got by {way}, afterwards", received.get_int_property("there"), 1)
