"""Infection: whether a fault changed anything while its circumstance held. A fault that never does cannot be noticed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from faults.kit.seams import *


class Infection:
    """How often the faults of this process have changed anything."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        """Count one change."""
        self.times += 1

    def taken(self) -> int:
        """Return how often since the last call."""
        times, self.times = self.times, 0
        return times


INFECTED: Final = Infection()


def watched(original: Callable[..., Any], fault: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls an overlay, and counts where it did otherwise than to call the original once, as it was called.

    What it changes in messages and deliveries, before or after the call of the original, counts as well.
    """

    @wraps(original)
    def faulty(*arguments: Any, **keywords: Any) -> Any:
        calls: list[tuple[bool, Any, Any]] = []
        began = _mark(arguments)

        def spied(*given: Any, **named: Any) -> Any:
            as_called = named == keywords and _same(given, arguments) and _mark(given) == began
            try:
                result = original(*given, **named)
            except BaseException as error:
                calls.append((as_called, error, _mark(given)))
                raise
            calls.append((as_called, result, _mark((*given, result))))
            return result

        try:
            result = fault(spied, *arguments, **keywords)
        except BaseException as error:
            if not (len(calls) == 1 and calls[0][0] and calls[0][1] is error and calls[0][2] == _mark(arguments)):
                INFECTED()
            raise
        same = len(calls) == 1 and calls[0][0] and _same((calls[0][1],), (result,))
        if not same or calls[0][2] != _mark((*arguments, result)):
            INFECTED()
        return result

    return faulty


def _same(given: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    plain = (bool, int, float, str, bytes)
    return len(given) == len(others) and all(
        one is other or (type(one) is type(other) and isinstance(one, plain) and one == other)
        for one, other in zip(given, others, strict=True)
    )


_SLOTS: Final[dict[type, tuple[str, ...]]] = {}


def _mark(values: tuple[Any, ...]) -> list[Any]:
    """Return what tells whether messages, deliveries and lists among the values have changed."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, StoredMessage | Delivery | ReferenceMessage):
            slots = _SLOTS.get(type(value))
            if slots is None:
                every = (name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()))
                slots = _SLOTS[type(value)] = tuple(name for name in every if name != "_selection")
            found.append([_frozen(getattr(value, name, None)) for name in slots])
        elif isinstance(value, list | tuple):
            found.append([id(each) for each in value])
            found += _mark(
                tuple(each for each in value if isinstance(each, StoredMessage | Delivery | ReferenceMessage))
            )
    return found


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, list | bytearray):
        return list(value)
    return value if isinstance(value, bool | int | float | str | bytes | tuple) else id(value)
