"""How a bridge that is nearly right is declared and found."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass

from faults.interworking.registry import BridgeSaboteur, Faults


@dataclass(frozen=True, slots=True)
class NearlyRightBridge:
    """One bridge, or the channel below it, that is nearly right.

    Attributes:
        name: Words joined by hyphens that begin with ``bridge-``.
        title: A short sentence: what it does wrong, and when.
        rows: The rows that it breaks, the one that owns the fault first; one of them must notice.
        faults: The fault.
        noticed: Whether the suite notices it; detection demands that of these alone.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    faults: Faults
    noticed: bool = True

    @property
    def opens(self) -> BridgeSaboteur:
        """What opens converter, factory and channels with the fault."""
        return BridgeSaboteur(self.rows[0], self.title, self.faults)


_FOUND: dict[str, NearlyRightBridge] = {}


def nearly_right(name: str, title: str, rows: str, faults: Faults, *, noticed: bool = True) -> None:
    """Declare a fault that shows under some condition only.

    Args:
        name: See `NearlyRightBridge`.
        title: The same.
        rows: The ids, separated by spaces; the owner first.
        faults: The fault.
        noticed: See `NearlyRightBridge`.

    Raises:
        ValueError: The name is taken, or does not begin with ``bridge-``.
    """
    if name in _FOUND:
        raise ValueError(f"two bridges are called {name}: {_FOUND[name].title!r} and {title!r}")
    if not name.startswith("bridge-"):
        raise ValueError(f"{name}: names of bridges that are nearly right begin with bridge-")
    _FOUND[name] = NearlyRightBridge(name, title, tuple(rows.split()), faults, noticed)


def all_nearly_right_bridges(*, noticed: bool = True) -> Mapping[str, NearlyRightBridge]:
    """Return those that the suite notices, or those that it does not notice yet, by name."""
    package = importlib.import_module("faults.interworking.nearly_right")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return {name: _FOUND[name] for name in sorted(_FOUND) if _FOUND[name].noticed is noticed}
