"""3.5.2 Property values: the eight types."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.properties import TYPES, comparable, objects
from tck.suite.support.values.seen import tried


def _carries(case: Case, type_name: str) -> None:
    """Set the distinctive values of a type, send, and read them with the type's getter and as objects."""
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
