"""Arithmetic on moderate numbers as plain Python: the reason why selectors with arithmetic are fast.

Java's int and long wrap around and its float is rounded. As long as all values are int, long or double and stay within
a bound that no intermediate result can leave, Python's operators agree. The bound is computed from the expression at
compile time, and the generated code checks each value against it; other values take the general way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from reference_provider.selector.nodes import Arithmetic, Identifier, NumberLiteral, Operand, Signed
from reference_provider.selector.values import Single

_INT_LIMIT: Final = 2**31
_DOUBLE_LIMIT: Final = 2**53
_LONG_LIMIT: Final = 2**63  # larger values are infinity or NaN, which have no literal
_SMALLEST_BOUND: Final = 2**10
_LONGEST: Final = 40


class NotFast(Exception):  # noqa: N818 - not an error: the expression takes the general way
    """The expression has no fast form."""


def fast_form(operands: Sequence[Operand], template: str, wanted: bool, temporary: Callable[[], str]) -> str | None:
    """Return `TEST if GUARDS`, to be followed by ` else SLOW`, or None if the operands have no such form.

    Args:
        operands: the operands of the comparison.
        template: the comparison, with `{0}`, `{1}` ... for the operands.
        wanted: whether the comparison should be true or false; within the guards nothing is unknown.
        temporary: returns the name of a new variable.
    """
    try:
        writer = _Writer(_bound(operands), temporary)
        test = template.format(*(writer.source(operand) for operand in operands))
    except NotFast:
        return None
    return f"{test if wanted else f'not ({test})'} if {' and '.join(writer.guards)}"


def _bound(operands: Sequence[Operand]) -> int:
    """Return the largest values of identifiers for which no intermediate result passes 31 bits."""
    if not any(isinstance(operand, (Arithmetic, Signed)) for operand in operands):
        return _DOUBLE_LIMIT - 1
    bound = _INT_LIMIT - 1
    while bound >= _SMALLEST_BOUND:
        if all(_largest(operand, bound) < _INT_LIMIT for operand in operands):
            return bound
        bound //= 2
    raise NotFast


def _largest(node: Operand, bound: int) -> float:
    """Return the largest possible result, intermediate results included."""
    match node:
        case Identifier():
            return bound
        case NumberLiteral() if type(node.value) is not Single and abs(node.value) < _INT_LIMIT:
            return abs(node.value)
        case Signed():
            return _largest(node.operand, bound)
        case Arithmetic() if len(node.rest) <= _LONGEST:
            return _largest_of_chain(node, bound)
    raise NotFast


def _largest_of_chain(node: Arithmetic, bound: int) -> float:
    result = reached = _largest(node.first, bound)
    for operator, operand in node.rest:
        other = _largest(operand, bound)
        if operator in "+-":
            result += other
        elif operator == "*":
            result *= max(other, 1)
        reached = max(reached, result, other)
    return reached


class _Writer:
    """Writes operands, and collects the guards for their identifiers."""

    def __init__(self, bound: int, temporary: Callable[[], str]) -> None:
        self._bound = bound
        self._temporary = temporary
        self._variables: dict[str, str] = {}
        self.guards: list[str] = []

    def source(self, node: Operand) -> str:
        """Return the source of an operand."""
        match node:
            case Identifier():
                return self._variable(node.name)
            case NumberLiteral() if type(node.value) is not Single and abs(node.value) <= _LONG_LIMIT:
                return f"({node.value})" if node.value < 0 else str(node.value)
            case Signed():
                return f"(-{self.source(node.operand)})" if node.sign == "-" else self.source(node.operand)
            case Arithmetic():
                return self._chain(node)
        raise NotFast

    def _variable(self, name: str) -> str:
        variable = self._variables.get(name)
        if variable is None:
            variable = self._variables[name] = self._temporary()
            self.guards.append(
                f"(type({variable} := view.get({name!r})) is int or type({variable}) in PLAIN)"
                f" and -{self._bound} <= {variable} <= {self._bound}"
            )
        return variable

    def _chain(self, node: Arithmetic) -> str:
        source = self.source(node.first)
        for operator, operand in node.rest:
            if operator == "/":
                source = self._quotient(source, operand)
            else:
                source = f"({source} {operator} {self.source(operand)})"
        return source

    def _quotient(self, dividend: str, divisor: Operand) -> str:
        """Divide: whole numbers truncate; below 31 bits Python's rounded quotient does so too."""
        match divisor:
            case NumberLiteral() if divisor.value:
                below, is_real = self.source(divisor), isinstance(divisor.value, float)
            case Identifier():
                below, is_real = self.source(divisor), False
                self.guards.append(below)
            case _:
                raise NotFast
        if is_real:
            return f"({dividend} / {below})"
        value = self._temporary()
        either = f"type({value} := {dividend}) is float"
        if isinstance(divisor, Identifier):
            either += f" or type({below}) is float"
        return f"({value} / {below} if {either} else int({value} / {below}))"
