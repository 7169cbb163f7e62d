"""Faults in 3.8.1.1: identifiers in selectors, and their values."""

from faults.kit import *


def _foreign_digits(node):
    return isinstance(node, Identifier) and any(sign.isdecimal() and not sign.isascii() for sign in node.name)


def _boolean_as_text(walker, left, sign, right):
    if sign == "=" and isinstance(left, Truth) and isinstance(right, str):
        return str(left.value).lower() == right
    return NotImplemented


def _missing_is_0(walker, node):
    match node:
        case Comparison(Identifier(name), "=", NumberLiteral(0)) if name not in walker._view:
            return True
    return NotImplemented


def _text_as_boolean(walker, left, sign, right):
    if isinstance(right, Truth) and left == "true":
        return Walker.compare(walker, TRUE, sign, right)
    return NotImplemented


def _in_any_case(walker, node):
    return next((value for name, value in walker._view.items() if name.lower() == node.name.lower()), None)


table(
    (
        "3.8.1.1-24",
        "identifiers that begin with $ are a syntax error",
        refused(r"(?:^|[\s(])\$"),
        {"3.8.1.1-25": "some of its identifiers begin with $"},
    ),
    ("3.8.1.1-25", "digits of other scripts in an identifier are a syntax error", refused_where(_foreign_digits)),
    ("3.8.1.1-26", "an identifier may begin with a digit", rewritten(r"(?<![\w.$])([1-9][abc]) =", r"_\1 =")),
    ("3.8.1.1-27", "identifiers are cut at 255 characters", outside_literals(r"(\w{255})\w+", r"\2")),
    ("3.8.1.1-29", "IN is accepted as the name of a property", rewritten(r"(?<![\w$])IN =", "IN_ =")),
    ("3.8.1.1-108", "ESCAPE is accepted as the name of a property", rewritten(r"(?i)\bescape =", "ESCAPE_ =")),
    ("3.8.1.1-30", "a boolean equals its name as text", walked(compare=_boolean_as_text)),
    ("3.8.1.1-31", "a missing property equals 0", walked(comparison=_missing_is_0)),
    ("3.8.1.1-32", "the text 'true' is converted to a boolean", walked(compare=_text_as_boolean)),
    ("3.8.1.1-33", "the case of identifiers is ignored", walked(identifier=_in_any_case)),
    ("3.8.1.1-42", "names that begin with JMSX are refused", refused(r"^(?:[^']|'(?:[^']|'')*')*?(?<![\w'])JMSX")),
    ("3.8.1.1-43", "names that begin with JMS_ are refused", refused(r"\bJMS_")),
)
