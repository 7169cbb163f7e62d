"""The kinds of the arguments of a call: calls with arguments of the same kinds resolve to the same overload."""

from __future__ import annotations

from collections.abc import Hashable

from tck import api
from tck.adapters.recording.facts import Frozen
from tck.record.calls import made_by

_SEVERAL = frozenset({type, type(api.Message), Frozen})
"""Types of arguments that are of several kinds: classes and rendered values."""


def kinds_of(given: tuple[object, ...]) -> tuple[Hashable, ...]:
    """Return the types of arguments; of a class itself, of a rendered value the type that it had."""
    kinds = tuple(map(type, given))
    return kinds if _SEVERAL.isdisjoint(kinds) else tuple(map(_kind, given))


def _kind(value: object) -> Hashable:
    if isinstance(value, Frozen):
        return type(value.rendered), made_by(value.rendered)
    return value if isinstance(value, type) else type(value)
