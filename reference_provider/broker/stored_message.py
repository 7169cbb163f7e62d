"""`StoredMessage`: one sent message as the broker holds it, shared by all delivery queues that have it."""

from __future__ import annotations

from typing import Any, NamedTuple

from reference_provider.destinations import ReferenceDestination
from reference_provider.messages import Snapshot, Version, selection


class Stamp(NamedTuple):
    """The headers that one send sets. A named tuple, because each send creates one."""

    destination: ReferenceDestination
    delivery_mode: int
    expiration: int
    delivery_time: int
    message_id: str | None
    timestamp: int
    priority: int


class StampWithoutDelay(Stamp):
    """The headers of a send by a version without delivery delays: JMSDeliveryTime is not set on the sender's message."""

    __slots__ = ()


class StoredMessage:
    """The contents of the sender's message (`snapshot`) and the headers of the send; fixed once the message is sent.

    Attributes:
        number: its number in the order of arrival, given when the send takes effect; also the row id if `stored`.
        stored: whether the message has a row in the file.
        sender: identity of the sending connection, for noLocal.
        version: the version of the specification that the sender follows.
    """

    __slots__ = (
        "_selection",
        "delivery_mode",
        "delivery_time",
        "destination",
        "expiration",
        "message_id",
        "number",
        "priority",
        "sender",
        "snapshot",
        "stored",
        "timestamp",
        "version",
    )

    def __init__(self, snapshot: Snapshot, stamp: Stamp, sender: str, version: Version) -> None:
        self.snapshot = snapshot
        self.destination = stamp.destination
        self.message_id = stamp.message_id
        self.timestamp = stamp.timestamp
        self.delivery_mode = stamp.delivery_mode
        self.expiration = stamp.expiration
        self.delivery_time = stamp.delivery_time
        self.priority = stamp.priority
        self.sender = sender
        self.version: Version = version
        self.number = 0
        self.stored = False
        self._selection: dict[str, Any] | None = None

    def selection(self) -> dict[str, Any]:
        """Return the values that a selector may refer to; built once."""
        if self._selection is None:
            self._selection = selection(
                self.snapshot,
                message_id=self.message_id,
                timestamp=self.timestamp,
                delivery_mode=self.delivery_mode,
                priority=self.priority,
                version=self.version,
            )
        return self._selection
