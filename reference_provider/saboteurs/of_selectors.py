"""Pieces that faults in selectors are made of: they bind to the fault point SELECTOR_COMPILED.

Nothing here comes from or goes into the cache of compiled selectors, so a fault ends with its patch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from reference_provider import fault_points
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.saboteurs.registry import Patch
from reference_provider.selector import Selector
from reference_provider.selector.errors import invalid
from reference_provider.selector.nodes import Condition, Operand, names, parts
from reference_provider.selector.parser import parse
from reference_provider.selector.walker import View, Walker

Tree: TypeAlias = Condition | Operand
Compile: TypeAlias = Callable[[str, str], Selector | None]


def rewritten(patch: Patch, pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> None:
    """Have selectors taken for others: wherever `pattern` occurs in one, `replacement` is read."""

    def compiled(original: Compile, text: str, version: str) -> Selector | None:
        return original(re.sub(pattern, replacement, text), version)

    patch.at(fault_points.SELECTOR_COMPILED, compiled)


def refused(patch: Patch, offence: Callable[[str], object]) -> None:
    """Have selectors refused whose text offends."""

    def compiled(original: Compile, text: str, version: str) -> Selector | None:
        if offence(text):
            raise invalid(text, "refused by a saboteur", 0)
        return original(text, version)

    patch.at(fault_points.SELECTOR_COMPILED, compiled)


def refused_where(patch: Patch, offence: Callable[[Tree], object]) -> None:
    """Have selectors refused that hold a node which offends."""

    def compiled(original: Compile, text: str, version: str) -> Selector | None:
        selector = original(text, version)
        if selector is not None and any(offence(node) for node in nodes_of(selector.tree)):
            raise invalid(text, "refused by a saboteur", 0)
        return selector

    patch.at(fault_points.SELECTOR_COMPILED, compiled)


def walked(patch: Patch, walker: type[Walker]) -> None:
    """Have selectors evaluated by a faulty walker."""
    matched(patch, lambda tree, view: walker(view).condition(tree) is True)


def matched(patch: Patch, matches: Callable[[Condition, View], bool]) -> None:
    """Have it decided by `matches` which messages a selector chooses."""

    def compiled(original: Compile, text: str, version: str) -> Selector | None:
        tree = parse(text, version)
        return Selector(text, tree, names(tree), lambda view: matches(tree, view))

    patch.at(fault_points.SELECTOR_COMPILED, compiled)


def seen(patch: Patch, change: Callable[[dict[str, Any], StoredMessage], None]) -> None:
    """Have selectors see other values; `change` is given a copy of them, and the message."""
    original = StoredMessage.selection

    def selection(self: StoredMessage) -> dict[str, Any]:
        values = dict(original(self))
        change(values, self)
        return values

    patch.replace(StoredMessage, "selection", selection)


def nodes_of(tree: Condition) -> list[Tree]:
    """Give all nodes of a selector."""
    found: list[Tree] = [tree]
    for node in found:
        found.extend(parts(node))
    return found
