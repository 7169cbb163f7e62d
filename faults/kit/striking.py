"""How often faults of traces strike."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final

EVERY: Final = 7
"""Most faults strike once in so many times."""


def now_and_then(every: int = EVERY) -> Callable[[], bool]:
    """Return a function that is true once in so many calls."""
    calls = itertools.count(1)
    return lambda: next(calls) % every == 0
