"""Faults in 3.4.3: JMSMessageID."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send, received, with_preset
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.session_factories import SessionConnection
from tck.api import Message

SENDERS_ID = "the case reads the id on the sender's message"


@saboteur("3.4.3-1", "a JMSMessageID set by the client is kept")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: str) -> None:
        entry.message_id = message.jms_message_id = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return message.jms_timestamp == 0

    with_preset(patch, "jms_message_id", fault, when=when)


@saboteur(
    "3.4.3-2",
    "JMSMessageID stays null on the sender's message",
    collateral=dict.fromkeys(("3.4.3-1", "3.4.3-3", "3.4.3-4", "3.4.3-5", "3.4.3-7"), SENDERS_ID),
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_message_id = None

    after_send(patch, fault)


def _other_ids(patch: Patch, make: Callable[[ReferenceProducer, str | None], str | None]) -> None:
    """Replace JMSMessageID; `make` gets the producer and the honest id."""

    def stamp_for(original: Callable[..., Stamp], producer: ReferenceProducer, *arguments: Any) -> Stamp:
        stamp = original(producer, *arguments)
        return stamp._replace(message_id=make(producer, stamp.message_id))

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@saboteur("3.4.3-3", "message ids lack the prefix ID:")
def _(patch: Patch) -> None:
    _other_ids(patch, lambda sender, honest: honest and honest.removeprefix("ID:"))


@saboteur("3.4.3-4", "each session of a connection numbers its messages from 1")
def _(patch: Patch) -> None:
    counters: dict[int, tuple[object, Any]] = {}

    def make(sender: ReferenceProducer, honest: str | None) -> str | None:
        if honest is None:
            return None
        _, counter = counters.setdefault(id(sender.session), (sender.session, itertools.count(1)))
        return f"ID:{sender.session.connection.identity}-{next(counter)}"

    _other_ids(patch, make)


@saboteur("3.4.3-5", "a new connection reuses the message ids of a closed one")
def _(patch: Patch) -> None:
    slots: dict[int, tuple[SessionConnection, int, Any]] = {}

    def make(sender: ReferenceProducer, honest: str | None) -> str | None:
        if honest is None:
            return None
        connection = sender.session.connection
        for key, (other, _, _) in list(slots.items()):
            if other.is_down():
                del slots[key]
        if id(connection) not in slots:
            used = {slot for _, slot, _ in slots.values()}
            free = next(slot for slot in itertools.count(1) if slot not in used)
            slots[id(connection)] = (connection, free, itertools.count(1))
        _, slot, counter = slots[id(connection)]
        return f"ID:client{slot}-{next(counter)}"

    _other_ids(patch, make)


@saboteur("3.4.3-7", "the receiving client makes up a message id")
def _(patch: Patch) -> None:
    numbers = itertools.count(1)
    received(
        patch,
        "message_id",
        lambda delivery: None if delivery.entry.message_id is None else f"ID:receiver-{next(numbers)}",
    )


@saboteur("3.4.3-8", "a disabled message id is the empty string")
def _(patch: Patch) -> None:
    _other_ids(patch, lambda sender, honest: honest or "")


@saboteur("3.4.3-9", "all messages have the same id while ids are disabled")
def _(patch: Patch) -> None:
    _other_ids(patch, lambda sender, honest: honest or "ID:disabled")
