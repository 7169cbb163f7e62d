"""The typed pass: creates the nodes of a selector during parsing, and refuses ill-typed ones.

The parser calls one method per grammar rule, bottom up, so there is no recursion over a parse tree. Refused here: a
value as a condition (`5`, `'x'`), a condition or a string as a number (`a + TRUE`, `s > 'x'`, `'a' BETWEEN ...`),
a comparison of two known types that are unlike (`TRUE = 0`, `'1' <> 1`, `a + 1 = 'x'`; the type of an identifier is known by
message only), anything but an identifier before LIKE, IN and IS NULL, comparing conditions (`(a > 1) = TRUE`, left open by
3.8.1.1-113), header fields that selectors may not use, and nesting beyond `DEEPEST`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast

from lark import Token

from reference_provider.java.identifiers import first_offence, is_identifier
from reference_provider.java.numbers import shown
from reference_provider.selector import literals
from reference_provider.selector.errors import SelectorError
from reference_provider.selector.nodes import (
    And,
    Arithmetic,
    Between,
    Comparison,
    ComparisonOperator,
    Condition,
    Constant,
    Flag,
    Identifier,
    In,
    IsNull,
    Like,
    Not,
    NumberLiteral,
    Operand,
    Or,
    Outside,
    Signed,
    TextLiteral,
    TruthLiteral,
)

DEEPEST: Final = 200
"""How deep conditions and arithmetic may nest; plain parentheses and long chains do not count."""

HEADERS: Final = frozenset(
    {"JMSDeliveryMode", "JMSPriority", "JMSMessageID", "JMSTimestamp", "JMSCorrelationID", "JMSType"}
)
"""The header fields a selector may refer to (3.8.1.1-40)."""

Kind: TypeAlias = Literal["identifier", "number", "string", "boolean", "condition"]

CALLED: Final[dict[Kind, str]] = {
    "identifier": "an identifier",
    "number": "a number",
    "string": "a string",
    "boolean": "a boolean",
    "condition": "a condition",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A node under construction.

    Attributes:
        node: the node.
        kind: its known type; an identifier may be of any type.
        position: of its first character.
        depth: its nesting depth.
        grouped: it is in parentheses.
    """

    node: Operand | Condition | _PendingNumber
    kind: Kind
    position: int
    depth: int = 0
    grouped: bool = False


Children: TypeAlias = list[Any]
"""What a rule is made of: parts and the tokens that the grammar keeps."""


