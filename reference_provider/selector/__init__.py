"""Message selectors: text to a fast Python function, checked when it is presented.

| name | what it does |
|---|---|
| `compile_selector(text, version)` | a `Selector`, or None for no selector (None or the empty string); InvalidSelectorException with position and reason |
| `Selector.text`, `Selector.matches(view)` | the text as given; whether the message whose values `view` holds is chosen |
| `SelectorTable` (`selector/table.py`) | many selectors at once: which of them match this view |

`view` comes from `reference_provider.messages.selection`. Equal texts share one compiled selector (bounded cache).
"""

from __future__ import annotations

from reference_provider.selector.selector import Selector, compile_selector

__all__ = ["Selector", "compile_selector"]
