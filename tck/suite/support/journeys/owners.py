"""The rows that own what a journey looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tck.catalogue.differences import load_owners
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
_CALLS: Final[Mapping[str, str]] = {"receive body": "receive_body", "listener": "listening"}
_RETURNS: Final[Mapping[str, str]] = {
    "after rollback": "rollback held",
    "after recover": "recover held",
    "after a failed listener": "listener failed",
    "after a closed consumer": "rollback held",
    "after a closed session": "session closed held",
}


def client_row(name: str, wanted: object) -> str:
    """Return the row of a header that the client sets; `wanted` is its value."""
    absent = wanted is None
    return {
        "jms_correlation_id": "3.4.5-3" if absent else "3.4.5-2",
        "jms_reply_to": "3.4.6-3" if absent else "3.4.6-1",
        "jms_type": "3.4.8-2" if absent else "3.4.8-1",
    }[name]


def arrival_rows(journey: Journey, differs: str, moment: str) -> tuple[str, ...]:
    """Return the row that a missing or extra message breaks at a moment of a journey, and one that it breaks in any version.

    Args:
        journey: The journey.
        differs: `missing` or `extra`.
        moment: `sent`: nothing has happened to it but its send; `first`: it has to arrive for the first time;
            `again`: it was received, and returned; `settled`: it was settled since then.
    """
    missing = differs == "missing"
    selected = missing and journey.selector != "none"
    promised = selected and moment in {"sent", "first"}  # by the selector, whatever has happened to the message
    owner = load_owners().find(
        {
            "differs": [differs],
            "call": [_CALLS.get(journey.receipt, "receive") if missing else "receive"],
            "at": [journey.place],
            "had": [] if promised else list(_events(journey, moment)),
            "in_hand": [journey.ack] if moment == "again" else [],
            "chooses": ["by a selector"] if selected else [],
            "sent_to": ["an unattended queue"] if journey.consumer == "after" else [],
        }
    )
    assert owner is not None  # noqa: S101 - an entry for each place fits always
    return owner.rows[0], "6.2.12-1" if journey.place == "queue" else "6.2.12-2"


def arrivals(journey: Journey) -> Iterator[tuple[str, str]]:
    """Yield what can differ when messages arrive in a journey, each with its moment: see `arrival_rows`."""
    yield "missing", "first"
    if journey.repeats:
        yield "missing", "again"
    if journey.ack == "dups_ok":
        return
    if journey.receipt != "receive body":
        yield "missing", "sent"
    yield "extra", "settled"


def _events(journey: Journey, moment: str) -> Iterator[str]:
    """Yield what happened to a message until a moment, by the words of `had` in the owners of differences."""
    yield "sent asynchronously" if journey.asynchronous else "sent"
    if journey.sends_in_transaction:
        yield "sender committed"
    if moment == "sent":
        return
    if journey.consumer == "resumed":
        yield "collected"
    if journey.delay == "short":
        yield "due"
    if moment == "first" and journey.repeats:
        return
    if journey.broken:
        yield from _break(journey, held=journey.repeats)
    elif journey.repeats:
        yield _RETURNS[journey.delivery]
    if moment == "settled":
        received = "taken by a listener" if journey.receipt == "listener" else "received"
        yield {"transacted": "committed", "client": "acknowledged"}.get(journey.ack, received)


def _break(journey: Journey, *, held: bool) -> Iterator[str]:
    word = journey.delivery.rpartition(" ")[2]
    if journey.delivery == "after a severed link":
        if held or (journey.consumer == "before" and journey.ack == "auto"):
            yield "sever held" if held else "sever unseen"
        return
    yield word
    if held:
        yield f"{word} held"
