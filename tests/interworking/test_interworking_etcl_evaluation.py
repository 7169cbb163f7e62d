"""What constraints say of events: the way to values, each operator, missing fields, unlike types."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_interworking_cdr import ALARM, COLOUR, EITHER

from reference_interworking.etcl import Constraint
from tck.interworking import (
    NULL,
    Any_,
    Kind,
    TypeCode,
    array_of,
    enum_of,
    event,
    sequence_of,
    struct_of,
    union_of,
)

LONG, STRING = TypeCode(Kind.LONG), TypeCode(Kind.STRING)
LEVELS = sequence_of(LONG)
NESTED = struct_of("Nested", alarm=ALARM, levels=LEVELS)
SHAPE = union_of("Shape", LONG, circle=(1, LONG), square=(-2, STRING), other=(None, STRING))
SPARSE = union_of("Sparse", COLOUR, hot=("red", LONG))
LETTER = union_of("Letter", TypeCode(Kind.CHAR), vowel=("a", LONG))
ALIAS = TypeCode(Kind.ALIAS, "Severity", "IDL:Severity:1.0", content=LONG)


def one(kind, value):
    return Any_.of(kind, value)


EVENT = event(
    "Telecom",
    "Alarm",
    "line down",
    header={"Priority": one(Kind.SHORT, 3), "both": one(Kind.LONG, 1)},
    data={
        "both": one(Kind.LONG, 2),
        "n": one(Kind.LONG, 5),
        "big": one(Kind.ULONGLONG, 2**64 - 1),
        "x": one(Kind.DOUBLE, 2.5),
        "f": one(Kind.FLOAT, 0.5),
        "nan": one(Kind.DOUBLE, math.nan),
        "o": one(Kind.OCTET, 200),
        "s": one(Kind.STRING, "link failure"),
        "w": one(Kind.WSTRING, "größe"),
        "c": one(Kind.CHAR, "k"),
        "yes": one(Kind.BOOLEAN, True),
        "no": one(Kind.BOOLEAN, False),
        "colour": Any_(COLOUR, "green"),
        "same": Any_(COLOUR, "red"),
        "coat": Any_(enum_of("Coat", "green", "red"), "green"),
        "alarm": Any_(ALARM, ("fire", 7)),
        "nested": Any_(NESTED, (("smoke", 4), (1, 2, 3))),
        "levels": Any_(LEVELS, (10, 20)),
        "fixed": Any_(array_of(STRING, 2), ("p", "q")),
        "bytes": Any_.octets(b"\x01\xff"),
        "mixed": Any_.sequence(one(Kind.LONG, 1), one(Kind.STRING, "a"), Any_(ALARM, ("x", 1))),
        "pairs": Any_.properties({"k": one(Kind.LONG, 9), "a-b": one(Kind.LONG, 8)}),
        "circle": Any_(SHAPE, (1, 6)),
        "square": Any_(SHAPE, (-2, "sq")),
        "other": Any_(SHAPE, (77, "any")),
        "none": Any_(SPARSE, ("green", None)),
        "hot": Any_(SPARSE, ("red", 3)),
        "vowel": Any_(LETTER, ("a", 2)),
        "flagged": Any_(EITHER, (True, "t")),
        "alarms": Any_(sequence_of(ALARM), (("fire", 7),)),
        "kept": Any_(ALIAS, 4),
        "boxed": Any_(TypeCode(Kind.ANY), Any_(TypeCode(Kind.ANY), one(Kind.LONG, 12))),
        "null": NULL,
        "and": one(Kind.LONG, 1),
    },
    body=Any_(ALARM, ("body", 1)),
)


def matches(text, now=0):
    return Constraint(text).matches(EVENT, now)


TRUE = r"""
$.header.fixed_header.event_type.domain_name == 'Telecom'
$.header.fixed_header.event_type.type_name == 'Alarm'
$.header.fixed_header.event_name == 'line down'
$.0.0.0.0 == 'Telecom'
$.0.0.1 == 'line down'
$domain_name == 'Telecom'
$type_name == 'Alarm'
$event_name == 'line down'
$.header.variable_header(Priority) == 3
$Priority == 3
$.header.variable_header[0].name == 'Priority' and $.header.variable_header[0].value == 3
$both == 1
$.filterable_data(both) == 2
$filterable_data(both) == 2
$.remainder_of_body.name == 'body'
$remainder_of_body.severity == 1
$\and == 1
$alarm.name == 'fire'
$alarm.1 == 7
$nested.alarm.severity == 4
$nested.levels[2] == 3
$nested.1._length == 3
$levels[0] + $levels[1] == 30
$fixed[1] == 'q'
$fixed._length == 2
$bytes._length == 2
$bytes[1] == 255
$mixed[1] == 'a'
$mixed[2].severity == 1
$pairs(k) == 9
$pairs('a-b') == 8
$circle._d == 1
$circle.(1) == 6
$circle.(+1) == 6
$circle.('circle') == 6
$circle.circle == 6
$square.(-2) == 'sq'
$other.() == 'any'
$other.other == 'any'
default $other
default $other._d
not default $circle._d
exist $circle.(1) and not exist $circle.(-2) and not exist $circle.()
not exist $circle.square
not exist $none.hot and exist $none._d and not exist $none.()
$hot.('red') == 3
$hot.hot == 3
$hot._d == red
$vowel.('a') == 2
$vowel._d == 'a'
exist $flagged.text and not exist $flagged.(1) and $flagged._d
$alarms[0].name == 'fire' and not exist $alarms(fire)
$kept == 4
$kept._type_id == 'Severity'
$._type_id == 'StructuredEvent'
$._repos_id == 'IDL:omg.org/CosNotification/StructuredEvent:1.0'
$alarm._type_id == 'Alarm' and $alarm._repos_id == 'IDL:Alarm:1.0'
$boxed == 12
exist $n
exist n
exist $
exist $null
exist $boxed and not exist $missing
not exist $n.member
not exist $s._length
not exist $levels[2]
not exist $pairs(missing)
not exist $levels(k)
not exist $alarm.2
not exist $n._type_id
not exist $alarm._d
$n == 5
$n == 5.0
$n != 4
$n < 6 and $n <= 5 and $n > 4 and $n >= 5
$x == 2.5 and $x < 3 and $f == 0.5
$big == 18446744073709551615
$o == 200
$nan != $nan
not ($nan == $nan) and not ($nan < 1)
$s == 'link failure' and $s != 'x' and $s < 'm' and 'a' < 'b' and not ('b' < 'a')
$w == 'größe'
$c == 'k' and 'k' ~ $c and $c ~ 'key'
$yes
not $no
$yes == TRUE and $no != TRUE and $no < $yes and not ($yes < FALSE)
$yes == ($n == 5)
$colour == green and green == $colour and $colour != red
$colour == 'green' and 'green' == $colour
$colour > red and $same < $colour and $colour >= green
$colour != blue and not ($colour == blue)
'gre' ~ $colour
$n + 1 == 6 and $n - 6 == -1 and $n * 2 == 10 and $n / 2 == 2
-7 / 2 == -3 and 7 / -2 == -3 and -7 / -2 == 3
$x + $n == 7.5 and 5 / 2.0 == 2.5 and 5 / -2.0 == -2.5 and $n * 0.5 == 2.5
2 - 1 - 1 == 0 and 8 / 4 / 2 == 1
1 + 2 * 3 == 7 and (1 + 2) * 3 == 9
$big + 1 == $big + 1 and $big * $big > $big
('link' ~ $s) + ('fail' ~ $s) + ('x' ~ $s) == 2
TRUE + TRUE == 2
'' ~ $s and 'link' ~ $s and 'ure' ~ $s and not ('LINK' ~ $s)
$s ~ 'a link failure today'
20 in $levels and not (30 in $levels) and $n * 2 in $levels
20.0 in levels
'q' in $fixed
255 in $bytes
'a' in $mixed and 1 in $mixed and not ('b' in $mixed)
TRUE or $missing == 1
not (FALSE and $missing == 1)
$n == 5 or $missing == 1
exist $n and $n == 5
not exist $missing or $missing == 1
""".strip().splitlines()


@pytest.mark.parametrize("text", TRUE)
def test_a_constraint_that_holds(text):
    assert matches(text)
    assert not matches(f"not ({text})")


@pytest.mark.parametrize(
    "text",
    [
        # missing fields
        "$missing == 1",
        "$missing",
        "$.missing == 1",
        "$missing != 1",
        "$missing == $missing",
        "$missing == 1 or TRUE",
        "$missing == 1 and FALSE",
        "FALSE or $missing == 1",
        "1 in $missing",
        "'a' ~ $missing",
        "default $missing",
        "$missing + 1 == 1",
        "$levels[2] == 1",
        "$pairs(missing) == 1",
        "$alarm.2 == 1",
        "$circle.(-2) == 'sq'",
        "$circle.() == 1",
        "$none.hot == 1",
        "$n._type_id == 'long'",
        # unlike types
        "$n == '5'",
        "$n != '5'",
        "$s == 1",
        "$s < 1",
        "$yes == 1",
        "$no == 0",
        "$yes == 'TRUE'",
        "$alarm == 1",
        "$alarm == $alarm",
        "$levels == $levels",
        "$null == 1",
        "$null == $null",
        "$n == red",
        "$s == link",
        "red == red",
        "$colour == $coat",
        "$colour < blue",
        "$colour > 'blue'",
        "$colour == 1",
        "'5' ~ $n",
        "$n ~ '5'",
        "red ~ 'red'",
        "$s + 1 == 1",
        "$s + 'x' == 'x'",
        "$colour + 1 == 1",
        "5 in $n",
        "'l' in $s",
        "'a' in $levels",
        "$alarm in $mixed",
        "$s._length == 12",
        "$alarm._length == 2",
        "$n._d == 1",
        "$curtime > 0",
        "default $n",
        "default $none._length",
        # no boolean where one is asked for
        "1",
        "'TRUE'",
        "$n",
        "$alarm",
        "red",
        "not $n",
        "not 'a'",
        "$n and TRUE",
        "1 or TRUE",
        "TRUE and 1",
        "not $n == 5",
        # no number
        "1 / 0 == 0",
        "1.0 / 0 == 0",
        "$n / ($n - 5) != 0",
    ],
)
def test_without_a_value_neither_a_constraint_nor_its_opposite_matches(text):
    assert not matches(text)
    assert not matches(f"not ({text})")


def test_a_union_without_active_arm_has_no_default_arm():
    assert matches("not default $none")
    assert matches("not default $none._d")


def test_numbers_that_no_double_holds_do_not_meet_doubles():
    huge = " * ".join(["$big"] * 20)
    assert matches(f"{huge} > $big")
    assert not matches(f"{huge} > 0.5")
    assert not matches(f"not ({huge} > 0.5)")
    assert not matches(f"{huge} + 0.5 > 0")


def test_the_current_time_is_that_of_the_call():
    assert matches("$curtime.time == 122192928000000000", 0)
    assert matches("$curtime.time == 122192928000010000", 1)
    assert not matches("$curtime.time == 122192928000010000", 2)
    assert matches(
        "$curtime._type_id == 'UtcT' and $curtime.tdf == 0 and $curtime.inacclo == 0 and $curtime.inacchi == 0"
    )


def test_the_empty_constraint_matches_everything():
    assert Constraint("").matches(event(), 0)
    assert Constraint(" \n").matches(EVENT, 0)


NUMBERS = st.integers(-(2**31), 2**31 - 1).map(lambda each: one(Kind.LONG, each)) | st.floats(allow_nan=False).map(
    lambda each: one(Kind.DOUBLE, each)
)


@given(NUMBERS, NUMBERS)
def test_two_numbers_are_equal_or_in_one_order(left, right):
    given_ = event(data={"a": left, "b": right})
    found = [Constraint(f"$a {each} $b").matches(given_, 0) for each in ("<", "==", ">")]
    assert sum(found) == 1
    assert Constraint("$a <= $b").matches(given_, 0) == (found[0] or found[1])
    assert Constraint("$a >= $b").matches(given_, 0) == (found[2] or found[1])
    assert Constraint("$a != $b").matches(given_, 0) != found[1]


@given(st.integers(-1000, 1000), st.integers(-1000, 1000).filter(bool))
def test_a_whole_quotient_is_that_of_c(left, right):
    given_ = event(data={"a": one(Kind.LONG, left), "b": one(Kind.LONG, right)})
    assert Constraint(f"$a / $b == {math.trunc(left / right)}").matches(given_, 0)
