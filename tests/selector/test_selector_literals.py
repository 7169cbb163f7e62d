"""LIKE patterns and literals."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_provider.selector import literals
from reference_provider.selector.values import Single, Wide


def matches(pattern, escape, text):
    """Match by recursion over the definition."""
    if not pattern:
        return not text
    first, rest = pattern[0], pattern[1:]
    if first == escape:
        return bool(text) and text[0] == rest[0] and matches(rest[1:], escape, text[1:])
    if first == "%":
        return any(matches(rest, escape, text[start:]) for start in range(len(text) + 1))
    return bool(text) and first in ("_", text[0]) and matches(rest, escape, text[1:])


def fits(understood, text):
    whole = re.compile(understood.regex, re.DOTALL).fullmatch(text) is not None
    simple = {
        "equals": lambda: text == understood.text,
        "starts": lambda: text.startswith(understood.text),
        "ends": lambda: text.endswith(understood.text),
        "contains": lambda: understood.text in text,
        "regex": lambda: whole,
    }[understood.form]()
    assert simple == whole
    return whole


@given(st.text(alphabet="ab%_.\n", max_size=7), st.text(alphabet="ab.\n%_", max_size=8))
def test_like_follows_its_definition(pattern, text):
    assert fits(literals.pattern(pattern, None), text) == matches(pattern, None, text)


@given(st.text(alphabet="a%_x", max_size=7), st.text(alphabet="a%_x", max_size=8))
def test_like_with_escape_follows_its_definition(pattern, text):
    try:
        understood = literals.pattern(pattern, "x")
    except literals.LiteralError:
        return
    assert fits(understood, text) == matches(pattern, "x", text)


@pytest.mark.parametrize("character", [*".*+?[](){}^$|\\-&~#", " ", "\t", "é", "\ud800"])
def test_other_characters_stand_for_themselves(character):
    for pattern in (character, f"a{character}%", f"%{character}a", f"_{character}_", f"%a{character}%b"):
        text = pattern.replace("%", "").replace("_", "z")
        assert fits(literals.pattern(pattern, None), text)
        assert not fits(literals.pattern(pattern, None), text.replace(character, "Q"))


def test_no_pattern_takes_long():
    understood = literals.pattern("%a" * 40 + "%b_", None)
    matcher = re.compile(understood.regex, re.DOTALL).fullmatch
    assert matcher("a" * 20_000) is None  # with a pattern that backtracks this never ends


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", Wide(0)),
        ("00", Wide(0)),
        ("035", Wide(29)),
        ("0xff", Wide(255)),
        ("0xFFFFFFFFFFFFFFFF", Wide(-1)),
        ("01777777777777777777777", Wide(-1)),
        ("9223372036854775807", Wide(2**63 - 1)),
        ("7.", 7.0),
        (".5", 0.5),
        ("7E3", 7000.0),
        ("08.5", 8.5),
        ("09e1", 90.0),
        ("1f", Single(1.0)),
        ("0.1F", Single(0.10000000149011612)),
        ("2d", 2.0),
        ("0.0", 0.0),
        ("0e5", 0.0),
        ("4.9E-324", 5e-324),
        ("1.00000005960464477539062500001f", Single(1.0000001192092896)),
    ],
)
def test_numbers(text, value):
    seen = literals.number(text)
    assert seen == value
    assert type(seen) is type(value)


@pytest.mark.parametrize(
    "text",
    ["08", "0x", "0b1", "1_0", "1e", "1l0", "1.0L", "0x1.8p1", "9" * 10_000, "1e999", "1e-999", "0" * 10 + "9", "²"],
)
def test_no_numbers(text):
    with pytest.raises(literals.LiteralError):
        literals.number(text)


def test_the_least_long_needs_its_sign():
    assert literals.number("9223372036854775808", negative=True) == -(2**63)
    with pytest.raises(literals.LiteralError):
        literals.number("9223372036854775808")
    assert literals.number("0x8000000000000000", negative=True) == -(2**63)
