"""`Any_`, events and properties as those of omniORB, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import CosNotification
from omniORB import CORBA, Enum, EnumItem, createUnknownUnion, tcInternal

from tck.adapters.corba.orb import orb
from tck.interworking import Any_, Kind, Property, StructuredEvent, TypeCode, acknowledgment, qos, transactions
from tck.interworking.anys import NULL
from tck.interworking.events import EVENT_RELIABILITY, PRIORITY, TIMEOUT, EventHeader, EventType, FixedEventHeader

_BASIC: Final = {
    Kind.NULL: CORBA.TC_null,
    Kind.SHORT: CORBA.TC_short,
    Kind.LONG: CORBA.TC_long,
    Kind.USHORT: CORBA.TC_ushort,
    Kind.ULONG: CORBA.TC_ulong,
    Kind.FLOAT: CORBA.TC_float,
    Kind.DOUBLE: CORBA.TC_double,
    Kind.BOOLEAN: CORBA.TC_boolean,
    Kind.CHAR: CORBA.TC_char,
    Kind.OCTET: CORBA.TC_octet,
    Kind.ANY: CORBA.TC_any,
    Kind.LONGLONG: CORBA.TC_longlong,
    Kind.ULONGLONG: CORBA.TC_ulonglong,
    Kind.WCHAR: CORBA.TC_wchar,
}
_SHORTS: Final = {
    EVENT_RELIABILITY,
    PRIORITY,
    qos.CONNECTION_RELIABILITY,
    qos.ORDER_POLICY,
    qos.DISCARD_POLICY,
    acknowledgment.DELIVERY_RELIABILITY,
}
_TIMES: Final = {TIMEOUT, qos.PACING_INTERVAL, acknowledgment.RETRY_INTERVAL}
_FLAGS: Final = {qos.REJECT_NEW_EVENTS, transactions.ENABLE_TRANSACTION}

# -- types -------------------------------------------------------------------------------------------------------------


def their_type(type_: TypeCode) -> Any:
    """Return a type code of omniORB."""
    made, kind = orb(), type_.kind
    if kind in _BASIC:
        return _BASIC[kind]
    makers: Mapping[Kind, Callable[[], Any]] = {
        Kind.STRING: lambda: made.create_string_tc(type_.length),
        Kind.WSTRING: lambda: made.create_wstring_tc(type_.length),
        Kind.SEQUENCE: lambda: made.create_sequence_tc(type_.length, their_type(type_.inner)),
        Kind.ARRAY: lambda: made.create_array_tc(type_.length, their_type(type_.inner)),
        Kind.ALIAS: lambda: made.create_alias_tc(type_.id, type_.name, their_type(type_.inner)),
        # create_enum_tc of this binding fails.
        Kind.ENUM: lambda: tcInternal.createTypeCode((tcInternal.tv_enum, type_.id, type_.name, _items(type_))),
        Kind.STRUCT: lambda: made.create_struct_tc(
            type_.id, type_.name, [CORBA.StructMember(name, their_type(each), None) for name, each in type_.members]
        ),
        Kind.UNION: lambda: _union(type_),
    }
    return makers[kind]()


def _items(type_: TypeCode) -> tuple[Any, ...]:
    items = tuple(EnumItem(str(each), at) for at, each in enumerate(type_.labels))
    Enum(type_.id, items)  # tells each its type
    return items


def _union(type_: TypeCode) -> Any:
    """Make the type code of a union; create_union_tc of this binding does so for numbers as discriminators only."""
    labels = [_default(type_.inner) if label is None else _their_value(type_.inner, label) for label in type_.labels]
    default = type_.labels.index(None) if None in type_.labels else -1
    arms = [(label, name, their_type(each)._d) for label, (name, each) in zip(labels, type_.members, strict=True)]
    of = {arm[0]: arm for at, arm in enumerate(arms) if at != default}
    made = createUnknownUnion(type_.id, default, arms)
    switch, rest = their_type(type_.inner)._d, arms[default] if default >= 0 else None
    return tcInternal.createTypeCode(
        (tcInternal.tv_union, made, type_.id, type_.name, switch, default, tuple(arms), rest, of)
    )


def _default(switch: TypeCode) -> Any:
    """Return what stands for the label of a default arm: any value of the type, which nobody reads."""
    kind = switch.plain.kind
    return _items(switch.plain)[0] if kind == Kind.ENUM else "\0" if kind in (Kind.CHAR, Kind.WCHAR) else 0


def our_type(type_: Any) -> TypeCode:
    """Return a type code of ours, without its aliases: equivalent types are one, and omniORB puts its stubs' types for those it knows."""
    kind = Kind(type_.kind()._v)
    if kind in _BASIC:
        return TypeCode(kind)
    if kind in (Kind.STRING, Kind.WSTRING):
        return TypeCode(kind, length=type_.length())
    if kind in (Kind.SEQUENCE, Kind.ARRAY):
        return TypeCode(kind, content=our_type(type_.content_type()), length=type_.length())
    if kind == Kind.ALIAS:
        return our_type(type_.content_type())
    named = TypeCode(kind, type_.name(), type_.id())
    count = range(int(type_.member_count()))  # a float of some type codes
    if kind == Kind.ENUM:
        return TypeCode(kind, named.name, named.id, labels=tuple(type_.member_name(at) for at in count))
    members = tuple((type_.member_name(at), our_type(type_.member_type(at))) for at in count)
    if kind == Kind.STRUCT:
        return TypeCode(kind, named.name, named.id, members=members)
    switch = our_type(type_.discriminator_type())
    default = type_.default_index()
    labels = (None if at == default else _our_value(switch, type_.member_label(at).value()) for at in count)
    return TypeCode(kind, named.name, named.id, members=members, labels=tuple(labels), content=switch)


