"""A compiled selector, and the cache that lets equal texts share one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from reference_provider.selector.compiler import compile_tree
from reference_provider.selector.nodes import Condition, names
from reference_provider.selector.parser import forget_parser, parse
from reference_provider.selector.walker import View, matches_in_1_0, walking

CACHED: Final = 1024
"""How many selectors are kept."""

LONGEST_CACHED: Final = 10_000
"""The longest text that is kept, in characters; a longer one is compiled each time it is presented."""


class Selector:
    """One compiled selector; immutable, shared by all who presented the same text.

    Attributes:
        text: the selector as it was given.
        tree: its typed tree.
        names: the headers and properties it refers to.
        matches: tells whether the selector is true for the values of a view; unknown is no match (3.8.1.1-45).
    """

    __slots__ = ("matches", "names", "text", "tree")

    text: str
    tree: Condition
    names: frozenset[str]
    matches: Callable[[View], bool]

    def __init__(self, text: str, tree: Condition, matches: Callable[[View], bool]) -> None:
        self.text = text
        self.tree = tree
        self.names = names(tree)
        self.matches = matches

    def __repr__(self) -> str:
        return f"Selector({self.text!r})"


def compile_selector(text: str | None, version: str = "3.1") -> Selector | None:
    """Compile a selector, or give None where there is none: null and the empty string (3.8.1.1-1, -2).

    Raises:
        InvalidSelectorException: the text is not a selector; says where and why.
    """
    if not text:
        return None
    of_1_0 = version == "1.0"
    return _compiled(text, of_1_0) if len(text) > LONGEST_CACHED else _cached(text, of_1_0)


@lru_cache(maxsize=CACHED)
def _cached(text: str, of_1_0: bool) -> Selector:
    return _compiled(text, of_1_0)


def _compiled(text: str, of_1_0: bool) -> Selector:
    tree = parse(text, "1.0" if of_1_0 else "3.1")
    return Selector(text, tree, partial(matches_in_1_0, tree) if of_1_0 else matcher(tree))


def matcher(tree: Condition) -> Callable[[View], bool]:
    """Give the function of a tree: compiled, or walking where it nests too deep for Python's own compiler."""
    try:
        return compile_tree(tree)
    except (SyntaxError, RecursionError, MemoryError):
        return walking(tree)


def forget() -> None:
    """Forget compiled selectors and the parser, so that the next selector is compiled anew; only a changed compiler needs it."""
    _cached.cache_clear()
    forget_parser()
