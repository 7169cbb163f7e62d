"""What a saboteur is, how it is declared and found, and how it is undone."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final

from reference_provider.fault_points import FaultPoint

_MISSING: Final = object()


class Patch:
    """Replacements in classes and modules, undone in reverse order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, object]] = []

    def replace(self, owner: Any, name: str, new: object) -> None:  # a class or a module
        """Put `new` in the place of `owner.name`, which must exist there or be inherited.

        Raises:
            AttributeError: There is no such name, so the saboteur no longer fits the provider.
        """
        if not hasattr(owner, name):
            raise AttributeError(f"{owner!r} has no {name!r} to be broken; the saboteur no longer fits the provider")
        self._undo.append((owner, name, vars(owner).get(name, _MISSING)))
        setattr(owner, name, new)

    def at(self, point: FaultPoint, fault: Callable[..., Any]) -> None:
        """Call `fault` at a fault point; it gets the original function, then the arguments of the call."""
        original = getattr(point.owner, point.attribute)

        @wraps(original)
        def faulty(*arguments: Any, **keywords: Any) -> Any:
            return fault(original, *arguments, **keywords)

        self.replace(point.owner, point.attribute, faulty)

    def undo(self) -> None:
        """Put everything back."""
        while self._undo:
            owner, name, old = self._undo.pop()
            if old is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, old)


@dataclass(frozen=True, slots=True)
class Saboteur:
    """One deliberate fault.

    Attributes:
        assertion: the row it breaks.
        title: the fault in a few words.
        install: makes the fault.
        collateral: other rows, outside the restatement group, that fall with it, each with the reason.
        settings: settings of the provider it needs, such as an older `version`.
    """

    assertion: str
    title: str
    install: Callable[[Patch], None]
    collateral: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)


_FOUND: dict[str, Saboteur] = {}


def saboteur(
    assertion: str, title: str, *, collateral: Mapping[str, str] | None = None, **settings: object
) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    """Declare the decorated function as the saboteur of a row.

    Raises:
        ValueError: The row has one already.
    """

    def declare(install: Callable[[Patch], None]) -> Callable[[Patch], None]:
        if assertion in _FOUND:
            raise ValueError(f"two saboteurs for {assertion}: {_FOUND[assertion].title!r} and {title!r}")
        _FOUND[assertion] = Saboteur(assertion, title, install, collateral or {}, settings)
        return install

    return declare


def all_saboteurs() -> Mapping[str, Saboteur]:
    """Give all saboteurs by the row they break, in the order of their modules."""
    package = importlib.import_module("reference_provider.saboteurs")
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        if module.startswith("s"):
            importlib.import_module(f"{package.__name__}.{module}")
    return dict(_FOUND)
