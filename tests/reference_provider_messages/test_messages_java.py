"""Java's numbers, texts and identifiers; the figures of this file come from a JDK."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_provider.java import numbers, utf
from reference_provider.java.identifiers import first_offence, is_identifier, reserved_word
from tck.api import NullPointerException, NumberFormatException


def bits(value):
    return struct.unpack(">I", struct.pack(">f", value))[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("16777217", 0x4B800000),
        ("16777217.0000001", 0x4B800001),
        ("-16777217.0000001", 0xCB800001),
        ("3.4028235677973367e38", 0x7F800000),
        ("3.40282356779733661637e38", 0x7F7FFFFF),
        ("7.006492321624085e-46", 0x00000000),
        ("7.006492321624086e-46", 0x00000001),
        ("1.00000005960464477539062500", 0x3F800000),
        ("1.000000059604644775390625000001", 0x3F800001),
        ("0x1.00000080000000001p0", 0x3F800000),
        ("0x1.0000018p0", 0x3F800001),
        ("0x1p-149", 0x00000001),
        ("0x1p999999", 0x7F800000),
        ("1e-999999999", 0x00000000),
        ("-0", 0x80000000),
        ("  NaN\t", 0x7FC00000),
    ],
)
def test_float_is_rounded_once(text, wanted):
    assert bits(numbers.parse_float(text)) == wanted


@pytest.mark.parametrize(
    "text", ["", " ", ".", "e5", "1e", "1_0", "nan", "٣", "0x", "0x1", "0x1.8", "0xp1", "1ff", "1 2", "\u00a01", "inf"]
)
def test_no_floating_point_number(text):
    for parse in (numbers.parse_float, numbers.parse_double):
        with pytest.raises(NumberFormatException):
            parse(text)


def test_digits_of_other_scripts_are_digits_of_whole_numbers():
    assert numbers.parse_integer("٣", 32) == 3
    assert numbers.parse_integer("-\uff11\uff12", 32) == -12
    with pytest.raises(NumberFormatException):
        numbers.parse_integer("\U0001d7cf", 32)


def test_null():
    with pytest.raises(NumberFormatException):
        numbers.parse_integer(None, 8)
    for parse in (numbers.parse_float, numbers.parse_double):
        with pytest.raises(NullPointerException):
            parse(None)


@given(st.floats(width=32, allow_nan=False))
def test_float_text_reads_back(value):
    assert bits(numbers.parse_float(numbers.float_text(value))) == bits(value)


@given(st.floats(allow_nan=False))
def test_double_text_reads_back(value):
    assert numbers.parse_double(numbers.double_text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (0.1, "0.1"),
        (1.1754944e-38, "1.1754944E-38"),
        (2.0**-126, "1.1754944E-38"),
        (8.5899346e9, "8.589935E9"),
        (3.3554432e7, "3.3554432E7"),
        (1.17549435e-38, "1.1754944E-38"),
    ],
)
def test_float_text(value, text):
    assert numbers.float_text(numbers.to_float(value)) == text


@given(st.integers(-(2**63), 2**63 - 1))
def test_long_to_float_rounds_once(value):
    seen = numbers.long_to_float(value)
    neighbours = [numbers.next_float(seen, math.inf), numbers.next_float(seen, -math.inf)]
    assert all(abs(int(seen) - value) <= abs(int(each) - value) for each in neighbours)
    assert numbers.to_float(seen) == seen


def test_long_to_float_where_two_steps_would_differ():
    value = 2**60 + 2**36 + 1
    assert numbers.long_to_float(value) == float(2**60 + 2**37)
    assert numbers.to_float(float(value)) == float(2**60)
    assert numbers.long_to_float(2**24 + 1) == 2.0**24


@given(st.text(st.characters()))
def test_modified_utf_8_reads_back(text):
    assert utf.decode(utf.encode(text)) == utf.join_pairs(text)
    assert b"\x00" not in utf.encode(text)


def test_modified_utf_8_takes_what_java_takes():
    assert utf.decode(b"\x00\xe0\x81\x81") == "\x00A"
    for data in (b"\x80", b"\xf0\x9f\x98\x80", b"\xc3", b"\xe6\xbc", b"\xc3A", b"\xff"):
        with pytest.raises(ValueError, match="byte"):
            utf.decode(data)


def test_identifiers():
    for name in ("a", "$", "_", "é", "漢", "a\u200d", "\u203f", "a\x00", "ⅷ", "₤x"):
        assert is_identifier(name), name
    for name in ("", "1", "a b", "²", "a²", "\u200da", "a\x09", "a.b", "😀", "a\x1c"):
        assert not is_identifier(name), name
    assert first_offence("ab-c") == 2
    assert reserved_word("bEtWeEn") == "BETWEEN"
    assert reserved_word("\u0131n") is None
    assert reserved_word("escape") == "ESCAPE"
    assert reserved_word("escape", "1.0") is None
