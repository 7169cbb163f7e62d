"""Faults in 3.8.1.1: literals and white space in selectors."""

from faults.kit import *

EMPTY_TEXT = "a condition of the case compares with the empty text"


def _empty_equals_texts(walker, node):
    match node:
        case Comparison(Identifier(), "=", TextLiteral("")) if isinstance(walker.operand(node.left), str):
            return True
    return NotImplemented


def _large_as_double(walker, node):
    value = node.value
    return Wide(float(value)) if isinstance(value, Wide) and abs(value) >= 2**62 else NotImplemented


table(
    (
        "3.8.1.1-10",
        "the empty literal equals every text",
        walked(comparison=_empty_equals_texts),
        dict.fromkeys(("3.8.1.1-31", "3.8.1.1-41", "3.8.1.1-62"), EMPTY_TEXT),
    ),
    (
        "3.8.1.1-11",
        "a doubled quote is not collapsed if the literal has nothing else",
        rewritten(r"= ''''(?!')", "= ''''''"),
    ),
    (
        "3.8.1.1-12",
        "characters beyond 16 bits are cut to 16 bits",
        rewritten(r"[\U00010000-\U0010ffff]", lambda match: chr(ord(match[0]) & 0xFFFF)),
    ),
    ("3.8.1.1-13", "a plus sign before digits is a syntax error", refused(r"= \+\d+(?![\d.])")),
    ("3.8.1.1-14", "literals of 2 to the 62 and more are read as double", walked(literal=_large_as_double)),
    ("3.8.1.1-15", "a hexadecimal number with a capital X is a syntax error", refused(r"\b0X")),
    ("3.8.1.1-16", "leading zeros are ignored", outside_literals(r"(?<![\w.])0+(\d+)(?![\w.])", r"\2")),
    ("3.8.1.1-17", "the suffix l in lower case is a syntax error", refused(r"(?<![\w.])\d+l\b")),
    ("3.8.1.1-18", "an exponent with a plus sign is a syntax error", refused(r"\de\+\d")),
    ("3.8.1.1-19", "a number that ends with its point is a syntax error", refused(r"\b\d+\.(?!\d)")),
    (
        "3.8.1.1-20",
        "a number beyond the range of float is refused",
        refused(r"\d[eE]-?\d{3}"),
        {"3.8.1.1-67": "the case computes infinity from such a number"},
    ),
    ("3.8.1.1-21", "the suffix of double is a syntax error", refused(r"(?<![\w.])\d+(?:\.\d+)?(?:e\d+)?[dD]\b")),
    (
        "3.8.1.1-22",
        "a comparison with FALSE alone chooses each message that has the property",
        rewritten(r"^(\w+) = FALSE$", r"\1 IS NOT NULL"),
    ),
    ("3.8.1.1-23", "a boolean literal alone is a syntax error", refused(r"^(?:TRUE|FALSE)$")),
    ("3.8.1.1-44", "a form feed is a syntax error", refused(r"\f")),
)
