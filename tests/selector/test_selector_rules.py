"""Selectors against the rows of the catalogue, each evaluated compiled and walked."""

import math

import pytest

from reference_provider.messages import Snapshot, selection
from reference_provider.selector import compile_selector
from reference_provider.selector.walker import evaluate
from tck.api import Byte, Float, Int, InvalidSelectorException, Short


def view(mode=2, priority=4, timestamp=1_763_740_000_000, message_id="ID:1", **properties):
    headers = {name: properties.pop(name, None) for name in ("type", "correlation")}
    snapshot = Snapshot("message", None, properties, headers["correlation"], None, headers["type"])
    return selection(
        snapshot, message_id=message_id, timestamp=timestamp, delivery_mode=mode, priority=priority, version="3.1"
    )


def truth(text, seen):
    """Evaluate in three values, and hold the compiled form and its negation to the answer."""
    selector = compile_selector(text)
    walked = evaluate(selector.tree, seen)
    assert selector.matches(seen) is (walked is True), text
    assert compile_selector(f"NOT ({text})").matches(seen) is (walked is False), text
    return walked


MIXED = {
    "i": Int(7),
    "two": Int(2),
    "l": 57,
    "sh": Short(300),
    "by": Byte(100),
    "d": 2.0,
    "f": Float(0.5),
    "tenth": Float(0.1),
    "big": 9007199254740993,
    "most": 2**63 - 1,
    "least": -(2**63),
    "largest": 1.7976931348623157e308,
    "smallest": 5e-324,
    "nan": math.nan,
    "s": "2",
    "name": "literal's",
    "blue": "blue",
    "empty": "",
    "nothing": None,
    "t": True,
    "no": False,
    "$a": Int(1),
    "_b": Int(1),
    "größe": Int(1),
    "漢字": Int(1),
    "हिन्दी": Int(1),
    "a1": Int(1),
    "ANDROID": Int(1),
    "notx": Int(1),
    "JMSXGroupID": "g1",
    "JMSXGroupSeq": Int(2),
    "path": r"\xy",
    "lines": "a\nb",
    "percent": "100%",
    "maxint": Int(2**31 - 1),
    "minint": Int(-(2**31)),
    "one": Int(1),
    "zero": Int(0),
    "x" * 10_000: Int(1),
}

TRUE_ONES = """
    TRUE
    true OR i = 1
    i = 7
    7 = i
    10 - 4 - 3 = 3
    24 / 4 / 2 = 3
    i / two * two = 6
    (1 + 2) * 3 = 9
    10 - (4 - 3) = 9
    name = 'literal''s'
    empty = ''
    l = +57
    l = 57L
    l = 57l
    l = 0x39
    l = 0X39L
    l = 071
    -l = -57
    most = 9223372036854775807
    least = -9223372036854775808
    least = 0x8000000000000000
    d = 2.
    d = 2
    d = 2.0f
    d = .2E1
    d = 2e0d
    largest = 1.7976931348623157E308
    smallest = 4.9E-324
    t
    t = TRUE
    no = false
    t <> FALSE
    NOT no
    $a = 1 AND _b = 1 AND größe = 1 AND 漢字 = 1 AND हिन्दी = 1 AND a1 = 1
    ANDROID = 1 and notx = 1
    sh = 300 AND by = 100 AND f = 0.5 AND f = 0.5f AND tenth = 0.1f
    big = 9007199254740992.0
    by + by = 200
    i / d = 3.5
    -i / two = -3
    i / -two = -3
    two + 3 * 4 = 14
    20 - 8 / 4 = 18
    -two * 3 = -6
    3 * -two = -6
    - -two = 2
    two = - - 2
    maxint + one = -2147483648
    maxint + 1 = 2147483648
    most + 1 = least
    -minint = minint
    one / 0.0 > largest
    f + f = 1
    0.5 + 0.25 = 0.75
    i BETWEEN 7 AND 8
    i NOT BETWEEN 8 AND 9
    i + 1 BETWEEN two - 1 AND l * 2
    5 BETWEEN two AND i
    i NOT BETWEEN 10 AND missing
    blue IN ('red','blue')
    blue NOT IN ('red','green')
    blue LIKE 'b%'
    blue LIKE '%ue'
    blue LIKE 'b__e'
    blue LIKE '%l%'
    blue LIKE '%'
    empty LIKE '%'
    empty LIKE ''
    blue NOT LIKE 'B%'
    path LIKE '\\_%'
    percent LIKE '100!%' ESCAPE '!'
    percent LIKE '100A%' ESCAPE 'A'
    percent LIKE '100''%' ESCAPE ''''
    lines LIKE 'a%b'
    lines LIKE 'a_b'
    missing IS NULL
    nothing IS NULL
    zero IS NOT NULL AND no IS NOT NULL AND empty IS NOT NULL
    i IS NOT NULL
    NOT (missing IS NOT NULL)
    NOT (s > 1)
    NOT (s = 2)
    s <> '3'
    JMSXGroupID = 'g1' AND JMSXGroupSeq = 2
    JMS_none_such IS NULL
    JMSDeliveryMode = 'PERSISTENT'
    JMSDeliveryMode <> 'NON_PERSISTENT'
    JMSDeliveryMode IN ('PERSISTENT')
    JMSPriority = 4
    JMSPriority > 3
    JMSMessageID = 'ID:1'
    JMSTimestamp >= 1763740000000
    JMSTimestamp BETWEEN 1763739999999 AND 1763740000001
    JMSTimestamp / 1000 = 1763740000
    JMSType IS NULL AND JMSCorrelationID IS NULL
    NOT (no AND missing)
    NOT (missing AND no)
    t OR missing
    missing OR t
    nan <> nan
    NOT (nan = nan)
    NOT (i BETWEEN 10 AND missing)
    NOT t or t AND t
    i < 1 / 0.0
    i > -1 / 0.0
    i <> 0 / 0.0
    i + 1 < 1 / 0.0
"""

