"""Constraints as message selectors: which messages of the bridge are those of the events that a constraint matches.

A missing field leaves a whole constraint without a value, where a selector goes on with what is left. So each side that may have no
value is guarded: `$a == 1 or $b == 2` becomes `a = 1 OR a <> 1 AND b = 2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from reference_interworking import names
from reference_interworking.etcl.constraint import Constraint
from reference_interworking.etcl.errors import NotTranslatable, Undefined
from reference_interworking.etcl.evaluation import Evaluation
from reference_interworking.etcl.nodes import (
    And,
    Arithmetic,
    Comparison,
    Component,
    Exist,
    Key,
    Member,
    Node,
    Not,
    Number,
    Operator,
    Or,
    Step,
    Substring,
    Text,
    Truth,
    parts,
)
from reference_interworking.etcl.rendering import component, render
from tck.interworking import EVENT_RELIABILITY, PRIORITY, STOP_TIME, TIMEOUT, event

LONGEST: Final = 10_000
"""The longest selector that is given, in characters: guards may double the text with each level of a constraint."""

_TRUE, _FALSE = "1 = 1", "1 = 0"
_LARGEST_LONG: Final = 2**63 - 1
_HEADERS: Final = frozenset({EVENT_RELIABILITY, PRIORITY, STOP_TIME, TIMEOUT})
_SYNTAX: Final[Mapping[Operator, str]] = MappingProxyType(
    {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
)
_OPPOSITE: Final[Mapping[Operator, Operator]] = MappingProxyType(
    {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
)
_FLIPPED: Final[Mapping[Operator, Operator]] = MappingProxyType(
    {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
)
_PRIORITIES: Final[Mapping[Operator, frozenset[int]]] = MappingProxyType(
    {
        "==": frozenset({1, 2, 3, 5, 6, 7, 8}),
        "!=": frozenset({4}),
        "<": frozenset(range(1, 5)),
        "<=": frozenset(range(4)),
        ">": frozenset(range(4, 9)),
        ">=": frozenset(range(5, 10)),
    }
)
"""What `JMSPriority` can be compared with: it is 4 for an event without a priority, 0 for all below, and 9 for all above."""

_FIXED_HEADER: Final = (Member("header"), Member("fixed_header"))
_FIXED: Final[Mapping[tuple[str | None, tuple[Step, ...]], str]] = MappingProxyType(
    dict(
        zip(
            (
                ("domain_name", ()),
                ("type_name", ()),
                ("event_name", ()),
                (None, (*_FIXED_HEADER, Member("event_type"), Member("domain_name"))),
                (None, (*_FIXED_HEADER, Member("event_type"), Member("type_name"))),
                (None, (*_FIXED_HEADER, Member("event_name"))),
            ),
            names.FIXED * 2,
            strict=True,
        )
    )
)
"""The properties of the fixed header, by the components that name them."""

_PLACES: Final[Mapping[tuple[Step, ...], str]] = MappingProxyType(
    {(Member("filterable_data"),): "data", (Member("header"), Member("variable_header")): "header"}
)


def to_selector(constraint: Constraint, *, dots: bool = False) -> str:
    """Return a selector that chooses the messages which the reference bridge makes of the events that a constraint matches.

    It does so for events whose fields have different names, as properties too, and hold what JMS has a type for. Where the types of
    CORBA and of Java compute differently, it follows Java: whole numbers wrap around, floats stay floats, an octet is signed, no
    arithmetic takes a boolean, and what is not a number is neither less nor greater.

    Args:
        constraint: The constraint; an empty one is the empty selector, which chooses all.
        dots: Whether members of structs are `$field.member`, as over a provider that takes such names; else `$field_member`.

    Raises:
        NotTranslatable: It asks for what no selector can: sequences, arrays, unions, types, the time, the order of texts, what
            becomes a header of the message, or a part of the rest of the body.
    """
    return "" if constraint.tree is None else _Translation(dots=dots).condition(constraint.tree, wanted=True).text


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a selector, and the word that joins it, if any."""

    text: str
    word: str = ""

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST:
            raise NotTranslatable(f"its selector is longer than {LONGEST} characters")


