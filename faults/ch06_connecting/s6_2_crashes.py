"""Faults in 6.2: what a session held when its client or the provider died."""

from faults.kit import *


def _of_queue(delivery):
    return isinstance(delivery.source.physical, PhysicalQueue)


def _of_durable(delivery):
    return delivery.source.subscription is not None


def _at_loss(patch, fault):
    """Run `fault` for each session of a connection whose link breaks, before anything is redelivered."""

    def sever(original, connection, why):
        for session in connection.sessions:
            fault(session)
        original(connection, why)

    patch.at(fault_points.LINK_LOST, sever)


def _taken_out(deliveries, condition):
    """Remove those deliveries of a list that meet a condition; return them."""
    out = [one for one in deliveries if condition(one)]
    deliveries[:] = [one for one in deliveries if one not in out]
    return out


def _acknowledged_at_restart(patch, condition):
    """Acknowledge what was delivered and not acknowledged when the provider is restarted."""

    def restart(original, server):
        for connection in list(server.connections):
            for session in connection.sessions if isinstance(connection, ReferenceConnection) else []:
                state = session.state
                for owed in (state.unacknowledged, state.work.acks):
                    state.acknowledge(_taken_out(owed, condition), durable=True)
        original(server)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)


@saboteur(
    "6.2-15",
    "the loss of a link acknowledges queue messages in CLIENT_ACKNOWLEDGE if the session received several",
    by=_at_loss,
)
def _(session):
    owed = session.state.unacknowledged
    if len(owed) > 1:
        session.state.acknowledge(_taken_out(owed, _of_queue), durable=True)


@saboteur(
    "6.2-16", "the loss of a link acknowledges the messages of durable subscriptions in CLIENT_ACKNOWLEDGE", by=_at_loss
)
def _(session):
    session.state.acknowledge(_taken_out(session.state.unacknowledged, _of_durable), durable=True)


@saboteur("6.2-17", "the loss of a link commits the queue messages that its transactions received", by=_at_loss)
def _(session):
    if session.mode == Session.SESSION_TRANSACTED:
        session.state.acknowledge(_taken_out(session.state.work.acks, _of_queue), durable=True)


@saboteur("6.2-18", "messages of durable subscriptions stay locked to a transaction whose link was lost", by=_at_loss)
def _(session):
    if session.mode == Session.SESSION_TRANSACTED:
        _taken_out(session.state.work.acks, _of_durable)


saboteur(
    "6.2-19",
    "the loss of a link acknowledges the next ten messages of each consumer in DUPS_OK_ACKNOWLEDGE",
    lambda patch: _next_acknowledged(patch, {Session.DUPS_OK_ACKNOWLEDGE}),
)
saboteur(
    "6.2-22",
    "the loss of a link acknowledges the next ten messages of each consumer, but in DUPS_OK_ACKNOWLEDGE",
    lambda patch: _next_acknowledged(
        patch, {Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED}
    ),
)


def _next_acknowledged(patch, modes):
    """Acknowledge what the consumers of a lost session would get next."""

    def fault(session):
        if session.mode not in modes:
            return
        with session.broker.lock:
            taken = [consumer.receiver.take() for consumer in session.consumers for _ in range(10)]
        session.state.acknowledge([delivery for delivery in taken if delivery is not None], durable=True)

    _at_loss(patch, fault)


saboteur(
    "6.2-20",
    "a restart acknowledges the queue messages that were delivered and not acknowledged",
    lambda patch: _acknowledged_at_restart(patch, _of_queue),
)
saboteur(
    "6.2-21",
    "a restart acknowledges the messages of durable subscriptions that were not acknowledged",
    lambda patch: _acknowledged_at_restart(patch, _of_durable),
)
