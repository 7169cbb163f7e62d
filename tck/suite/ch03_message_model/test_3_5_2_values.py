"""3.5.2 Property values: the eight types."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.properties import TYPES, comparable, objects
from tck.suite.support.values.seen import tried
from tck.suite.support.values.texts import LONG


def _carries(case: Case, type_name: str) -> None:
    """Set the values of a type on each kind of message, each over another one, send, and read them in each way, twice."""
    one = TYPES[type_name]
    link = case.link()
    for turn, kind in enumerate(KINDS):
        values = one.values if kind == "text" or len(one.values) < 15 else one.values[turn::3]
        names = {f"p{number}": value for number, value in enumerate(values)}
        wanted = {name: comparable(one.boxed(value)) for name, value in names.items()}
        message = link.message(kind)
        for (name, value), other in zip(names.items(), reversed(values), strict=True):
            one.set(message, name, other)
            one.set(message, name, value)
        for end, received in link.both_ends(message):
            what = f"{type_name} properties of a {kind} message {end}"
            for again in ("", ", read again")[: 2 if kind == "text" else 1]:
                seen = {name: tried(partial(one.get, received, name)) for name in names}
                expect.equal(f"{what}{again}", seen, wanted)
                expect.equal(f"{what}, as objects{again}", objects(received, names), wanted)


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
    """Texts of all sorts travel as String properties."""
    _carries(case, "string")


@asserts("3.5.2-8", variant="long")
def test_long_strings(case: Case) -> None:
    """Texts beyond the lengths that fit 15 and 16 bits travel as String properties."""
    link = case.link()
    for what, text in LONG.items():
        message = link.text("x")
        message.set_string_property("long", text)
        received = expect.delivers(link, message, f"a property {what}")
        seen = received.get_string_property("long") or ""
        expect.equal(
            f"length of a text {what}, and whether it is the same", [len(seen), seen == text], [len(text), True]
        )
