"""Trees of conditions and operands that write themselves as selector text and evaluate themselves: the oracle.

Truth is True, False, or None for unknown, by the tables of 3.8.1.2; each rule here is taken from the specification.
Parentheses are written only where precedence needs them, unless the spelling has more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tck.suite.support.selectors.arithmetic import Kind, Number, Value, compare, compute
from tck.suite.support.selectors.spelling import PLAIN, Spelling

Values: TypeAlias = Mapping[str, Value]
"""The values of names in a message."""

OR, AND, NOT, TEST, SUM, TERM, SIGN, ATOM = range(8)
"""The precedence of nodes, loosest first; a looser one in the place of a tighter one needs parentheses."""


class Node(ABC):
    """A node of a tree."""

    __slots__ = ()
    level: int = ATOM

    @abstractmethod
    def tokens(self, spelling: Spelling) -> list[str]:
        """Return the tokens of this node, without parentheses around it."""

    def within(self, spelling: Spelling, level: int) -> list[str]:
        """Return the tokens of this node in a place that binds at `level`, in parentheses where needed."""
        tokens = self.tokens(spelling)
        return ["(", *tokens, ")"] if self.level < level or (spelling.grouped and len(tokens) > 1) else tokens

    def text(self, spelling: Spelling = PLAIN) -> str:
        """Write this node as selector text."""
        return spelling.join(self.tokens(spelling))


class Operand(Node):
    """A node with a value."""

    __slots__ = ()

    @abstractmethod
    def value(self, values: Values) -> Value:
        """Return the value; None is NULL."""


class Condition(Node):
    """A node that is true, false or unknown."""

    __slots__ = ()

    @abstractmethod
    def truth(self, values: Values) -> bool | None:
        """Evaluate; None is unknown."""


@dataclass(frozen=True, slots=True)
class Name(Operand):
    """An identifier."""

    name: str

    def tokens(self, spelling: Spelling) -> list[str]:
        return [self.name]

    def value(self, values: Values) -> Value:
        return values.get(self.name)


@dataclass(frozen=True, slots=True)
class Text(Operand):
    """A string literal."""

    content: str

    def tokens(self, spelling: Spelling) -> list[str]:
        return ["'" + self.content.replace("'", "''") + "'"]

    def value(self, values: Values) -> Value:
        return self.content


@dataclass(frozen=True, slots=True)
class Literal(Operand):
    """A numeric literal, not negative: an int is exact, a float approximate."""

    number: int | float

    def tokens(self, spelling: Spelling) -> list[str]:
        return [repr(self.number) if isinstance(self.number, float) else spelling.exact(self.number)]

    def value(self, values: Values) -> Value:
        kind: Kind = "double" if isinstance(self.number, float) else "long"
        return Number(kind, self.number)


@dataclass(frozen=True, slots=True)
class Negative(Operand):
    """An operand behind a minus."""

    operand: Operand
    level = SIGN

    def tokens(self, spelling: Spelling) -> list[str]:
        return ["-", *self.operand.within(spelling, ATOM)]

    def value(self, values: Values) -> Value:
        return compute(Number("int", 0), "-", self.operand.value(values))


@dataclass(frozen=True, slots=True)
class Computed(Operand):
    """Two operands joined by +, -, * or /."""

    left: Operand
    operator: str
    right: Operand

    @property
    def level(self) -> int:  # type: ignore[override]  # depends on the operator
        return SUM if self.operator in "+-" else TERM

    def tokens(self, spelling: Spelling) -> list[str]:
        left, right = self.left.within(spelling, self.level), self.right.within(spelling, self.level + 1)
        return [*left, self.operator, *right]

    def value(self, values: Values) -> Value:
        return compute(self.left.value(values), self.operator, self.right.value(values))


@dataclass(frozen=True, slots=True)
class Truth(Condition, Operand):
    """TRUE or FALSE."""

    constant: bool

    def tokens(self, spelling: Spelling) -> list[str]:
        return ["TRUE" if self.constant else "FALSE"]

    def truth(self, values: Values) -> bool | None:
        return self.constant

    def value(self, values: Values) -> Value:
        return self.constant


@dataclass(frozen=True, slots=True)
class Flag(Condition):
    """A boolean property as a condition."""

    name: str

    def tokens(self, spelling: Spelling) -> list[str]:
        return [self.name]

    def truth(self, values: Values) -> bool | None:
        value = values.get(self.name)
        return value if isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Compared(Condition):
    """Two operands compared."""

    left: Operand
    operator: str
    right: Operand
    level = TEST

    def tokens(self, spelling: Spelling) -> list[str]:
        return [*self.left.within(spelling, SUM), self.operator, *self.right.within(spelling, SUM)]

    def truth(self, values: Values) -> bool | None:
        return compare(self.left.value(values), self.operator, self.right.value(values))


@dataclass(frozen=True, slots=True)
class Between(Condition):
    """A value inside or outside a range: two comparisons joined by AND, or by OR."""

    operand: Operand
    low: Operand
    high: Operand
    inside: bool = True
    level = TEST

    def tokens(self, spelling: Spelling) -> list[str]:
        word = ["BETWEEN"] if self.inside else ["NOT", "BETWEEN"]
        low, high = self.low.within(spelling, SUM), self.high.within(spelling, SUM)
        return [*self.operand.within(spelling, SUM), *word, *low, "AND", *high]

    def truth(self, values: Values) -> bool | None:
        value, low, high = (each.value(values) for each in (self.operand, self.low, self.high))
        if self.inside:
            return _both(compare(value, ">=", low), compare(value, "<=", high))
        return _either(compare(value, "<", low), compare(value, ">", high))


@dataclass(frozen=True, slots=True)
class Among(Condition):
    """A String property that is in a list, or is not."""

    name: str
    texts: tuple[str, ...]
    inside: bool = True
    level = TEST

    def tokens(self, spelling: Spelling) -> list[str]:
        listed = [token for text in self.texts for token in (",", *Text(text).tokens(spelling))][1:]
        return [self.name, *(["IN"] if self.inside else ["NOT", "IN"]), "(", *listed, ")"]

    def truth(self, values: Values) -> bool | None:
        value = values.get(self.name)
        return None if value is None else (value in self.texts) is self.inside


@dataclass(frozen=True, slots=True)
class Like(Condition):
    """A String property that matches a pattern, or does not."""

    name: str
    pattern: str
    escape: str | None = None
    matching: bool = True
    level = TEST

    def tokens(self, spelling: Spelling) -> list[str]:
        escape = [] if self.escape is None else ["ESCAPE", *Text(self.escape).tokens(spelling)]
        word = ["LIKE"] if self.matching else ["NOT", "LIKE"]
        return [self.name, *word, *Text(self.pattern).tokens(spelling), *escape]

    def truth(self, values: Values) -> bool | None:
        value = values.get(self.name)
        return like(value, self.pattern, self.escape) is self.matching if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Null(Condition):
    """A test for NULL or NOT NULL; never unknown."""

    name: str
    absent: bool = True
    level = TEST

    def tokens(self, spelling: Spelling) -> list[str]:
        return [self.name, "IS", *([] if self.absent else ["NOT"]), "NULL"]

    def truth(self, values: Values) -> bool | None:
        return (values.get(self.name) is None) is self.absent


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """A negation."""

    condition: Condition
    level = NOT

    def tokens(self, spelling: Spelling) -> list[str]:
        return ["NOT", *self.condition.within(spelling, TEST)]

    def truth(self, values: Values) -> bool | None:
        truth = self.condition.truth(values)
        return None if truth is None else not truth


@dataclass(frozen=True, slots=True)
class Both(Condition):
    """Two conditions joined by AND."""

    left: Condition
    right: Condition
    level = AND

    def tokens(self, spelling: Spelling) -> list[str]:
        return [*self.left.within(spelling, AND), "AND", *self.right.within(spelling, NOT)]

    def truth(self, values: Values) -> bool | None:
        return _both(self.left.truth(values), self.right.truth(values))


@dataclass(frozen=True, slots=True)
class Either(Condition):
    """Two conditions joined by OR."""

    left: Condition
    right: Condition
    level = OR

    def tokens(self, spelling: Spelling) -> list[str]:
        return [*self.left.within(spelling, OR), "OR", *self.right.within(spelling, AND)]

    def truth(self, values: Values) -> bool | None:
        return _either(self.left.truth(values), self.right.truth(values))


def _both(left: bool | None, right: bool | None) -> bool | None:
    """Join by AND: false wins, then unknown."""
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _either(left: bool | None, right: bool | None) -> bool | None:
    """Join by OR: true wins, then unknown."""
    if left is True or right is True:
        return True
    return None if left is None or right is None else False


def like(text: str, pattern: str, escape: str | None = None) -> bool:
    """Match a whole text: `%` is any sequence, `_` any one character, `escape` makes the next character plain."""
    if not pattern:
        return not text
    sign, rest = pattern[0], pattern[1:]
    if sign == escape and rest:
        return text[:1] == rest[0] and like(text[1:], rest[1:], escape)
    if sign == "%":
        return any(like(text[at:], rest, escape) for at in range(len(text) + 1))
    return text != "" and sign in ("_", text[0]) and like(text[1:], rest, escape)
