"""The constraint language as a text: what is in it, how it binds, and what an error says."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_interworking.etcl import Constraint, InvalidConstraint
from reference_interworking.etcl.nodes import (
    And,
    Arithmetic,
    Arm,
    Comparison,
    Component,
    Default,
    Ending,
    Exist,
    Index,
    Key,
    Label,
    Member,
    Not,
    Number,
    Or,
    Position,
    Substring,
    Text,
    Truth,
    Within,
    depth,
)
from reference_interworking.etcl.parser import DEEPEST
from tck.interworking import event


def variable(name, *steps):
    return Component(name, steps)


A, B, C = variable("a"), variable("b"), variable("c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("$", Component()),
        ("$a", A),
        ("$.a", Component(None, (Member("a"),))),
        ("$.0.1", Component(None, (Position(0), Position(1)))),
        ("$a.b.2[3](c)", variable("a", Member("b"), Position(2), Index(3), Key("c"))),
        ("$[0]", Component(None, (Index(0),))),
        ("$a('b-c')", variable("a", Key("b-c"))),
        ("$a.()", variable("a", Arm(None))),
        ("$a.(2)", variable("a", Arm(2))),
        ("$a.(+2)", variable("a", Arm(2))),
        ("$a.( - 2).b", variable("a", Arm(-2), Member("b"))),
        ("$a.('red')", variable("a", Arm("red"))),
        ("$a._length", variable("a", Ending("_length"))),
        ("$a._d", variable("a", Ending("_d"))),
        ("$a._type_id", variable("a", Ending("_type_id"))),
        ("$a.b._repos_id", variable("a", Member("b"), Ending("_repos_id"))),
        (r"$\in", variable("in")),
        (r"$.\or(\not)", Component(None, (Member("or"), Key("not")))),
        (r"$\a", A),
        ("$input", variable("input")),
        ("$True", variable("True")),
        ("exist $a", Exist(A)),
        ("exist a", Exist(A)),
        ("default $a._d", Default(variable("a", Ending("_d")))),
        ("red", Label("red")),
        (r"\TRUE", Label("TRUE")),
        ("1", Number(1)),
        ("007", Number(7)),
        ("- 1", Number(-1)),
        ("+1", Number(1)),
        ("18446744073709551615", Number(2**64 - 1)),
        ("1.", Number(1.0)),
        (".5", Number(0.5)),
        ("1.5e+2", Number(150.0)),
        ("-2E-1", Number(-0.2)),
        ("1e3", Number(1000.0)),
        ("''", Text("")),
        (r"'a\'b\\c'", Text("a'b\\c")),
        ("'\n and '", Text("\n and ")),
        ("'größe'", Text("größe")),
        ("TRUE", Truth(value=True)),
        ("FALSE", Truth(value=False)),
        ("1 in $a", Within(Number(1), A)),
        ("1 in a", Within(Number(1), A)),
        ("'a' ~ $b", Substring(Text("a"), B)),
        (" \t\r\n(($a))\f", A),
        ("", None),
        (" ", None),
    ],
)
def test_each_form_is_read(text, tree):
    assert Constraint(text).tree == tree
    assert repr(Constraint(text).tree) == repr(tree), "1 and 1.0 are two numbers"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("$a or $b and $c", Or((A, And((B, C))))),
        ("$a and $b or $c", Or((And((A, B)), C))),
        ("$a or $b or $c", Or((A, B, C))),
        ("($a or $b) or $c", Or((Or((A, B)), C))),
        ("$a and ($b and $c)", And((A, And((B, C))))),
        ("$a and $b == $c", And((A, Comparison(B, "==", C)))),
        ("$a == $b in $c", Comparison(A, "==", Within(B, C))),
        ("$a ~ $b in $c", Within(Substring(A, B), C)),
        ("$a ~ $b + $c", Substring(A, Arithmetic(B, (("+", C),)))),
        ("$a + $b * $c", Arithmetic(A, (("+", Arithmetic(B, (("*", C),))),))),
        ("$a * $b - $c", Arithmetic(Arithmetic(A, (("*", B),)), (("-", C),))),
        ("$a - $b + $c", Arithmetic(A, (("-", B), ("+", C)))),
        ("$a - ($b + $c)", Arithmetic(A, (("-", Arithmetic(B, (("+", C),))),))),
        ("$a / $b * $c", Arithmetic(A, (("/", B), ("*", C)))),
        ("$a -1", Arithmetic(A, (("-", Number(1)),))),
        ("$a - -1", Arithmetic(A, (("-", Number(-1)),))),
        ("not $a * $b", Arithmetic(Not(A), (("*", B),))),
        ("not $a == $b", Comparison(Not(A), "==", B)),
        ("not exist $a", Not(Exist(A))),
        ("not ($a == $b)", Not(Comparison(A, "==", B))),
        ("exist $a == $b", Comparison(Exist(A), "==", B)),
        ("exist $a and $b", And((Exist(A), B))),
        ("default $a or $b", Or((Default(A), B))),
    ],
)
def test_operators_bind_in_the_order_of_the_language(text, tree):
    assert Constraint(text).tree == tree


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_comparisons_do_not_chain(operator):
    assert Constraint(f"1{operator}2").tree == Comparison(Number(1), operator, Number(2))
    with pytest.raises(InvalidConstraint):
        Constraint(f"1 {operator} 2 {operator} 3")


@pytest.mark.parametrize(
    ("text", "position", "reason", "expected"),
    [
        ("$a ==", 5, "the constraint ends too early", "a number"),
        ("$a == 1 and", 11, "the constraint ends too early", "exist"),
        ("($a", 3, "the constraint ends too early", "')'"),
        ("exist", 5, "the constraint ends too early", "'$'"),
        ("$a = 1", 3, "'=' is out of place", "a comparison"),
        ("$a # 1", 3, "'#' is out of place", "the end"),
        ("$a == 1)", 7, "')' is out of place", "the end"),
        ("1 == 2 == 3", 7, "'==' is out of place", "and"),
        ("1 in 'abc'", 5, "\"'abc'\" is out of place", "'$'"),
        ("default 1", 8, "'1' is out of place", "'$'"),
        ("$a[b]", 3, "'b' is out of place", "digits"),
        ("$a[-1]", 3, "'-' is out of place", "digits"),
        ("$a._size", 3, "'_' is out of place", "_length, _d, _type_id or _repos_id"),
        ("$a._d.b", 5, "'.' is out of place", "a comparison"),
        ("-$a", 1, "'$' is out of place", "a number"),
        ("1 $a", 2, "'$' is out of place", "or"),
        ("$a == 'x", 6, "the string that begins here is not closed", "another '"),
        ("$in == 1", 4, "'==' is out of place", "a name"),
    ],
)
def test_an_error_says_where_it_is_and_what_was_expected(text, position, reason, expected):
    with pytest.raises(InvalidConstraint) as caught:
        Constraint(text)
    error = caught.value
    assert (error.text, error.position, error.reason) == (text, position, reason)
    assert expected in error.expected
    assert f"{reason}, at character {position + 1} of the constraint {text!r}; expected: " in str(error)


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("$.in == 1", 2, r"'in' is a reserved word; as a name it is written \in"),
        ("$a(or)", 3, r"'or' is a reserved word; as a name it is written \or"),
        ("not not TRUE", 4, r"'not' is a reserved word; as a name it is written \not"),
        (r"'a\n' == 'b'", 2, "in a string a backslash stands before a quote or a backslash, not 'n'"),
        (r"'\\\x'", 3, "in a string a backslash stands before a quote or a backslash, not 'x'"),
        ("$a == 18446744073709551616", 6, "the number is greater than 18446744073709551615"),
        ("$a[" + "9" * 5000 + "]", 3, "the number is greater than 18446744073709551615"),
        ("1e400 > 1", 0, "the number is greater than any double"),
    ],
)
def test_a_word_or_number_that_is_none_is_an_error_at_its_place(text, position, reason):
    with pytest.raises(InvalidConstraint) as caught:
        Constraint(text)
    assert (caught.value.position, caught.value.reason, caught.value.expected) == (position, reason, ())


def test_an_error_in_a_long_constraint_quotes_the_part_around_it():
    with pytest.raises(InvalidConstraint) as caught:
        Constraint(" or ".join(["$a == 1"] * 500) + " or #" + " or $b == 2" * 500)
    assert len(str(caught.value)) < 500
    assert "'#' is out of place" in str(caught.value)
    assert "or #" in str(caught.value).partition("constraint")[2]


# Nesting


def chain(levels):
    """A constraint of so many levels, in the form that takes most frames of Python: conditions as values of comparisons."""
    text = "TRUE"
    for level in range(levels - 1):
        text = f"(TRUE and {text})" if level % 2 else f"(TRUE == {text})"
    return text


def test_the_deepest_constraint_is_evaluated_in_half_of_the_stack():
    constraint = Constraint(chain(DEEPEST))
    assert depth(constraint.tree) == DEEPEST
    before = sys.getrecursionlimit()
    used = 0
    frame = sys._getframe()
    while frame is not None:
        used, frame = used + 1, frame.f_back
    sys.setrecursionlimit(used + 500)
    try:
        assert constraint.matches(event(), 0)
    finally:
        sys.setrecursionlimit(before)


def test_a_deeper_constraint_is_refused():
    with pytest.raises(InvalidConstraint, match=f"nests deeper than {DEEPEST} levels"):
        Constraint(chain(DEEPEST + 1))


def test_parentheses_and_long_chains_are_not_deep():
    assert Constraint("(" * 2000 + "TRUE" + ")" * 2000).matches(event(), 0)
    assert Constraint(" or ".join(["FALSE"] * 5000 + ["TRUE"])).matches(event(), 0)
    assert Constraint(" + ".join(["1"] * 5000) + " == 5000").matches(event(), 0)


@given(st.text(alphabet="$.()[]'\\ab01_ =<>!+-*/~#\n", max_size=20) | st.text(max_size=10))
def test_any_other_text_is_refused_with_a_place_in_it(text):
    place = 0
    try:
        Constraint(text)
    except InvalidConstraint as error:
        place = error.position
    assert 0 <= place <= len(text)
