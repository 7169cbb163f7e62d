"""The tree builder: what the parser makes of each rule of the grammar. Imports lark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, cast

from lark import Token, Transformer, v_args

from reference_interworking.etcl.errors import Misplaced
from reference_interworking.etcl.nodes import (
    And,
    Arithmetic,
    Arithmetical,
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
    Operator,
    Or,
    Position,
    Step,
    Substring,
    Text,
    Truth,
    Within,
)

_MOST: Final = 2**64 - 1
"""The greatest whole number that CORBA has."""


class _Variable(str):
    """The name of a run-time variable."""

    __slots__ = ()


@v_args(inline=True)
class TreeBuilder(Transformer[Token, Any]):
    """Builds the nodes; each method is named after its rule."""

    def start(self, tree: Node | None = None) -> Node | None:
        """Return the tree, or None for no constraint."""
        return tree

    def disjunction(self, *conditions: Node) -> Node:
        """Join by `or`."""
        return Or(conditions)

    def conjunction(self, *conditions: Node) -> Node:
        """Join by `and`."""
        return And(conditions)

    def compared(self, left: Node, operator: Token, right: Node) -> Node:
        """Compare."""
        return Comparison(left, cast("Operator", str(operator)), right)

    def within(self, value: Node, sequence: Component) -> Node:
        """Seek in a sequence."""
        return Within(value, sequence)

    def contained(self, part: Node, whole: Node) -> Node:
        """Seek in a text."""
        return Substring(part, whole)

    def sum(self, *items: Any) -> Node:  # noqa: ANN401 - operands, and between them tokens
        """Add and subtract."""
        return _chain(items)

    def term(self, *items: Any) -> Node:  # noqa: ANN401 - likewise
        """Multiply and divide."""
        return _chain(items)

    def negated(self, condition: Node) -> Node:
        """Negate."""
        return Not(condition)

    def exist(self, component: Component) -> Node:
        """Ask for a component."""
        return Exist(component)

    def default(self, component: Component) -> Node:
        """Ask for the default arm."""
        return Default(component)

    def label(self, token: Token) -> Node:
        """Name a label."""
        return Label(_name(token))

    def number(self, token: Token) -> Node:
        """Read a number."""
        return Number(_number(token))

    def signed(self, sign: Token, token: Token) -> Node:
        """Read a number with its sign."""
        return Number(-_number(token) if sign == "-" else _number(token))

    def text(self, token: Token) -> Node:
        """Read a string."""
        return Text(_text(token))

    def true(self) -> Node:
        """Read TRUE."""
        return Truth(value=True)

    def false(self) -> Node:
        """Read FALSE."""
        return Truth(value=False)

    # Components

    def component(self, *items: Any) -> Component:  # noqa: ANN401 - an optional variable, then steps
        """Read a component: an optional variable, then steps."""
        named = bool(items) and isinstance(items[0], _Variable)
        return Component(str(items[0]) if named else None, cast("tuple[Step, ...]", items[named:]))

    def variable(self, token: Token) -> _Variable:
        """Read the variable after `$`."""
        return _Variable(_name(token))

    def run_time_variable(self, token: Token) -> Component:
        """Read a variable without `$`."""
        return Component(_name(token))

    def member(self, token: Token) -> Step:
        """Read `.name`."""
        return Member(_name(token))

    def position(self, token: Token) -> Step:
        """Read `.2`."""
        return Position(_whole(token))

    def index(self, token: Token) -> Step:
        """Read `[2]`."""
        return Index(_whole(token))

    def key(self, token: Token) -> Step:
        """Read `(name)`."""
        return Key(_name(token))

    def quoted_key(self, token: Token) -> Step:
        """Read `('name')`."""
        return Key(_text(token))

    def default_arm(self) -> Step:
        """Read `.()`."""
        return Arm(None)

    def numbered_arm(self, token: Token) -> Step:
        """Read `.(2)`."""
        return Arm(_whole(token))

    def signed_arm(self, sign: Token, token: Token) -> Step:
        """Read `.(-2)`."""
        return Arm(-_whole(token) if sign == "-" else _whole(token))

    def named_arm(self, token: Token) -> Step:
        """Read `.('label')`."""
        return Arm(_text(token))

    def ending(self, token: Token) -> Step:
        """Read `_length` and its like."""
        return Ending(str(token))


def _chain(items: Sequence[Any]) -> Node:
    operators = cast("Sequence[Arithmetical]", [str(each) for each in items[1::2]])
    return Arithmetic(items[0], tuple(zip(operators, items[2::2], strict=True)))


def _name(token: Token) -> str:
    """Return a name without its backslash."""
    return token.removeprefix("\\")


def _whole(token: Token) -> int:
    digits = token.lstrip("0") or "0"
    if len(digits) > len(str(_MOST)) or int(digits) > _MOST:
        raise Misplaced(f"the number is greater than {_MOST}", token.start_pos or 0)
    return int(digits)


def _number(token: Token) -> int | float:
    if token.isdigit():
        return _whole(token)
    number = float(token)
    if number == float("inf"):
        raise Misplaced("the number is greater than any double", token.start_pos or 0)
    return number


def _text(token: Token) -> str:
    """Return a string without quotes and backslashes.

    Raises:
        Misplaced: A backslash stands before something else than a quote or another one.
    """
    for escape in re.finditer(r"\\(.)", token[1:-1], re.DOTALL):
        if escape[1] not in "\\'":
            place = (token.start_pos or 0) + 1 + escape.start()
            raise Misplaced(f"in a string a backslash stands before a quote or a backslash, not {escape[1]!r}", place)
    return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
