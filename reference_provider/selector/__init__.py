"""Message selectors: text to a fast Python function, checked when it is presented.

| name | what it does |
|---|---|
| `compile_selector(text, version)` | a `Selector`, or None for no selector (None or the empty string); InvalidSelectorException with position and reason |
| `Selector.text`, `Selector.matches(view)` | the text as given; whether the message whose values `view` holds is chosen |
| `SelectorTable` (`selector/table.py`) | many selectors at once: which of them match this view |

`view` comes from `reference_provider.messages.selection`. Equal texts share one compiled selector (bounded cache).
"""

from __future__ import annotations

from typing import Any


class Selector:
    """One compiled selector; immutable, shared by all who presented the same text."""

    text: str

    def matches(self, view: dict[str, Any]) -> bool:
        """Tell whether the selector is true for these values; unknown is no match."""
        raise NotImplementedError


def compile_selector(text: str | None, version: str = "3.1") -> Selector | None:
    """Compile a selector, or give None where there is none.

    Raises:
        InvalidSelectorException: the text is not a selector; says where and why.
    """
    raise NotImplementedError
