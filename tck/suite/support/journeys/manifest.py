"""What was sent in a journey, message by message, and the recognition of what arrives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck import api
from tck.suite.support.clients.messages import READ_ONLY, write
from tck.suite.support.clients.timed_send import Sending
from tck.suite.support.journeys.cargo import LOAD, MARKER, Load, seen_header, seen_properties
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import HEADERS, tried

NOISE: Final = "noise"
"""The property, and the text, of a message that is not to arrive; its value is the row that says so."""
LATE: Final = "written after the send"
"""The value that a sender writes into everything of a message that is on its way."""
END: Final = "end"
"""The property, and the text, of the marker behind everything."""
CHANGED: Final = "changed by a receiver"
"""The value that a receiver writes into everything of a message that is redelivered."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The delivery options of one send; times in ms."""

    mode: int
    priority: int
    ttl: int
    delay: int


@dataclass(slots=True, eq=False)
class Sent:
    """One message that was sent and must arrive.

    Attributes:
        load: what it carries; None for a marker.
        message: the sender's object.
        terms: how it was sent.
        sending: when.
        destination, reply_to: in the form of `shown`.
        again: whether its object had been sent before.
        flag: JMSRedelivered of the sender's object before the send.
        before: headers of the sender's object before the send, if it was received elsewhere; else empty.
        after: headers and properties of the sender's object after the send, or in its completion.
        late: whether the sender wrote into the object afterwards.
        writes: what became of two attempts to write into an object that was received before, after it was sent on.
    """

    load: Load | None
    message: Any
    terms: Terms
    sending: Sending
    destination: object
    reply_to: object
    again: bool = False
    flag: object = False
    before: Mapping[str, object] = field(default_factory=dict)
    after: Mapping[str, object] = field(default_factory=dict)
    late: bool = False
    writes: tuple[object, object] | None = None

    @property
    def words(self) -> str:
        """Name the message in findings."""
        if self.load is None:
            return "the marker"
        return f"{self.load.kind} message {self.load.number}{', sent again' if self.again else ''}"


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that a received message showed: headers, properties, the body, and what became of two attempts to write."""

    headers: Mapping[str, object]
    properties: Mapping[str, object]
    body: object
    property_write: object
    body_write: object


def writes(message: Any, load: Load | None) -> tuple[object, object]:
    """Try to set a property of a message, and to write its body; return what became of each."""
    return (
        tried(lambda: message.set_string_property("added", "x")),
        tried(lambda: write(message, "x")) if load is not None and load.kind != "message" else READ_ONLY,
    )


@dataclass(slots=True, eq=False)
class Arrival:
    """One delivery: the message, its `sent` or None, the time, and its turn: 1 for a first delivery."""

    message: Any
    sent: Sent | None
    at: int
    turn: int
    look: Look | None = None

    def taken(self) -> Look:
        """Look at everything in the message, once: what was seen stays, whatever becomes of the object."""
        if self.look is None:
            load = self.sent.load if self.sent is not None else None
            self.look = Look(
                {name: seen_header(self.message, name) for name in HEADERS},
                seen_properties(self.message),
                load.seen_body(self.message) if load is not None else None,
                *writes(self.message, load),
            )
        return self.look


class Manifest:
    """All messages that must arrive, in the order of their sends, with the marker behind them.

    Attributes:
        sent: the messages.
        awaited: those of the current round, without what may get lost.
        end: the marker behind everything, which is recognised before its send has returned.
    """

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.awaited: list[Sent] = []
        self.end: Sent | None = None

    def recognised(self, message: api.Message, here: list[Arrival]) -> Sent | None:
        """Find a message that arrived: by its id, its number, or its place behind those that are `here`; None for noise."""
        if tried(lambda: message.property_exists(END)) is True:
            return self.end
        if tried(lambda: message.property_exists(NOISE)) is True:
            return None
        there = {id(arrival.sent) for arrival in here}
        rest = [one for one in self.sent if id(one) not in there]
        seen = tried(lambda: message.jms_message_id)
        by_id = [one for one in self.sent if seen is not None and one.after.get("jms_message_id") == seen]
        if by_id:
            return next((one for one in by_id if one in rest), by_id[0])
        if isinstance(number := comparable(tried(lambda: message.get_object_property(LOAD))), api.Int | api.Long):
            same = [one for one in self.sent if number.value == (MARKER if one.load is None else one.load.number)]
            twins = [one for one in same if one in rest] or same
            return next((one for one in twins if _of_one_send(one, message)), twins[0] if twins else None)
        return rest[0] if rest else None

    def missing(self, here: list[Arrival]) -> list[Sent]:
        """Return the awaited messages that are not here."""
        there = {id(arrival.sent) for arrival in here}
        return [one for one in self.awaited if id(one) not in there]


def noise_row(message: api.Message) -> str:
    """Return the row that keeps a message away which is none of the manifest's; empty if it is no noise either."""
    return str(tried(lambda: message.get_string_property(NOISE)) or "")


def _of_one_send(sent: Sent, message: api.Message) -> bool:
    """Whether a message has the times of a send: two sends of one object differ in nothing else, where ids are disabled."""
    times = ("jms_timestamp", "jms_expiration", "jms_delivery_time")
    return all(seen_header(message, name) == sent.after.get(name) for name in times)
