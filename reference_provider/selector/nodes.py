"""The typed tree of a selector: conditions (true, false or unknown) and operands (values or unknown).

Chains are flat: AND, OR and operators of one precedence hold all their parts. Forms that the specification defines by
an equivalence are rewritten: `x BETWEEN a AND b` is `x >= a AND x <= b` (3.8.1.1-70, -71), NOT LIKE and NOT IN are NOT
around LIKE and IN.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from reference_provider.selector.values import Number

ComparisonOperator: TypeAlias = Literal["=", "<>", "<", ">", "<=", ">="]
ArithmeticOperator: TypeAlias = Literal["+", "-", "*", "/"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """A header or property, as an operand."""

    name: str
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TextLiteral:
    """A string literal."""

    value: str


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A numeric literal: `Wide` is long, `float` double, `Single` float."""

    value: Number


@dataclass(frozen=True, slots=True)
class TruthLiteral:
    """TRUE or FALSE, as an operand."""

    value: bool


@dataclass(frozen=True, slots=True)
class Signed:
    """An operand behind one unary sign."""

    sign: Literal["+", "-"]
    operand: Operand


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Operands joined by operators of one precedence, evaluated from left to right."""

    first: Operand
    rest: tuple[tuple[ArithmeticOperator, Operand], ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """TRUE or FALSE, as a condition."""

    value: bool


@dataclass(frozen=True, slots=True)
class Flag:
    """A boolean header or property as a condition."""

    name: str
    position: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands compared."""

    left: Operand
    operator: ComparisonOperator
    right: Operand


@dataclass(frozen=True, slots=True)
class Between:
    """`operand >= low AND operand <= high`."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class Outside:
    """NOT BETWEEN: `operand < low OR operand > high`."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class Like:
    """A String that matches a pattern."""

    identifier: Identifier
    pattern: str
    escape: str | None


@dataclass(frozen=True, slots=True)
class In:
    """A String that is one of a list."""

    identifier: Identifier
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IsNull:
    """A header or property that is null or absent."""

    identifier: Identifier


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class And:
    """Conditions joined by AND; at least two."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Conditions joined by OR; at least two."""

    conditions: tuple[Condition, ...]


Operand: TypeAlias = Identifier | TextLiteral | NumberLiteral | TruthLiteral | Signed | Arithmetic
Condition: TypeAlias = Constant | Flag | Comparison | Between | Outside | Like | In | IsNull | Not | And | Or


def parts(node: Condition | Operand) -> tuple[Condition | Operand, ...]:
    """Return the nodes directly below one."""
    below: tuple[Condition | Operand, ...] = ()
    match node:
        case And() | Or():
            below = node.conditions
        case Not():
            below = (node.condition,)
        case Comparison():
            below = (node.left, node.right)
        case Between() | Outside():
            below = (node.operand, node.low, node.high)
        case Like() | In() | IsNull():
            below = (node.identifier,)
        case Signed():
            below = (node.operand,)
        case Arithmetic():
            below = (node.first, *(operand for _, operand in node.rest))
    return below


def names(node: Condition | Operand) -> frozenset[str]:
    """Return the names of all headers and properties below and including a node, without recursion."""
    found: set[str] = set()
    waiting: list[Condition | Operand] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (Identifier, Flag)):
            found.add(each.name)
        waiting.extend(parts(each))
    return frozenset(found)