# -- values ------------------------------------------------------------------------------------------------------------


def their_any(value: Any_) -> Any:
    """Return an any of omniORB."""
    return CORBA.Any(their_type(value.type), _their_value(value.type, value.value))


def _their_value(type_: TypeCode, value: Any) -> Any:
    plain = type_.plain
    match plain.kind:
        case Kind.ANY:
            return their_any(value)
        case Kind.ENUM:
            return _items(plain)[plain.labels.index(value)]
        case Kind.STRUCT:
            made = their_type(plain)._d[1]
            return made(*(_their_value(each, part) for (_, each), part in zip(plain.members, value, strict=True)))
        case Kind.UNION:
            arm = _arm(plain, value[0])
            made = their_type(plain)._d[1]
            return made(_their_value(plain.inner, value[0]), None if arm is None else _their_value(arm, value[1]))
        case Kind.SEQUENCE | Kind.ARRAY if not isinstance(value, bytes):
            items = [_their_value(plain.inner, each) for each in value]
            return _joined(plain.inner, items)
    return value


def _joined(content: TypeCode, items: list[Any]) -> Any:
    """Return items as omniORB holds those of a type: octets as bytes, chars as one text, others in a list."""
    if content.plain.kind == Kind.OCTET:
        return bytes(items)
    return "".join(items) if content.plain.kind == Kind.CHAR else items


def our_any(value: Any) -> Any_:
    """Return an any of ours."""
    type_ = our_type(value.typecode())
    return Any_(type_, _our_value(type_, value.value())) if type_.kind != Kind.NULL else NULL


def _our_value(type_: TypeCode, value: Any) -> Any:
    plain = type_.plain
    match plain.kind:
        case Kind.ANY:
            return our_any(value)
        case Kind.BOOLEAN:
            return bool(value)
        case Kind.ENUM:
            return value._n
        case Kind.STRUCT:
            return tuple(_our_value(each, getattr(value, name)) for name, each in plain.members)
        case Kind.UNION:
            switch = _our_value(plain.inner, value._d)
            arm = _arm(plain, switch)
            return switch, None if arm is None else _our_value(arm, value._v)
        case Kind.SEQUENCE | Kind.ARRAY:
            if plain.inner.plain.kind == Kind.OCTET and plain.kind == Kind.SEQUENCE:
                return bytes(value)
            return tuple(_our_value(plain.inner, each) for each in value)
    return value


def _arm(union: TypeCode, switch: object) -> TypeCode | None:
    known = dict(zip(union.labels, (each for _, each in union.members), strict=True))
    return known.get(switch, known.get(None))


# -- events and properties -----------------------------------------------------------------------------------------------


def their_event(event: StructuredEvent | None) -> Any:
    """Return an event of omniORB; an empty one for None, as a try that finds nothing returns it."""
    given = event or StructuredEvent()
    fixed = given.header.fixed_header
    kind = CosNotification.EventType(fixed.event_type.domain_name, fixed.event_type.type_name)
    header = CosNotification.EventHeader(
        CosNotification.FixedEventHeader(kind, fixed.event_name), _their_items(given.header.variable_header)
    )
    return CosNotification.StructuredEvent(
        header, _their_items(given.filterable_data), their_any(given.remainder_of_body)
    )


def our_event(event: Any) -> StructuredEvent:
    """Return an event of ours."""
    fixed = event.header.fixed_header
    kind = EventType(fixed.event_type.domain_name, fixed.event_type.type_name)
    header = EventHeader(FixedEventHeader(kind, fixed.event_name), _our_items(event.header.variable_header))
    return StructuredEvent(header, _our_items(event.filterable_data), our_any(event.remainder_of_body))


def _their_items(items: Sequence[Property]) -> list[Any]:
    return [CosNotification.Property(each.name, their_any(each.value)) for each in items]


def _our_items(items: Sequence[Any]) -> tuple[Property, ...]:
    return tuple(Property(each.name, our_any(each.value)) for each in items)


def their_properties(given: Mapping[str, int]) -> list[Any]:
    """Return properties with the types that the IDL gives to those it names; others are longs."""
    return [CosNotification.Property(name, CORBA.Any(_type_of(name), value)) for name, value in given.items()]


def _type_of(name: str) -> Any:
    if name in _SHORTS:
        return CORBA.TC_short
    if name in _TIMES:
        return CORBA.TC_ulonglong
    return CORBA.TC_boolean if name in _FLAGS else CORBA.TC_long


def our_properties(given: Sequence[Any]) -> dict[str, int]:
    """Return the properties whose values are numbers or flags, by name."""
    found = ((each.name, our_any(each.value)) for each in given)
    return {name: value.value for name, value in found if isinstance(value.value, int)}
