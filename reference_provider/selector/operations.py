"""Java's comparisons and arithmetic over the values of `values`, with None for unknown.

Types are promoted as in Java (3.8.1.1-53, -54, -66 to -68): a double makes both double, otherwise a float makes both
float, otherwise a long makes both long, otherwise both are int. Whole numbers wrap around at 64 or 32 bits; dividing
them truncates towards zero.

The specification leaves open, and this module decides: dividing whole numbers by zero is unknown (3.8.1.1-112);
arithmetic with a value that is not a number is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from reference_provider.java.numbers import long_to_float, to_float, wrap
from reference_provider.selector.values import NUMBERS, Number, SelectorValue, Single, Wide

Value: TypeAlias = SelectorValue | None


def promoted(left: Number, right: Number) -> tuple[Number, Number]:
    """Convert two numbers to the type in which Java would compare or compute them; return plain numbers."""
    if type(left) is float or type(right) is float:
        return float(left), float(right)
    if type(left) is Single or type(right) is Single:
        return as_single(left), as_single(right)
    return left, right


def as_single(value: Number) -> float:
    """Convert an int, long or float to float."""
    return value if isinstance(value, float) else long_to_float(value)


# Comparing. Unlike types give false, null gives unknown (3.8.1.1-55 to -58).


def are_numbers(left: Value, right: Value) -> bool:
    """Return whether both are numbers."""
    return type(left) in NUMBERS and type(right) in NUMBERS


def equal(left: Value, right: Value) -> bool | None:
    """Compare with `=`."""
    if left is None or right is None:
        return None
    if are_numbers(left, right):
        left, right = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    return left == right


def unequal(left: Value, right: Value) -> bool | None:
    """Compare with `<>`: false for unlike types (3.8.1.1-56)."""
    if left is None or right is None:
        return None
    if are_numbers(left, right):
        left, right = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
        return left != right
    return type(left) is type(right) and left != right


def less(left: Value, right: Value) -> bool | None:
    """Compare with `<`, which only numbers have (3.8.1.1-59, -60)."""
    if left is None or right is None:
        return None
    if not are_numbers(left, right):
        return False
    low, high = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    return low < high


def less_or_equal(left: Value, right: Value) -> bool | None:
    """Compare with `<=`."""
    if left is None or right is None:
        return None
    if not are_numbers(left, right):
        return False
    low, high = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    return low <= high


def greater(left: Value, right: Value) -> bool | None:
    """Compare with `>`."""
    return less(right, left)


def greater_or_equal(left: Value, right: Value) -> bool | None:
    """Compare with `>=`."""
    return less_or_equal(right, left)


COMPARE: Final[Mapping[str, Callable[[Value, Value], bool | None]]] = {
    "=": equal,
    "<>": unequal,
    "<": less,
    "<=": less_or_equal,
    ">": greater,
    ">=": greater_or_equal,
}


# Arithmetic.


def numeric(left: Value, right: Value) -> bool:
    """Return whether both are numbers; otherwise the result is unknown."""
    return are_numbers(left, right)


def in_type(result: Number, left: Number, right: Number) -> Number:
    """Convert a result to the type of its promoted operands: rounded to 32 bits, or wrapped around."""
    if type(left) is float or type(right) is float:
        return result
    if type(left) is Single or type(right) is Single:
        return Single(to_float(result))
    if type(left) is int and type(right) is int:
        return wrap(int(result), 32)
    return Wide(wrap(int(result), 64))


def add(left: Value, right: Value) -> Number | None:
    """Add."""
    if not numeric(left, right):
        return None
    first, second = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    return in_type(first + second, left, right)  # type: ignore[arg-type]  # likewise


def subtract(left: Value, right: Value) -> Number | None:
    """Subtract."""
    if not numeric(left, right):
        return None
    first, second = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    return in_type(first - second, left, right)  # type: ignore[arg-type]  # likewise


def multiply(left: Value, right: Value) -> Number | None:
    """Multiply."""
    if not numeric(left, right):
        return None
    first, second = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    return in_type(first * second, left, right)  # type: ignore[arg-type]  # likewise


def divide(left: Value, right: Value) -> Number | None:
    """Divide: whole numbers truncate; divided by zero they have no value."""
    if not numeric(left, right):
        return None
    first, second = promoted(left, right)  # type: ignore[arg-type]  # numbers, as just seen
    if isinstance(first, float):
        return in_type(real_quotient(first, float(second)), left, right)  # type: ignore[arg-type]  # likewise
    if second == 0:
        return None
    return in_type(truncated_quotient(first, int(second)), left, right)  # type: ignore[arg-type]  # likewise


def real_quotient(first: float, second: float) -> float:
    """Divide as Java's floating-point numbers do: by zero gives an infinity, or NaN."""
    if second != 0.0:
        return first / second
    if first == 0.0 or math.isnan(first):
        return math.nan
    return math.copysign(math.inf, first) * math.copysign(1.0, second)


def truncated_quotient(first: int, second: int) -> int:
    """Divide whole numbers as Java does: towards zero."""
    quotient = abs(first) // abs(second)
    return quotient if (first < 0) == (second < 0) else -quotient


def negate(value: Value) -> Number | None:
    """Change the sign."""
    if type(value) is Single:
        return Single(-value)
    if type(value) is float:
        return -value
    if type(value) is int:
        return wrap(-value, 32)
    if type(value) is Wide:
        return Wide(wrap(-value, 64))
    return None


def plus(value: Value) -> Number | None:
    """Return the number unchanged."""
    return value if type(value) in NUMBERS else None  # type: ignore[return-value]  # a number, as just seen


COMPUTE: Final[Mapping[str, Callable[[Value, Value], Number | None]]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
}
