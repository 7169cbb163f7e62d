"""Faults of byte streams behind URLs."""

from __future__ import annotations

from typing import Any

from faults.kit.arrivals import arriving, changed, exchanged
from faults.kit.common import Submit, as_received, connection_of
from faults.kit.declaring import saboteur
from faults.kit.messages import in_transit
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode, Int, Message

BLOCK, MANY = 1024, 40


@saboteur("pj-url-streams-1", "the first byte behind a block of 1024 arrives as zero")
def _(patch: Patch) -> None:
    def arrival(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        body = entry.snapshot.body
        longer = isinstance(body, bytes) and BLOCK < len(body) < BLOCK + 5
        return [changed(entry, body=body[:BLOCK] + b"\0" + body[BLOCK + 1 :]) if longer else entry]  # type: ignore[operator,index]

    arriving(patch, arrival)


@saboteur("pj-url-streams-2", "a bytes message of three bytes is overtaken by the next")
def _(patch: Patch) -> None:
    def short(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> bool:
        body = entry.snapshot.body
        return ordinal == 1 and isinstance(body, bytes) and len(body) == len(b"one")

    exchanged(patch, short)


def _priority(patch: Patch, mode: int, wrong: int) -> None:
    """Let urgent messages of a mode that do not expire, or others that do, arrive with a wrong priority."""

    def fault(message: Message, delivery: Delivery) -> None:
        if delivery.delivery_mode == mode and bool(delivery.expiration) is (mode == DeliveryMode.NON_PERSISTENT):
            message.jms_priority = wrong

    as_received(patch, fault)


@saboteur("pj-url-streams-3", "PERSISTENT messages that do not expire arrive with priority 8")
def _(patch: Patch) -> None:
    _priority(patch, DeliveryMode.PERSISTENT, 8)


@saboteur("pj-url-streams-4", "NON_PERSISTENT messages that expire arrive with priority 9")
def _(patch: Patch) -> None:
    _priority(patch, DeliveryMode.NON_PERSISTENT, 9)


@saboteur("pj-url-streams-5", "a connection with more than forty sessions loses the first message of the last of them")
def _(patch: Patch) -> None:
    known = set[ReferenceSession]()

    def submit(original: Submit, session: ReferenceSession, physical: Any, entry: StoredMessage) -> None:
        sessions = connection_of(session).sessions
        lost = len(sessions) > MANY and session in sessions[MANY:] and session not in known
        known.add(session)
        if not lost:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("pj-url-streams-6", "an int property arrives without what is beyond ten bits")
def _(patch: Patch) -> None:
    in_transit(patch, Int, lambda number: Int(number.value % BLOCK))
