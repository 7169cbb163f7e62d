"""Faults in 9.1: delivery modes that mix, and what a client that fails had not acknowledged."""

from faults.kit import *

EXPLICIT = frozenset({Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})


@saboteur("9.1-4", "the first message sent to a destination decides the delivery mode of all")
def _(patch):
    modes = {}

    def fault(sender, message, entry, options):
        entry.delivery_mode = modes.setdefault(entry.destination, entry.delivery_mode)

    after_send(patch, fault)


@saboteur(
    "9.1-5",
    "a message is acknowledged when its listener returns, also in CLIENT_ACKNOWLEDGE and transactions",
    at=fault_points.LISTENER_CALLED,
)
def _(original, dispatcher, listener, delivery):
    failed = original(dispatcher, listener, delivery)
    state = dispatcher.session.state
    for owed in (state.unacknowledged, state.work.acks):
        if delivery in owed and not failed:
            owed.remove(delivery)
            state.acknowledge([delivery], durable=True)
    return failed


def _held_at_loss(patch):
    """Remember the messages that clients held when their link broke."""
    marked = Marked()

    def sever(original, connection, why):
        for session in connection.sessions:
            for delivery in (*session.state.unacknowledged, *session.state.work.acks):
                if session.mode in EXPLICIT:
                    marked.add(delivery.entry)
        original(connection, why)

    patch.at(fault_points.LINK_LOST, sever)
    return marked


@saboteur("9.1-6", "what a client had not acknowledged when its link was lost comes again without JMSRedelivered")
def _(patch):
    marked = _held_at_loss(patch)

    def unset(message, delivery):
        if delivery.entry in marked:
            message.jms_redelivered = False

    as_received(patch, unset)


@saboteur(
    "9.1-7", "what a client had not acknowledged when its link was lost comes again with a JMSXDeliveryCount of 1"
)
def _(patch):
    marked = _held_at_loss(patch)
    provider_property(patch, "JMSXDeliveryCount", lambda one: Int(1 if one.entry in marked else one.count))
