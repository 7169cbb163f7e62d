"""Entries as rows: headers as JSON and body, and back."""

from __future__ import annotations

from reference_provider.destinations import destination_of
from reference_provider.entry import Entry, Stamp
from reference_provider.messages import decode, encode


def headers_of(entry: Entry) -> tuple[str, bytes | None]:
    """Give the stored form of an entry: headers as JSON, and body."""
    return encode(
        entry.snapshot,
        {
            "id": entry.message_id,
            "timestamp": entry.timestamp,
            "destination": [entry.destination.kind, entry.destination.name],
            "mode": entry.delivery_mode,
            "expiration": entry.expiration,
            "delivery_time": entry.delivery_time,
            "priority": entry.priority,
            "sender": entry.sender,
            "version": entry.version,
        },
    )


def entry_of(number: int, headers: str, body: bytes | None) -> Entry:
    """Make the entry of a stored message."""
    snapshot, envelope = decode(headers, body, destination_of)
    kind, name = envelope["destination"]
    stamp = Stamp(
        destination_of(kind, name),
        envelope["mode"],
        envelope["expiration"],
        envelope["delivery_time"],
        envelope["id"],
        envelope["timestamp"],
        envelope["priority"],
    )
    entry = Entry(snapshot, stamp, envelope["sender"], envelope["version"])
    entry.number = number
    entry.stored = True
    return entry
