"""Faults in 6.2.15: what a closed session, its parts and its messages still do."""

from faults.kit import *


def _cached(patch, owner, name, read):
    """Let a property answer without a check where `read` returns True and a value."""
    original = getattr(owner, name)

    def getter(part):
        cached, value = read(part)
        return value if cached else original.fget(part)

    patch.replace(owner, name, property(getter, original.fset))


@saboteur(
    "6.2.15-19",
    "getAcknowledgeMode() of a closed session answers",
    by=lambda patch, made: _cached(patch, ReferenceSession, "acknowledge_mode", made),
)
def _(session):
    return (session.closed and alone(session), session.mode)


@saboteur(
    "6.2.15-20",
    "getMessageSelector() of a consumer answers after its session is closed",
    by=lambda patch, made: _cached(patch, ReferenceConsumer, "message_selector", made),
)
def _(consumer):
    session = consumer.session
    return session.closed and alone(session), consumer.receiver.selector or None


@saboteur("6.2.15-22", "a map message that was not read before cannot be read after its session is closed")
def _(patch):
    unread = {}

    def keep(message, delivery):
        consumer = delivery.consumer
        if isinstance(message, ReferenceMapMessage) and isinstance(consumer, ReferenceConsumer):
            unread[id(message)] = (message, consumer.session)

    def get_string(original, message, name):
        kept = unread.pop(id(message), None)
        if kept is not None and kept[1].closed and alone(kept[1]):
            raise IllegalStateException("the session is closed")
        return original(message, name)

    as_received(patch, keep)
    patch.around(ReferenceMapMessage, "get_string", get_string)
