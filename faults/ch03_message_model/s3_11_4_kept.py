"""Faults in 3.11.4: the kind of a message on its way."""

from faults.kit import *


def _as_other_kind(patch, kind, other):
    """Deliver messages of a class as another kind, with the same headers and properties."""

    def message_of(original, session, delivery):
        message = original(session, delivery)
        if not isinstance(message, kind):
            return message
        made = create(other, session.model)
        if other == "message" and message._frozen_body() is not None:
            return message
        made.restore(delivery.entry.snapshot._replace(kind=other, body=made._frozen_body()), delivery, session.model)
        return made

    patch.at(fault_points.MESSAGE_MADE, message_of)


saboteur(
    "3.11.4-1",
    "stream messages arrive as bytes messages",
    lambda patch: _as_other_kind(patch, ReferenceStreamMessage, "bytes"),
)
saboteur(
    "3.11.4-2",
    "map messages arrive as object messages",
    lambda patch: _as_other_kind(patch, ReferenceMapMessage, "object"),
)
saboteur(
    "3.11.4-3",
    "a text message without a text arrives as a plain message",
    lambda patch: _as_other_kind(patch, ReferenceTextMessage, "message"),
)
