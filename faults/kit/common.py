"""Helpers that several saboteurs use."""

import time

from faults.kit.seams import *


def after_send(patch, fault):
    """Run `fault` after each preparation of a send: the sender's message has its headers, the entry is frozen."""

    def prepare(original, producer, message, destination, options):
        physical, entry = original(producer, message, destination, options)
        fault(producer, message, entry, options)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


def with_preset(patch, header, fault, *, when):
    """Run `fault` after a send of a message for which `when` is true, with the value of `header` before the send.

    `when` leaves out messages that were sent before: their header has the value of that send.
    """

    def prepare(original, producer, message, destination, options):
        preset = getattr(message, header) if when(producer, message, options) else None
        physical, entry = original(producer, message, destination, options)
        if preset is not None:
            fault(producer, message, entry, preset)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


def never_sent(message):
    """Return whether the message has never been sent."""
    return message.jms_timestamp == 0 and message.jms_message_id is None


def as_received(patch, fault):
    """Run `fault` on each message object before a client gets it."""

    def message_of(original, session, delivery):
        message = original(session, delivery)
        fault(message, delivery)
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


def received(patch, name, value):
    """Change the value of a header, such as `priority`, in received messages."""
    as_received(patch, lambda message, delivery: setattr(message, f"jms_{name}", value(delivery)))


def before_commit(patch, fault):
    """Run `fault` before each commit of a transacted session."""

    def commit(original, session):
        if session.mode == Session.SESSION_TRANSACTED:
            fault(session)
        original(session)

    patch.at(fault_points.COMMIT, commit)


class Marked:
    """A set of entries by identity; it keeps them alive, so that no identity is used twice."""

    def __init__(self):
        self._entries = {}

    def add(self, entry):
        """Remember an entry."""
        self._entries[id(entry)] = entry

    def __contains__(self, entry):
        return id(entry) in self._entries


def sent_outside_transactions(patch):
    """Remember the messages that sessions send without a transaction."""
    marked = Marked()

    def submit(original, session, physical, entry):
        if session.mode != Session.SESSION_TRANSACTED:
            marked.add(entry)
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
    return marked


def unsupported(patch, owner, name, why):
    """Raise UnsupportedOperationException from a method."""

    def refused(self, *arguments, **options):
        raise UnsupportedOperationException(why)

    patch.replace(owner, name, refused)


def zone_offset():
    """Return the offset of the local time zone in milliseconds."""
    return time.localtime().tm_gmtoff * 1000


def acknowledge_ignored(patch, *, connection_closed):
    """Ignore acknowledge() of a message whose session is closed, if its connection is open, or if it is closed too."""

    def acknowledge_from_message(original, session):
        if not (session.closed and session.connection.closed is connection_closed):
            original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge_from_message)


def null_refused(patch, owner, name):
    """Raise NullPointerException from a method when its first argument is null."""
    original = getattr(owner, name)

    def method(self, destination, *others, **named):
        if destination is None:
            raise NullPointerException("null")
        return original(self, destination, *others, **named)

    patch.replace(owner, name, method)


def settled_by_receive_body(patch, mode, *, failed):
    """Acknowledge the message of a receiveBody at once in a mode, after failed calls or after the others."""

    def hand_out_body(original, consumer, delivery, read):
        failing = True
        try:
            body = original(consumer, delivery, read)
            failing = False
            return body
        finally:
            state = consumer.session.state
            if failing is failed and state.mode == mode:
                for unacknowledged in (state.work.acks, state.unacknowledged):
                    if delivery in unacknowledged:
                        unacknowledged.remove(delivery)
                        state.acknowledge([delivery], durable=True)

    patch.at(fault_points.BODY_RECEIVED, hand_out_body)


def around_each(patch, owner, names, fault):
    """Replace several methods by `fault`, whose first argument is the original method."""
    for name in names:
        patch.around(owner, name, fault)


def raising_instead(patch, owner, name, of, wrong):
    """Let a method, or the getter of a property, raise `wrong` where it raises `of`."""
    found = getattr(owner, name)
    original = found.fget if isinstance(found, property) else found

    def faulty(*arguments, **keywords):
        try:
            return original(*arguments, **keywords)
        except of as error:
            raise wrong(str(error)) from error

    patch.replace(owner, name, property(faulty, found.fset) if isinstance(found, property) else faulty)
