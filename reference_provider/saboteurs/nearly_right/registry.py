"""How a provider that is nearly right is declared and found: in this package, or beside the saboteur of the row that it breaks."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reference_provider.saboteurs.registry import Patch, all_saboteurs


@dataclass(frozen=True, slots=True)
class NearlyRight:
    """One provider that is nearly right.

    Attributes:
        name: names it, in words joined by hyphens.
        title: a short sentence which says what the provider does wrong, and when.
        rows: the rows of which one case at least must notice.
        install: makes the fault.
        noticed: whether the suite notices it; detection demands that of these alone.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    install: Callable[[Patch], None]
    noticed: bool = True


_FOUND: dict[str, NearlyRight] = {}


def nearly_right(
    name: str, title: str, *rows: str, noticed: bool = True
) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    """Declare the decorated function as the fault of a provider that is nearly right.

    A fault that the suite does not notice yet has `noticed=False`; `docs/strength.md` lists these faults.

    Raises:
        ValueError: The name is taken.
    """

    def declare(install: Callable[[Patch], None]) -> Callable[[Patch], None]:
        if name in _FOUND:
            raise ValueError(f"two providers are called {name}: {_FOUND[name].title!r} and {title!r}")
        _FOUND[name] = NearlyRight(name, title, rows, install, noticed)
        return install

    return declare


def all_nearly_right(*, noticed: bool = True) -> Mapping[str, NearlyRight]:
    """Return those that the suite notices, or those that it does not notice yet, by name."""
    package = importlib.import_module("reference_provider.saboteurs.nearly_right")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    all_saboteurs()  # loads those that are declared beside the saboteur of their row
    return {name: found for name, found in _FOUND.items() if found.noticed is noticed}
