"""The values that selectors compare: plain Python objects that keep Java's types apart at no cost.

| Java | here |
|---|---|
| String | `str` |
| boolean | `TRUE`, `FALSE`: two objects that equal nothing else and have no order, where Python's `True` equals 1 |
| byte, short, int | `int` |
| long | `Wide`, an `int` |
| float | `Single`, a `float` |
| double | `float` |
| null | absent |

So equality of strings and numbers is Python's own operator, and only rare pairs of types need a conversion
(`operations`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, final

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
    """A number of Java's type long; a result of two plain `int` stays within 32 bits, as in Java."""

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
    """Return the form of a typed property value; null has none and is not allowed here."""
    return FORMS[type(value)](value)


def _same(value: Any) -> SelectorValue:  # noqa: ANN401 - a string or a double
    result: SelectorValue = value
    return result


def _number(box: Byte | Short | Int) -> int:
    return box.value


FORMS: Final[dict[type, Callable[[Any], SelectorValue]]] = {
    str: _same,
    bool: lambda value: TRUE if value else FALSE,
    Byte: _number,
    Short: _number,
    Int: _number,
    int: Wide,
    Float: lambda box: Single(box.value),
    float: _same,
}
"""The form of each type of property."""
