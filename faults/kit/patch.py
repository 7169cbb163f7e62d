"""How a fault changes the provider: replacements of functions, for the life of one provider, undone at its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from reference_provider.fault_point import FaultPoint

_MISSING: Final = object()


class Patch:
    """Replacements in classes and modules, undone in reverse order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, object]] = []

    def replace(self, owner: Any, name: str, new: object) -> None:  # a class or a module
        """Replace `owner.name`, which must exist there or be inherited, by `new`.

        Raises:
            AttributeError: The owner has no such name: the fault no longer fits the provider.
        """
        if not hasattr(owner, name):
            raise AttributeError(f"{owner!r} has no {name!r} to be broken; the fault no longer fits the provider")
        self._undo.append((owner, name, vars(owner).get(name, _MISSING)))
        setattr(owner, name, new)

    def at(self, point: FaultPoint, fault: Callable[..., Any]) -> None:
        """Call `fault` at a fault point; it gets the original function, then the arguments of the call."""
        self.around(point.owner, point.attribute, fault)

    def around(self, owner: Any, name: str, fault: Callable[..., Any]) -> None:
        """Call `fault` in place of a function of a class or module; it gets the original function, then the arguments."""
        original = getattr(owner, name)

        @wraps(original)
        def faulty(*arguments: Any, **keywords: Any) -> Any:
            return fault(original, *arguments, **keywords)

        self.replace(owner, name, faulty)

    def undo(self) -> None:
        """Restore everything."""
        while self._undo:
            owner, name, old = self._undo.pop()
            if old is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
