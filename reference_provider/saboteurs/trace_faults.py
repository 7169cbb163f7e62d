"""Where the faults of traces are kept, and how often they strike."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from reference_provider.saboteurs.registry import Patch

EVERY: Final = 7
"""Most faults strike once in so many times."""

Fault = Callable[[Patch], None]
F = TypeVar("F", bound=Fault)

_FOUND: dict[str, Fault] = {}


def breaks(name: str) -> Callable[[F], F]:
    """Declare a function as the fault that breaks a property."""

    def declare(fault: F) -> F:
        _FOUND[name] = fault
        return fault

    return declare


def now_and_then(every: int = EVERY) -> Callable[[], bool]:
    """Give a function that is true once in so many calls."""
    calls = itertools.count(1)
    return lambda: next(calls) % every == 0


def trace_faults() -> Mapping[str, Fault]:
    """Give all faults by the property they break."""
    for module in ("of_traces", "of_traces_repeated"):
        importlib.import_module(f"reference_provider.saboteurs.{module}")
    return dict(_FOUND)
