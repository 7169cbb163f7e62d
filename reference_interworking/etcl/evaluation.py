"""What a tree means for an event: truth, numbers, texts, and what has no value at all.

A component that the event lacks, and types that an operator does not take, leave the whole constraint without a value, and then it
matches nothing; only `exist` looks first. `and` and `or` ask from left to right and stop as soon as the result is known, so
`exist $.a and $.a > 3` is safe. Numbers meet as doubles if either is a floating one, otherwise as whole numbers of any size, where `/`
truncates; dividing by zero has no value. Arithmetic takes a boolean as 1 or 0; a comparison does not. FALSE is less than TRUE, texts
compare by code points, a char is a text, and the labels of an enum by their places in it. An enum compares with another of its type,
or with a label as a name or a string; a label that it lacks is unequal and has no order.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

from reference_interworking.etcl.access import is_default, items, value_of
from reference_interworking.etcl.errors import Undefined
from reference_interworking.etcl.nodes import (
    And,
    Arithmetic,
    Arithmetical,
    Comparison,
    Component,
    Default,
    Ending,
    Exist,
    Label,
    Node,
    Not,
    Number,
    Operator,
    Or,
    Substring,
    Text,
    Truth,
    Within,
)
from reference_interworking.values import inside
from tck.interworking import Any_, Kind, StructuredEvent, TypeCode
from tck.interworking.anys import RANGES, STRINGS

_TEXTS: Final = STRINGS | {Kind.CHAR, Kind.WCHAR}


@dataclass(frozen=True, slots=True)
class Choice:
    """A label of an enum, with the enum unless it is a name in the constraint."""

    label: str
    type: TypeCode | None = None


Value: TypeAlias = bool | int | float | str | Choice

COMPARE: Final[Mapping[Operator, Callable[[Any, Any], bool]]] = MappingProxyType(
    {
        "==": operators.eq,
        "!=": operators.ne,
        "<": operators.lt,
        "<=": operators.le,
        ">": operators.gt,
        ">=": operators.ge,
    }
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One look at an event.

    Attributes:
        event: The event.
        now: The time, in ms since 1970.
    """

    event: StructuredEvent
    now: int

    def truth(self, node: Node) -> bool:
        """Return whether a condition holds.

        Raises:
            Undefined: It has no value, or one that is no boolean.
        """
        match node:
            case And():
                return all(self.truth(each) for each in node.conditions)
            case Or():
                return any(self.truth(each) for each in node.conditions)
            case Not():
                return not self.truth(node.condition)
        value = self.value(node)
        if not isinstance(value, bool):
            raise Undefined(f"{value!r} is no boolean")
        return value

    def value(self, node: Node) -> Value:
        """Return the value of a node.

        Raises:
            Undefined: It has none.
        """
        match node:
            case Component():
                return simple(value_of(node, self.event, self.now))
            case Number() | Text() | Truth():
                return node.value
            case Label():
                return Choice(node.name)
            case Arithmetic():
                result = _number(self.value(node.first))
                for operator, operand in node.rest:
                    result = computed(result, operator, _number(self.value(operand)))
                return result
            case Comparison():
                return compared(self.value(node.left), node.operator, self.value(node.right))
        return self._answer(node)

    def _answer(self, node: Substring | Within | Exist | Default | And | Or | Not) -> bool:
        match node:
            case Substring():
                return _text(self.value(node.part)) in _text(self.value(node.whole))
            case Within():
                return self._within(node)
            case Exist():
                return self._exists(node.component)
            case Default():
                return self._default(node.component)
            case And() | Or() | Not():
                return self.truth(node)

    def _within(self, node: Within) -> bool:
        sought = self.value(node.value)
        sequence = value_of(node.sequence, self.event, self.now)
        mixed = sequence.type.plain.kind == Kind.SEQUENCE and sequence.type.plain.inner.plain.kind == Kind.ANY
        return any(_same(sought, inside(each), mixed=mixed) for each in items(sequence))

    def _exists(self, component: Component) -> bool:
        try:
            value_of(component, self.event, self.now)
        except Undefined:
            return False
        return True

    def _default(self, component: Component) -> bool:
        """Return whether the default arm is active of a union, given itself or by its discriminator."""
        steps = component.steps[:-1] if component.steps[-1:] == (Ending("_d"),) else component.steps
        return is_default(value_of(Component(component.variable, steps), self.event, self.now))


def simple(value: Any_) -> Value:
    """Return a value that operators take.

    Raises:
        Undefined: The value is a constructed one.
    """
    kind = value.type.plain.kind
    if kind in RANGES or kind in _TEXTS or kind in (Kind.BOOLEAN, Kind.FLOAT, Kind.DOUBLE):
        return cast("Value", value.value)
    if kind == Kind.ENUM:
        return Choice(str(value.value), value.type.plain)
    raise Undefined(f"a {value.type} is no value to compare")


def compared(left: Value, operator: Operator, right: Value) -> bool:
    """Compare two values.

    Raises:
        Undefined: They are of unlike types.
    """
    if isinstance(left, Choice) or isinstance(right, Choice):
        return _chosen(left, operator, right)
    if isinstance(left, str) and isinstance(right, str):
        return COMPARE[operator](left, right)
    if isinstance(left, bool) is not isinstance(right, bool) or isinstance(left, str) or isinstance(right, str):
        raise Undefined(f"{left!r} and {right!r} are of unlike types")
    return COMPARE[operator](*_promoted(left, right))


def _chosen(left: Value, operator: Operator, right: Value) -> bool:
    """Compare the labels of an enum."""
    enums = {each.type for each in (left, right) if isinstance(each, Choice) and each.type is not None}
    sides = [each.label if isinstance(each, Choice) else each for each in (left, right)]
    if len(enums) != 1 or not all(isinstance(each, str) for each in sides):
        raise Undefined(f"{left!r} and {right!r} are of unlike types")
    if operator in ("==", "!="):
        return COMPARE[operator](*sides)
    labels = enums.pop().labels
    if not all(each in labels for each in sides):
        raise Undefined(f"{sides[0]} and {sides[1]} have no order")
    return COMPARE[operator](*map(labels.index, sides))


def _same(sought: Value, item: Any_, *, mixed: bool) -> bool:
    """Return whether an item of a sequence is the value sought; in a sequence of anys one of another type is not."""
    try:
        return compared(sought, "==", simple(item))
    except Undefined:
        if mixed:
            return False
        raise


def computed(left: float, operator: Arithmetical, right: float) -> int | float:
    """Compute with two numbers.

    Raises:
        Undefined: The result is none: a division by zero, or a whole number that no double holds.
    """
    left, right = _promoted(left, right)
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    if not right:
        raise Undefined("a division by zero")
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def _promoted(left: float, right: float) -> tuple[int | float, int | float]:
    """Return two numbers as doubles if either is a floating one."""
    if isinstance(left, float) is isinstance(right, float):
        return left, right
    try:
        return float(left), float(right)
    except OverflowError:
        raise Undefined("a whole number that no double holds") from None


def _number(value: Value) -> int | float:
    if isinstance(value, int | float):
        return value
    raise Undefined(f"{value!r} is no number")


def _text(value: Value) -> str:
    """Return a text; an enum's label is one."""
    if isinstance(value, Choice) and value.type is not None:
        return value.label
    if isinstance(value, str):
        return value
    raise Undefined(f"{value!r} is no text")
