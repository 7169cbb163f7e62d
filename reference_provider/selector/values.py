"""The values that selectors compare: plain Python objects that keep Java's types apart at no cost.

| Java | here |
|---|---|
| String | `str` |
| boolean | `TRUE`, `FALSE`: two marks that equal nothing else and have no order, where Python's `True` equals 1 |
| byte, short, int | `int` |
| long | `Wide`, an `int` |
| float | `Single`, a `float` |
| double | `float` |
| null | absent |

So equality of strings and numbers is Python's own operator, and only the rare pair of types needs a conversion (`operations`).
"""

from __future__ import annotations

from typing import Final, TypeAlias, final

from tck.api import Byte, Float, Int, Short


@final
class Truth:
    """One of the two boolean values, `TRUE` and `FALSE`."""

    __slots__ = ("_name", "value")

    def __init__(self, value: bool) -> None:
        self.value = value
        self._name = "TRUE" if value else "FALSE"

    def __repr__(self) -> str:
        return self._name


TRUE: Final = Truth(value=True)
FALSE: Final = Truth(value=False)


@final
class Wide(int):
    """A number of Java's type long; what is computed from two plain `int` stays within 32 bits, as in Java."""

    __slots__ = ()


@final
class Single(float):
    """A number of Java's type float."""

    __slots__ = ()


Number: TypeAlias = int | float
SelectorValue: TypeAlias = str | Truth | int | float

NUMBERS: Final = frozenset({int, float, Wide, Single})
"""The exact classes of numbers."""


def selector_value(value: object) -> SelectorValue:
    """Give the form of a typed property value; null has none and must not come here."""
    match value:
        case str():
            return value
        case bool():
            return TRUE if value else FALSE
        case Int() | Short() | Byte():
            return value.value
        case Float():
            return Single(value.value)
        case int():
            return Wide(value)
        case float():
            return value
    raise TypeError(f"{value!r} is no property value")
