"""Faults in 3.8.1.1: comparisons."""

import operator

from faults.kit import *


def _nulls_equal(walker, node):
    match node:
        case Comparison(Identifier(left), "=", Identifier(right)) if not {left, right} & walker._view.keys():
            return True
    return NotImplemented


def _case_ignored(walker, node):
    value, other = walker.operand(node.left), walker.operand(node.right)
    own = isinstance(node.left, Identifier) and not node.left.name.startswith("JMS")
    if own and node.operator == "<>" and isinstance(value, str) and isinstance(other, str):
        return value.lower() != other.lower()
    return NotImplemented


def _trailing_blanks_ignored(walker, left, sign, right):
    if isinstance(left, str) and isinstance(right, str):
        return operations.COMPARE[sign](left.rstrip(" "), right.rstrip(" "))
    return NotImplemented


table(
    ("3.8.1.1-50", "<> is evaluated as = between double and float", compared("<>", float, Single, "=")),
    ("3.8.1.1-51", "< is true for equal doubles", compared("<", float, float, "<=")),
    ("3.8.1.1-52", "<= is false for equal doubles", compared("<=", float, float, "<")),
    ("3.8.1.1-53", "an int never equals a double", compared("=", int, float, lambda left, right: False)),
    ("3.8.1.1-54", "a long and a double are compared exactly", compared("=", Wide, float, operator.eq)),
    (
        "3.8.1.1-58",
        "NULL equals NULL",
        walked(comparison=_nulls_equal),
        {"3.8.1.1-54": "the case compares two names that some of its messages do not have"},
    ),
    ("3.8.1.1-59", "texts are compared by alphabetical order", rewritten(r"\b(\w+) (?:>|<=) '\w+'", r"\1 IS NOT NULL")),
    ("3.8.1.1-60", "FALSE is less than TRUE", rewritten(r"\b(\w+) > FALSE", r"\1 = TRUE")),
    ("3.8.1.1-61", "<> ignores case in properties", walked(comparison=_case_ignored)),
    ("3.8.1.1-62", "blanks at the end of a text are ignored", walked(compare=_trailing_blanks_ignored)),
)