FALSE_ONES = """
    FALSE
    NOT TRUE
    i = 8
    i <> 7
    i / two = 3.5
    blue = 'BLUE'
    blue = 'blue '
    l = 071L AND l = 71
    tenth = 0.1
    0.1 + 0.2 = 0.3
    s = 2
    s <> 5
    s > 1
    2 < s
    t = 1
    t <> 1
    t = 'TRUE'
    one = TRUE
    zero = FALSE
    s BETWEEN 1 AND 3
    s NOT BETWEEN 5 AND 9
    t >= one
    JMSDeliveryMode = 2
    big = 9007199254740992
    blue LIKE 'lu'
    blue LIKE 'b_e'
    blue IN ('BLUE', 'blue ')
    t AND no
    no OR no
    i = nan
    i < nan
    i BETWEEN nan AND 9
    i NOT BETWEEN nan AND 9
    i NOT BETWEEN 1 AND 9
    i BETWEEN 10 AND missing
    empty IS NULL
    i IS NULL
    path LIKE '/_%'
    i = 0 / 0.0
    i BETWEEN 0 / 0.0 AND 9
    i = 1 / 0.0f
"""

UNKNOWN_ONES = """
    missing = 1
    missing <> 1
    1 <> missing
    missing = missing
    missing < 1
    1 >= missing
    nothing = ''
    missing + 1 = 2
    missing * 0 = 0
    -missing < 0
    missing BETWEEN 1 AND 9
    missing IN ('a')
    missing NOT IN ('a')
    missing LIKE '%'
    missing NOT LIKE '%'
    missing
    NOT missing
    t AND missing
    missing AND t
    missing AND nothing
    no OR missing
    missing OR nothing
    i
    s
    i LIKE '7'
    i NOT LIKE '7'
    i IN ('7')
    i NOT IN ('foo')
    i / zero = 1
    i / 0 = 1
    s + 1 = 3
    JMSType = 'x'
    JMSType <> 'x'
"""

