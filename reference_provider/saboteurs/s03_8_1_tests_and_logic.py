"""Faults in 3.8.1.1 and 3.8.1.2: BETWEEN, IN, LIKE, IS NULL, and three-valued logic."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reference_provider.broker.stored_message import StoredMessage
from reference_provider.saboteurs.of_selectors import refused_where, rewritten, seen, walked
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.selector import literals
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
)
from reference_provider.selector.walker import Walker

RANDOM = "a condition made at random in that case asks for the same"


# --- BETWEEN and IN ------------------------------------------------------------------------------------------------


def _wide_range(node: Between | Outside) -> bool:
    match node.low, node.high:
        case NumberLiteral(low), NumberLiteral(high):
            return low < high
    return False


@saboteur(
    "3.8.1.1-70",
    "the upper bound of BETWEEN is exclusive",
    collateral={"3.8.1.1-54": "the case asks for a value that equals its upper bound once that is rounded to float"},
)
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
    rewritten(patch, r"\b(\w+) BETWEEN '\w+' AND '\w+'", r"\1 IS NOT NULL")


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
    def change(values: dict[str, Any], entry: StoredMessage) -> None:
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
