"""Values in selectors, with Java's numeric types and promotion: the base of the oracle.

Written from the specification (3.8.1.1) and the Java rules it points to; knows no provider.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tck import api

Kind: TypeAlias = Literal["int", "long", "float", "double"]
"""A numeric type after Java's promotion."""
_KINDS: tuple[Kind, ...] = ("int", "long", "float", "double")
"""The numeric types of Java after the promotion of byte and short, each wider than those before it."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in one of Java's types."""

    kind: Kind
    value: int | float


Value: TypeAlias = str | bool | Number | None
"""A value; None is NULL, or an unknown result of arithmetic."""


def of_property(value: object) -> Value:
    """Return the value of a sample's property: a plain int is an int, a plain float a double, a box its own type."""
    if value is None or isinstance(value, (bool, str)):
        return value
    match value:
        case api.Byte() | api.Short() | api.Int():
            return Number("int", value.value)
        case api.Long():
            return Number("long", value.value)
        case api.Float():
            return Number("float", value.value)
        case api.Double():
            return Number("double", value.value)
        case float():
            return Number("double", value)
        case int():
            return Number("int", value)
    msg = f"{value!r} is no value of a property"
    raise TypeError(msg)


def _as_kind(kind: Kind, value: float) -> Number:
    """Convert a result to a type: wrapped around, or rounded."""
    if kind == "float":
        return Number(kind, api.Float(float(value)).value)
    if kind == "double":
        return Number(kind, float(value))
    bits = 32 if kind == "int" else 64
    return Number(kind, (int(value) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1))


def _promoted(left: Number, right: Number) -> tuple[Number, Number]:
    """Convert two numbers to the wider of their types."""
    kind = max(left.kind, right.kind, key=_KINDS.index)
    return _as_kind(kind, left.value), _as_kind(kind, right.value)


def compute(left: Value, operator: str, right: Value) -> Number | None:
    """Compute in Java's arithmetic; NULL makes the result unknown.

    Raises:
        TypeError: an operand is no number; the specification leaves the result open.
    """
    if left is None or right is None:
        return None
    if not (isinstance(left, Number) and isinstance(right, Number)):
        raise TypeError(operator)
    first, second = _promoted(left, right)
    a, b = first.value, second.value
    if operator == "/":
        quotient = (
            a / b if first.kind in ("float", "double") else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
        )
        return _as_kind(first.kind, quotient)
    return _as_kind(first.kind, {"+": a + b, "-": a - b, "*": a * b}[operator])


def compare(left: Value, operator: str, right: Value) -> bool | None:
    """Compare: unknown with NULL, false for unlike types.

    Raises:
        TypeError: texts or booleans have no order.
    """
    if left is None or right is None:
        return None
    if isinstance(left, Number) and isinstance(right, Number):
        first, second = (number.value for number in _promoted(left, right))
        return {
            "=": first == second,
            "<>": first != second,
            "<": first < second,
            "<=": first <= second,
            ">": first > second,
            ">=": first >= second,
        }[operator]
    if type(left) is not type(right):
        return False
    if operator not in ("=", "<>"):
        raise TypeError(operator)
    return (left == right) is (operator == "=")
