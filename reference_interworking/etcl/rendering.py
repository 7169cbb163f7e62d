"""The text of a tree, such that parsing it gives the tree again."""

from __future__ import annotations

import re
from typing import Final

from reference_interworking.etcl.nodes import (
    RESERVED,
    And,
    Arithmetic,
    Arm,
    Comparison,
    Component,
    Default,
    Ending,
    Exist,
    Index,
    Key,
    Label,
    Member,
    Node,
    Not,
    Number,
    Or,
    Position,
    Step,
    Substring,
    Text,
    Truth,
    Within,
)

_OR, _AND, _COMPARISON, _IN, _SUBSTRING, _SUM, _TERM, _NOT, _FACTOR = range(9)
"""Precedence, from loose to tight."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def render(tree: Node | None) -> str:
    """Return the text of a constraint, with no more parentheses than needed; empty for None."""
    return "" if tree is None else _rendered(tree)[0]


def _rendered(node: Node) -> tuple[str, int]:
    """Return the text of a node, and its precedence."""
    match node:
        case Or():
            return " or ".join(_within(each, _AND) for each in node.conditions), _OR
        case And():
            return " and ".join(_within(each, _COMPARISON) for each in node.conditions), _AND
        case Comparison():
            return f"{_within(node.left, _IN)} {node.operator} {_within(node.right, _IN)}", _COMPARISON
        case Within():
            return f"{_within(node.value, _SUBSTRING)} in {component(node.sequence)}", _IN
        case Substring():
            return f"{_within(node.part, _SUM)} ~ {_within(node.whole, _SUM)}", _SUBSTRING
        case Arithmetic():
            own = _SUM if node.rest[0][0] in "+-" else _TERM
            rest = (f" {operator} {_within(each, own + 1)}" for operator, each in node.rest)
            return _within(node.first, own + 1) + "".join(rest), own
        case Not():
            return f"not {_within(node.condition, _FACTOR)}", _NOT
    return _factor(node), _FACTOR


def _within(node: Node, least: int) -> str:
    """Return the text of a part, in parentheses if it binds less than its place wants."""
    text, own = _rendered(node)
    return text if own >= least else f"({text})"


def _factor(node: Node) -> str:
    match node:
        case Component():
            return component(node)
        case Exist():
            return f"exist {component(node.component)}"
        case Default():
            return f"default {component(node.component)}"
        case Text():
            return quoted(node.value)
        case Truth():
            return "TRUE" if node.value else "FALSE"
        case Label():
            return _name(node.name)
        case Number():
            return repr(node.value)
    raise TypeError(node)


def component(node: Component) -> str:
    """Return the text of a component."""
    return "$" + ("" if node.variable is None else _name(node.variable)) + "".join(map(_step, node.steps))


def _step(step: Step) -> str:
    match step:
        case Member():
            return f".{_name(step.name)}"
        case Position():
            return f".{step.at}"
        case Index():
            return f"[{step.at}]"
        case Key():
            return f"({_name(step.name) if _NAME.fullmatch(step.name) else quoted(step.name)})"
        case Arm():
            label = quoted(step.label) if isinstance(step.label, str) else step.label
            return ".()" if label is None else f".({label})"
        case Ending():
            return f".{step.word}"


def _name(name: str) -> str:
    return f"\\{name}" if name in RESERVED else name


def quoted(text: str) -> str:
    """Return a string as a constraint writes it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
