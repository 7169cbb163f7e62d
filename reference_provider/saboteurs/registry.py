"""Saboteurs: how they are declared, found, installed and undone."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final, TypeAlias

from reference_provider.fault_point import FaultPoint

_MISSING: Final = object()
_CHAPTER: Final = re.compile(r"ch\d\d_\w+|scenarios")


class Patch:
    """Replacements in classes and modules, undone in reverse order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, object]] = []

    def replace(self, owner: Any, name: str, new: object) -> None:  # a class or a module
        """Replace `owner.name`, which must exist there or be inherited, by `new`.

        Raises:
            AttributeError: The owner has no such name: the saboteur no longer fits the provider.
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
        """Restore everything."""
        while self._undo:
            owner, name, old = self._undo.pop()
            if old is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, old)


Fault: TypeAlias = Callable[[Patch], None]
"""Makes a fault: puts its replacements into the patch."""


@dataclass(frozen=True, slots=True)
class Saboteur:
    """One deliberate fault.

    Attributes:
        assertion: the row it breaks, or the claim of a scenario.
        title: a short sentence which says what the broken provider does.
        install: makes the fault.
        collateral: other rows, outside the restatement group, that fall with it, each with the reason.
        settings: settings of the provider it needs, such as an older `version`.
    """

    assertion: str
    title: str
    install: Fault
    collateral: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)


_FOUND: dict[str, Saboteur] = {}


def saboteur(
    assertion: str, title: str, *, collateral: Mapping[str, str] | None = None, **settings: object
) -> Callable[[Fault], Fault]:
    """Declare the decorated function as the saboteur of a row.

    Raises:
        ValueError: The row has one already.
    """

    def declare(install: Fault) -> Fault:
        if assertion in _FOUND:
            raise ValueError(f"two saboteurs for {assertion}: {_FOUND[assertion].title!r} and {title!r}")
        _FOUND[assertion] = Saboteur(assertion, title, install, collateral or {}, settings)
        return install

    return declare


def all_saboteurs() -> Mapping[str, Saboteur]:
    """Return all saboteurs by the row they break, in the order of the specification, those of scenarios last."""
    package = importlib.import_module("reference_provider.saboteurs")
    for folder in pkgutil.iter_modules(package.__path__):
        if _CHAPTER.fullmatch(folder.name):
            chapter = importlib.import_module(f"{package.__name__}.{folder.name}")
            for module in pkgutil.iter_modules(chapter.__path__):
                importlib.import_module(f"{chapter.__name__}.{module.name}")
    return {assertion: _FOUND[assertion] for assertion in sorted(_FOUND, key=_numbers)}


def _numbers(assertion: str) -> tuple[str, list[int]]:
    scenario = "" if assertion[0].isdigit() else assertion.rpartition("-")[0]
    return scenario, [int(number) for number in re.findall(r"\d+", assertion)]
