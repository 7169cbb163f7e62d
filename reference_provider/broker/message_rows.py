"""Stored messages as rows of the file: headers as JSON and body, both ways."""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring_ascii as quote
from typing import TYPE_CHECKING

from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.destinations import destination_of
from reference_provider.messages import decode, encode, json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
    from reference_provider.destinations import ReferenceDestination
    from reference_provider.store import Body, Statement

INSERT_MESSAGE = (
    "insert into message (id, destination, priority, expires, due, headers, body) values (?, ?, ?, ?, ?, ?, ?)"
)
INSERT_DELIVERIES = "insert into delivery (message, subscription) select ?, value from json_each(?)"
INSERT_DESTINATION = "insert or ignore into destination (id, kind, name) values (?, ?, ?)"


def headers_of(entry: StoredMessage, physical: ReferenceDestination) -> tuple[str, bytes | None]:
    """Return headers as JSON and the body of a message stored at a destination.

    Fields with a column of their own are left out, and so is the destination if it is `stored_at`, as it nearly always is.
    """
    identifier = "null" if entry.message_id is None else quote(entry.message_id)
    envelope = (
        f'"id":{identifier},"timestamp":{entry.timestamp},"mode":{entry.delivery_mode},'
        f"{_origin(entry.sender, entry.version)}"
    )
    if entry.destination is not physical:
        envelope += f',"destination":{json_text([entry.destination.kind, entry.destination.name])}'
    return encode(entry.snapshot, envelope)


@lru_cache(maxsize=1024)
def _origin(sender: str, version: str) -> str:
    """Return the JSON that all messages of one connection share."""
    return f'"sender":{quote(sender)},"version":"{version}"'


def rows_of(
    physical: PhysicalDestination, entry: StoredMessage, delivery_queues: Sequence[StoredDeliveryQueue]
) -> list[Statement]:
    """Return the statements that store one message for those delivery queues that are kept in the file."""
    statements: list[Statement] = []
    if not physical.in_file:
        statements.append((INSERT_DESTINATION, (physical.row, physical.destination.kind, physical.destination.name)))
    headers, body = headers_of(entry, physical.destination)
    values = (entry.number, physical.row, entry.priority, entry.expiration, entry.delivery_time, headers, body)
    statements.append((INSERT_MESSAGE, values))
    if physical.routes_anew:
        subscriptions = [
            delivery_queue.subscription for delivery_queue in delivery_queues if delivery_queue.subscription is not None
        ]
        statements.append((INSERT_DELIVERIES, (entry.number, str(subscriptions))))
    return statements


def entry_of(row: Body) -> StoredMessage:
    """Create the stored message of a row."""
    number, priority, expires, due, kind, name, headers, body = row
    snapshot, envelope = decode(headers, body, destination_of)
    kind, name = envelope.get("destination", (kind, name))
    stamp = Stamp(
        destination_of(kind, name),
        envelope["mode"],
        expires,
        due,
        envelope["id"],
        envelope["timestamp"],
        priority,
    )
    entry = StoredMessage(snapshot, stamp, envelope["sender"], envelope["version"])
    entry.number = number
    entry.stored = True
    return entry
