"""From the file to memory: the order of all streams when the broker opens, cold bodies when they are needed."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from reference_provider.destinations import destination_of
from reference_provider.entry import Entry, Stamp
from reference_provider.index import Stream
from reference_provider.messages import decode, encode
from reference_provider.places import OwnedStream, QueuePlace, TopicPlace

if TYPE_CHECKING:
    from reference_provider.broker import Broker


def recover(broker: Broker) -> tuple[int, int]:
    """Build places, subscriptions and streams; return the next message number and the next row id."""
    rows = _recover_destinations(broker)
    number = _recover_queues(broker)
    return number, rows


def _recover_destinations(broker: Broker) -> int:
    last = 0
    for row, kind, name in broker.store.rows("select id, kind, name from destination"):
        place = broker.add_place(destination_of(str(kind), str(name)), int(str(row)))
        place.in_file = True
        last = max(last, place.row)
    return last + 1


def _recover_queues(broker: Broker) -> int:
    queues = {place.row: place.stream for place in broker.places() if isinstance(place, QueuePlace)}
    topics = {place.row for place in broker.places() if isinstance(place, TopicPlace)}
    now = broker.clock.now()
    number = 0
    delayed: list[tuple[OwnedStream, int]] = []
    sql = "select id, destination, priority, due, deliveries from message order by id"
    for number, destination, priority, due, deliveries in broker.store.rows(sql):  # type: ignore[assignment]
        if destination in topics:
            continue
        if due > now:  # type: ignore[operator]
            delayed.append((queues[destination], number))  # type: ignore[index]
        else:
            queues[destination].load_order(number, priority, deliveries)  # type: ignore[index,arg-type]
    for stream, one in delayed:
        for entry in load_bodies(broker, stream, array("q", [one])):
            broker.schedule.add(stream, entry)
    return number + 1


def load_bodies(broker: Broker, stream: Stream, numbers: array[int]) -> list[Entry]:
    """Read these messages from the file."""
    assert isinstance(stream, OwnedStream)  # noqa: S101 # the broker makes no other streams
    return [entry_of(number, headers, body) for number, headers, body in broker.store.read_bodies(numbers)]


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
