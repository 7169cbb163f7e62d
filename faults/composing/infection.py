"""Infection: whether a fault changed anything while its circumstance held. A fault that never does cannot be noticed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache, partial, wraps
from typing import Any, Final

from faults.kit.seams import *


class Infection:
    """How often the faults of this process have changed anything.

    Attributes:
        times: How often since `taken`.
        asking: Whether a function is called only to ask what it would do; nothing that happens then counts, as an infection or
            in the past.
    """

    def __init__(self) -> None:
        self.times = 0
        self.asking = False

    def __call__(self) -> None:
        """Count one change."""
        self.times += not self.asking

    def taken(self) -> int:
        """Return how often since the last call."""
        times, self.times = self.times, 0
        return times


INFECTED: Final = Infection()


def infecting(owner: Any, name: str, original: Callable[..., Any], new: Callable[..., Any]) -> Callable[..., Any]:
    """Return the replacement of a function: the new one, which counts the calls in which it does otherwise.

    Where the original can be asked what it would do, by a call without effects or on a copy of the message, what it does is
    compared; of other functions each call counts.
    """
    if name == "compile_selector":
        return _selecting(original, new)
    if not can_be_asked(owner, name):
        return _counted(new)

    @wraps(original)
    def faulty(*arguments: Any, **keywords: Any) -> Any:
        copies = tuple(_copied(each) for each in arguments)
        INFECTED.asking = True
        try:
            honest = _outcome(partial(original, *copies, **keywords))
        finally:
            INFECTED.asking = False
        given = _outcome(partial(new, *arguments, **keywords))
        if (
            not _equal(honest[0], given[0])
            or type(honest[1]) is not type(given[1])
            or _mark(copies) != _mark(arguments)
        ):
            INFECTED()
        if given[1] is not None:
            raise given[1]
        return given[0]

    return faulty


_QUERIES: Final = (
    "get_",
    "is_",
    "check_",
    "property_exists",
    "item_exists",
    "selector_text",
    "wants",
    "stores",
    "match",
)


def can_be_asked(owner: Any, name: str) -> bool:
    """Return whether a call has no effect but on its message, of which there can be copies."""
    if name == "compile_selector":
        return True
    if isinstance(owner, type) and issubclass(owner, ReferenceMessage):
        return name != "acknowledge"
    return name.endswith(".fget") or name.startswith(_QUERIES)


def _counted(new: Callable[..., Any]) -> Callable[..., Any]:
    def faulty(*arguments: Any, **keywords: Any) -> Any:
        INFECTED()
        return new(*arguments, **keywords)

    return faulty


def _copied(value: Any) -> Any:
    if not isinstance(value, ReferenceMessage):
        return value
    made = copy.copy(value)
    for name in _slots(type(value)):
        held = getattr(value, name, None)
        if isinstance(held, list | dict | bytearray):
            setattr(made, name, held.copy())
    return made


def _outcome(call: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return call(), None
    except Exception as error:  # noqa: BLE001 - it is raised again, or compared
        return None, error


def _equal(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    return one is other or (
        isinstance(one, bool | int | float | str | bytes | list | tuple | dict | frozenset) and repr(one) == repr(other)
    )


def _selecting(original: Callable[..., Any], new: Callable[..., Any]) -> Callable[..., Any]:
    """Return what compiles selectors as the new function does, and counts the messages that the sound selector decides otherwise."""
    made: dict[tuple[int, int], tuple[Selector, Selector, Selector]] = {}  # equal texts share one selector

    def compiled(*arguments: Any) -> Selector | None:
        honest, given = (_outcome(partial(each, *arguments)) for each in (original, new))
        if type(honest[1]) is not type(given[1]) or (honest[0] is None) is not (given[0] is None):
            INFECTED()
        if given[1] is not None:
            raise given[1]
        if honest[0] is None or given[0] is None or honest[0] is given[0]:
            return given[0]
        key = id(honest[0]), id(given[0])
        if key not in made:
            made[key] = honest[0], given[0], _compared(honest[0], given[0])
        return made[key][2]

    return compiled


def _compared(honest: Selector, given: Selector) -> Selector:
    def matches(view: Any) -> bool:
        found = given.matches(view)
        if found != honest.matches(view):
            INFECTED()
        return found

    return Selector(given.text, given.tree, given.names, matches)


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


@cache
def _slots(kind: type) -> tuple[str, ...]:
    every = (name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
    return tuple(name for name in every if name != "_selection")


def _mark(values: tuple[Any, ...]) -> list[Any]:
    """Return what tells whether messages, deliveries and lists among the values have changed."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, StoredMessage | Delivery | ReferenceMessage):
            found.append([_frozen(getattr(value, name, None)) for name in _slots(type(value))])
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
