"""How a lawful provider is declared and found, and the circumstance in which its second form does otherwise."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from reference_provider.broker.broker import Broker
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.fault_point import FaultPoint
from reference_provider.saboteurs.registry import Fault, Patch

PREFIX: Final = "lawful/"
AT_TIMES: Final = "/at-times"


@dataclass(frozen=True, slots=True)
class Lawful:
    """One lawful provider.

    Attributes:
        name: names it: `lawful/`, words joined by hyphens, and `/at-times` if it does otherwise in one circumstance only.
        title: a short sentence which says what the provider does.
        rows: the SHOULD and MAY rows that permit it; none where no row forbids it.
        install: makes the change.
        settings: settings of the provider it needs.
        lacks: optional features that its profile does not claim.
        slow: it is slow by the clock: its programs run where virtual time does not stand still until they advance it.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    install: Fault
    settings: Mapping[str, object] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    slow: bool = False


_FOUND: dict[str, Lawful] = {}


def lawful(
    name: str,
    title: str,
    *rows: str,
    circumstance: Fault | None = None,
    settings: Mapping[str, object] | None = None,
    lacks: Iterable[str] = (),
    slow: bool = False,
) -> Callable[[Fault], Fault]:
    """Declare the decorated function as a lawful provider, in both its forms.

    Args:
        name: Words joined by hyphens.
        title: What the provider does, in a short sentence.
        rows: The rows that permit it.
        circumstance: Makes the change in one circumstance only; without it, every second object does (see `AtTimes`).
        settings: Settings of the provider.
        lacks: Optional features that its profile does not claim.
        slow: It is slow by the clock, see `Lawful`.

    Raises:
        ValueError: The name is taken.
    """

    def declare(install: Fault) -> Fault:
        if PREFIX + name in _FOUND:
            raise ValueError(f"two lawful providers are called {name}: {_FOUND[PREFIX + name].title!r} and {title!r}")
        at_times = circumstance or (lambda patch: install(AtTimes(patch)))
        for suffix, words, change in (("", "", install), (AT_TIMES, ", at times", at_times)):
            full = PREFIX + name + suffix
            _FOUND[full] = Lawful(full, title + words, rows, change, settings or {}, frozenset(lacks), slow)
        return install

    return declare


class Partly(Patch):
    """Changes that show in some calls only."""

    def __init__(self, patch: Patch) -> None:
        super().__init__()
        self._patch = patch

    def shows(self, owner: Any, name: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether a call shows the change."""
        raise NotImplementedError

    def replace(self, owner: Any, name: str, new: object) -> None:
        """Replace a function or property in the calls that show the change, anything else in all."""
        old = getattr(owner, name)
        if isinstance(new, property) and isinstance(old, property):
            self._patch.replace(owner, name, self._mixed(owner, old, new))
        elif callable(new) and callable(old) and not isinstance(new, type):
            self._patch.replace(owner, name, self._either(owner, name, old, new))
        else:
            self._patch.replace(owner, name, new)

    def at(self, point: FaultPoint, fault: Callable[..., Any]) -> None:
        """Call `fault` at a fault point, where the change shows."""
        original = getattr(point.owner, point.attribute)
        self.replace(point.owner, point.attribute, lambda *given, **named: fault(original, *given, **named))

    def _either(self, owner: Any, name: str, old: Callable[..., Any], new: Callable[..., Any]) -> Callable[..., Any]:
        def either(*arguments: Any, **keywords: Any) -> Any:
            chosen = new if self.shows(owner, name, arguments) else old
            return chosen(*arguments, **keywords)

        return either

    def _mixed(self, owner: Any, old: property, new: property) -> property:
        def part(which: str) -> Callable[..., Any] | None:
            parts = getattr(old, which), getattr(new, which)
            return self._either(owner, which, *parts) if all(parts) else parts[0]

        return property(part("fget"), part("fset"))


class AtTimes(Partly):
    """Changes that every second object shows: the second session, the fourth delivery queue, whatever a change belongs to.

    A function that belongs to none, or to the broker, of which there is one, shows the change at each second call.
    """

    def __init__(self, patch: Patch) -> None:
        super().__init__(patch)
        self._seen: dict[int, tuple[object, bool]] = {}  # objects by their identity, kept so that none is used again
        self._calls: dict[object, int] = {}

    def shows(self, owner: Any, name: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether the object of the call is one that shows the change."""
        first = arguments[0] if arguments and isinstance(owner, type) else None
        if first is None or isinstance(first, Broker):
            self._calls[owner, name] = count = self._calls.get((owner, name), 0) + 1
            return count % 2 == 0
        if id(first) not in self._seen:
            kind = type(first)
            self._calls[kind] = count = self._calls.get(kind, 0) + 1
            self._seen[id(first)] = first, count % 2 == 0
        return self._seen[id(first)][1]


class OddMessages(Partly):
    """Changes that messages of odd numbers show: a provider must not ignore the time to live of all (7.8-4)."""

    def shows(self, owner: Any, name: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether the call is about no message, or about one of odd number."""
        entry = next((each for each in arguments if isinstance(each, StoredMessage)), None)
        return entry is None or entry.number % 2 == 1


def all_lawful() -> Mapping[str, Lawful]:
    """Return all lawful providers by name."""
    package = importlib.import_module("reference_provider.saboteurs.lawful")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_FOUND.items()))
