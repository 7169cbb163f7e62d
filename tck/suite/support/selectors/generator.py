"""Random conditions from a seed: the same on each run, so that a finding can be repeated.

The specification settles the result of each one: a name has values of one kind (or is missing), no divisor can be zero,
and texts and booleans are not ordered. Unlike types are compared only on demand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tck.suite.support.selectors.expressions import (
    Among,
    Between,
    Both,
    Compared,
    Computed,
    Condition,
    Either,
    Flag,
    Like,
    Literal,
    Name,
    Negative,
    Not,
    Null,
    Operand,
    Text,
    Truth,
)

_ORDERS = ("=", "<>", "<", "<=", ">", ">=")
_PATTERNS = ("a%", "%b", "a_", "%a%", "", "ab", "_%")


@dataclass(frozen=True, slots=True)
class Names:
    """The names that conditions refer to, by the kind of their values."""

    numbers: tuple[str, ...] = ("i", "k", "z")
    texts: tuple[str, ...] = ("s", "t", "z")
    truths: tuple[str, ...] = ("p", "q", "z")


def generated(
    seed: int, count: int, *, names: Names | None = None, approximate: bool = False, unlike: bool = False
) -> list[Condition]:
    """Generate conditions.

    Args:
        seed: selects the conditions.
        count: their number.
        names: names to use; by default numbers `i`, `k`, texts `s`, `t`, booleans `p`, `q`, and `z`, which is missing.
        approximate: use literals with a decimal point too.
        unlike: compare texts and booleans with numbers too.
    """
    maker = _Maker(random.Random(seed), names or Names(), approximate, unlike)  # noqa: S311 # nothing secret
    return list(maker.conditions(count))


@dataclass(frozen=True, slots=True)
class _Maker:
    random: random.Random
    names: Names
    approximate: bool
    unlike: bool

    def conditions(self, count: int) -> Iterator[Condition]:
        for _ in range(count):
            yield self.condition(3)

    def condition(self, depth: int) -> Condition:
        form = self.random.randrange(10)
        if depth == 0 or form > 7:
            return self.test()
        if form < 3:
            return Both(self.condition(depth - 1), self.condition(depth - 1))
        if form < 6:
            return Either(self.condition(depth - 1), self.condition(depth - 1))
        return Not(self.condition(depth - 1))

    def test(self) -> Condition:
        pick = self.random.choice
        made: list[Callable[[], Condition]] = [
            lambda: Compared(self.number(2), pick(_ORDERS), self.number(2)),
            lambda: Between(self.number(1), self.number(1), self.number(1), pick((True, False))),
            lambda: Compared(Name(pick(self.names.texts)), pick(_ORDERS[:2]), Text(pick(("", "a", "ab", "it's")))),
            lambda: Among(pick(self.names.texts), ("a", "ab"), pick((True, False))),
            lambda: Like(pick(self.names.texts), pick(_PATTERNS), None, pick((True, False))),
            lambda: Like(pick(self.names.texts), "!%" + pick(_PATTERNS), "!", pick((True, False))),
            lambda: Null(pick((*self.names.texts, *self.names.numbers)), pick((True, False))),
            lambda: Flag(pick(self.names.truths)),
            lambda: Compared(Name(pick(self.names.truths)), pick(_ORDERS[:2]), Truth(pick((True, False)))),
            lambda: Truth(pick((True, False))),
        ]
        if self.unlike:
            made.append(lambda: Compared(Name(pick(self.names.texts)), pick(_ORDERS), Literal(1)))
            made.append(lambda: Compared(Name(pick(self.names.truths)), pick(_ORDERS[:2]), Text("a")))
            made.append(lambda: Compared(Name(pick(self.names.numbers)), pick(_ORDERS[:2]), Text("1")))
        return pick(made)()

    def number(self, depth: int) -> Operand:
        form = self.random.randrange(8)
        if depth == 0 or form < 3:
            return Name(self.random.choice(self.names.numbers)) if form % 2 else self.literal()
        if form < 4:
            return Negative(self.number(depth - 1))
        if form < 5:
            return Computed(self.number(depth - 1), "/", Literal(self.random.randrange(1, 5)))
        return Computed(self.number(depth - 1), self.random.choice("+-*"), self.number(depth - 1))

    def literal(self) -> Literal:
        if self.approximate and self.random.randrange(2):
            return Literal(self.random.randrange(0, 12) / 4)
        return Literal(self.random.randrange(0, 9))
