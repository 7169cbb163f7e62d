"""Python objects as bodies of object messages: taken apart into values that Java can carry, and put together again.

An object of a type that the suite registered is one of a Java class of its own there, see `classes`. Tuples and sets travel
as maps that say so. Only registered types are built again.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.classes import PACKAGE, class_file

KIND: Final = "tck.type"
STATE: Final = "tck.state"

_BUILT_IN: Final[dict[type, Callable[[Any], Any]]] = {tuple: list, set: list, frozenset: list}
_BY_NAME: Final = {kind.__name__: kind for kind in _BUILT_IN}


class CannotTravel(Exception):  # noqa: N818 - no error: an answer about a value
    """Say that an object refuses to be taken apart."""


class Registry:
    """The types that the suite sends in object messages.

    Args:
        directory: Where the class files go; it is on the machine's class path.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._classes: dict[type, str] = {}

    def register(self, *types: type) -> None:
        """Add types, and before each its parents, lest a class be written without one that is added later."""
        for kind in types:
            if kind not in self._classes:
                self.register(*(each for each in kind.__mro__[1:] if each.__module__ not in sys.stdlib_module_names))
                self._write(kind)

    def _write(self, kind: type) -> None:
        parent = next((each for each in kind.__mro__[1:] if each in self._classes), None)
        name = f"{PACKAGE}.{kind.__name__}_{len(self._classes)}"
        path = self._directory / f"{name.replace('.', '/')}.class"
        path.parent.mkdir(parents=True, exist_ok=True)
        above = None if parent is None else self._classes[parent].replace(".", "/")
        path.write_bytes(class_file(name.replace(".", "/"), above))
        self._classes[kind] = name

    def class_of(self, kind: object) -> str | None:
        """Give the name of the Java class of a type; None if it is not registered."""
        return self._classes.get(kind) if isinstance(kind, type) else None

    def types(self) -> dict[str, type]:
        """Give the registered types by their Java classes."""
        return {name: kind for kind, name in self._classes.items()}


def taken_apart(value: object) -> object:
    """Give the state of an object.

    Raises:
        CannotTravel: It refuses.
    """
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return list(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    try:
        return value.__getstate__()
    except Exception as error:
        raise CannotTravel(str(error)) from error


def put_together(kind: Any, state: Any) -> object:
    """Build an object from its state; what its type raises passes."""
    if issubclass(kind, Enum):
        return kind[state]
    if issubclass(kind, tuple):
        return tuple.__new__(kind, state)
    made = object.__new__(kind)
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
        return made
    for name, value in (state or {}).items():
        object.__setattr__(made, name, value)
    return made


def marked(value: object) -> dict[str, object] | None:
    """Give the map that a tuple or set travels as; None for anything else."""
    kind = type(value)
    return {KIND: kind.__name__, STATE: list(value)} if kind in _BUILT_IN else None  # type: ignore[call-overload]


def unmarked(content: dict[object, object]) -> object:
    """Give the tuple or set that a map stands for; the map itself if it stands for none."""
    kind = _BY_NAME.get(str(content.get(KIND))) if content.keys() == {KIND, STATE} else None
    return content if kind is None else kind(content[STATE])
