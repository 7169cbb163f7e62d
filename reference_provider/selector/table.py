"""Many selectors at once: finds those that match a message without testing each.

If a topic has thousands of selective subscriptions, most selectors demand that one property equals a constant
(`customer = 'c17' AND ...`, `region IN ('north', 'east')`). The table files them under property and value, so a message
looks up its own values and tests only the selectors found there and those without such a demand. Equal selectors are
tested once.

Worthwhile from about ten selectors on. Not safe for use by several threads at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

from reference_provider.selector.compiler import safe
from reference_provider.selector.nodes import And, Comparison, Condition, Identifier, In, NumberLiteral, TextLiteral
from reference_provider.selector.selector import Selector
from reference_provider.selector.values import SelectorValue
from reference_provider.selector.walker import View

K = TypeVar("K", bound=Hashable)


class Demand(NamedTuple):
    """A demand of a selector: a property has one of these values; `whole` if it demands nothing else."""

    name: str
    values: tuple[SelectorValue, ...]
    whole: bool


class _Group(Generic[K]):
    """The keys of one selector."""

    __slots__ = ("demand", "keys", "matches")

    def __init__(self, matches: Callable[[View], bool], demand: Demand | None) -> None:
        self.matches = matches
        self.demand = demand
        self.keys: dict[K, None] = {}


class SelectorTable(Generic[K]):
    """Selectors by key, for instance a subscription; None means no selector, which matches all."""

    def __init__(self) -> None:
        self._selectors: dict[K, Selector | None] = {}
        self._groups: dict[Selector, _Group[K]] = {}
        self._unselective: dict[K, None] = {}
        self._filed: dict[str, dict[SelectorValue, list[_Group[K]]]] = {}
        self._others: list[_Group[K]] = []

    def __len__(self) -> int:
        return len(self._selectors)

    def add(self, key: K, selector: Selector | None) -> None:
        """Add a key with its selector, replacing an earlier one."""
        self.discard(key)
        self._selectors[key] = selector
        if selector is None:
            self._unselective[key] = None
            return
        group = self._groups.get(selector)
        if group is None:
            group = self._groups[selector] = _Group(selector.matches, self._choose(demands(selector.tree)))
            self._file(group)
        group.keys[key] = None

    def discard(self, key: K) -> None:
        """Remove a key; no effect if it is absent."""
        if key not in self._selectors:
            return
        selector = self._selectors.pop(key)
        if selector is None:
            del self._unselective[key]
            return
        group = self._groups[selector]
        del group.keys[key]
        if not group.keys:
            del self._groups[selector]
            self._unfile(group)

    def matching(self, view: View) -> list[K]:
        """Return the keys whose selectors match, in no particular order, each once."""
        found = list(self._unselective)
        for name, by_value in self._filed.items():
            value = view.get(name)
            if value is not None:
                for group in by_value.get(value, ()):
                    if (group.demand is not None and group.demand.whole) or group.matches(view):
                        found += group.keys
        for group in self._others:
            if group.matches(view):
                found += group.keys
        return found

    def _choose(self, possible: list[Demand]) -> Demand | None:
        """Choose the demand that is filed with the fewest others."""
        return min(possible, key=self._crowd, default=None)

    def _crowd(self, demand: Demand) -> int:
        by_value = self._filed.get(demand.name, {})
        return sum(len(by_value.get(value, ())) for value in demand.values)

    def _places(self, demand: Demand) -> list[list[_Group[K]]]:
        by_value = self._filed.setdefault(demand.name, {})
        return [by_value.setdefault(value, []) for value in demand.values]

    def _file(self, group: _Group[K]) -> None:
        for place in [self._others] if group.demand is None else self._places(group.demand):
            place.append(group)

    def _unfile(self, group: _Group[K]) -> None:
        if group.demand is None:
            self._others.remove(group)
            return
        for place in self._places(group.demand):
            place.remove(group)
        by_value = self._filed[group.demand.name]
        for value in group.demand.values:
            if not by_value[value]:
                del by_value[value]
        if not by_value:
            del self._filed[group.demand.name]


def demands(tree: Condition) -> list[Demand]:
    """Return the demands of a selector on single properties: its own condition, or those joined by AND at the top."""
    conditions = tree.conditions if isinstance(tree, And) else (tree,)
    found = (_demand(each, whole=each is tree) for each in conditions)
    return [demand for demand in found if demand is not None]


def _demand(node: Condition, *, whole: bool) -> Demand | None:
    match node:
        case Comparison(Identifier(name), "=", TextLiteral(text)) | Comparison(
            TextLiteral(text), "=", Identifier(name)
        ):
            return Demand(name, (text,), whole)
        case In(Identifier(name), texts):
            return Demand(name, tuple(dict.fromkeys(texts)), whole)
        case Comparison(Identifier(name), "=", NumberLiteral(number)) if safe(name, number):
            return Demand(name, (number,), whole=False)  # whether 5 equals 5.0 depends on the version
        case _:
            return None
