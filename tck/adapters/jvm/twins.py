"""Mutable values on both sides: a list, map, array or object of the suite, and the one of Java that it was converted to.

A conversion makes a copy, and a program in Java has none: there the provider and its client hold the same object. So a later
change by the suite is carried over to Java before the next call, where a provider that kept the object instead of a copy
shows it. Returned values count as well.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Collection
from operator import is_
from sys import getrefcount
from typing import Any, Final

KEPT: Final = 32
"""The number of pairs that are remembered: changes come soon after the crossing."""

_HELD_BY_ITS_PAIR: Final = 2
"""References to a value that its pair alone holds: the pair's, and the one that counts them."""

_MUTABLE: Final = (list, dict, bytearray)


@dataclasses.dataclass(slots=True)
class _Pair:
    ours: Any
    java: Any
    state: list[Any] | bytes


class Twins:
    """The latest pairs.

    Args:
        fill: Replace the content of a Java object by that of its Python twin.
        is_registered: Whether objects of a type can travel.
    """

    def __init__(self, fill: Callable[[Any, Any], None], is_registered: Callable[[type], bool]) -> None:
        self._fill = fill
        self._is_registered = is_registered
        self._shared: dict[int, _Pair] = {}
        self._own = threading.local()
        self._lock = threading.RLock()

    def apart(self) -> None:
        """Keep the pairs of the calling thread apart from here on: it begins something that is no business of others."""
        self._own.pairs = {}

    @property
    def _pairs(self) -> dict[int, _Pair]:
        return getattr(self._own, "pairs", self._shared)

    def can_change(self, ours: object) -> bool:
        """Return whether a value can change in place; objects with a state of their own making are left alone."""
        kind = type(ours)
        return kind in _MUTABLE or (self._is_registered(kind) and _attributes(ours) is not None)

    def add(self, ours: Any, java: Any) -> Any:
        """Remember a pair; return its Java object."""
        if java is not None and self.can_change(ours):
            self._keep(_Pair(ours, java, _state(ours)))
        return java

    def add_array(self, ours: bytes, java: Any) -> None:
        """Remember the Java array that some bytes were read from; they cannot change, see `overwrite`."""
        if len(ours) > 1:  # Python has one object for each shorter text of bytes
            self._keep(_Pair(ours, java, []))

    def _keep(self, pair: _Pair) -> None:
        with self._lock:
            self._pairs.pop(id(pair.ours), None)
            self._pairs[id(pair.ours)] = pair
            if len(self._pairs) > KEPT:
                del self._pairs[next(iter(self._pairs))]

    def java_of(self, ours: object) -> Any:
        """Return the Java object of a value that crossed before, else None."""
        pair = self._pairs.get(id(ours))
        return pair.java if pair is not None and pair.ours is ours else None

    def carry_over(self) -> None:
        """Carry over each change of a value of the suite since it crossed. What Java protects stays as it is.

        Every call of Java begins with this. A value that nobody but its pair holds can no longer change: its pair goes.
        """
        pairs = self._pairs
        if not pairs:
            return
        with self._lock:
            for key, pair in list(pairs.items()):
                if getrefcount(pair.ours) <= _HELD_BY_ITS_PAIR:
                    del pairs[key]
                elif not _is_unchanged(pair.ours, pair.state):
                    pair.state = _state(pair.ours)
                    with contextlib.suppress(Exception):
                        self._fill(pair.ours, pair.java)

    def overwrite(self, ours: object) -> bool:
        """Overwrite with zeros the Java array that some bytes were read from; return False if none is known."""
        java = self.java_of(ours)
        if java is None or not isinstance(ours, bytes):
            return False
        for at in range(len(java)):
            java[at] = 0
        return True


def _attributes(value: object) -> dict[str, Any] | None:
    """Return the attributes of a plain object; None for one that makes its own state."""
    return value.__dict__ if type(value).__getstate__ is object.__getstate__ and hasattr(value, "__dict__") else None


def _parts(value: Any) -> Collection[Any]:
    """Return the parts of a list, map or object, which are compared by identity; each keeps their number and order."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else (_attributes(value) or {}).values()


def _state(value: Any) -> list[Any] | bytes:
    """Return what a later look is compared with: the content of an array, or the parts of another value."""
    if isinstance(value, bytes):
        return b""
    return bytes(value) if isinstance(value, bytearray) else list(_parts(value))


def _is_unchanged(value: Any, state: list[Any] | bytes) -> bool:
    if isinstance(value, bytes):
        return True
    if isinstance(value, bytearray):
        return isinstance(state, bytes) and value == state
    parts = _parts(value)
    return len(parts) == len(state) and all(map(is_, parts, state))
