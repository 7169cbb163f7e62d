"""How faults of traces are declared, and how often they strike."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final, TypeVar

from reference_provider.saboteurs.registry import Fault

EVERY: Final = 7
"""Most faults strike once in so many times."""

F = TypeVar("F", bound=Fault)

FOUND: Final[dict[str, Fault]] = {}
"""The declared faults, by the property they break."""


def breaks(name: str) -> Callable[[F], F]:
    """Declare a function as the fault that breaks a property."""

    def declare(fault: F) -> F:
        FOUND[name] = fault
        return fault

    return declare


def now_and_then(every: int = EVERY) -> Callable[[], bool]:
    """Return a function that is true once in so many calls."""
    calls = itertools.count(1)
    return lambda: next(calls) % every == 0