REFUSED = """
    5
    'x'
    a + 1
    (a)) = 1
    ((a) = 1
    a =
    = a
    a = = 1
    a = 1 b = 2
    a = 1 AND
    a = 1 AND OR b = 1
    NOT
    a NOT
    a BETWEEN 1
    a BETWEEN 1 OR 2
    a BETWEEN 'a' AND 'c'
    a NOT BETWEEN TRUE AND FALSE
    a IN
    a IN ()
    a IN (1, 2)
    a IN (b)
    a IN ('a',)
    'UK' IN ('UK')
    a + 1 IN ('2')
    'abc' LIKE 'a%'
    a + 1 LIKE '2'
    a LIKE 7
    a LIKE b
    a LIKE 'a' ESCAPE ''
    a LIKE 'a' ESCAPE 'ab'
    a LIKE 'a' ESCAPE x
    a LIKE 'a' ESCAPE 1
    a LIKE 'a!' ESCAPE '!'
    1 IS NULL
    'a' IS NOT NULL
    (a + b) IS NULL
    (a) IS NULL
    a IS TRUE
    a = NULL
    NULL = 0
    Null = 0
    AND = 0
    in = 0
    IS = 1
    ESCAPE = 0
    eScApE = 0
    a = 'x
    a = "x"
    a == 1
    a != 1
    a && b
    a || b
    !a
    a % 2 = 1
    abs(a) = 1
    a = (SELECT b)
    a = 1 -- note
    a = 1 /* note */
    a--1 = 2
    1a = 1
    #a = 1
    @a = 1
    a.b = 1
    a-b
    a = 08
    a = 0x
    a = 0b101
    a = 1_000
    a = 0x1.8p1
    a = 1e
    a = 1.2.3
    a = 9223372036854775808
    a = -9223372036854775809
    a = 0x10000000000000000
    a = 1e400
    a = 1e-400
    a = 1e40f
    a > 'x'
    'foo' >= TRUE
    1 = 'a'
    TRUE = 0
    a > FALSE
    a + TRUE = 1
    a + 'x' = 1
    -'x' = 1
    (a > 1) = TRUE
    (a > 1) + 1 = 2
    JMSDestination = 'q'
    JMSReplyTo IS NULL
    JMSExpiration = 0
    JMSRedelivered
    JMSDeliveryTime > 0
    JMSfoo = 1
    a = 1;
    ٣a = 1
    ² = 1
    =TEST 'test'
"""


def lines(block):
    return [line.strip() for line in block.strip().splitlines()]


@pytest.mark.parametrize("text", lines(TRUE_ONES))
def test_selector_is_true(text):
    assert truth(text, view(**MIXED)) is True


@pytest.mark.parametrize("text", lines(FALSE_ONES))
def test_selector_is_false(text):
    assert truth(text, view(**MIXED)) is False


@pytest.mark.parametrize("text", lines(UNKNOWN_ONES))
def test_selector_is_unknown(text):
    assert truth(text, view(**MIXED)) is None


@pytest.mark.parametrize("text", lines(REFUSED))
def test_selector_is_refused(text):
    with pytest.raises(InvalidSelectorException) as caught:
        compile_selector(text)
    assert type(caught.value) is InvalidSelectorException
    assert " character " in caught.value.reason


@pytest.mark.parametrize(
    "text", ["a\u00a0= 1", "a\u2003= 1", "a\x0b= 1", "a\x1c= 1", " ", "\t", "a = '\ud800", "\x00", "a\u200b = 1\u200b"]
)
def test_unusual_characters_are_refused(text):
    with pytest.raises(InvalidSelectorException):
        compile_selector(text)


@pytest.mark.parametrize("blank", [" ", "\t", "\f", "\n", "\r", "\r\n", " \t\f\n\r "])
def test_white_space_is_javas(blank):
    text = f"{blank}i{blank}={blank}7{blank}AND{blank}NOT{blank}({blank}two{blank}>{blank}3{blank}){blank}"
    assert truth(text, view(**MIXED)) is True


@pytest.mark.parametrize("word", ["and", "Or", "nOt", "between", "LIKE", "iN", "is", "null", "true", "false"])
def test_keywords_in_any_case(word):
    text = "NOT (i NOT BETWEEN 1 AND 2) OR blue IN ('blue') AND blue LIKE 'b%' AND missing IS NULL OR TRUE OR FALSE"
    changed = " ".join(word if part.upper() == word.upper() else part for part in text.split(" "))
    assert truth(changed, view(**MIXED)) is True


def test_identifiers_have_no_limit_of_length():
    assert truth(f"{'x' * 10_000} = 1", view(**MIXED)) is True


def test_identifiers_are_case_sensitive():
    assert truth("Color = 'x' AND color IS NULL AND COLOR IS NULL", view(Color="x")) is True


def test_null_and_empty_are_no_selector():
    assert compile_selector(None) is None
    assert compile_selector("") is None


def test_an_error_says_where_and_why():
    with pytest.raises(InvalidSelectorException) as caught:
        compile_selector("color = 'blue' AND weight >> 5")
    assert caught.value.reason == (
        "'>' stands where a value is expected, at character 28 of the selector \"color = 'blue' AND weight >> 5\""
    )
    assert caught.value.error_code == "INVALID_SELECTOR"


