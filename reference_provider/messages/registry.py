"""The types, beyond the built-in ones, that an object message may carry.

A type is registered under a name, with one function that converts an instance into built-in values and one that builds
it again. Only registered types are ever built from the body of a message, so a body cannot make the receiver run other
code.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

State: TypeAlias = Any
"""An instance, or the built-in value it was taken apart into."""


@dataclass(frozen=True, slots=True)
class Registration:
    """How instances of one type are encoded.

    Attributes:
        name: the name of the type in the stored form.
        type: the type; instances of its subclasses are not covered.
        to_state: converts an instance into a value that can be encoded.
        from_state: builds an instance from such a value; an exception makes the body unreadable.
    """

    name: str
    type: type[Any]
    to_state: Callable[[Any], Any]
    from_state: Callable[[Any], Any]


class TypeRegistry:
    """The types that object messages may carry, by type and by name; safe for use by any thread."""

    __slots__ = ("_by_name", "_by_type", "_lock")

    def __init__(self, *types: type[Any]) -> None:
        self._lock = (
            threading.Lock()
        )  # guards registration; lookups read dictionaries that only grow; no lock is taken under it
        self._by_type: dict[type[Any], Registration] = {}
        self._by_name: dict[str, Registration] = {}
        self.register(*types)

    def register(self, *types: type[Any]) -> None:
        """Register types by their own structure, under `module.qualified_name`.

        Dataclasses are encoded by their fields, enums by name, named tuples by their items, other classes by their
        attributes (or by `__getstate__` and `__setstate__`).

        Raises:
            ValueError: another type has that name.
        """
        for each in types:
            self._add(_registration(each))

    def register_as(
        self, name: str, kind: type[T], to_state: Callable[[T], Any], from_state: Callable[[Any], T]
    ) -> None:
        """Register one type under this name with these functions.

        Raises:
            ValueError: another type has that name.
        """
        self._add(Registration(name, kind, to_state, from_state))

    def of_type(self, kind: type[Any]) -> Registration | None:
        """Return the registration of exactly this type."""
        return self._by_type.get(kind)

    def named(self, name: str) -> Registration | None:
        """Return the registration under this name."""
        return self._by_name.get(name)

    def _add(self, registration: Registration) -> None:
        with self._lock:
            known = self._by_name.get(registration.name)
            if known is not None and known.type is not registration.type:
                raise ValueError(
                    f"the name {registration.name!r} belongs to {known.type!r}, not to {registration.type!r}"
                )
            self._by_name[registration.name] = registration
            self._by_type[registration.type] = registration


def _registration(kind: type[Any]) -> Registration:
    name = f"{kind.__module__}.{kind.__qualname__}"
    if issubclass(kind, Enum):
        return Registration(name, kind, lambda member: member.name, lambda state: kind[state])
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return Registration(name, kind, tuple, lambda state: kind(*state))
    if dataclasses.is_dataclass(kind):
        return Registration(name, kind, _fields, lambda state: _from_fields(kind, state))
    return Registration(name, kind, _attributes, lambda state: _from_attributes(kind, state))


def _fields(instance: State) -> dict[str, Any]:
    return {field.name: getattr(instance, field.name) for field in dataclasses.fields(instance)}


def _from_fields(kind: type[Any], state: dict[str, Any]) -> State:
    """Call the constructor, which repeats its checks; fields that it does not take are set afterwards."""
    taken = {field.name for field in dataclasses.fields(kind) if field.init}
    instance = kind(**{name: value for name, value in state.items() if name in taken})
    for field in dataclasses.fields(kind):
        if not field.init and field.name in state:
            object.__setattr__(instance, field.name, state[field.name])
    return instance


def _attributes(instance: State) -> State:
    """Return `__getstate__()`, which every object has since Python 3.11; a pair of dictionaries for slots."""
    return instance.__getstate__()


def _from_attributes(kind: type[Any], state: State) -> State:
    instance = object.__new__(kind)
    restore = getattr(instance, "__setstate__", None)
    if restore is not None:
        restore(state)
        return instance
    parts = state if isinstance(state, tuple) else (state,)
    for part in parts:
        for name, value in (part or {}).items():
            if name.startswith("__"):
                raise ValueError(f"{name!r} is Python's own and no attribute that travels")
            object.__setattr__(instance, name, value)
    return instance
