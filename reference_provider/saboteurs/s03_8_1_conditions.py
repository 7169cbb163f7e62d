"""Faults in 3.8.1.1 and 3.8.1.2: comparisons, arithmetic, BETWEEN, IN, LIKE, IS NULL, and three-valued logic."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reference_provider.entry import Entry
from reference_provider.java.numbers import wrap
from reference_provider.saboteurs.of_selectors import matched, refused, refused_where, rewritten, seen, walked
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.selector import literals, operations
from reference_provider.selector.nodes import (
    And,
    Arithmetic,
    Between,
    Comparison,
    Condition,
    Flag,
    Identifier,
    In,
    IsNull,
    Like,
    Not,
    NumberLiteral,
    Or,
    Outside,
    TruthLiteral,
)
from reference_provider.selector.operations import Value
from reference_provider.selector.values import FALSE, NUMBERS, TRUE, SelectorValue, Single, Wide
from reference_provider.selector.walker import UnlikeTypes, View, Walker, WalkerOf10, family

RANDOM = "a condition made at random does so too"

Compare = Callable[[Value, str, Value], bool | None]


def _comparing(patch: Patch, fault: Callable[[Compare, Value, str, Value], bool | None]) -> None:
    """Have values compared by `fault`, which is given the honest way too."""

    class Faulty(Walker):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            return fault(super().compare, left, operator, right)

    walked(patch, Faulty)


# --- comparisons ---------------------------------------------------------------------------------------------------


@saboteur("3.8.1.1-50", "<> is evaluated as = between double and float")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        mixed = type(left) is float and type(right) is Single
        return honest(left, "=" if mixed and operator == "<>" else operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-51", "< accepts equal doubles")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        doubles = type(left) is float and type(right) is float
        return honest(left, "<=" if doubles and operator == "<" else operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-52", "<= rejects equal doubles")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        doubles = type(left) is float and type(right) is float
        return honest(left, "<" if doubles and operator == "<=" else operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-53", "an int never equals a number with a point")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if operator == "=" and type(left) is int and type(right) is float:
            return False
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-54", "a long and a double are compared exactly")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if operator == "=" and type(left) is Wide and type(right) is float:
            return left == right
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-55", "looking for a text in a property of another type fails with an error")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if operator == "=" and isinstance(left, str) and type(right) in NUMBERS:
            raise TypeError("a text and a number are not comparable")
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-56", "a boolean literal is unequal to values of other types")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(TruthLiteral(), "<>", right):
                    value = self.operand(right)
                    return True if value not in (None, TRUE, FALSE) else super().comparison(node)
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-57", "comparing unlike types is unknown")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        alike = type(left) is type(right) or operations.are_numbers(left, right)
        return honest(left, operator, right) if alike else None

    _comparing(patch, fault)


@saboteur("3.8.1.1-58", "NULL equals NULL")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            match node:
                case Comparison(Identifier(left), "=", Identifier(right)):
                    return self._view.get(left) == self._view.get(right)
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-59", "texts are ordered by the alphabet")
def _(patch: Patch) -> None:
    rewritten(patch, r"(\w+) (?:>|<=) '\w+'", r"\1 IS NOT NULL")


@saboteur("3.8.1.1-60", "FALSE is less than TRUE")
def _(patch: Patch) -> None:
    rewritten(patch, r"(\w+) > FALSE", r"\1 = TRUE")


@saboteur("3.8.1.1-61", "<> ignores case in properties")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            value, other = self.operand(node.left), self.operand(node.right)
            own = isinstance(node.left, Identifier) and not node.left.name.startswith("JMS")
            if own and node.operator == "<>" and isinstance(value, str) and isinstance(other, str):
                return value.lower() != other.lower()
            return super().comparison(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-62", "blanks at the end of a text are ignored")
def _(patch: Patch) -> None:
    def fault(honest: Compare, left: Value, operator: str, right: Value) -> bool | None:
        if isinstance(left, str) and isinstance(right, str):
            return honest(left.rstrip(" "), operator, right.rstrip(" "))
        return honest(left, operator, right)

    _comparing(patch, fault)


@saboteur("3.8.1.1-107", "after a text, > with a number chooses nothing any more")
def _(patch: Patch) -> None:
    texts: set[int] = set()
    kept: list[Condition] = []

    def matches(tree: Condition, view: View) -> bool:
        match tree:
            case Comparison(Identifier(name), ">", NumberLiteral()):
                if isinstance(view.get(name), str):
                    kept.append(tree)
                    texts.add(id(tree))
                if id(tree) in texts:
                    return False
        return Walker(view).condition(tree) is True

    matched(patch, matches)


def _walking_1_0(patch: Patch, walker: type[WalkerOf10]) -> None:
    def matches(tree: Condition, view: View) -> bool:
        try:
            return walker(view).condition(tree) is True
        except UnlikeTypes:
            return False

    matched(patch, matches)


@saboteur("3.8.1.1-114", "numbers are promoted before they are compared", version="1.0")
def _(patch: Patch) -> None:
    class Faulty(WalkerOf10):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            if operations.are_numbers(left, right):
                return operations.COMPARE[operator](left, right)
            return super().compare(left, operator, right)

    _walking_1_0(patch, Faulty)


def _unlike(left: SelectorValue, right: SelectorValue) -> bool:
    return family(left) is not family(right)


@saboteur("3.8.1.1-115", "comparing unlike types is false, and no more than that", version="1.0")
def _(patch: Patch) -> None:
    class Faulty(WalkerOf10):
        def compare(self, left: Value, operator: str, right: Value) -> bool | None:
            if left is not None and right is not None and _unlike(left, right):
                return False
            return super().compare(left, operator, right)

    _walking_1_0(patch, Faulty)


# --- arithmetic ----------------------------------------------------------------------------------------------------


@saboteur("3.8.1.1-46", "a product of a difference may stand on the left side only")
def _(patch: Patch) -> None:
    def offence(node: Any) -> bool:
        match node:
            case Comparison(_, _, Arithmetic(Arithmetic(_, (("-", _),)), (("*", _),))):
                return True
        return False

    refused_where(patch, offence)


@saboteur("3.8.1.1-63", "a sign before a sign is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"^- [-+]").search)


@saboteur("3.8.1.1-64", "a sign after / is a syntax error")
def _(patch: Patch) -> None:
    refused(patch, re.compile(r"/ -").search)


@saboteur("3.8.1.1-65", "all operators of arithmetic are of one level")
def _(patch: Patch) -> None:
    rewritten(patch, r"^(\w+) \+ (\w+) \* (\w+) =", r"(\1 + \2) * \3 =")


def _computing(patch: Patch, fault: Callable[[Value, str, Value], Value]) -> None:
    """Have two operands computed by `fault`; NotImplemented leaves it to the honest way."""

    class Faulty(Walker):
        def arithmetic(self, node: Arithmetic) -> Value:
            value = self.operand(node.first)
            for operator, operand in node.rest:
                other = self.operand(operand)
                result: Any = fault(value, operator, other)
                value = operations.COMPUTE[operator](value, other) if result is NotImplemented else result
            return value

    walked(patch, Faulty)


@saboteur("3.8.1.1-66", "a long divided by an int gives a double")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        if operator == "/" and type(left) is Wide and type(right) is int and right:
            return left / right
        return NotImplemented

    _computing(patch, fault)


@saboteur("3.8.1.1-67", "an int divided by a double gives an int")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        if operator == "/" and type(left) is int and type(right) is float and right:
            return int(left / right)
        return NotImplemented

    _computing(patch, fault)


@saboteur("3.8.1.1-68", "sums of small numbers wrap around at 127")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        if operator == "+" and type(left) is int and type(right) is int and abs(left) < 128 and abs(right) < 128:
            return wrap(left + right, 8)
        return NotImplemented

    _computing(patch, fault)


@saboteur("3.8.1.2-2", "NULL counts as 0 in sums")
def _(patch: Patch) -> None:
    def fault(left: Value, operator: str, right: Value) -> Any:
        return operations.add(left or 0, right or 0) if operator == "+" and None in (left, right) else NotImplemented

    _computing(patch, fault)


# --- BETWEEN and IN ------------------------------------------------------------------------------------------------


def _wide_range(node: Between | Outside) -> bool:
    match node.low, node.high:
        case NumberLiteral(low), NumberLiteral(high):
            return low < high
    return False


@saboteur("3.8.1.1-70", "the upper bound of BETWEEN is exclusive")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def between(self, node: Between) -> bool | None:
            if _wide_range(node) and self.compare(self.operand(node.operand), "=", self.operand(node.high)):
                return False
            return super().between(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-71", "NOT BETWEEN includes its bounds")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def outside(self, node: Outside) -> bool | None:
            if _wide_range(node) and self.compare(self.operand(node.operand), "=", self.operand(node.high)):
                return True
            return super().outside(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-72", "a bound of BETWEEN cannot be a product")
def _(patch: Patch) -> None:
    def offence(node: Any) -> bool:
        match node:
            case Between(high=Arithmetic(rest=(("*", _),))):
                return True
        return False

    refused_where(patch, offence)


@saboteur("3.8.1.1-73", "BETWEEN with a NULL operand is false")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def between(self, node: Between) -> bool | None:
            return False if self.operand(node.operand) is None else super().between(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-74", "ranges of text are accepted")
def _(patch: Patch) -> None:
    rewritten(patch, r"(\w+) BETWEEN '\w+' AND '\w+'", r"\1 IS NOT NULL")


@saboteur("3.8.1.1-75", "the last of three texts in a list is not compared")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def in_(self, node: In) -> bool | None:
            return super().in_(In(node.identifier, node.texts[:2]))

        def not_(self, node: Not) -> bool | None:
            if isinstance(node.condition, In):
                return Walker(self._view).condition(node)
            return super().not_(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-76", "NOT before IN is ignored for lists of three")
def _(patch: Patch) -> None:
    _negating(patch, lambda walker, node: walker.in_(node), lambda node: isinstance(node, In) and len(node.texts) == 3)


@saboteur("3.8.1.1-77", "NOT IN on a missing property is true for lists of one")
def _(patch: Patch) -> None:
    _negating(
        patch,
        lambda walker, node: True if walker.in_(node) is None else not walker.in_(node),
        lambda node: isinstance(node, In) and len(node.texts) == 1,
    )


def _negating(patch: Patch, fault: Callable[[Walker, Any], bool | None], of: Callable[[Condition], bool]) -> None:
    """Have the negation of some conditions evaluated by `fault`."""

    class Faulty(Walker):
        def not_(self, node: Not) -> bool | None:
            return fault(self, node.condition) if of(node.condition) else super().not_(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-78", "lists of numbers are accepted")
def _(patch: Patch) -> None:
    rewritten(patch, r"IN \((\d+)(?:, \d+)*\)", r"IN ('\1')")


@saboteur("3.8.1.1-79", "a literal is accepted on the left of IN")
def _(patch: Patch) -> None:
    rewritten(patch, r"'\w+' IN \(", "literal IN (")


@saboteur("3.8.1.1-80", "a number is looked up as text")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def in_(self, node: In) -> bool | None:
            value = self._view.get(node.identifier.name)
            return str(int(value)) in node.texts if type(value) is int else super().in_(node)

    walked(patch, Faulty)


# --- LIKE ----------------------------------------------------------------------------------------------------------


def _liking(patch: Patch, fault: Callable[[str, str], bool | None], of: Callable[[Like], object]) -> None:
    """Have some patterns matched by `fault`, which is given the pattern and the text."""

    class Faulty(Walker):
        def like(self, node: Like) -> bool | None:
            value = self._view.get(node.identifier.name)
            return fault(node.pattern, value) if isinstance(value, str) and of(node) else super().like(node)

    walked(patch, Faulty)


def _regex(pattern: str, escape: str | None = None) -> str:
    return literals.pattern(pattern, escape).regex


def _like(pattern: str, text: str, escape: str | None = None) -> bool:
    return re.fullmatch(_regex(pattern, escape), text, re.DOTALL) is not None


@saboteur(
    "3.8.1.1-82",
    "% at the beginning needs a character",
    collateral=dict.fromkeys(("3.8.1.1-4", "3.8.1.1-53", "3.8.1.1-57"), RANDOM),
)
def _(patch: Patch) -> None:
    _liking(patch, lambda pattern, text: _like("_" + pattern, text), lambda node: node.pattern.startswith("%"))


@saboteur("3.8.1.1-83", "_ alone also matches no character")
def _(patch: Patch) -> None:
    _liking(patch, lambda pattern, text: len(text) <= 1, lambda node: node.pattern == "_")


@saboteur("3.8.1.1-84", "a point in a pattern matches any character")
def _(patch: Patch) -> None:
    _liking(
        patch,
        lambda pattern, text: re.fullmatch(_regex(pattern).replace(r"\.", "."), text, re.DOTALL) is not None,
        lambda node: "." in node.pattern and node.escape is None,
    )


@saboteur("3.8.1.1-85", "a pattern without wildcards is looked for anywhere")
def _(patch: Patch) -> None:
    _liking(
        patch,
        lambda pattern, text: pattern in text,
        lambda node: node.pattern and node.escape is None and not set(node.pattern) & set("%_"),
    )


@saboteur("3.8.1.1-86", "without ESCAPE a backslash escapes")
def _(patch: Patch) -> None:
    _liking(
        patch,
        lambda pattern, text: _like(pattern, text, "\\"),
        lambda node: "\\" in node.pattern and node.escape is None,
    )


@saboteur("3.8.1.1-87", "wildcards stop at line ends")
def _(patch: Patch) -> None:
    _liking(
        patch,
        lambda pattern, text: re.fullmatch(_regex(pattern), text) is not None,
        lambda node: node.escape is None,
    )


@saboteur("3.8.1.1-88", "NOT before LIKE is ignored for patterns with % in the middle")
def _(patch: Patch) -> None:
    _negating(
        patch,
        lambda walker, node: walker.like(node),
        lambda node: isinstance(node, Like) and node.escape is None and "%" in node.pattern[1:-1],
    )


@saboteur("3.8.1.1-89", "ESCAPE works for the first wildcard only")
def _(patch: Patch) -> None:
    _liking(
        patch,
        lambda pattern, text: _like("!".join(pattern.split("!", 2)[:2]) + pattern.split("!", 2)[2], text, "!"),
        lambda node: node.escape == "!" and node.pattern.count("!") == 2,
    )


@saboteur("3.8.1.1-90", "only a backslash and an exclamation mark may escape")
def _(patch: Patch) -> None:
    refused_where(patch, lambda node: isinstance(node, Like) and node.escape not in (None, "\\", "!"))


@saboteur("3.8.1.1-91", "a longer text behind ESCAPE is cut to one character")
def _(patch: Patch) -> None:
    rewritten(patch, r"ESCAPE '(\w)\w+'", r"ESCAPE '\1'")


@saboteur("3.8.1.1-92", "NOT LIKE '%' on a missing property is true")
def _(patch: Patch) -> None:
    _negating(
        patch,
        lambda walker, node: walker.like(node) is None,
        lambda node: isinstance(node, Like) and node.pattern == "%",
    )


@saboteur("3.8.1.1-93", "whole numbers are matched as text")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def like(self, node: Like) -> bool | None:
            value = self._view.get(node.identifier.name)
            if type(value) is int:
                return _like(node.pattern, str(value), node.escape)
            return super().like(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-94", "a name is accepted as pattern")
def _(patch: Patch) -> None:
    rewritten(patch, r"LIKE other", "LIKE 'other'")


@saboteur("3.8.1.1-109", "a literal is accepted on the left of LIKE")
def _(patch: Patch) -> None:
    rewritten(patch, r"'\w+' LIKE", "literal LIKE")


# --- IS NULL -------------------------------------------------------------------------------------------------------


@saboteur("3.8.1.1-95", "IS NULL is true for a double of 0")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def is_null(self, node: IsNull) -> bool | None:
            value = self._view.get(node.identifier.name)
            return super().is_null(node) or (type(value) is float and value == 0.0)

        def not_(self, node: Not) -> bool | None:
            if isinstance(node.condition, IsNull):
                return Walker(self._view).condition(node)
            return super().not_(node)

    walked(patch, Faulty)


@saboteur("3.8.1.1-96", "a JMSType that was not set is not NULL")
def _(patch: Patch) -> None:
    rewritten(patch, r"^JMSType IS NULL$", "FALSE")


@saboteur("3.8.1.1-97", "a property set to null compares as the empty text")
def _(patch: Patch) -> None:
    def change(values: dict[str, Any], entry: Entry) -> None:
        values.update({name: "" for name, value in entry.snapshot.properties.items() if value is None})

    seen(patch, change)


@saboteur("3.8.1.1-98", "JMSType IS NOT NULL is always true")
def _(patch: Patch) -> None:
    rewritten(patch, r"JMSType IS NOT NULL", "TRUE")


@saboteur("3.8.1.1-110", "IS NULL is accepted after a number")
def _(patch: Patch) -> None:
    rewritten(patch, r"^\d+ IS NULL", "FALSE")


# --- 3.8.1.2 -------------------------------------------------------------------------------------------------------


@saboteur("3.8.1.2-1", "a missing property is not less than a number, and not unknown")
def _(patch: Patch) -> None:
    class Faulty(Walker):
        def comparison(self, node: Comparison) -> bool | None:
            result = super().comparison(node)
            return False if result is None and node.operator == "<" and isinstance(node.left, Identifier) else result

    walked(patch, Faulty)


@saboteur("3.8.1.2-3", "NOT (x IS NULL) is unknown")
def _(patch: Patch) -> None:
    rewritten(patch, r"NOT \(p IS NULL\)", "NOT (nothing = 0)")


def _joining(patch: Patch, kind: type[And | Or], cells: dict[tuple[bool | None, ...], bool | None]) -> None:
    """Have two names joined with other results for these pairs of values, in either order."""

    class Faulty(Walker):
        def condition(self, node: Condition) -> bool | None:
            if (
                isinstance(node, kind)
                and len(node.conditions) == 2
                and all(isinstance(x, Flag) for x in node.conditions)
            ):
                values = tuple(self.condition(each) for each in node.conditions)
                for pair in (values, values[::-1]):
                    if pair in cells:
                        return cells[pair]
            return super().condition(node)

    walked(patch, Faulty)


@saboteur("3.8.1.2-4", "FALSE AND TRUE is true")
def _(patch: Patch) -> None:
    _joining(patch, And, {(False, True): True})


@saboteur("3.8.1.2-5", "TRUE AND unknown is false")
def _(patch: Patch) -> None:
    _joining(patch, And, {(True, None): False})


@saboteur("3.8.1.2-6", "FALSE AND unknown is unknown")
def _(patch: Patch) -> None:
    _joining(patch, And, {(False, None): None})


@saboteur("3.8.1.2-7", "unknown AND unknown is false")
def _(patch: Patch) -> None:
    _joining(patch, And, {(None, None): False})


@saboteur("3.8.1.2-8", "FALSE OR FALSE is true")
def _(patch: Patch) -> None:
    _joining(patch, Or, {(False, False): True})


@saboteur("3.8.1.2-9", "TRUE OR unknown is unknown")
def _(patch: Patch) -> None:
    _joining(patch, Or, {(True, None): None})


@saboteur("3.8.1.2-10", "FALSE OR unknown is false")
def _(patch: Patch) -> None:
    _joining(patch, Or, {(False, None): False})


@saboteur("3.8.1.2-11", "unknown OR unknown is false")
def _(patch: Patch) -> None:
    _joining(patch, Or, {(None, None): False})


@saboteur("3.8.1.2-12", "a double negation is collapsed to one")
def _(patch: Patch) -> None:
    rewritten(patch, r"NOT \(NOT (\w+)\)", r"NOT \1")


@saboteur("3.8.1.2-13", "NOT unknown is true")
def _(patch: Patch) -> None:
    _negating(patch, lambda walker, node: walker.flag(node) is not True, lambda node: isinstance(node, Flag))