class TreeBuilder:
    """Creates a part for each rule; stateless, so one serves all threads."""

    # Operands

    def identifier(self, children: Children) -> Part:
        """Build an identifier."""
        token: Token = children[0]
        check_identifier(str(token), _at(token))
        return Part(Identifier(str(token), _at(token)), "identifier", _at(token))

    def number(self, children: Children) -> Part:
        """Build a numeric literal; it stays a token until its sign is known (9223372036854775808 needs one)."""
        token: Token = children[0]
        return Part(_PendingNumber(token), "number", _at(token))

    def string(self, children: Children) -> Part:
        """Build a string literal."""
        token: Token = children[0]
        return Part(TextLiteral(literals.string(token)), "string", _at(token))

    def true(self, children: Children) -> Part:
        """Build TRUE."""
        return Part(TruthLiteral(value=True), "boolean", _at(children[0]))

    def false(self, children: Children) -> Part:
        """Build FALSE."""
        return Part(TruthLiteral(value=False), "boolean", _at(children[0]))

    def group(self, children: Children) -> Part:
        """Build a part in parentheses."""
        part: Part = _settled(children[0])
        return Part(part.node, part.kind, part.position, part.depth, grouped=True)

    def signed(self, children: Children) -> Part:
        """Apply unary signs, the last one first; directly before a literal the sign belongs to it."""
        *signs, part = children
        if isinstance(part.node, _PendingNumber):
            part = part.node.settled(signs.pop())
        node = _number(part, "a sign")
        for sign in reversed(signs):
            node = Signed(sign.value, node)
        return Part(node, "number", _at(children[0]), _deeper(part.depth, len(signs), _at(children[0])))

    def sum(self, children: Children) -> Part:
        """Join by + and -."""
        return self._arithmetic(children)

    def term(self, children: Children) -> Part:
        """Join by * and /."""
        return self._arithmetic(children)

    def _arithmetic(self, children: Children) -> Part:
        operands: list[Part] = children[0::2]
        operators: list[Token] = children[1::2]
        first, *others = [_number(part, "arithmetic") for part in operands]
        rest = tuple((operator.value, operand) for operator, operand in zip(operators, others, strict=True))
        return Part(Arithmetic(first, rest), "number", operands[0].position, _nested(*operands))

    # Conditions

    def comparison(self, children: Children) -> Part:
        """Compare two operands: strings and booleans by = and <> only, and each with its like, as far as types are known."""
        left, token, right = children
        operator = cast("ComparisonOperator", str(token))
        if operator in ("=", "<>"):
            node = Comparison(_operand(left), operator, _operand(right))
            if len({left.kind, right.kind} - {"identifier"}) > 1:
                unlike = f"{CALLED[left.kind]} and {CALLED[right.kind]} are never equal nor unequal"
                raise SelectorError(f"{unlike}: {operator} takes two values of one type", left.position)
        else:
            node = Comparison(_number(left, operator), operator, _number(right, operator))
        return Part(node, "condition", left.position, _nested(left, right))

    def between(self, children: Children) -> Part:
        """Test a range."""
        operand, low, high = (_number(part, "BETWEEN") for part in children)
        return Part(Between(operand, low, high), "condition", children[0].position, _nested(*children))

    def not_between(self, children: Children) -> Part:
        """Test for being outside a range."""
        numbers = [children[0], *children[2:]]
        operand, low, high = (_number(part, "BETWEEN") for part in numbers)
        return Part(Outside(operand, low, high), "condition", children[0].position, _nested(*numbers))

    def like(self, children: Children) -> Part:
        """Match a pattern."""
        part, pattern = children
        return self._like(part, pattern, None)

    def not_like(self, children: Children) -> Part:
        """Match a pattern, negated."""
        part, _, pattern = children
        return _negated(self._like(part, pattern, None))

    def like_escape(self, children: Children) -> Part:
        """Match a pattern with an escape character."""
        part, pattern, _, escape = children
        return self._like(part, pattern, escape)

    def not_like_escape(self, children: Children) -> Part:
        """Match a pattern with an escape character, negated."""
        part, _, pattern, _, escape = children
        return _negated(self._like(part, pattern, escape))

    def _like(self, part: Part, pattern: Token, escape: Token | None) -> Part:
        text = literals.string(pattern)
        escape_text = None if escape is None else literals.string(escape)
        try:
            literals.pattern(text, escape_text)
        except literals.LiteralError as error:
            raise SelectorError(str(error), _at(escape or pattern)) from error
        return Part(Like(_identifier(part, "LIKE"), text, escape_text), "condition", part.position)

    def in_list(self, children: Children) -> Part:
        """Look a String up in a list."""
        part, *texts = children
        return self._in(part, texts)

    def not_in_list(self, children: Children) -> Part:
        """Look a String up in a list, negated."""
        part, _, *texts = children
        return _negated(self._in(part, texts))

    def _in(self, part: Part, texts: list[Token]) -> Part:
        node = In(_identifier(part, "IN"), tuple(literals.string(text) for text in texts))
        return Part(node, "condition", part.position)

    def is_null(self, children: Children) -> Part:
        """Test for null."""
        return Part(IsNull(_identifier(children[0], "IS NULL")), "condition", children[0].position)

    def is_not_null(self, children: Children) -> Part:
        """Test for null, negated."""
        part = children[0]
        return _negated(Part(IsNull(_identifier(part, "IS NOT NULL")), "condition", part.position))

    def negation(self, children: Children) -> Part:
        """Apply NOT as often as it is written: twice cancels out, for unknown too."""
        *negations, part = children
        condition = _condition(part)
        node = Not(condition) if len(negations) % 2 else condition
        return Part(node, "condition", _at(negations[0]), _deeper(part.depth, 1, part.position))

    def conjunction(self, children: Children) -> Part:
        """Join by AND."""
        node = And(tuple(_condition(part) for part in children))
        return Part(node, "condition", children[0].position, _nested(*children))

    def disjunction(self, children: Children) -> Part:
        """Join by OR."""
        node = Or(tuple(_condition(part) for part in children))
        return Part(node, "condition", children[0].position, _nested(*children))

    def start(self, children: Children) -> Condition:
        """Return the whole selector."""
        return _condition(children[0])


