"""Message selectors: compile text to a fast Python function; syntax is checked at once.

| name | meaning |
|---|---|
| `compile_selector(text, version)` | a `Selector`, or None for no selector (None or the empty string); InvalidSelectorException with position and reason |
| `Selector.text`, `Selector.matches(view)` | the original text; whether the message with the values of `view` matches |
| `SelectorTable` (`selector/table.py`) | many selectors at once: which of them match this view |

`view` comes from `reference_provider.messages.selection`. Equal texts share one compiled selector (bounded cache).
Imports `java` and lark; must not know messages or the broker.
"""

from __future__ import annotations

from reference_provider.selector.selector import Selector, compile_selector

__all__ = ["Selector", "compile_selector"]
