"""The oracle of the selector cases: against tables written by hand, and against the reference provider's compiler."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_provider.selector import compile_selector
from reference_provider.selector.values import selector_value
from tck import api
from tck.suite.support.selectors import generated
from tck.suite.support.selectors.arithmetic import Number, compute, of_property
from tck.suite.support.selectors.expressions import Both, Compared, Either, Flag, Like, Literal, Name, Not, Text, like
from tck.suite.support.selectors.spelling import SPELLINGS

SAMPLES = (
    {"i": 3, "k": 1.25, "s": "a", "p": True, "t": "it's"},
    {"i": api.Byte(-2), "k": 2, "s": "ab", "t": "a", "q": False},
    {"i": api.Long(7), "k": api.Float(0.5), "t": "ab", "p": False, "q": True},
    {"k": 0.0, "s": "", "p": True},
    {},
)


def view(sample: dict[str, object]) -> dict[str, object]:
    boxed = {name: api.Int(value) if type(value) is int else value for name, value in sample.items()}
    return {
        name: selector_value(value.value if isinstance(value, (api.Long, api.Double)) else value)
        for name, value in boxed.items()
    }


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), approximate=st.booleans(), unlike=st.booleans())
def test_oracle_and_compiler_agree_in_every_spelling(seed: int, approximate: bool, unlike: bool) -> None:
    for tree in generated(seed, 3, approximate=approximate, unlike=unlike):
        for spelling in SPELLINGS:
            text = tree.text(spelling)
            selector = compile_selector(text)
            for sample in SAMPLES:
                wanted = tree.truth({name: of_property(value) for name, value in sample.items()}) is True
                assert selector.matches(view(sample)) is wanted, (text, sample)


def test_the_same_seed_gives_the_same_conditions() -> None:
    assert [tree.text() for tree in generated(7, 20)] == [tree.text() for tree in generated(7, 20)]


def test_parentheses_stand_where_precedence_needs_them() -> None:
    a, b, c = Flag("a"), Flag("b"), Flag("c")
    assert Both(Either(a, b), c).text() == "( a OR b ) AND c"
    assert Either(a, Both(b, c)).text() == "a OR b AND c"
    assert Not(Both(a, b)).text() == "NOT ( a AND b )"
    assert Not(Compared(Name("n"), "=", Literal(1))).text() == "NOT n = 1"


def test_quotes_are_doubled() -> None:
    assert Compared(Name("s"), "=", Text("it's")).text() == "s = 'it''s'"
    assert Like("s", "a!'%", "!").text() == "s LIKE 'a!''%' ESCAPE '!'"


@pytest.mark.parametrize(
    ("text", "pattern", "escape", "wanted"),
    [
        ("12993", "12%3", None, True),
        ("1234", "12%3", None, False),
        ("", "%", None, True),
        ("", "_", None, False),
        ("a\nb", "a_b", None, True),
        ("_foo", "\\_%", "\\", True),
        ("bar", "\\_%", "\\", False),
        ("\\xy", "\\_%", None, True),
    ],
)
def test_patterns(text: str, pattern: str, escape: str | None, wanted: bool) -> None:
    assert like(text, pattern, escape) is wanted


def test_arithmetic_is_that_of_java() -> None:
    assert compute(Number("int", -7), "/", Number("int", 2)) == Number("int", -3)
    assert compute(Number("int", 2**31 - 1), "+", Number("int", 1)) == Number("int", -(2**31))
    assert compute(Number("int", 7), "/", Number("double", 2.0)) == Number("double", 3.5)
    assert compute(Number("long", 2**24), "+", Number("float", 1.0)) == Number("float", 2.0**24)
    assert compute(None, "*", Number("int", 0)) is None
