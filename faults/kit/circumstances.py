"""Circumstances: values that compose. `fault.under(...)` shows in the calls only in which all of them hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from faults.kit.patch import Patch
from reference_provider.broker.broker import Broker
from reference_provider.broker.stored_message import StoredMessage


class Call(NamedTuple):
    """A call of a function that a fault replaces."""

    owner: Any
    name: str
    arguments: tuple[Any, ...]

    @property
    def first(self) -> Any:
        """The object whose method is called; None for a function of a module."""
        return self.arguments[0] if self.arguments and isinstance(self.owner, type) else None

    def one(self, kind: type) -> Any:
        """Return the first argument of a class, or None."""
        return next((each for each in self.arguments if isinstance(each, kind)), None)


@dataclass(frozen=True, slots=True)
class Circumstance:
    """What may hold in a call.

    Attributes:
        name: Words joined by hyphens.
        begin: Gets the patch, to watch what happens, and returns what decides for a call; its memory lasts one provider.
    """

    name: str
    begin: Callable[[Patch], Callable[[Call], bool]]


class Under(Patch):
    """Changes that show in those calls only in which all circumstances hold."""

    def __init__(self, patch: Patch, *circumstances: Circumstance) -> None:
        super().__init__()
        self._patch = patch
        self._decide = [each.begin(patch) for each in circumstances]

    def replace(self, owner: Any, name: str, new: object) -> None:
        """Replace a function or property in the calls in which all hold, anything else in all."""
        old = getattr(owner, name)
        if isinstance(new, property) and isinstance(old, property):
            self._patch.replace(owner, name, self._mixed(owner, old, new))
        elif callable(new) and callable(old) and not isinstance(new, type):
            self._patch.replace(owner, name, self._either(owner, name, old, new))
        else:
            self._patch.replace(owner, name, new)

    def _either(self, owner: Any, name: str, old: Callable[..., Any], new: Callable[..., Any]) -> Callable[..., Any]:
        def either(*arguments: Any, **keywords: Any) -> Any:
            call = Call(owner, name, arguments)
            hold = [decide(call) for decide in self._decide]  # all are asked, for some count
            return (new if all(hold) else old)(*arguments, **keywords)

        return either

    def _mixed(self, owner: Any, old: property, new: property) -> property:
        def part(which: str) -> Callable[..., Any] | None:
            parts = getattr(old, which), getattr(new, which)
            return self._either(owner, which, *parts) if all(parts) else parts[0]

        return property(part("fget"), part("fset"))


def _each_second(_: Patch) -> Callable[[Call], bool]:
    seen: dict[int, tuple[object, bool]] = {}  # objects by their identity, kept so that none is used again
    calls: dict[object, int] = {}

    def count(key: object) -> bool:
        calls[key] = calls.get(key, 0) + 1
        return calls[key] % 2 == 0

    def holds(call: Call) -> bool:
        first = call.first
        if first is None or isinstance(first, Broker):
            return count((call.owner, call.name))
        if id(first) not in seen:
            seen[id(first)] = first, count(type(first))
        return seen[id(first)][1]

    return holds


EACH_SECOND: Final = Circumstance("each-second", _each_second)
"""Every second object: the second session, the fourth delivery queue. A function that belongs to none, or to the broker, of
which there is one, shows the change at each second call."""


def _odd(call: Call) -> bool:
    entry = call.one(StoredMessage)
    return entry is None or entry.number % 2 == 1


ODD_MESSAGES: Final = Circumstance("odd-messages", lambda _: _odd)
"""Calls about no message, or about one of odd number: a provider must not ignore the time to live of all (7.8-4)."""
