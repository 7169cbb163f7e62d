"""The rows that own what a journey looks at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.suite.support.journeys.model import Journey
from tck.suite.support.values.jmsx import TYPES as JMSX

AT_RECEIVER: Final[Mapping[str, str]] = {
    "jms_destination": "3.4.1-3",
    "jms_delivery_mode": "3.4.2-3",
    "jms_message_id": "3.4.3-7",
    "jms_timestamp": "3.4.4-4",
    "jms_expiration": "3.4.9-4",
    "jms_priority": "3.4.10-2",
    "jms_delivery_time": "3.4.13-5",
}
"""The rows by which the receiver sees what the sender got."""
BODY_ROW: Final[Mapping[str, str]] = {
    "message": "3.7-1",
    "text": "3.11-5",
    "bytes": "3.11-7",
    "map": "3.11-2",
    "stream": "3.11-1",
    "object": "3.11-6",
}
"""The rows of the bodies."""
BODY_BY_CALL: Final[Mapping[str, str]] = {"text": "8.6-10", "bytes": "8.6-14", "map": "8.6-13", "object": "8.6-12"}
"""The rows of bodies that receiveBody returns."""
READ_ONLY_ROW: Final[Mapping[str, str]] = {
    "text": "3.11.2-1",
    "map": "3.11.2-2",
    "object": "3.11.2-3",
    "stream": "3.11.2-4",
    "bytes": "3.11.2-5",
}
"""The rows by which a received body is read-only."""
SET_BY_PROVIDER: Final = frozenset(JMSX) - {"JMSXGroupID", "JMSXGroupSeq", "JMSXState"}
"""JMSX properties that a provider may add."""
PRESET: Final[Mapping[str, str]] = {
    "jms_destination": "3.4.1-1",
    "jms_delivery_mode": "3.4.2-1",
    "jms_message_id": "3.4.3-1",
    "jms_timestamp": "3.4.4-1",
    "jms_priority": "3.4.10-1",
    "jms_expiration": "3.4.11-3",
    "jms_delivery_time": "3.4.11-4",
}
"""The rows by which a send ignores the value that the message had before."""
AT_SENDER: Final[Mapping[str, str]] = {
    "jms_destination": "3.4.1-2",
    "jms_delivery_mode": "3.4.2-2",
    "jms_message_id": "3.4.3-2",
    "jms_timestamp": "3.4.4-2",
    "jms_expiration": "3.4.9-1",
    "jms_priority": "3.4.10-2",
    "jms_delivery_time": "3.4.13-1",
    "jms_redelivered": "3.4.7-4",
    "jms_correlation_id": "3.4.11-6",
    "jms_reply_to": "3.4.11-6",
    "jms_type": "3.4.11-6",
}
"""The rows of the sender's object, for a later look."""
CLIENTS: Final = frozenset(
    {*BODY_ROW.values(), "3.4.5-2", "3.4.5-3", "3.4.6-1", "3.4.6-3", "3.4.8-1", "3.4.8-2", "3.5.3-1", "3.5.4-9"}
)
"""The rows of content that the client sets."""
HEADER_NAMES: Final = frozenset(
    f"JMS{name}"
    for name in (
        "MessageID",
        "Timestamp",
        "CorrelationID",
        "ReplyTo",
        "Destination",
        "DeliveryMode",
        "Redelivered",
        "Type",
        "Expiration",
        "DeliveryTime",
        "Priority",
    )
)
"""Names that are no properties."""


def settled_row(journey: Journey) -> str:
    """Return the row by which what was settled is not redelivered."""
    queue = journey.place == "queue"
    if not journey.lasting:
        return "4.2.2-2"  # its copy of each message
    if journey.ack == "transacted":
        return "6.2.7-1" if queue else "6.2.7-2"
    if journey.ack == "client":
        return "6.2.10-7" if queue else "6.2.10-8"
    if journey.receipt == "listener":
        return "6.2.10-3" if queue else "6.2.10-4"
    return "6.2.10-1" if queue else "6.2.10-2"


def client_row(name: str, wanted: object) -> str:
    """Return the row of a header that the client sets; `wanted` is its value."""
    absent = wanted is None
    return {
        "jms_correlation_id": "3.4.5-3" if absent else "3.4.5-2",
        "jms_reply_to": "3.4.6-3" if absent else "3.4.6-1",
        "jms_type": "3.4.8-2" if absent else "3.4.8-1",
    }[name]


def redelivered_rows(row: str, *, is_body: bool) -> tuple[str, ...]:
    """Return the rows that demand of a redelivery what the first delivery had, for the part that a row is about."""
    if not is_body:
        return ("3.10-6",) if row.startswith("3.4") else ("3.10-5",)
    return ("3.10-4", "3.11-11") if row in {"3.11-1", "3.11-7"} else ("3.10-4",)


def lost_rows(journey: Journey, turn: int) -> tuple[str, ...]:
    """Return the rows by which messages arrive for the first time, or for the second."""
    if journey.selector == "none" or turn > 1:
        return (_arrival_row(journey, turn),)
    return (_arrival_row(journey, turn), "3.8.1-2") if journey.place == "queue" else ("3.8.1-2",)


def _arrival_row(journey: Journey, turn: int) -> str:
    place = 0 if journey.place == "queue" else 1 if journey.lasting else 2
    if turn == 1:
        return ("4.1.2-1", "4.2.2-2", "4.2.2-2")[place]
    if journey.delivery == "after a failed listener":
        return "8.7-2"
    if journey.delivery == "after recover":
        return ("6.2.10-20", "6.2.10-21", "6.2.10-22")[place]
    if journey.ack == "transacted":
        return ("6.2.7-6", "6.2.7-7", "6.2.7-8")[place]
    return ("3.4.7-2", "4.2.8-3", "4.2.8-3")[place]
