"""CORBA values as bytes: what is written can be read again, in both byte orders; known forms; bytes that are none."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.interworking import (
    ANY_SEQ,
    NULL,
    PROPERTY_SEQ,
    Any_,
    CdrError,
    Kind,
    TypeCode,
    array_of,
    decode,
    encode,
    enum_of,
    sequence_of,
    struct_of,
    union_of,
)
from tck.interworking.anys import RANGES

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
COLOUR = enum_of("Colour", "red", "green")
ALARM = struct_of("Alarm", name=TypeCode(Kind.STRING), severity=TypeCode(Kind.LONG))
EITHER = union_of(
    "Either", TypeCode(Kind.BOOLEAN), text=(True, TypeCode(Kind.STRING)), number=(None, TypeCode(Kind.DOUBLE))
)


def basic():
    yield from (
        st.integers(*limits).map(lambda each, kind=kind: Any_.of(kind, each)) for kind, limits in RANGES.items()
    )
    yield st.booleans().map(lambda each: Any_.of(Kind.BOOLEAN, each))
    yield st.floats(width=32, allow_nan=False).map(lambda each: Any_.of(Kind.FLOAT, each))
    yield st.floats(allow_nan=False).map(lambda each: Any_.of(Kind.DOUBLE, each))
    yield st.characters(max_codepoint=255).map(lambda each: Any_.of(Kind.CHAR, each))
    yield st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]).map(lambda each: Any_.of(Kind.WCHAR, each))
    yield TEXT.map(lambda each: Any_.of(Kind.STRING, each))
    yield TEXT.map(lambda each: Any_.of(Kind.WSTRING, each))
    yield st.binary(max_size=20).map(Any_.octets)
    yield st.sampled_from(["red", "green"]).map(lambda each: Any_(COLOUR, each))
    yield st.tuples(TEXT, st.integers(*RANGES[Kind.LONG])).map(lambda each: Any_(ALARM, each))
    yield st.one_of(st.tuples(st.just(True), TEXT), st.tuples(st.just(False), st.floats(allow_nan=False))).map(
        lambda each: Any_(EITHER, each)
    )
    yield st.lists(st.integers(-5, 5), min_size=3, max_size=3).map(
        lambda each: Any_(array_of(TypeCode(Kind.SHORT), 3), tuple(each))
    )
    yield st.just(NULL)


ANYS = st.recursive(
    st.one_of(*basic()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda each: Any_.sequence(*each)),
        st.dictionaries(TEXT, inner, max_size=3).map(Any_.properties),
        inner.map(lambda each: Any_.of(Kind.ANY, each)),
    ),
    max_leaves=8,
)


@given(ANYS, st.booleans())
def test_what_is_written_can_be_read_again(value, little):
    assert decode(encode(value, little=little)) == value


@given(ANYS, st.data())
def test_bytes_that_are_cut_or_changed_are_an_error_or_a_value_but_no_other_exception(value, data):
    octets = bytearray(encode(value))
    at = data.draw(st.integers(0, len(octets) - 1))
    with pytest.raises(CdrError):
        decode(bytes(octets[:at]))
    octets[at] ^= data.draw(st.integers(1, 255))
    with contextlib.suppress(CdrError):
        assert isinstance(decode(bytes(octets)), Any_)


def test_known_forms():
    """Counted by hand after the rules of CDR: byte order, type, padding to the size of what follows, value."""
    assert encode(Any_.of(Kind.LONG, 5)) == bytes.fromhex("00 000000 00000003 00000005")
    assert encode(Any_.of(Kind.LONG, 5), little=True) == bytes.fromhex("01 000000 03000000 05000000")
    assert encode(Any_.of(Kind.SHORT, -1)) == bytes.fromhex("00 000000 00000002 ffff")
    assert encode(Any_.of(Kind.STRING, "é")) == bytes.fromhex("00 000000 00000012 00000000 00000003 c3a9 00")
    assert encode(Any_.of(Kind.DOUBLE, 1.0)) == bytes.fromhex("00 000000 00000007 3ff0000000000000")
    octets = bytes.fromhex("00 000000 00000013 0000000c 00 000000 0000000a 00000000 00000002 00ff")
    assert encode(Any_.octets(b"\x00\xff")) == octets
    assert encode(Any_.of(Kind.WCHAR, "a")) == bytes.fromhex("00 000000 0000001a 02 0061")
    assert encode(NULL) == bytes.fromhex("00 000000 00000000")


@pytest.mark.parametrize(
    ("octets", "message"),
    [
        ("", "the first byte of an encapsulation is 0 or 1"),
        ("02", "the first byte of an encapsulation is 0 or 1"),
        ("00 000000 00000063", "no type has the number 99"),
        ("00 000000 00000003 0000", "4 bytes are wanted at byte 8, and 2 are left"),
        ("00 000000 00000003 00000005 00", "1 bytes follow the value"),
        ("00 000000 00000012 00000000 00000001 41", "does not end with a zero"),
        ("00 000000 00000012 00000000 00000002 ff00", "is not utf-8"),
        ("00 000000 00000012 00000000 7fffffff", "2147483647 things are announced"),
    ],
)
def test_bytes_that_are_no_any(octets, message):
    with pytest.raises(CdrError, match=message):
        decode(bytes.fromhex(octets))


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        (TypeCode(Kind.OCTET), 256, "the value is 256, which is no octet"),
        (TypeCode(Kind.LONG), True, "which is no long"),
        (TypeCode(Kind.FLOAT), 0.1, "which is no float"),
        (TypeCode(Kind.CHAR), "€", "which is no char"),
        (ALARM, ("x", "y"), r"the value\.severity is 'y', which is no long"),
        (ALARM, ("x",), "has 1 members, and struct Alarm has 2"),
        (ANY_SEQ, (1,), r"the value\[0\] is 1, which is no any"),
        (PROPERTY_SEQ, (("a", 1),), r"the value\[0\]\.value is 1"),
        (sequence_of(TypeCode(Kind.OCTET)), (1, 2), "is given as bytes"),
        (array_of(TypeCode(Kind.LONG), 2), (1,), "has 1 items, and long.2. holds 2"),
        (COLOUR, "blue", "which is no enum Colour"),
        (EITHER, (True, 1.0), r"the value\.text is 1\.0, which is no string"),
        (EITHER, (1, ""), "the discriminator of the value is 1"),
    ],
)
def test_a_value_that_is_none_of_its_type_is_refused(type_, value, message):
    with pytest.raises(ValueError, match=message):
        Any_(type_, value)
