"""The tree walker: evaluates a selector node by node, in three-valued logic.

It defines the meaning of a selector in the simplest way. The compiled form must always agree with it (a property test
checks that). It also computes constant parts, evaluates trees that nest too deep for Python's compiler, and is the only
form for version 1.0, where comparing unlike types makes the whole selector false (3.8.1.1-115) and exact and
approximate numbers are unlike (3.8.1.1-114).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from reference_provider.selector import literals, operations
from reference_provider.selector.nodes import (
    And,
    Arithmetic,
    Between,
    Comparison,
    Condition,
    Constant,
    Flag,
    Identifier,
    In,
    IsNull,
    Like,
    Not,
    NumberLiteral,
    Operand,
    Or,
    Outside,
    Signed,
    TextLiteral,
    TruthLiteral,
)
from reference_provider.selector.operations import Value
from reference_provider.selector.values import FALSE, NUMBERS, TRUE, SelectorValue

View = Mapping[str, SelectorValue]


class Walker:
    """Evaluates trees for one view."""

    __slots__ = ("_view",)

    def __init__(self, view: View) -> None:
        self._view = view

    def condition(self, node: Condition) -> bool | None:
        """Return true, false, or None for unknown."""
        result: bool | None = getattr(self, CONDITIONS[type(node)])(node)
        return result

    def operand(self, node: Operand) -> Value:
        """Return a value, or None for unknown."""
        result: Value = getattr(self, OPERANDS[type(node)])(node)
        return result

    # Conditions

    def constant(self, node: Constant) -> bool | None:
        """Evaluate TRUE and FALSE."""
        return node.value

    def flag(self, node: Flag) -> bool | None:
        """Evaluate an identifier as a condition: unknown unless it is a boolean (3.8.1.1-47)."""
        value = self._view.get(node.name)
        return True if value is TRUE else False if value is FALSE else None

    def comparison(self, node: Comparison) -> bool | None:
        """Evaluate a comparison."""
        return self.compare(self.operand(node.left), node.operator, self.operand(node.right))

    def compare(self, left: Value, operator: str, right: Value) -> bool | None:
        """Compare two values."""
        return operations.COMPARE[operator](left, right)

    def between(self, node: Between) -> bool | None:
        """Evaluate `operand >= low AND operand <= high`."""
        value = self.operand(node.operand)
        return conjunction(
            [self.compare(value, ">=", self.operand(node.low)), self.compare(value, "<=", self.operand(node.high))]
        )

    def outside(self, node: Outside) -> bool | None:
        """Evaluate `operand < low OR operand > high`."""
        value = self.operand(node.operand)
        return disjunction(
            [self.compare(value, "<", self.operand(node.low)), self.compare(value, ">", self.operand(node.high))]
        )

    def like(self, node: Like) -> bool | None:
        """Match the whole of a String; another type is unknown: neither LIKE nor NOT LIKE matches (3.8.1.1-93)."""
        value = self._view.get(node.identifier.name)
        return fullmatch(node.pattern, node.escape, value) if isinstance(value, str) else None

    def in_(self, node: In) -> bool | None:
        """Look a String up; another type is unknown, so it matches neither IN nor NOT IN (3.8.1.1-80)."""
        value = self._view.get(node.identifier.name)
        return value in node.texts if isinstance(value, str) else None

    def is_null(self, node: IsNull) -> bool | None:
        """Evaluate IS NULL, which is never unknown (3.8.1.2-3)."""
        return self._view.get(node.identifier.name) is None

    def not_(self, node: Not) -> bool | None:
        """Negate; unknown stays unknown (3.8.1.2-13)."""
        return negation(self.condition(node.condition))

    def and_(self, node: And) -> bool | None:
        """Evaluate AND."""
        return conjunction(self.condition(each) for each in node.conditions)

    def or_(self, node: Or) -> bool | None:
        """Evaluate OR."""
        return disjunction(self.condition(each) for each in node.conditions)

    # Operands

    def identifier(self, node: Identifier) -> Value:
        """Return the value of a header or property."""
        return self._view.get(node.name)

    def literal(self, node: TextLiteral | NumberLiteral) -> Value:
        """Return the value of a literal."""
        return node.value

    def truth_literal(self, node: TruthLiteral) -> Value:
        """Return the value of TRUE or FALSE."""
        return TRUE if node.value else FALSE

    def signed(self, node: Signed) -> Value:
        """Apply a sign."""
        value = self.operand(node.operand)
        return operations.negate(value) if node.sign == "-" else operations.plus(value)

    def arithmetic(self, node: Arithmetic) -> Value:
        """Compute from left to right (3.8.1.1-5)."""
        value = self.operand(node.first)
        for operator, operand in node.rest:
            value = operations.COMPUTE[operator](value, self.operand(operand))
        return value


CONDITIONS: Final[dict[type, str]] = {
    Constant: "constant",
    Flag: "flag",
    Comparison: "comparison",
    Between: "between",
    Outside: "outside",
    Like: "like",
    In: "in_",
    IsNull: "is_null",
    Not: "not_",
    And: "and_",
    Or: "or_",
}
"""The method of `Walker` for each kind of condition."""

OPERANDS: Final[dict[type, str]] = {
    Identifier: "identifier",
    TextLiteral: "literal",
    NumberLiteral: "literal",
    TruthLiteral: "truth_literal",
    Signed: "signed",
    Arithmetic: "arithmetic",
}
"""The method of `Walker` for each kind of operand."""


def negation(value: bool | None) -> bool | None:
    """Negate in three values."""
    return None if value is None else not value


def conjunction(values: Iterable[bool | None]) -> bool | None:
    """Join by AND in three-valued logic: false wins, then unknown."""
    result: bool | None = True
    for value in values:
        if value is False:
            return False
        if value is None:
            result = None
    return result


def disjunction(values: Iterable[bool | None]) -> bool | None:
    """Join by OR in three-valued logic: true wins, then unknown."""
    result: bool | None = False
    for value in values:
        if value is True:
            return True
        if value is None:
            result = None
    return result


@lru_cache(maxsize=256)
def _matcher(pattern: str, escape: str | None) -> Callable[[str], object]:
    return re.compile(literals.pattern(pattern, escape).regex, re.DOTALL).fullmatch


def fullmatch(pattern: str, escape: str | None, text: str) -> bool:
    """Return whether a LIKE pattern matches a whole text."""
    return _matcher(pattern, escape)(text) is not None


def evaluate(tree: Condition, view: View) -> bool | None:
    """Evaluate a selector: true, false, or None for unknown."""
    return Walker(view).condition(tree)


def walking(tree: Condition) -> Callable[[View], bool]:
    """Return a function that walks the tree for each view."""
    return lambda view: evaluate(tree, view) is True


class UnlikeTypes(Exception):  # noqa: N818 - not an error: it decides a selector of version 1.0
    """Two values of unlike types were compared."""


class WalkerOf10(Walker):
    """Evaluates a selector by the rules of version 1.0."""

    __slots__ = ()

    def compare(self, left: Value, operator: str, right: Value) -> bool | None:
        """Compare two values of one type; unlike types decide the whole selector.

        Raises:
            UnlikeTypes: the values are of unlike types, or one is exact and one approximate.
        """
        if left is not None and right is not None and family(left) is not family(right):
            raise UnlikeTypes
        return super().compare(left, operator, right)


def family(value: SelectorValue) -> type:
    """Return the family of a value in version 1.0, which compares only within one; exact numbers have their own."""
    if type(value) in NUMBERS:
        return float if isinstance(value, float) else int
    return type(value)


def walking_in_1_0(tree: Condition) -> Callable[[View], bool]:
    """Return a function that walks the tree for each view by the rules of version 1.0."""

    def matches(view: View) -> bool:
        try:
            return WalkerOf10(view).condition(tree) is True
        except UnlikeTypes:
            return False

    return matches
