"""Red round 12: faults of bridges by somebody who has not seen the suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from faults.interworking.nearly_right.registry import nearly_right
from faults.interworking.registry import Faults, changed, with_data, with_header
from reference_bridge.acknowledging import Consuming
from reference_bridge.factory import ReferenceFactory
from reference_bridge.reliable import number_of, with_number
from reference_bridge.values import inside, is_basic
from tck import api as jms
from tck.interworking import (
    ANY_SEQ,
    BEST_EFFORT,
    EVENT_RELIABILITY,
    NULL,
    PRIORITY,
    TIMEOUT,
    Any_,
    Converted,
    Kind,
    Property,
    StructuredEvent,
)
from tck.interworking.bridge import Bridge, EndpointError, EndpointErrorCode, EndpointRole, ExternalEndpoint
from tck.interworking.clients import Batch
from tck.interworking.qos import DEADLINE_ORDER, ORDER_POLICY

# -- sections 2.4 and 2.5: what messages and events become ------------------------------------------------------------


def _narrow(message: jms.Message, made: StructuredEvent) -> StructuredEvent:
    for name in message.get_property_names():
        held = message.get_object_property(name)
        plain = held.value if isinstance(held, jms.Double) else held
        if type(plain) is float and not isinstance(held, jms.Float):
            try:
                shorter = Any_.of(Kind.FLOAT, plain)
            except ValueError:
                continue
            made = with_data(made, changed(name, lambda _, shorter=shorter: shorter))  # type: ignore[misc]
    return made


nearly_right(
    "bridge-double-as-float",
    "makes a float of a double property whose value a float can hold, such as 0.5",
    "iw-2.4.1-39",
    Faults(of_event=_narrow),
)


def _wrapped(message: jms.Message, made: StructuredEvent) -> StructuredEvent:
    del message
    return with_header(made, changed(TIMEOUT, lambda value: Any_.of(Kind.ULONGLONG, int(str(value.value)) % 2**32)))


nearly_right(
    "bridge-timeout-in-32-bits",
    "multiplies the life of a message in 32 bits, so that Timeout is too short for lives above 429 s",
    "iw-2.4.1-13 iw-2.5-1",
    Faults(of_event=_wrapped),
)


def _up_to_null(message: jms.Message, made: StructuredEvent) -> StructuredEvent:
    items = made.remainder_of_body.value
    if not isinstance(message, jms.StreamMessage) or not isinstance(items, tuple) or NULL not in items:
        return made
    return replace(made, remainder_of_body=Any_(ANY_SEQ, items[: items.index(NULL)]))


nearly_right(
    "bridge-stream-up-to-null",
    "takes the first null in a stream message for its end",
    "iw-2.4.1.1.2-1 iw-2.4-3",
    Faults(of_event=_up_to_null),
)

_CHUNK: Final = 4096


def _whole_buffers(message: jms.Message, made: StructuredEvent) -> StructuredEvent:
    octets = made.remainder_of_body.value
    if not isinstance(message, jms.BytesMessage) or not isinstance(octets, bytes) or len(octets) <= _CHUNK:
        return made
    buffer, found = bytearray(_CHUNK), b""
    for at in range(0, len(octets), _CHUNK):
        chunk = octets[at : at + _CHUNK]
        buffer[: len(chunk)] = chunk
        found += bytes(buffer)  # also what the chunk before has left
    return replace(made, remainder_of_body=Any_.octets(found))


nearly_right(
    "bridge-whole-buffers",
    "copies the body of a bytes message by whole buffers of 4096 bytes, with what the last but one has left in the last",
    "iw-2.4.1.1.4-1",
    Faults(of_event=_whole_buffers),
)


def _no_temporary(message: jms.Message, made: StructuredEvent) -> StructuredEvent:
    if not isinstance(message.jms_reply_to, jms.TemporaryQueue | jms.TemporaryTopic):
        return made
    return with_data(made, changed("JMSReplyTo", lambda _: None))


nearly_right(
    "bridge-no-temporary-reply-to",
    "leaves JMSReplyTo out where it is a temporary destination",
    "iw-2.4.1-23 iw-2.4-3",
    Faults(of_event=_no_temporary),
)


def _from_third(message: jms.Message, made: StructuredEvent) -> StructuredEvent:
    again = "JMSXDeliveryCount" in message.get_property_names() and message.get_int_property("JMSXDeliveryCount") > 2
    return with_data(made, changed("JMSRedelivered", lambda _: Any_.of(Kind.BOOLEAN, again)))


nearly_right(
    "bridge-redelivered-from-the-third",
    "says JMSRedelivered from the third delivery of a message on, and not at the second",
    "iw-2.4.1-26",
    Faults(of_event=_from_third),
)


def _low_byte(event: StructuredEvent, session: jms.Session, made: Converted) -> Converted:
    del session
    found = event.field(PRIORITY)
    value = None if found is None else inside(found).value
    return replace(made, priority=min(value & 0xFF, 9)) if isinstance(value, int) and value > 0xFF else made


nearly_right(
    "bridge-priority-by-its-low-byte",
    "looks at the low byte of a priority above 255, so that 256 becomes 0",
    "iw-2.5.4-6 iw-2.4.2-8",
    Faults(of_message=_low_byte),
)


def _character(event: StructuredEvent) -> StructuredEvent:
    body = inside(event.remainder_of_body)
    if body.type.plain.kind not in (Kind.CHAR, Kind.WCHAR):
        return event
    return replace(event, remainder_of_body=Any_.of(Kind.WSTRING, body.value))


nearly_right(
    "bridge-lone-char-as-text",
    "makes a text message of a body that is one char or wchar",
    "iw-2.4.2-40 iw-2.4.2-39",
    Faults(of_given=_character),
)


def _first_decides(items: tuple[Property, ...]) -> tuple[Property, ...]:
    found = []
    for item in items:
        value = inside(item.value)
        type_, parts = value.type.plain, value.value
        if type_.kind == Kind.STRUCT and isinstance(parts, tuple) and len(parts) > 1:
            each = [
                (member, part)
                for member, part in zip(type_.members, parts, strict=True)
                if member[1].plain.kind == Kind.STRUCT or is_basic(Any_(member[1], part))
            ]
            if each and each[0][0] == type_.members[0] and each[0][0][1].plain.kind != Kind.STRUCT:
                less = replace(type_, members=tuple(member for member, _ in each))
                found.append(Property(item.name, Any_(less, tuple(part for _, part in each))))
                continue
        found.append(item)
    return tuple(found)


nearly_right(
    "bridge-first-member-decides",
    "expands a struct whose first member is basic, and leaves out its members that are sequences and the like",
    "iw-2.4.2-34 iw-2.4.2-37 iw-2.4-3",
    Faults(of_given=lambda event: with_header(with_data(event, _first_decides), _first_decides)),
)


def _data_wins(event: StructuredEvent) -> StructuredEvent:
    names = {each.name for each in event.filterable_data}
    return with_header(
        event, lambda items: tuple(each for each in items if each.name not in names or each.name in _JMS_HEADERS)
    )


_JMS_HEADERS: Final = ("EventReliability", "Priority", "Timeout", "StopTime")

nearly_right(
    "bridge-data-overwrites-header",
    "loses an item of the variable header where the filterable data have an item of the same name",
    "iw-2.4.2-23 iw-2.4.2-3 iw-2.4-3",
    Faults(of_given=_data_wins),
)


def _basic_plane(value: object) -> object:
    if isinstance(value, str):
        return "".join(each if ord(each) < 0x10000 else "\N{REPLACEMENT CHARACTER}" for each in value)
    if isinstance(value, list):
        return [_basic_plane(each) for each in value]
    if isinstance(value, tuple):
        return tuple(_basic_plane(each) for each in value)
    if isinstance(value, dict):
        return {key: _basic_plane(each) for key, each in value.items()}
    return value


nearly_right(
    "bridge-object-in-the-basic-plane",
    "reads texts in an object with U+FFFD for each character above U+FFFF",
    "iw-2.4.1.1.5-2",
    Faults(of_object=_basic_plane),
)


class _NoTimestamps:
    def carry(self, item: Any) -> None:
        producer = getattr(self, "_producer", None)
        if producer is not None:
            found = item.field(EVENT_RELIABILITY)
            producer.disable_message_timestamp = found is not None and found.value == BEST_EFFORT
        super().carry(item)  # type: ignore[misc]


nearly_right(
    "bridge-best-effort-without-time",
    "sends the message of an event that is BestEffort without a JMSTimestamp",
    "iw-2.4.2-20 iw-2.4.2-4",
    Faults(mixin=_NoTimestamps),
)

# -- sections 2.1 to 2.3, 2.5.2, 2.5.6 and 3.1: bridges and their factory ---------------------------------------------


class _LeavesSuspended:
    _suspended: bool

    def _open_again(self) -> None:
        self._suspended = False  # so the connection to the channel is not resumed
        super()._open_again()  # type: ignore[misc]


nearly_right(
    "bridge-leaves-suspended-after-a-loss",
    "does not resume its proxy at a start where the connection to JMS was lost while the bridge was stopped",
    "iw-3.1.2.1-1 iw-2.3-27 iw-2.3-31",
    Faults(mixin=_LeavesSuspended),
)


def _by_count(factory: ReferenceFactory) -> None:
    create = factory.create_bridge

    def create_bridge(source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        factory._last = len(factory.get_all_bridges())
        return create(source, sink)

    factory.create_bridge = create_bridge  # type: ignore[method-assign]


nearly_right(
    "bridge-id-by-count",
    "numbers a bridge by how many there are, so that after an older one was destroyed it gets the id of a living one",
    "iw-3.1.3.1-8 iw-3.1.3.3-1 iw-3.1.3.2-1",
    Faults(of_factory=_by_count),
)


class _ListensOnce:
    _connection: Any

    def _open_again(self) -> None:
        super()._open_again()  # type: ignore[misc]
        self._connection.exception_listener = None


nearly_right(
    "bridge-second-loss-unnoticed",
    "stays started where the connection that it made after a loss is lost too",
    "iw-2.3-21 iw-2.3-17 iw-2.3-31",
    Faults(mixin=_ListensOnce),
)


class _DurableOnce:
    _again = False
    _session: Any
    _destination: Any

    def _open_again(self) -> None:
        self._again = True
        super()._open_again()  # type: ignore[misc]

    def _made_consumer(self) -> Any:
        if self._again:
            return self._session.create_consumer(self._destination)
        return super()._made_consumer()  # type: ignore[misc]


nearly_right(
    "bridge-durable-until-a-loss",
    "receives from a topic without its durable subscription after the connection to JMS was lost and made again",
    "iw-2.5.2-4",
    Faults(mixin=_DurableOnce),
)


class _UrgentFirst(Consuming):
    def _taken(self, events: Batch) -> int | None:
        number = number_of(events) if self.terms.on else None
        ordered = tuple(sorted(events, key=lambda each: each.field(TIMEOUT) is None))
        return super()._taken(ordered if number is None else with_number(ordered, number))


class _Urgent:
    consuming = _UrgentFirst


nearly_right(
    "bridge-urgent-first",
    "sends those events of a batch first that have a Timeout",
    "iw-2.5.6-9 iw-2.5.6-8 iw-2.5.6-10",
    Faults(mixin=_Urgent),
)


class _LeavesDeadlines:
    _proxy: Any

    def _quality(self) -> dict[str, int]:
        quality: dict[str, int] = super()._quality()  # type: ignore[misc]
        if self._proxy.admin.get_qos()[ORDER_POLICY] == DEADLINE_ORDER:
            del quality[ORDER_POLICY]
        return quality


nearly_right(
    "bridge-leaves-deadline-order",
    "sets no OrderPolicy on its proxy where admin or channel say DeadlineOrder",
    "iw-2.5.6-4 iw-2.5.6-6",
    Faults(mixin=_LeavesDeadlines),
)


def _checks_once(factory: ReferenceFactory) -> None:
    checked: Callable[[ExternalEndpoint, EndpointRole], list[EndpointError]] = factory._errors
    known: set[int] = set()

    def errors(point: ExternalEndpoint, role: EndpointRole) -> list[EndpointError]:
        found = checked(point, role)
        if not isinstance(point.connector, int):
            return found
        if point.connector in known:
            return [each for each in found if each.code != EndpointErrorCode.INVALID_CHANNELID]
        if not found:
            known.add(point.connector)
        return found

    factory._errors = errors  # type: ignore[method-assign]


nearly_right(
    "bridge-checks-a-channel-once",
    "does not find INVALID_CHANNELID where a channel that it has bridged before was destroyed",
    "iw-3.1.3.1-4 iw-3.1.3.1-3",
    Faults(of_factory=_checks_once),
)


class _LeavesProxy:
    _connected: bool
    _started: bool
    _idle = False

    def destroy(self) -> None:
        self._idle = self._connected and not self._started
        super().destroy()  # type: ignore[misc]

    def _disconnect(self) -> None:
        if not self._idle:
            super()._disconnect()  # type: ignore[misc]


nearly_right(
    "bridge-stopped-stays-connected",
    "does not disconnect from its proxy where it is destroyed while it is stopped",
    "iw-3.1.2.4-1 iw-2.3-35",
    Faults(mixin=_LeavesProxy),
)
