"""Faults on the way from the channel to JMS."""

from dataclasses import replace

from faults.interworking.kit import *

_PERSISTENT, _NON_PERSISTENT = jms.DeliveryMode.PERSISTENT, jms.DeliveryMode.NON_PERSISTENT


def _sent(rows, title, change):
    """Declare a fault of how the message is sent."""
    declare(rows, title, of_message=lambda given, session, made: change(given, made))


def _given(rows, title, change):
    """Declare a fault of how the event is read."""
    declare(rows, title, of_given=change)


def _on_message(rows, title, change):
    """Declare a fault of what is set on the message."""

    def fault(given, session, made):
        change(made.message)
        return made

    declare(rows, title, of_message=fault)


def _none(value):
    pass


# -- headers -------------------------------------------------------------------------------------------------------

_sent(
    "iw-2.4.2-1",
    "standard fields are ignored",
    lambda given, made: replace(made, delivery_mode=_PERSISTENT, priority=4, time_to_live=0),
)
_sent(
    "iw-2.4.2-2 iw-2.4.2-9",
    "without a reliability messages are NON_PERSISTENT",
    lambda given, made: made if given.field(EVENT_RELIABILITY) else replace(made, delivery_mode=_NON_PERSISTENT),
)
_sent(
    "iw-2.4.2-6 iw-2.5.1-1", "every message is PERSISTENT", lambda given, made: replace(made, delivery_mode=_PERSISTENT)
)
_sent("iw-2.5.1-2", "every message is NON_PERSISTENT", lambda given, made: replace(made, delivery_mode=_NON_PERSISTENT))
_sent(
    "iw-2.4.2-7",
    "the time to live counts units of 100 ns",
    lambda given, made: replace(
        made, time_to_live=made.time_to_live * 10 if given.field(TIMEOUT) else made.time_to_live
    ),
)
_sent(
    "iw-2.4.2-8 iw-2.5.4-4 iw-2.5.4-1",
    "priorities are turned round",
    lambda given, made: replace(made, priority=9 - made.priority),
)
_sent(
    "iw-2.4.2-10",
    "without a timeout messages live for a day",
    lambda given, made: made if given.field(TIMEOUT) else replace(made, time_to_live=86_400_000),
)
_sent(
    "iw-2.4.2-11",
    "without a priority messages have 0",
    lambda given, made: made if given.field(PRIORITY) else replace(made, priority=0),
)


_sent("iw-2.5.4-5", "low priorities become 1", lambda given, made: replace(made, priority=max(made.priority, 1)))
_sent("iw-2.5.4-6", "high priorities become 8", lambda given, made: replace(made, priority=min(made.priority, 8)))
_given("iw-2.5.5-1", "the stop time is ignored", lambda given: with_header(given, changed(STOP_TIME, _none)))
_on_message("iw-2.4.2-4 iw-2.4.2-22", "messages have no JMSType", lambda message: setattr(message, "jms_type", None))

# -- properties ----------------------------------------------------------------------------------------------------

for _row, _part, _empty in (
    ("iw-2.4.2-13", "domain", {"domain": "JMS"}),
    ("iw-2.4.2-14", "type", {"type_": "Event"}),
    ("iw-2.4.2-15", "event's name", {"name": "event"}),
):
    _given(_row, f"the {_part} of every event is the same", lambda given, parts=_empty: with_fixed(given, **parts))

_given(
    "iw-2.4.2-16",
    "type names are written in lower case",
    lambda given: with_fixed(given, type_=given.header.fixed_header.event_type.type_name.lower()),
)
_given("iw-2.4.2-3 iw-2.4.2-24", "filterable data are left out", lambda given: with_data(given, lambda _: ()))
_given(
    "iw-2.4.2-23",
    "other header fields are left out",
    lambda given: with_header(
        given,
        lambda items: tuple(each for each in items if each.name in {EVENT_RELIABILITY, PRIORITY, TIMEOUT, STOP_TIME}),
    ),
)
_given(
    "iw-2.4.2-17",
    "names of fields are cut after 32 characters",
    lambda given: with_data(given, lambda items: tuple(Property(each.name[:32], each.value) for each in items)),
)
_given(
    "iw-2.4.2-25",
    "fields whose names are no identifiers are left out",
    lambda given: with_data(given, lambda items: tuple(each for each in items if each.name.isidentifier())),
)


