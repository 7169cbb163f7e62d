"""A compiled selector, and the cache through which equal texts share one.

The modules for compiling, lark too, are imported with the first selector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from reference_provider.selector.values import SelectorValue

if TYPE_CHECKING:
    from reference_provider.selector.nodes import Condition

CACHED: Final = 1024
"""How many selectors are kept."""

LONGEST_CACHED: Final = 10_000
"""The longest text that is kept, in characters; a longer one is compiled each time it is presented."""


class Selector:
    """One compiled selector; immutable, shared by all users of the same text.

    Attributes:
        text: the original text.
        tree: its typed tree.
        names: the headers and properties it refers to.
        matches: returns whether the selector is true for the values of a view; unknown is no match (3.8.1.1-45).
    """

    __slots__ = ("matches", "names", "text", "tree")

    text: str
    tree: Condition
    names: frozenset[str]
    matches: Callable[[Mapping[str, SelectorValue]], bool]

    def __init__(
        self,
        text: str,
        tree: Condition,
        names: frozenset[str],
        matches: Callable[[Mapping[str, SelectorValue]], bool],
    ) -> None:
        self.text = text
        self.tree = tree
        self.names = names
        self.matches = matches

    def __repr__(self) -> str:
        return f"Selector({self.text!r})"


def compile_selector(text: str | None, version: str = "3.1") -> Selector | None:
    """Compile a selector; return None for null and the empty string (3.8.1.1-1, -2).

    Raises:
        InvalidSelectorException: the text is not a selector; with position and reason.
    """
    if not text:
        return None
    of_1_0 = version == "1.0"
    return _compiled(text, of_1_0) if len(text) > LONGEST_CACHED else _cached(text, of_1_0)


@lru_cache(maxsize=CACHED)
def _cached(text: str, of_1_0: bool) -> Selector:
    return _compiled(text, of_1_0)


def _compiled(text: str, of_1_0: bool) -> Selector:
    from reference_provider.selector import compiler, nodes, parser, walker  # noqa: PLC0415 - see the module's docstring

    tree = parser.parse(text, "1.0" if of_1_0 else "3.1")
    matches = walker.walking_in_1_0(tree) if of_1_0 else compiler.matcher(tree)
    return Selector(text, tree, nodes.names(tree), matches)


def forget() -> None:
    """Forget compiled selectors and the parser; only needed when the compiler has been changed."""
    from reference_provider.selector import parser  # noqa: PLC0415 - see the module's docstring

    _cached.cache_clear()
    parser.forget_parser()
