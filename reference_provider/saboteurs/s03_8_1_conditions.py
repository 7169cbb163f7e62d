"""Faults in 3.8.1.1: comparisons and arithmetic, 3.8.1.2-2 among it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reference_provider.java.numbers import wrap
from reference_provider.saboteurs.of_selectors import matched, refused, refused_where, rewritten, walked
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.selector import operations
from reference_provider.selector.nodes import (
    Arithmetic,
    Comparison,
    Condition,
    Identifier,
    NumberLiteral,
    TextLiteral,
    TruthLiteral,
)
from reference_provider.selector.operations import Value
from reference_provider.selector.values import FALSE, NUMBERS, TRUE, SelectorValue, Single, Wide
from reference_provider.selector.walker import UnlikeTypes, View, Walker, WalkerOf10, family

RANDOM = "a condition made at random in that case asks for the same"

Compare = Callable[[Value, str, Value], bool | None]


def _comparing(patch: Patch, fault: Callable[[Compare, Value, str, Value], bool | None]) -> None:
    """Have values compared by `fault`, which is given the honest way too."""

    class Faulty(Walker):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            return fault(super().compare, left, operator, right)

    walked(patch, Faulty)


# --- comparisons ---------------------------------------------------------------------------------------------------


@saboteur("3.8.1.1-50", "<> is evaluated as = between double and float")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        mixed = type(left) is float and type(right) is Single
        return honest(left, "=" if mixed and operator == "<>" else operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-51", "< accepts equal doubles")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        doubles = type(left) is float and type(right) is float
        return honest(left, "<=" if doubles and operator == "<" else operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-52", "<= rejects equal doubles")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        doubles = type(left) is float and type(right) is float
        return honest(left, "<" if doubles and operator == "<=" else operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-53", "an int never equals a number with a point")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if operator == "=" and type(left) is int and type(right) is float:
            return False
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-54", "a long and a double are compared exactly")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if operator == "=" and type(left) is Wide and type(right) is float:
            return left == right
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-55", "looking for a text in a number fails with an error where the text stands first")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(TextLiteral(), "=", right) if type(self.operand(right)) in NUMBERS:
                    raise TypeError("a text and a number are not comparable")
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-56", "a boolean literal is unequal to values of other types")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(TruthLiteral(), "<>", right):
                    value = self.operand(right)
                    return True if value not in (None, TRUE, FALSE) else super().comparison(node)
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-57", "comparing unlike types is unknown")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        alike = type(left) is type(right) or operations.are_numbers(left, right)
        return honest(left, operator, right) if alike else None

    _comparing(patch, fault)


@saboteur(
    "3.8.1.1-58",
    "NULL equals NULL",
    collateral={"3.8.1.1-54": "the case compares two names that some of its messages have not"},
)
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(Identifier(left), "=", Identifier(right)) if not {left, right} & self._view.keys():
                    return True
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-59", "texts are ordered by the alphabet")
def _(patch: Patch) -> None:
    rewritten(patch, r"\b(\w+) (?:>|<=) '\w+'", r"\1 IS NOT NULL")


@saboteur("3.8.1.1-60", "FALSE is less than TRUE")
def _(patch: Patch) -> None:
    rewritten(patch, r"\b(\w+) > FALSE", r"\1 = TRUE")


@saboteur("3.8.1.1-61", "<> ignores case in properties")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            value, other = self.operand(node.left), self.operand(node.right)
            own = isinstance(node.left, Identifier) and not node.left.name.startswith("JMS")
            if own and node.operator == "<>" and isinstance(value, str) and isinstance(other, str):
                return value.lower() != other.lower()
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-62", "blanks at the end of a text are ignored")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if isinstance(left, str) and isinstance(right, str):
            return honest(left.rstrip(" "), operator, right.rstrip(" "))
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-107", "after a text, > with a number chooses nothing any more")
def _(patch: Patch) -> None:
    texts: set[int] = set()
    kept: list[Condition] = []

    def matches(tree: Condition, view: View) -> bool:
        match tree:
            case Comparison(Identifier(name), ">", NumberLiteral()):
                if isinstance(view.get(name), str):
                    kept.append(tree)
                    texts.add(id(tree))
                if id(tree) in texts:
                    return False
        return Walker(view).condition(tree) is True

    matched(patch, matches)


def _walking_1_0(patch: Patch, walker: type[WalkerOf10]) -> None:
    def matches(tree: Condition, view: View) -> bool:
        try:
            return walker(view).condition(tree) is True
        except UnlikeTypes:
            return False

    matched(patch, matches)


@saboteur("3.8.1.1-114", "numbers are promoted before they are compared", version="1.0")
def _(patch: Patch) -> None:
    class Faulty(WalkerOf10):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            if operations.are_numbers(left, right):
                return operations.COMPARE[operator](left, right)
            return super().compare(left, operator, right)

    _walking_1_0(patch, Faulty)


def _unlike(left: SelectorValue, right: SelectorValue) -> bool:
    return family(left) is not family(right)


@saboteur("3.8.1.1-115", "comparing unlike types is false, and no more than that", version="1.0")
def _(patch: Patch) -> None:
    class Faulty(WalkerOf10):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            if left is not None and right is not None and _unlike(left, right):
                return False
            return super().compare(left, operator, right)

    _walking_1_0(patch, Faulty)


# --- arithmetic ----------------------------------------------------------------------------------------------------


@saboteur(
    "3.8.1.1-46",
    "a product of a difference may stand on the left side only",
    collateral={"3.8.1.1-53": RANDOM},
)
def _(patch: Patch) -> None:
    def offence(node: Any) -> bool:
        match node:
            case Comparison(_, _, Arithmetic(Arithmetic(_, (("-", _),)), (("*", _),))):
                return True
        return False

    refused_where(patch, offence)


@saboteur("3.8.1.1-63", "a sign before a sign is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"^- [-+]").search)


@saboteur("3.8.1.1-64", "a sign after / is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"/ -").search)


@saboteur("3.8.1.1-65", "all operators of arithmetic are of one level")
def _(patch: Patch) -> None:
    rewritten(patch, r"^(\w+) \+ (\w+) \* (\w+) =", r"(\1 + \2) * \3 =")


def _computing(patch: Patch, fault: Callable[[Value, str, Value], Value]) -> None:
    """Have two operands computed by `fault`; NotImplemented leaves it to the honest way."""

    class Faulty(Walker):
        def arithmetic(self, node: Arithmetic) -> Value:
            value = self.operand(node.first)
            for operator, operand in node.rest:
                other = self.operand(operand)
                result: Any = fault(value, operator, other)
                value = operations.COMPUTE[operator](value, other) if result is NotImplemented else result
            return value

    walked(patch, Faulty)


@saboteur("3.8.1.1-66", "a long divided by an int gives a double")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        if operator == "/" and type(left) is Wide and type(right) is int and right:
            return left / right
        return NotImplemented

    _computing(patch, fault)


@saboteur("3.8.1.1-67", "an int divided by a double gives an int")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        if operator == "/" and type(left) is int and type(right) is float and right:
            return int(left / right)
        return NotImplemented

    _computing(patch, fault)


@saboteur("3.8.1.1-68", "sums of small numbers wrap around at 127")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        if operator == "+" and type(left) is int and type(right) is int and abs(left) < 128 and abs(right) < 128:
            return wrap(left + right, 8)
        return NotImplemented

    _computing(patch, fault)


@saboteur("3.8.1.2-2", "NULL counts as 0 in sums")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        return operations.add(left or 0, right or 0) if operator == "+" and None in (left, right) else NotImplemented

    _computing(patch, fault)