def _texts(given):
    """Return the event with its basic fields as texts, and the members of structs too."""

    def as_text(value):
        type_ = value.type
        if isinstance(value.value, tuple) and type_.kind == Kind.STRUCT:
            members = tuple((name, replace(each, kind=Kind.STRING)) for name, each in type_.members)
            return Any_(replace(type_, members=members), tuple(str(each) for each in value.value))
        return Any_.of(Kind.STRING, str(value.value)) if isinstance(value.value, bool | int | float) else value

    return with_data(given, lambda items: tuple(Property(each.name, as_text(each.value)) for each in items))


_given("iw-2.4.2-28", "basic fields become texts", _texts)


def _flat(value):
    return value.type.kind == Kind.STRUCT and all(member.kind != Kind.STRUCT for _, member in value.type.members)


def _opaque(given, *, nested):
    """Return the event with its structs as octets."""

    def as_octets(value):
        struct = value.type.kind == Kind.STRUCT and (not nested or not _flat(value))
        return Any_.octets(encode(value)) if struct else value

    return with_data(given, lambda items: tuple(Property(each.name, as_octets(each.value)) for each in items))


_given("iw-2.4.2-30", "structs are not expanded", lambda given: _opaque(given, nested=False))
_given("iw-2.4.2-33", "structs with structs are not expanded", lambda given: _opaque(given, nested=True))


def _expanded(given):
    """Return the event with every member of a struct as a field of its own, whatever its type."""

    def parts(each):
        value, members = each.value.value, each.value.type.members
        if each.value.type.kind != Kind.STRUCT or not isinstance(value, tuple):
            return (each,)
        found = zip(members, value, strict=True)
        return tuple(Property(f"{each.name}_{name}", Any_(type_, held)) for (name, type_), held in found)

    return with_data(given, lambda items: tuple(part for each in items for part in parts(each)))


_given("iw-2.4.2-34", "structs with sequences are expanded", _expanded)
_given("iw-2.4.2-31", "members of structs are named without the dollar", _expanded)
_given("iw-2.4.2-35", "members of structs become texts", _texts)

_COMPLEX = (Kind.SEQUENCE, Kind.ARRAY, Kind.UNION)
_given(
    "iw-2.4.2-37",
    "complex fields are written as Python shows them",
    lambda given: with_data(
        given,
        lambda items: tuple(
            Property(each.name, Any_.of(Kind.STRING, repr(each.value.value)))
            if each.value.type.kind in (*_COMPLEX, Kind.STRUCT)
            else each
            for each in items
        ),
    ),
)

# -- bodies --------------------------------------------------------------------------------------------------------


def _body(rows, title, change):
    _given(rows, title, lambda given: replace(given, remainder_of_body=change(given.remainder_of_body)))


def _of_kind(kinds, change):
    return lambda body: change(body) if body.type.plain.kind in kinds else body


_BASIC = (Kind.SHORT, Kind.LONG, Kind.LONGLONG, Kind.OCTET, Kind.FLOAT, Kind.DOUBLE, Kind.BOOLEAN)
_body("iw-2.4.2-5", "every body is bytes", lambda body: Any_.octets(encode(body)))


def _reversed(body):
    return Any_(body.type, tuple(reversed(body.value))) if isinstance(body.value, tuple) else body


_body("iw-2.4.2-39", "sequences are turned round", _of_kind((Kind.SEQUENCE, Kind.ARRAY), _reversed))
_body("iw-2.4.2-40", "a basic value is a text", _of_kind(_BASIC, lambda body: Any_.of(Kind.STRING, str(body.value))))
_body("iw-2.4.2-41", "a string is a stream", _of_kind((Kind.STRING, Kind.WSTRING), Any_.sequence))


def _without_names(body):
    pairs = body.value if isinstance(body.value, tuple) else ()
    named = body.type.plain.inner.kind == Kind.STRUCT and [name for name, _ in body.type.plain.inner.members] == [
        "name",
        "value",
    ]
    return Any_.sequence(*(value for _, value in pairs)) if named else body


_body("iw-2.4.2-42", "properties are a stream of their values", _of_kind((Kind.SEQUENCE,), _without_names))
_body(
    "iw-2.4.2-43",
    "octets are turned round",
    lambda body: Any_.octets(body.value[::-1]) if isinstance(body.value, bytes) else body,
)


@declare("iw-2.4.2-44", "constructed values are left out", at="of_message")
def _(given, session, made):
    is_bytes = isinstance(made.message, jms.BytesMessage) and given.remainder_of_body.type.plain.kind != Kind.SEQUENCE
    if not is_bytes and not (
        isinstance(made.message, jms.BytesMessage) and isinstance(given.remainder_of_body.value, tuple)
    ):
        return made
    made.message.clear_body()
    return made


declare("iw-2.4.2-45", "the decoder forgets values", of_read=lambda value: NULL)
