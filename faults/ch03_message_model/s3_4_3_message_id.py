"""Faults in 3.4.3: JMSMessageID."""

import itertools

from faults.kit import *

SENDERS_ID = "the case reads the id on the sender's message"


@saboteur("3.4.3-1", "a JMSMessageID set by the client is kept")
def _(patch):
    def fault(sender, message, entry, preset):
        entry.message_id = message.jms_message_id = preset

    def when(sender, message, options):
        return message.jms_timestamp == 0

    with_preset(patch, "jms_message_id", fault, when=when)


@saboteur(
    "3.4.3-2",
    "JMSMessageID stays null on the sender's message",
    collateral=dict.fromkeys(("3.4.3-1", "3.4.3-3", "3.4.3-4", "3.4.3-5", "3.4.3-7"), SENDERS_ID),
    by=after_send,
)
def _(sender, message, entry, options):
    message.jms_message_id = None


def _other_ids(patch, make):
    """Replace JMSMessageID; `make` gets the producer and the honest id."""

    def stamp_for(original, producer, *arguments):
        stamp = original(producer, *arguments)
        return stamp._replace(message_id=make(producer, stamp.message_id))

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


saboteur(
    "3.4.3-3",
    "message ids lack the prefix ID:",
    lambda patch: _other_ids(patch, lambda sender, honest: honest and honest.removeprefix("ID:")),
)


@saboteur("3.4.3-4", "each session of a connection numbers its messages from 1")
def _(patch):
    counters = {}

    def make(sender, honest):
        if honest is None:
            return None
        _, counter = counters.setdefault(id(sender.session), (sender.session, itertools.count(1)))
        return f"ID:{sender.session.connection.identity}-{next(counter)}"

    _other_ids(patch, make)


@saboteur("3.4.3-5", "a new connection reuses the message ids of a closed one")
def _(patch):
    slots = {}

    def make(sender, honest):
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
def _(patch):
    numbers = itertools.count(1)
    received(
        patch,
        "message_id",
        lambda delivery: None if delivery.entry.message_id is None else f"ID:receiver-{next(numbers)}",
    )


saboteur(
    "3.4.3-8",
    "a disabled message id is the empty string",
    lambda patch: _other_ids(patch, lambda sender, honest: honest or ""),
)
saboteur(
    "3.4.3-9",
    "all messages have the same id while ids are disabled",
    lambda patch: _other_ids(patch, lambda sender, honest: honest or "ID:disabled"),
)
