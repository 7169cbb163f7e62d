"""The way from an event to a value in it, step by step through structs, unions, sequences, arrays and anys."""

from __future__ import annotations

from typing import Final, cast

from reference_interworking.etcl.errors import Undefined
from reference_interworking.etcl.nodes import Arm, Component, Ending, Index, Key, Member, Position, Step
from reference_interworking.values import inside
from tck.interworking import PROPERTY_SEQ, Any_, Kind, Property, StructuredEvent, TypeCode
from tck.interworking.anys import arm_of

TICKS: Final = 10_000
"""Units of 100 ns in a millisecond."""
EPOCH: Final = 122_192_928_000_000_000
"""Units of 100 ns from 1582-10-15 to 1970-01-01."""


def _struct(module: str, name: str, **members: TypeCode) -> TypeCode:
    return TypeCode(Kind.STRUCT, name, f"IDL:omg.org/{module}/{name}:1.0", members=tuple(members.items()))


_STRING: Final = TypeCode(Kind.STRING)
_EVENT_TYPE: Final = _struct("CosNotification", "EventType", domain_name=_STRING, type_name=_STRING)
_FIXED_HEADER: Final = _struct("CosNotification", "FixedEventHeader", event_type=_EVENT_TYPE, event_name=_STRING)
_HEADER: Final = _struct("CosNotification", "EventHeader", fixed_header=_FIXED_HEADER, variable_header=PROPERTY_SEQ)
STRUCTURED_EVENT: Final = _struct(
    "CosNotification",
    "StructuredEvent",
    header=_HEADER,
    filterable_data=PROPERTY_SEQ,
    remainder_of_body=TypeCode(Kind.ANY),
)
"""The type that `$` has."""
UTC: Final = _struct(
    "TimeBase",
    "UtcT",
    time=TypeCode(Kind.ULONGLONG),
    inacclo=TypeCode(Kind.ULONG),
    inacchi=TypeCode(Kind.USHORT),
    tdf=TypeCode(Kind.SHORT),
)
"""The type that `$curtime` has; its `time` counts units of 100 ns since 1582-10-15 00:00 UTC."""


def value_of(component: Component, event: StructuredEvent, now: int) -> Any_:
    """Return the value of a component; anys are opened on the way and at the end.

    Args:
        component: The component.
        event: The event that `$` stands for.
        now: The time that `$curtime` stands for, in ms since 1970.

    Raises:
        Undefined: The event has no such part.
    """
    value = whole(event) if component.variable is None else _variable(component.variable, event, now)
    for step in component.steps:
        value = _step(value, step)
    return inside(value)


def whole(event: StructuredEvent) -> Any_:
    """Return an event as CORBA's value."""
    fixed = event.header.fixed_header
    type_ = (fixed.event_type.domain_name, fixed.event_type.type_name)
    header = ((type_, fixed.event_name), _pairs(event.header.variable_header))
    return Any_(STRUCTURED_EVENT, (header, _pairs(event.filterable_data), event.remainder_of_body))


def _pairs(items: tuple[Property, ...]) -> tuple[tuple[str, Any_], ...]:
    return tuple((each.name, each.value) for each in items)


def _variable(name: str, event: StructuredEvent, now: int) -> Any_:
    """Look a run-time variable up: the time, fixed header, variable header, filterable data, then the event's own members."""
    if name == "curtime":
        return Any_(UTC, (now * TICKS + EPOCH, 0, 0, 0))
    fixed = event.header.fixed_header
    texts = {
        "domain_name": fixed.event_type.domain_name,
        "type_name": fixed.event_type.type_name,
        "event_name": fixed.event_name,
    }
    if name in texts:
        return Any_(_STRING, texts[name])
    found = event.field(name)
    if found is None:
        found = event.data(name)
    return _member(whole(event), name) if found is None else found


def _step(value: Any_, step: Step) -> Any_:
    value = inside(value)
    match step:
        case Member():
            return _member(value, step.name)
        case Position():
            return _at(value, step.at)
        case Index():
            return _item(value, step.at)
        case Key():
            return _paired(value, step.name)
        case Arm():
            return _arm(value, step.label)
        case Ending():
            return _asked(value, step.word)


def _member(value: Any_, name: str) -> Any_:
    """Return a member of a struct, or the active arm of a union."""
    type_ = value.type.plain
    if type_.kind == Kind.STRUCT:
        for at, (each, _) in enumerate(type_.members):
            if each == name:
                return _at(value, at)
    if type_.kind == Kind.UNION:
        switch, held = cast("tuple[object, object]", value.value)
        arm = arm_of(type_, switch)
        if arm is not None and arm[0] == name:
            return Any_(arm[1], held)
    raise Undefined(f"a {value.type} has no {name} here")


def _at(value: Any_, at: int) -> Any_:
    """Return a member of a struct by its place."""
    type_ = value.type.plain
    if type_.kind != Kind.STRUCT or at >= len(type_.members):
        raise Undefined(f"a {value.type} has no member at {at}")
    return Any_(type_.members[at][1], cast("tuple[object, ...]", value.value)[at])


def items(value: Any_) -> list[Any_]:
    """Return the items of a sequence or an array.

    Raises:
        Undefined: It is neither.
    """
    type_ = value.type.plain
    if type_.kind not in (Kind.SEQUENCE, Kind.ARRAY):
        raise Undefined(f"a {value.type} has no items")
    return [Any_(type_.inner, each) for each in cast("tuple[object, ...] | bytes", value.value)]


def _item(value: Any_, at: int) -> Any_:
    found = items(value)
    if at >= len(found):
        raise Undefined(f"there is no item {at} of {len(found)}")
    return found[at]


def _paired(value: Any_, name: str) -> Any_:
    """Return the value that goes with a name in a sequence of names and values."""
    for each in items(value):
        type_ = each.type.plain
        if type_.kind != Kind.STRUCT or [member for member, _ in type_.members] != ["name", "value"]:
            raise Undefined(f"a {value.type} is no list of names and values")
        if _at(each, 0).value == name:
            return _at(each, 1)
    raise Undefined(f"there is no {name}")


def _union(value: Any_) -> tuple[TypeCode, object, object]:
    """Return type, discriminator and content of a union."""
    type_ = value.type.plain
    if type_.kind != Kind.UNION:
        raise Undefined(f"a {value.type} is no union")
    switch, held = cast("tuple[object, object]", value.value)
    return type_, switch, held


def _arm(value: Any_, label: int | str | None) -> Any_:
    """Return the active arm of a union, if it is the one of a label, of a name, or the default."""
    type_, switch, held = _union(value)
    arm = arm_of(type_, switch)
    if arm is None:
        raise Undefined(f"no arm of a {value.type} is active")
    chosen = is_default(value) if label is None else (label == switch and type(label) is type(switch))
    if not chosen and label != arm[0]:
        raise Undefined(f"the arm {label!r} of a {value.type} is not active")
    return Any_(arm[1], held)


def is_default(value: Any_) -> bool:
    """Return whether the default arm of a union is active.

    Raises:
        Undefined: It is no union.
    """
    type_, switch, _ = _union(value)
    return arm_of(type_, switch) is not None and switch not in [each for each in type_.labels if each is not None]


def _asked(value: Any_, word: str) -> Any_:
    match word:
        case "_length":
            return Any_.of(Kind.ULONG, len(items(value)))
        case "_d":
            type_, switch, _ = _union(value)
            return Any_(type_.inner, switch)
    text = value.type.name if word == "_type_id" else value.type.id
    if not text:
        raise Undefined(f"a {value.type} has no {word}")
    return Any_(_STRING, text)
