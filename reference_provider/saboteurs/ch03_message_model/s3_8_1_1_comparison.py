"""Faults in 3.8.1.1: comparisons."""

from __future__ import annotations

import operator
from typing import Any

from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.selector_faults import compared, matched, rewritten, table, walked
from reference_provider.selector import operations
from reference_provider.selector.nodes import (
    Comparison,
    Condition,
    Identifier,
    NumberLiteral,
    TextLiteral,
    TruthLiteral,
)
from reference_provider.selector.operations import Value
from reference_provider.selector.values import FALSE, NUMBERS, TRUE, Single, Wide
from reference_provider.selector.walker import View, Walker, WalkerOf10, family


def _text_and_number(walker: Walker, node: Comparison) -> Any:
    match node:
        case Comparison(TextLiteral(), "=", right) if type(walker.operand(right)) in NUMBERS:
            raise TypeError("a text and a number are not comparable")
    return NotImplemented


def _boolean_and_others(walker: Walker, node: Comparison) -> Any:
    match node:
        case Comparison(TruthLiteral(), "<>", right) if walker.operand(right) not in (None, TRUE, FALSE):
            return True
    return NotImplemented


def _unlike_unknown(walker: Walker, left: Value, sign: str, right: Value) -> Any:
    return NotImplemented if type(left) is type(right) or operations.are_numbers(left, right) else None


def _nulls_equal(walker: Walker, node: Comparison) -> Any:
    match node:
        case Comparison(Identifier(left), "=", Identifier(right)) if not {left, right} & walker._view.keys():
            return True
    return NotImplemented


def _case_ignored(walker: Walker, node: Comparison) -> Any:
    value, other = walker.operand(node.left), walker.operand(node.right)
    own = isinstance(node.left, Identifier) and not node.left.name.startswith("JMS")
    if own and node.operator == "<>" and isinstance(value, str) and isinstance(other, str):
        return value.lower() != other.lower()
    return NotImplemented


def _trailing_blanks_ignored(walker: Walker, left: Value, sign: str, right: Value) -> Any:
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
        "3.8.1.1-55",
        "comparing a text with a number on its right fails with an error",
        walked(comparison=_text_and_number),
    ),
    (
        "3.8.1.1-56",
        "a boolean literal is unequal to values of other types",
        walked(comparison=_boolean_and_others),
    ),
    ("3.8.1.1-57", "comparing unlike types is unknown", walked(compare=_unlike_unknown)),
    (
        "3.8.1.1-58",
        "NULL equals NULL",
        walked(comparison=_nulls_equal),
        {"3.8.1.1-54": "the case compares two names that some of its messages do not have"},
    ),
    (
        "3.8.1.1-59",
        "texts are compared by alphabetical order",
        rewritten(r"\b(\w+) (?:>|<=) '\w+'", r"\1 IS NOT NULL"),
    ),
    ("3.8.1.1-60", "FALSE is less than TRUE", rewritten(r"\b(\w+) > FALSE", r"\1 = TRUE")),
    ("3.8.1.1-61", "<> ignores case in properties", walked(comparison=_case_ignored)),
    ("3.8.1.1-62", "blanks at the end of a text are ignored", walked(compare=_trailing_blanks_ignored)),
)


def _promoted(walker: Walker, left: Value, sign: str, right: Value) -> Any:
    return operations.COMPARE[sign](left, right) if operations.are_numbers(left, right) else NotImplemented


def _unlike_false(walker: Walker, left: Value, sign: str, right: Value) -> Any:
    if left is None or right is None or family(left) is family(right):
        return NotImplemented
    return False


table(
    (
        "3.8.1.1-114",
        "numbers are promoted before they are compared",
        walked(base=WalkerOf10, compare=_promoted),
    ),
    (
        "3.8.1.1-115",
        "comparing unlike types makes the comparison false, not the selector",
        walked(base=WalkerOf10, compare=_unlike_false),
    ),
    version="1.0",
)


@saboteur("3.8.1.1-107", "after a text, > with a number no longer chooses anything")
def _(patch: Patch) -> None:
    spoilt: list[Condition] = []

    def matches(tree: Condition, view: View) -> bool:
        match tree:
            case Comparison(Identifier(name), ">", NumberLiteral()):
                if isinstance(view.get(name), str):
                    spoilt.append(tree)
                if any(tree is one for one in spoilt):
                    return False
        return Walker(view).condition(tree) is True

    matched(matches)(patch)
