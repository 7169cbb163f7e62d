"""The mapping: messages to events, events to messages."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Final

from reference_interworking import names
from reference_interworking.bridge import bodies
from reference_interworking.bridge.objects import deserialized
from reference_interworking.values import inside, is_basic, to_any, to_java
from tck import api as jms
from tck.interworking import (
    EVENT_RELIABILITY,
    PERSISTENT,
    PRIORITY,
    STOP_TIME,
    TIMEOUT,
    Any_,
    BridgeError,
    CdrError,
    Converted,
    Converter,
    Kind,
    StructuredEvent,
    decode,
    encode,
    event,
)

JMS_TYPE: Final = "Structured Event"
"""JMSType of every message that was an event."""

_TICKS: Final = 10_000
"""Units of 100 ns in a millisecond."""
_EPOCH: Final = 122_192_928_000_000_000
"""Units of 100 ns from 1582-10-15 to 1970-01-01."""
_HEADERS: Final = frozenset({EVENT_RELIABILITY, PRIORITY, TIMEOUT, STOP_TIME})


class ReferenceConverter(Converter):
    """The mapping of the reference bridge; see the methods for what it does where the document leaves a choice."""

    def __init__(self) -> None:
        self._dots: bool | None = None

    # -- from JMS to the channel -----------------------------------------------------------------------------------

    def to_event(self, message: jms.Message, now: int) -> StructuredEvent | None:
        """Return the event of a message.

        Timeout is the life that is left, at least 1 ms. Destinations are given by their names; header fields without a value
        are left out. The name of the event is that of the destination.
        """
        left = message.jms_expiration - now
        if message.jms_expiration and left <= 0:
            return None
        type_name, body = bodies.of_message(message)
        persistent = message.jms_delivery_mode == jms.DeliveryMode.PERSISTENT
        header = {
            EVENT_RELIABILITY: Any_.of(Kind.SHORT, int(persistent)),
            PRIORITY: Any_.of(Kind.SHORT, message.jms_priority),
        }
        if message.jms_expiration:
            header[TIMEOUT] = Any_.of(Kind.ULONGLONG, left * _TICKS)
        data = dict(_header_items(message))
        data.update({name: to_any(message.get_object_property(name)) for name in message.get_property_names()})
        return event("", type_name, _named(message.jms_destination) or "", header=header, data=data, body=body)

    def read_object(self, octets: bytes) -> object:
        """Return the object of an event that was an object message; see `reference_interworking.bridge.objects` for the form."""
        return deserialized(octets)

    # -- from the channel to JMS -----------------------------------------------------------------------------------

    def to_message(self, event: StructuredEvent, session: jms.Session, now: int) -> Converted | None:
        """Return the message of an event.

        A Timeout below a whole millisecond is rounded up. With a StopTime too, the earlier of both ends the life; a StopTime
        that has passed gives no message. See `reference_interworking.names` for the names of properties; a value that no property
        can hold is the base64 text of its encapsulation.
        """
        life = _life(event, now)
        if life is not None and life <= 0:
            return None
        message = bodies.to_message(event.remainder_of_body, session)
        fixed = event.header.fixed_header
        of_fixed = (fixed.event_type.domain_name, fixed.event_type.type_name, fixed.event_name)
        for name, text in zip(names.FIXED, of_fixed, strict=True):
            message.set_string_property(name, text)
        if self._dots is None:
            self._dots = _takes_dots(session)
        where = self.names(event)
        for path, value in _leaves(event):
            if is_basic(value):
                message.set_object_property(where[path], to_java(value, characters=False))
            else:
                message.set_string_property(where[path], base64.b64encode(encode(value)).decode())
        message.jms_type = JMS_TYPE
        reliability = _number(event, EVENT_RELIABILITY)
        mode = jms.DeliveryMode.PERSISTENT if reliability in (None, PERSISTENT) else jms.DeliveryMode.NON_PERSISTENT
        priority = _number(event, PRIORITY)
        return Converted(message, mode, 4 if priority is None else min(max(priority, 0), 9), life or 0)

    def names(self, event: StructuredEvent) -> Mapping[tuple[str, ...], str]:
        """Return the property of each field of an event and of each member of a struct in it."""
        return names.names(_leaves(event), dots=self._dots is not False)

    def decode(self, name: str, message: jms.Message) -> Any_:
        """Return a value that is carried as its encapsulation: of the body, or of a property."""
        try:
            if name:
                return decode(base64.b64decode(message.get_string_property(name) or "", validate=True))
            return decode(bytes(bodies.of_message(message)[1].value or b""))  # type: ignore[call-overload]
        except (CdrError, binascii.Error, jms.JMSException, TypeError) as error:
            raise BridgeError(f"{name or 'the body'} is no encapsulation: {error}") from error


def open_converter() -> Converter:
    """Return a new converter; profiles of bridges name this function."""
    return ReferenceConverter()


def _header_items(message: jms.Message) -> Iterator[tuple[str, Any_]]:
    """Yield the headers that become filterable data."""
    texts = {
        "JMSType": message.jms_type,
        "JMSMessageID": message.jms_message_id,
        "JMSReplyTo": _named(message.jms_reply_to),
        "JMSCorrelationID": message.jms_correlation_id,
        "JMSDestination": _named(message.jms_destination),
    }
    yield from ((name, Any_.of(Kind.STRING, text)) for name, text in texts.items() if text is not None)
    yield "JMSTimestamp", Any_.of(Kind.LONGLONG, message.jms_timestamp)
    yield "JMSRedelivered", Any_.of(Kind.BOOLEAN, message.jms_redelivered)


def _named(destination: jms.Destination | None) -> str | None:
    if isinstance(destination, jms.Queue):
        return destination.queue_name
    return destination.topic_name if isinstance(destination, jms.Topic) else None


def _leaves(event: StructuredEvent) -> Iterator[tuple[names.Path, Any_]]:
    return names.leaves(names.fields(event, _HEADERS))


def _takes_dots(session: jms.Session) -> bool:
    """Return whether the provider takes the name of a property with a dot."""
    try:
        session.create_message().set_string_property("$a.b", "")
    except (jms.JMSException, jms.JMSRuntimeException, jms.JavaException):
        return False
    return True


def _number(event: StructuredEvent, name: str) -> int | None:
    """Return a header item that is a whole number; None if there is none.

    Raises:
        BridgeError: It is something else.
    """
    found = event.field(name)
    if found is None:
        return None
    value = inside(found).value
    if type(value) is not int:
        raise BridgeError(f"{name} is {value!r}, and no whole number")
    return value


def _life(event: StructuredEvent, now: int) -> int | None:
    """Return how long a message may live, in ms; None for ever."""
    lives = []
    if timeout := _number(event, TIMEOUT):
        lives.append(-(-timeout // _TICKS))
    stop = event.field(STOP_TIME)
    if stop is not None:
        value = inside(stop).value
        ticks = value[0] if isinstance(value, tuple) and value else value
        if type(ticks) is not int:
            raise BridgeError(f"{STOP_TIME} is {value!r}, and no time")
        lives.append(-(-(ticks - _EPOCH) // _TICKS) - now)
    return min(lives, default=None)