def test_an_error_in_a_long_selector_shows_its_surroundings():
    with pytest.raises(InvalidSelectorException) as caught:
        compile_selector(
            " OR ".join(f"a = {number}" for number in range(1000)) + " OR = 5 OR " + "b = 1 OR " * 500 + "TRUE"
        )
    assert len(caught.value.reason) < 300
    assert "OR = 5 OR" in caught.value.reason


@pytest.mark.parametrize("count", [250, 1000, 3000])
@pytest.mark.parametrize(
    ("pattern", "joined"),
    [("i = {}", " OR "), ("i <> {}", " AND "), ("i + {} > 0", " AND "), ("blue <> '{}'", " AND ")],
)
def test_long_chains(count, pattern, joined):
    text = joined.join(pattern.format(number + 100_000) for number in range(count))
    assert compile_selector(text).matches(view(**MIXED)) is (joined == " AND ")


def test_long_arithmetic_and_many_parentheses():
    assert truth("i" + " + 1" * 3000 + " = 3007", view(**MIXED)) is True
    assert truth("i" + " * 1" * 3000 + " = 7", view(**MIXED)) is True
    assert truth("(" * 5000 + "t" + ")" * 5000, view(**MIXED)) is True
    assert truth("NOT " * 5001 + "no", view(**MIXED)) is True
    assert truth("t = " + "(" * 50 + "TRUE" + ")" * 50, view(**MIXED)) is True


@pytest.mark.parametrize("depth", [50, 60, 150])
def test_reasonable_nesting_works(depth):
    deep = "t"
    for number in range(depth):
        deep = f"({deep} AND i = 7)" if number % 2 else f"({deep} OR i = 8)"
    assert truth(deep, view(**MIXED)) is True
    sums = "i"
    for _ in range(depth):
        sums = f"({sums} + 1)"
    assert truth(f"{sums} - 0 = {7 + depth}", view(**MIXED)) is True


@pytest.mark.parametrize(
    "text", ["NOT (" * 300 + "a" + ")" * 300, "(a - " * 5000 + "b" + ")" * 5000 + " = 1", "- " * 300 + "a = 1"]
)
def test_unreasonable_nesting_is_refused(text):
    with pytest.raises(InvalidSelectorException, match="nest deeper than 200"):
        compile_selector(text)


def test_selectors_never_see_the_body():
    snapshot = Snapshot("map", {"x": Int(1)})
    seen = selection(snapshot, message_id=None, timestamp=0, delivery_mode=1, priority=0)
    assert truth("x IS NULL", seen) is True
    assert truth("JMSMessageID IS NULL AND JMSTimestamp = 0 AND JMSDeliveryMode = 'NON_PERSISTENT'", seen) is True


def test_names_and_texts_cannot_break_out_of_the_generated_source():
    nasty = '\'); import os #\n{0}\\ """ %s'
    seen = view(s=nasty)
    text = "'" + nasty.replace("'", "''") + "'"
    for form in (
        "s = {}",
        "NOT (s <> {})",
        "s IN ({})",
        "s LIKE {}",
        "NOT (s NOT IN ('x', {}))",
        "NOT (s <> 'y' AND s <> {})",
    ):
        assert truth(form.format(text), seen) is True, form
    assert truth("s = " + text.replace("os", "so"), seen) is False


@pytest.mark.parametrize(
    ("text", "matching"),
    [
        ("n = 5", True),
        ("n = 5.0", False),
        ("n >= 4.5", False),
        ("n < 5E1", False),
        ("d = 2.0", True),
        ("d = 2", False),
        ("NOT (s > 1)", False),
        ("s > 1 OR n = 7", False),
        ("s = 2 OR TRUE", False),
        ("n = 5 OR s = 2", True),
        ("missing = 1 OR n = 5", True),
        ("ESCAPE = 1", True),
        ("JMSTimestamp IS NULL", True),
        ("n BETWEEN 1 AND 9", True),
        ("n BETWEEN 1 AND 9.5", False),
    ],
)
def test_version_1_0(text, matching):
    snapshot = Snapshot("message", None, {"n": Int(5), "d": 2.0, "s": "2", "ESCAPE": Int(1)})
    seen = selection(snapshot, message_id="ID:1", timestamp=0, delivery_mode=2, priority=4, version="1.0")
    assert compile_selector(text, "1.0").matches(seen) is matching