@dataclass(frozen=True, slots=True)
class _PendingNumber:
    """A numeric literal whose sign is not known yet."""

    token: Token

    def settled(self, sign: Token | None = None) -> Part:
        try:
            value = literals.number(str(self.token), negative=sign is not None and sign == "-")
        except literals.LiteralError as error:
            raise SelectorError(str(error), _at(self.token)) from error
        return Part(NumberLiteral(value), "number", _at(self.token if sign is None else sign))


def check_identifier(name: str, position: int) -> None:
    """Refuse an illegal identifier, and header fields that selectors may not use.

    Raises:
        SelectorError: with the character or header.
    """
    if not is_identifier(name):
        offence = first_offence(name) or 0
        raise SelectorError(f"{shown(name[offence])} does not belong into an identifier", position + offence)
    if name.startswith("JMS") and not (name in HEADERS or name.startswith(("JMSX", "JMS_"))):
        raise SelectorError(
            f"{shown(name)} cannot be selected by; the header fields are {', '.join(sorted(HEADERS))}", position
        )


def _at(token: Token) -> int:
    return token.start_pos or 0


def _settled(part: Part) -> Part:
    return part.node.settled() if isinstance(part.node, _PendingNumber) else part


def _operand(part: Part) -> Operand:
    """Use a part as a value."""
    part = _settled(part)
    if part.kind == "condition":
        raise SelectorError("a condition cannot be compared with = or <>", part.position)
    return cast("Operand", part.node)


def _number(part: Part, user: str) -> Operand:
    """Use a part as a number, or as an identifier, whose type only the message knows (3.8.1.1-107)."""
    part = _settled(part)
    if part.kind in ("number", "identifier"):
        return cast("Operand", part.node)
    raise SelectorError(f"{user} takes numbers, not {CALLED[part.kind]}", part.position)


def _identifier(part: Part, user: str) -> Identifier:
    """Use a part as a bare identifier (3.8.1.1-79, -109, -110)."""
    if part.kind == "identifier" and not part.grouped:
        return cast("Identifier", part.node)
    raise SelectorError(f"{user} takes an identifier on its left, without parentheses", part.position)


def _condition(part: Part) -> Condition:
    """Use a part as a condition; an identifier is then a boolean."""
    part = _settled(part)
    match part.node:
        case Identifier(name, position):
            return Flag(name, position)
        case TruthLiteral(value):
            return Constant(value)
        case _ if part.kind == "condition":
            return cast("Condition", part.node)
    raise SelectorError(f"a condition is wanted, not {CALLED[part.kind]}", part.position)


def _negated(part: Part) -> Part:
    return Part(Not(cast("Condition", part.node)), "condition", part.position, _deeper(part.depth, 1, part.position))


def _nested(*parts: Part) -> int:
    """Return the depth of a node above these parts."""
    return _deeper(max(part.depth for part in parts), 1, parts[0].position)


def _deeper(depth: int, by: int, position: int) -> int:
    if depth + by > DEEPEST:
        raise SelectorError(f"conditions and arithmetic nest deeper than {DEEPEST}", position)
    return depth + by
