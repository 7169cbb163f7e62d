"""Generic faults: operators that fit any function of a shape, at every fault point and every public member of the client classes.

A generic fault is called `SEAM/OPERATOR`: `ROUTED/first-lost`, `ReferenceSession.commit/skipped`. It breaks whatever the function
is for; no row is known to own it. Each reports to `INFECTED` when it changed anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, reduce
from typing import Any, Final

from faults.composing.infection import INFECTED
from faults.composing.seams import Overlay, Seam, seams
from faults.kit.declaring import GENERIC, Fault
from faults.kit.patch import Patch
from faults.kit.seams import *

Change = Callable[[Any, Any], Any]
"""Gets a value, and that of the call before; returns what it becomes."""

# -- operators -----------------------------------------------------------------------------------------------------------


def _result(change: Change) -> Callable[[], Overlay]:
    """Return an operator that changes a result."""

    def make() -> Overlay:
        last: list[Any] = []

        def overlay(original: Any, *arguments: Any, **named: Any) -> Any:
            honest = original(*arguments, **named)
            given = change(honest, last[-1] if last else honest)
            last[:] = [honest]
            if _differs(given, honest):
                INFECTED()
            return given

        return overlay

    return make


def _differs(given: Any, honest: Any) -> bool:
    try:
        return given is not honest and bool(given != honest)
    except Exception:  # noqa: BLE001 - whatever a client's object raises on comparison
        return True


def _skipped() -> Overlay:
    return lambda original, *arguments, **named: INFECTED()


def _twice() -> Overlay:
    def overlay(original: Any, *arguments: Any, **named: Any) -> Any:
        original(*arguments, **named)
        INFECTED()
        return original(*arguments, **named)

    return overlay


def _late() -> Overlay:
    """Postpone each call to the next one of the function."""
    held: list[Callable[[], Any]] = []

    def overlay(original: Any, *arguments: Any, **named: Any) -> None:
        INFECTED()
        for call in held:
            call()
        held[:] = [lambda: original(*arguments, **named)]

    return overlay


def _too_wide() -> Overlay:
    """Do it for the object of the call before as well: another session, connection or consumer, if it is another."""
    last: list[Any] = []

    def overlay(original: Any, this: Any, *arguments: Any, **named: Any) -> Any:
        result = original(this, *arguments, **named)
        for other in last:
            if other is not this and type(other) is type(this):
                INFECTED()
                original(other, *arguments, **named)
        last[:] = [this]
        return result

    return overlay


def _cached() -> Overlay:
    """Return the result of the first call with equal arguments, whatever the object."""
    known: dict[Any, Any] = {}

    def overlay(original: Any, this: Any, *arguments: Any, **named: Any) -> Any:
        honest = original(this, *arguments, **named)
        try:
            given = known.setdefault((arguments, *named.values()), honest)
        except TypeError:  # arguments that cannot be hashed are no key
            return honest
        if _differs(given, honest):
            INFECTED()
        return given

    return overlay


def _raising(wrong: Any, *, instead: bool) -> Callable[[], Overlay]:
    """Raise another exception in place of that of the call, or swallow it if `wrong` is None; with `instead`, whenever it is called."""

    def make() -> Overlay:
        def overlay(original: Any, *arguments: Any, **named: Any) -> Any:
            if instead:
                INFECTED()
                raise wrong("the call failed")
            try:
                return original(*arguments, **named)
            except (JMSException, JMSRuntimeException) as error:
                if type(error) is not wrong:
                    INFECTED()
                if wrong is None:
                    return None
                raise wrong(str(error)) from error

        return overlay

    return make


_VOID: Final[Mapping[str, Callable[[], Overlay]]] = {
    "skipped": _skipped,
    "twice": _twice,
    "late": _late,
    "too-wide": _too_wide,
}
_RAISING: Final[Mapping[str, Callable[[], Overlay]]] = {
    "refused": _raising(JMSException, instead=True),
    "refusing-nothing": _raising(None, instead=False),
    "failing-plainly": _raising(JMSException, instead=False),
    "failing-as-illegal-state": _raising(IllegalStateException, instead=False),
}
_ANY: Final[Mapping[str, Callable[[], Overlay]]] = {
    "stale": _result(lambda honest, last: last),
    "cached": _cached,
    "null": _result(lambda honest, last: None),
}
_OF: Final[tuple[tuple[str, Mapping[str, Callable[[], Overlay]]], ...]] = (
    ("bool", {"negated": _result(lambda honest, last: not honest)}),
    (
        "int",
        {
            "one-more": _result(lambda honest, last: honest + 1),
            "one-less": _result(lambda honest, last: honest - 1),
            "zero": _result(lambda honest, last: 0),
            "in-16-bits": _result(lambda honest, last: (honest + 2**15) % 2**16 - 2**15),
            "in-32-bits": _result(lambda honest, last: (honest + 2**31) % 2**32 - 2**31),
            "without-sign": _result(lambda honest, last: abs(honest)),
        },
    ),
    ("float", {"whole": _result(lambda honest, last: type(honest)(int(honest)) if math.isfinite(honest) else honest)}),
    (
        "str",
        {
            "cut-by-one": _result(lambda honest, last: honest and honest[:-1]),
            "cut-at-255": _result(lambda honest, last: honest and honest[:255]),
            "lower-case": _result(lambda honest, last: honest and honest.lower()),
            "stripped": _result(lambda honest, last: honest and honest.strip()),
            "ascii": _result(lambda honest, last: honest and honest.encode("ascii", "replace").decode()),
            "empty-as-null": _result(lambda honest, last: honest or None),
        },
    ),
    (
        "list",
        {
            "first-lost": _result(lambda honest, last: honest[1:]),
            "last-lost": _result(lambda honest, last: honest[:-1]),
            "all-but-one-lost": _result(lambda honest, last: honest[:1]),
            "first-doubled": _result(lambda honest, last: honest[:1] + honest),
            "reversed": _result(lambda honest, last: honest[::-1]),
        },
    ),
)

# -- of messages ---------------------------------------------------------------------------------------------------------

_STAMPS: Final = {
    "delivery_mode": 1,
    "expiration": 0,
    "delivery_time": 0,
    "message_id": None,
    "timestamp": 0,
    "priority": 4,
}
_RECEIVED: Final = {
    "jms_message_id": None, "jms_timestamp": 0, "jms_reply_to": None, "jms_destination": None, "jms_delivery_mode": 2,
    "jms_redelivered": False, "jms_type": None, "jms_expiration": 0, "jms_delivery_time": 0, "jms_priority": 4,
}  # fmt: skip


def _changing(get: Callable[[Any], Any], put: Callable[[Any, Any], None], change: Change) -> Callable[[], Overlay]:
    """Change a part of each result; `change` gets the part, and that of the call before."""

    def make() -> Overlay:
        last: list[Any] = []

        def overlay(original: Any, *arguments: Any, **named: Any) -> Any:
            result = original(*arguments, **named)
            honest = get(result)
            given = change(honest, last[0] if last else honest)
            last[:] = [honest]
            if _differs(given, honest):
                INFECTED()
                put(result, given)
            return result

        return overlay

    return make


def _field(*names: str, change: Change) -> Callable[[], Overlay]:
    """Change a field of each result: the last name is the field, those before lead to what has it."""
    *way, name = names
    reach = lambda result: reduce(getattr, way, result[1] if isinstance(result, tuple) else result)

    def put(result: Any, value: Any) -> None:
        if way:  # a snapshot cannot be changed
            result[1].snapshot = result[1].snapshot._replace(**{name: value})
        else:
            setattr(reach(result), name, value)

    return _changing(lambda result: getattr(reach(result), name), put, change)


def _lost_or_last(default: Any, *names: str) -> Iterator[tuple[str, Callable[[], Overlay]]]:
    """Yield two operators of a field: to its default, and to that of the message before."""
    name = names[-1].removeprefix("jms_").replace("_", "-")
    yield f"{name}-default", _field(*names, change=lambda honest, last: default)
    yield (
        f"{name}-of-the-last",
        _field(*names, change=lambda honest, last: last if type(last) is type(honest) else honest),
    )


def _properties(change: Callable[[list[tuple[str, Any]]], Iterable[tuple[str, Any]]]) -> Callable[[], Overlay]:
    """Change the properties of each message that is sent."""
    return _field("snapshot", "properties", change=lambda honest, last: dict(change([*honest.items()])))


def _of_sending() -> Iterator[tuple[str, Callable[[], Overlay]]]:
    for field in ("correlation", "reply_to", "type", "body", "properties"):
        yield from _lost_or_last({} if field == "properties" else None, "snapshot", field)
    for field, default in _STAMPS.items():
        yield from _lost_or_last(default, field)
    yield "first-property-lost", _properties(lambda items: items[1:])
    yield "last-property-lost", _properties(lambda items: items[:-1])
    yield "all-but-one-property-lost", _properties(lambda items: items[:1])
    yield (
        "properties-swapped",
        _properties(lambda items: [(one[0], other[1]) for one, other in zip(items, items[::-1], strict=True)]),
    )
    yield "property-names-lower-case", _properties(lambda items: [(name.lower(), value) for name, value in items])


def _of_receiving() -> Iterator[tuple[str, Callable[[], Overlay]]]:
    for field, default in _RECEIVED.items():
        yield from _lost_or_last(default, field)


_SETTLED: Final = (
    "set_", "clear_", "check_", "close", "start", "stop", "reset", "write_headers", "wait_until", "drop_", "restart", "kill", "detach", "unsubscribe",
)  # fmt: skip


def operators(seam: Seam) -> Mapping[str, Callable[[], Overlay]]:
    """Return the operators that fit a function, by name; each makes an overlay with a memory of its own."""
    if seam.name == "SEND_PREPARED":
        return dict(_of_sending())
    if seam.name == "MESSAGE_MADE":
        return dict(_of_receiving())
    found = dict(_RAISING)
    if seam.returns in {"None", ""} or seam.part == "fset":
        once = seam.part == "fset" or seam.attribute.startswith(_SETTLED)  # done again, it changes nothing
        return found | {name: make for name, make in _VOID.items() if not (once and name == "twice")}
    found |= _ANY
    for kind, of_kind in _OF:
        if seam.returns.split("[")[0].split(" ")[0] == kind:
            found |= of_kind
    return found


@cache
def generic_names(ground: str = "") -> tuple[str, ...]:
    """Return the names of all generic faults; on a ground those of its own functions as well."""
    return tuple(
        f"{seam.name}/{operator}"
        for seam in seams(ground).values()
        for operator in (*operators(seam), *(_EVENTS if seam.part == "fset" else ()))
    )


_EVENTS: Final[Mapping[str, tuple[Any, str]]] = {
    "undone-at-rollback": (ReferenceSession, "rollback"),
    "undone-at-commit": (ReferenceSession, "commit"),
    "undone-at-recover": (ReferenceSession, "recover"),
    "undone-at-stop": (ReferenceConnection, "stop"),
    "undone-at-close": (ReferenceConsumer, "close"),
}
"""Operators of setters, with the call after which the value is what it was before."""


def _undone(seam: Seam, event: tuple[Any, str]) -> Callable[[Patch], None]:
    def install(patch: Patch) -> None:
        before: list[tuple[Any, Any]] = []
        accessors = getattr(seam.owner, seam.attribute)

        def note(original: Any, this: Any, value: Any) -> None:
            old = accessors.fget(this)
            original(this, value)
            if _differs(value, old):
                before.append((this, old))

        def undo(original: Any, *arguments: Any, **named: Any) -> Any:
            result = original(*arguments, **named)
            while before:
                INFECTED()
                accessors.fset(*before.pop())
            return result

        seam.overlay(patch, note)
        patch.around(*event, undo)

    return install


def generic(name: str, ground: str = "") -> Fault:
    """Return the generic fault of a name, `SEAM/OPERATOR`, see `seams`.

    Raises:
        KeyError: There is none of that name.
    """
    where, _, operator = name.partition("/")
    seam = seams(ground)[where]
    title = f"{operator.replace('-', ' ')}, at {where}"
    if operator in _EVENTS and seam.part == "fset":
        return Fault(name, title, (), _undone(seam, _EVENTS[operator]), GENERIC)
    make = operators(seam)[operator]
    return Fault(name, title, (), lambda patch: seam.overlay(patch, make()), GENERIC)
