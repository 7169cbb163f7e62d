"""The tree of a constraint. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias

Operator: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
Arithmetical: TypeAlias = Literal["+", "-", "*", "/"]

RESERVED: Final = frozenset({"and", "default", "exist", "in", "not", "or", "TRUE", "FALSE"})
"""Words that are names only after a backslash."""


# The way from the event, or from a run-time variable, to a value


@dataclass(frozen=True, slots=True)
class Member:
    """`.name`: a member of a struct, or the active arm of a union."""

    name: str


@dataclass(frozen=True, slots=True)
class Position:
    """`.2`: a member of a struct by its place, from 0."""

    at: int


@dataclass(frozen=True, slots=True)
class Index:
    """`[2]`: an item of a sequence or an array, from 0."""

    at: int


@dataclass(frozen=True, slots=True)
class Key:
    """`(name)`: the value of the first item of this name in a list of names and values."""

    name: str


@dataclass(frozen=True, slots=True)
class Arm:
    """`.(label)`: the arm of a union, if the discriminator chooses it; None, written `.()`, is the default arm."""

    label: int | str | None


@dataclass(frozen=True, slots=True)
class Ending:
    """What is asked about a value: `_length`, its discriminator `_d`, its `_type_id` or `_repos_id`."""

    word: str


Step: TypeAlias = Member | Position | Index | Key | Arm | Ending


# Operands and conditions


@dataclass(frozen=True, slots=True)
class Component:
    """`$` with an optional run-time variable, and the way from there."""

    variable: str | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number; whole ones are `int`."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class Truth:
    """TRUE or FALSE."""

    value: bool


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an enum."""

    name: str


@dataclass(frozen=True, slots=True)
class Exist:
    """Whether the event has a component."""

    component: Component


@dataclass(frozen=True, slots=True)
class Default:
    """Whether the default arm of a union is active."""

    component: Component


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    condition: Node


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Operands joined by operators of one precedence, computed from left to right."""

    first: Node
    rest: tuple[tuple[Arithmetical, Node], ...]


@dataclass(frozen=True, slots=True)
class Substring:
    """`part ~ whole`: whether one text is in another."""

    part: Node
    whole: Node


@dataclass(frozen=True, slots=True)
class Within:
    """`value in sequence`."""

    value: Node
    sequence: Component


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values compared."""

    left: Node
    operator: Operator
    right: Node


@dataclass(frozen=True, slots=True)
class And:
    """All of these, asked from left to right."""

    conditions: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Any of these, asked from left to right."""

    conditions: tuple[Node, ...]


Node: TypeAlias = (
    Component
    | Number
    | Text
    | Truth
    | Label
    | Exist
    | Default
    | Not
    | Arithmetic
    | Substring
    | Within
    | Comparison
    | And
    | Or
)


def depth(tree: Node) -> int:
    """Return how many nodes are on the longest way down."""
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        node, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((each, level + 1) for each in parts(node))
    return deepest


def parts(node: Node) -> Iterator[Node]:
    """Yield the nodes right below one."""
    if isinstance(node, Arithmetic):
        yield node.first
        yield from (operand for _, operand in node.rest)
    elif isinstance(node, And | Or):
        yield from node.conditions
    elif not isinstance(node, Component):
        held = (getattr(node, each.name) for each in fields(node))
        yield from (each for each in held if isinstance(each, Node))
