"""Entries as rows: headers as JSON and body, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.destinations import destination_of
from reference_provider.entry import Entry, Stamp
from reference_provider.messages import decode, encode, json_text

if TYPE_CHECKING:
    from reference_provider.destinations import ReferenceDestination
    from reference_provider.store import Body


def headers_of(entry: Entry, place: ReferenceDestination) -> tuple[str, bytes | None]:
    """Give the stored form of an entry at `place`: headers as JSON, and body.

    What has a column of its own is left out, and so is the destination where it is that of the place, as nearly always.
    """
    envelope = (
        f'"id":{json_text(entry.message_id)},"timestamp":{entry.timestamp},"mode":{entry.delivery_mode},'
        f'"sender":{json_text(entry.sender)},"version":"{entry.version}"'
    )
    if entry.destination is not place:
        envelope += f',"destination":{json_text([entry.destination.kind, entry.destination.name])}'
    return encode(entry.snapshot, envelope)


def entry_of(row: Body) -> Entry:
    """Make the entry of a stored message."""
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
    entry = Entry(snapshot, stamp, envelope["sender"], envelope["version"])
    entry.number = number
    entry.stored = True
    return entry
