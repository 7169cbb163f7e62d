"""Python objects as bodies of object messages: converted to Java values and back.

An object of a type that the suite registered has a Java class of its own, see `classes`. Tuples and sets travel as
marked maps. Only registered types are built again.
"""

from __future__ import annotations

import dataclasses
import sys
import threading
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
    """Report that an object refuses serialization."""


class Registry:
    """The types that the suite sends in object messages.

    Args:
        directory: The directory for class files; it is on the machine's class path.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._classes: dict[type, str] = {}
        self._lock = threading.RLock()  # guards the numbers of the classes

    def register(self, *types: type) -> None:
        """Add types, each after its parents, so that every class file has its parent's."""
        with self._lock:
            for kind in types:
                if kind not in self._classes:
                    above = (each for each in kind.__mro__[1:] if each.__module__ not in sys.stdlib_module_names)
                    self.register(*above)
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
        """Return the name of the Java class of a type; None if it is not registered."""
        return self._classes.get(kind) if isinstance(kind, type) else None

    def types(self) -> dict[str, type]:
        """Return the registered types by their Java classes."""
        return {name: kind for kind, name in self._classes.items()}


def taken_apart(value: object) -> object:
    """Return the state of an object.

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
    """Build an object from its state; exceptions of its type pass."""
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
    """Return the map for a tuple or set; None for anything else."""
    kind = type(value)
    return {KIND: kind.__name__, STATE: list(value)} if kind in _BUILT_IN else None  # type: ignore[call-overload]


def unmarked(content: dict[object, object]) -> object:
    """Return the tuple or set of a marked map; any other map unchanged."""
    kind = _BY_NAME.get(str(content.get(KIND))) if content.keys() == {KIND, STATE} else None
    return content if kind is None else kind(content[STATE])
