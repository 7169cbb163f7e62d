"""Python objects as bodies of object messages: in and out of built-in values that Java can carry as collections.

An object of a type that the suite registered travels as a map with its type's name and its state, so that a Java provider
serialises it without knowing it. Only registered types are built again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

KIND: Final = "tck.type"
STATE: Final = "tck.state"

_BUILT_IN: Final[dict[type, Callable[[Any], Any]]] = {tuple: list, set: list, frozenset: list}


class Registry:
    """The types that the suite sends in object messages."""

    def __init__(self) -> None:
        self._names: dict[type, str] = {kind: kind.__name__ for kind in _BUILT_IN}
        self._types: dict[str, type] = {name: kind for kind, name in self._names.items()}

    def register(self, *types: type) -> None:
        """Add types, under their qualified names."""
        for kind in types:
            name = f"{kind.__module__}.{kind.__qualname__}"
            self._names[kind] = name
            self._types[name] = kind

    def knows(self, kind: type) -> bool:
        """Tell whether objects of a type can travel."""
        return kind in self._names

    def taken_apart(self, value: object) -> dict[str, object] | None:
        """Give the map that an object travels as; None if its type is not registered."""
        name = self._names.get(type(value))
        return None if name is None else {KIND: name, STATE: _state(value)}

    def put_together(self, content: dict[object, object]) -> object:
        """Give the object that a map stands for; the map itself if it stands for none."""
        if content.keys() != {KIND, STATE}:
            return content
        kind = self._types.get(str(content[KIND]))
        return content if kind is None else _built(kind, content[STATE])


def _state(value: Any) -> object:
    if type(value) in _BUILT_IN:
        return list(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return list(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return dict(vars(value))


def _built(kind: Any, state: Any) -> object:
    if kind in _BUILT_IN:
        return kind(state)
    if issubclass(kind, Enum):
        return kind[state]
    if issubclass(kind, tuple):
        return tuple.__new__(kind, state)
    made = object.__new__(kind)
    for name, value in state.items():
        object.__setattr__(made, name, value)
    return made
