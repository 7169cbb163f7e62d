"""Finds the bars of all modules of this package, and selects some of them by id."""

from __future__ import annotations

import importlib
import pkgutil
import re

from benchmarks import bars
from benchmarks.bars.bar import Bar
from benchmarks.bars.table import order


def all_bars() -> dict[str, Bar]:
    """Return the bars of every module below this package, by id.

    Raises:
        ValueError: two bars have the same id.
    """
    found: dict[str, Bar] = {}
    for name in sorted(info.name for info in pkgutil.walk_packages(bars.__path__, f"{bars.__name__}.")):
        for bar in getattr(importlib.import_module(name), "BARS", ()):
            if bar.id in found:
                raise ValueError(f"expected bar {bar.id} once, saw it again in {name}")
            found[bar.id] = bar
    return found


def select(
    known: dict[str, Bar], names: list[str], *, gated: bool, long: bool = False, counted: bool = False
) -> list[Bar]:
    """Select bars by id: "P1" selects P1 and its parts (P1d).

    Without names, all bars are selected except the long ones; with `long`, those too. With `gated`, only gated bars are,
    with `counted` only those of them that count.

    Raises:
        ValueError: no bar has such a name.
    """
    found: dict[str, Bar] = {}
    for name in names or known:
        named = {key: bar for key, bar in known.items() if re.fullmatch(f"{re.escape(name)}[a-z]*", key)}
        if not named:
            raise ValueError(f"no bar {name}; there are {', '.join(sorted(known, key=order))}")
        found |= named
    if not names and not long:
        found = {key: bar for key, bar in found.items() if not bar.long}
    chosen = [found[key] for key in sorted(found, key=order)]
    return [bar for bar in chosen if (bar.gated or not gated) and (bar.counted or not counted)]
