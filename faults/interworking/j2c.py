"""Faults on the way from JMS to the channel."""

from dataclasses import replace

from faults.interworking.kit import *


def _event(rows, title, change):
    declare(rows, title, of_event=lambda message, made: change(made))


def _none(value):
    pass


def _string(value):
    return Any_.of(Kind.STRING, value)


def _of_type(kind, change):
    return BridgeChanges(of_event=lambda message, made: change(made) if isinstance(message, kind) else made)


def _without(name):
    return BridgeChanges(of_event=lambda message, made: with_data(made, changed(name, _none)))


# -- headers -------------------------------------------------------------------------------------------------------

_KINDS = {
    4: (jms.TextMessage, "text"),
    5: (jms.MapMessage, "map"),
    6: (jms.StreamMessage, "stream"),
    7: (jms.BytesMessage, "bytes"),
    8: (jms.ObjectMessage, "object"),
}
for _number, (_type, _word) in _KINDS.items():
    declare(
        f"iw-2.4.1-{_number}",
        f"the event of a {_word} message has a type name of its own",
        _of_type(_type, lambda made: with_fixed(made, type_="%Message")),
    )

_event("iw-2.4-1", "every message is an event of one type", lambda made: with_fixed(made, type_="%AnyMessage"))
declare(
    "iw-2.4.1-1",
    "only text messages keep their correlation identifier",
    of_event=lambda message, made: (
        made if isinstance(message, jms.TextMessage) else with_data(made, changed("JMSCorrelationID", _none))
    ),
)
_event(
    "iw-2.4.1-2",
    "type names have no percent sign",
    lambda made: with_fixed(made, type_=made.header.fixed_header.event_type.type_name.lstrip("%")),
)
_event("iw-2.4.1-3", "the domain is called JMS", lambda made: with_fixed(made, domain="JMS"))
_event(
    "iw-2.4.1-11",
    "every event is best effort",
    lambda made: with_header(made, changed(EVENT_RELIABILITY, lambda _: Any_.of(Kind.SHORT, 0))),
)
_event(
    "iw-2.4.1-12",
    "every event is persistent",
    lambda made: with_header(made, changed(EVENT_RELIABILITY, lambda _: Any_.of(Kind.SHORT, 1))),
)
_event(
    "iw-2.4.1-13",
    "the timeout counts ms",
    lambda made: with_header(
        made, changed(TIMEOUT, lambda value: Any_.of(Kind.ULONGLONG, int(str(value.value)) // 10_000))
    ),
)
declare("iw-2.4.1-15", "expired messages are forwarded", expired=True)
_event(
    "iw-2.4.1-16 iw-2.5.4-3",
    "priorities are one too high",
    lambda made: with_header(made, changed(PRIORITY, lambda value: Any_.of(Kind.SHORT, int(str(value.value)) + 1))),
)
for _number, _name in enumerate(
    ("JMSType", "JMSMessageID", "JMSTimestamp", "JMSReplyTo", "JMSCorrelationID", "JMSDestination", "JMSRedelivered"),
    20,
):
    declare(f"iw-2.4.1-{_number}", f"{_name} is left out", _without(_name))
_event(
    "iw-2.4.1-29",
    "the priority is among the filterable data too",
    lambda made: with_data(made, lambda items: (*items, Property("JMSPriority", made.field(PRIORITY) or NULL))),
)

# -- properties ----------------------------------------------------------------------------------------------------


def _with_properties(change):
    """Return a change of the items that were properties."""

    def change_all(items):
        found = (each if each.name[:3] == "JMS" else change(each) for each in items)
        return tuple(each for each in found if each is not None)

    return change_all


_event(
    "iw-2.4-4 iw-2.4-3",
    "properties of applications are left out",
    lambda made: with_data(made, _with_properties(lambda _: None)),
)
_event(
    "iw-2.4.1-31",
    "JMSX properties are left out",
    lambda made: with_data(made, lambda items: tuple(each for each in items if not each.name.startswith("JMSX"))),
)
_event(
    "iw-2.4.1-32",
    "properties have a prefix",
    lambda made: with_data(made, _with_properties(lambda each: Property(f"jms.{each.name}", each.value))),
)


def _retyped(kind, value):
    """Return a change of the properties of one type."""

    def change(each):
        return Property(each.name, value(each.value.value)) if each.value.type.kind == kind else each

    return lambda made: with_data(made, _with_properties(change))


for _number, _kind in enumerate(
    (Kind.BOOLEAN, Kind.OCTET, Kind.SHORT, Kind.LONG, Kind.LONGLONG, Kind.FLOAT, Kind.DOUBLE), 33
):
    _event(
        f"iw-2.4.1-{_number}",
        f"properties of kind {_kind.name.lower()} are strings",
        _retyped(_kind, lambda value: _string(str(value))),
    )
_event(
    "iw-2.4.1-40",
    "strings lose what is not ASCII",
    _retyped(Kind.STRING, lambda value: _string(str(value).encode("ascii", "replace").decode())),
)

# -- bodies --------------------------------------------------------------------------------------------------------


def _body(rows, title, kind, change):
    declare(rows, title, _of_type(kind, lambda made: replace(made, remainder_of_body=change(made.remainder_of_body))))


def _items(value):
    return value.value if isinstance(value.value, tuple) else ()


def _entries(value):
    return dict(_items(value))


_body(
    "iw-2.4.1.1.1-1",
    "texts lose the blanks at their ends",
    jms.TextMessage,
    lambda body: _string(str(body.value).strip()),
)
_body("iw-2.4.1.1.2-1", "a stream is octets", jms.StreamMessage, lambda body: Any_.octets(repr(body.value).encode()))
_body(
    "iw-2.4.1.1.2-2", "streams are turned round", jms.StreamMessage, lambda body: Any_.sequence(*reversed(_items(body)))
)
_body(
    "iw-2.4.1.1.2-3",
    "items of streams are strings",
    jms.StreamMessage,
    lambda body: Any_.sequence(*(_string(str(each.value)) for each in _items(body))),
)
_body(
    "iw-2.4.1.1.3-1",
    "a map is a stream of its values",
    jms.MapMessage,
    lambda body: Any_.sequence(*_entries(body).values()),
)
_body(
    "iw-2.4.1.1.3-2",
    "entries of maps are strings",
    jms.MapMessage,
    lambda body: Any_(PROPERTY_SEQ, tuple((name, _string(str(each.value))) for name, each in _entries(body).items())),
)
_body(
    "iw-2.4.1.1.4-1",
    "bytes lose their highest bit",
    jms.BytesMessage,
    lambda body: Any_.octets(bytes(each & 127 for each in body.value) if isinstance(body.value, bytes) else b""),
)
_body("iw-2.4.1.1.5-1", "an object is a string", jms.ObjectMessage, lambda body: _string(str(body.value)))
declare("iw-2.4.1.1.5-2", "objects are read back as texts", of_object=repr)