def _all(*conditions: _Part) -> _Part:
    return _Part(" AND ".join(f"({each.text})" if each.word == "OR" else each.text for each in conditions), "AND")


class _Translation:
    """Writes one selector."""

    def __init__(self, *, dots: bool) -> None:
        self._dots = dots
        self._done: dict[tuple[int, bool], _Part] = {}

    def condition(self, node: Node, *, wanted: bool) -> _Part:
        """Return a selector for the events for which a node is true, or is false; without a value it is neither."""
        key = (id(node), wanted)
        if key not in self._done:
            self._done[key] = self._condition(node, wanted=wanted)
        return self._done[key]

    def _condition(self, node: Node, *, wanted: bool) -> _Part:
        match node:
            case Not():
                return self.condition(node.condition, wanted=not wanted)
            case And() | Or():
                return self._joined(node, wanted=wanted)
            case Comparison(left=left, operator=operator, right=right) if not _constant(node):
                return self._comparison(left, operator if wanted else _OPPOSITE[operator], right)
        return _Part(self._leaf(node, wanted=wanted))

    def _leaf(self, node: Node, *, wanted: bool) -> str:
        if _constant(node):
            return _folded(node, wanted=wanted)
        match node:
            case Exist():
                return f"{self._field(node.component)} IS {'NOT ' if wanted else ''}NULL"
            case Component():
                return f"{self._field(node)} = {'TRUE' if wanted else 'FALSE'}"
            case Substring():
                return self._substring(node, wanted=wanted)
            case Arithmetic():
                return _FALSE
        raise NotTranslatable(f"no selector asks `{render(node)}`")

    def _joined(self, node: And | Or, *, wanted: bool) -> _Part:
        """Join conditions; one that decides without those after it is enough, and one that lets go on must have a value."""
        if wanted is isinstance(node, And):
            return _all(*(self.condition(each, wanted=wanted) for each in node.conditions))
        found = self.condition(node.conditions[-1], wanted=wanted)
        for each in reversed(node.conditions[:-1]):
            rest = found if _defined(each) else _all(self.condition(each, wanted=not wanted), found)
            found = _Part(f"{self.condition(each, wanted=wanted).text} OR {rest.text}", "OR")
        return found

    def _comparison(self, left: Node, operator: Operator, right: Node) -> _Part:
        if isinstance(left, Number | Text | Truth):
            left, operator, right = right, _FLIPPED[operator], left
        if isinstance(left, Component | Arithmetic):
            return _Part(self._of_value(left, operator, right))
        if not isinstance(right, Truth) or operator not in ("==", "!="):
            raise NotTranslatable(f"no selector compares `{render(left)}` with `{render(right)}`")
        return self.condition(left, wanted=right.value is (operator == "=="))

    def _of_value(self, left: Component | Arithmetic, operator: Operator, right: Node) -> str:
        if isinstance(left, Component) and _priority(left):
            return _of_priority(operator, right)
        if isinstance(left, Arithmetic) and isinstance(right, Text | Truth):
            return _FALSE
        if not isinstance(right, Component | Arithmetic | Number | Text | Truth):
            raise NotTranslatable(f"no selector compares `{render(left)}` with `{render(right)}`")
        if operator not in ("==", "!=") and not {type(left), type(right)} & {Arithmetic, Number}:
            reason = "may order texts or booleans, and a selector orders numbers only"
            raise NotTranslatable(f"`{render(Comparison(left, operator, right))}` {reason}")
        return f"{self._operand(left)} {_SYNTAX[operator]} {self._operand(right)}"

    def _substring(self, node: Substring, *, wanted: bool) -> str:
        if not isinstance(node.part, Text) or not isinstance(node.whole, Component):
            raise NotTranslatable(f"`{render(node)}` does not seek a given text in a field")
        pattern, escape = node.part.value, ""
        if "%" in pattern or "_" in pattern:
            pattern, escape = "".join(f"\\{each}" if each in "%_\\" else each for each in pattern), " ESCAPE '\\'"
        return f"{self._field(node.whole)} {'' if wanted else 'NOT '}LIKE {_quoted(f'%{pattern}%')}{escape}"

    # Operands

    def _operand(self, node: Node) -> str:
        match node:
            case Component():
                return self._field(node)
            case Number():
                return _number(node.value)
            case Text():
                return _quoted(node.value)
            case Truth():
                return "TRUE" if node.value else "FALSE"
            case Arithmetic():
                rest = "".join(f" {operator} {self._divisor(operator, each)}" for operator, each in node.rest)
                return f"({self._operand(node.first)}{rest})"
        raise NotTranslatable(f"no selector computes with `{render(node)}`")

    def _divisor(self, operator: str, node: Node) -> str:
        """Return a further operand of arithmetic; a division by zero has no value, but in a selector it may."""
        if operator == "/" and not (isinstance(node, Number) and node.value):
            raise NotTranslatable(f"`{render(node)}` may be zero, and a selector may divide by zero")
        return self._operand(node)

    def _field(self, node: Component) -> str:
        """Return the property of a field."""
        fixed = _FIXED.get((node.variable, node.steps))
        if fixed is not None:
            return fixed
        where, name, steps = _located(node)
        if where == "header" and name in _HEADERS:
            raise NotTranslatable(
                f"{name} becomes a header of the message, and what becomes of `{component(node)}` differs"
            )
        members = tuple(each.name for each in steps if isinstance(each, Member))
        if len(members) < len(steps):
            raise NotTranslatable(f"no property holds `{component(node)}`")
        path = (where, name, *members)
        return names.names(iter([(path, None)]), dots=self._dots)[path]


def _located(node: Component) -> tuple[str, str, tuple[Step, ...]]:
    """Return in which part of an event a field is, its name, and the steps from there.

    Raises:
        NotTranslatable: The component is no field.
    """
    if node.variable is None:
        for place, where in _PLACES.items():
            key, rest = node.steps[len(place) : len(place) + 1], node.steps[len(place) + 1 :]
            if node.steps[: len(place)] == place and key and isinstance(key[0], Key):
                return where, key[0].name, rest
    elif node.variable not in {"curtime", "header", "filterable_data", "remainder_of_body"}:
        return "header" if node.variable in _HEADERS else "data", node.variable, node.steps
    raise NotTranslatable(f"no property holds `{component(node)}`")


def _priority(node: Component) -> bool:
    return node in (
        Component(PRIORITY),
        Component(None, (Member("header"), Member("variable_header"), Key(PRIORITY))),
    )


def _of_priority(operator: Operator, right: Node) -> str:
    if isinstance(right, Number) and isinstance(right.value, int) and right.value in _PRIORITIES[operator]:
        return f"JMSPriority {_SYNTAX[operator]} {right.value}"
    raise NotTranslatable(
        f"JMSPriority cannot tell the priorities that are {operator} {render(right)} from all others: "
        "it is 4 where there is none, 0 for all below and 9 for all above"
    )


def _constant(node: Node) -> bool:
    """Return whether a node asks nothing of an event."""
    return not isinstance(node, Component) and all(_constant(each) for each in parts(node))


def _folded(node: Node, *, wanted: bool) -> str:
    try:
        return _TRUE if Evaluation(event(), 0).truth(node) is wanted else _FALSE
    except Undefined:
        return _FALSE


def _defined(node: Node) -> bool:
    """Return whether a condition has a value for each event."""
    if isinstance(node, Not | And | Or):
        return all(_defined(each) for each in parts(node))
    return isinstance(node, Exist | Truth)


def _number(value: float) -> str:
    if isinstance(value, int) and abs(value) > _LARGEST_LONG:
        raise NotTranslatable(f"{value} is beyond the range of long")
    return repr(value)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
