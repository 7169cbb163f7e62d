"""Faults in 6.2: what a session held when its client or the provider died."""

from __future__ import annotations

from collections.abc import Callable, Collection

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.server import Server
from tck.api import Session

Condition = Callable[[Delivery], bool]


def _of_queue(delivery: Delivery) -> bool:
    return isinstance(delivery.source.physical, PhysicalQueue)


def _of_durable(delivery: Delivery) -> bool:
    return delivery.source.subscription is not None


def _at_loss(patch: Patch, fault: Callable[[ReferenceSession], None]) -> None:
    """Run `fault` for each session of a connection whose link breaks, before anything is redelivered."""

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        for session in connection.sessions:
            fault(session)
        original(connection, why)

    patch.at(fault_points.LINK_LOST, sever)


def _taken_out(deliveries: list[Delivery], condition: Condition) -> list[Delivery]:
    """Remove those deliveries of a list that meet a condition; return them."""
    out = [one for one in deliveries if condition(one)]
    deliveries[:] = [one for one in deliveries if one not in out]
    return out


def _acknowledged_at_restart(patch: Patch, condition: Condition) -> None:
    """Acknowledge what was delivered and not acknowledged when the provider is restarted."""

    def restart(original: Callable[..., None], server: Server) -> None:
        for connection in list(server.connections):
            for session in connection.sessions if isinstance(connection, ReferenceConnection) else []:
                state = session.state
                for owed in (state.unacknowledged, state.work.acks):
                    state.acknowledge(_taken_out(owed, condition), durable=True)
        original(server)

    patch.at(fault_points.PROVIDER_RESTARTED, restart)


@saboteur(
    "6.2-15", "the loss of a link acknowledges queue messages in CLIENT_ACKNOWLEDGE if the session received several"
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        owed = session.state.unacknowledged
        if len(owed) > 1:
            session.state.acknowledge(_taken_out(owed, _of_queue), durable=True)

    _at_loss(patch, fault)


@saboteur("6.2-16", "the loss of a link acknowledges the messages of durable subscriptions in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        session.state.acknowledge(_taken_out(session.state.unacknowledged, _of_durable), durable=True)

    _at_loss(patch, fault)


@saboteur("6.2-17", "the loss of a link commits the queue messages that its transactions received")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        if session.mode == Session.SESSION_TRANSACTED:
            session.state.acknowledge(_taken_out(session.state.work.acks, _of_queue), durable=True)

    _at_loss(patch, fault)


@saboteur("6.2-18", "messages of durable subscriptions stay locked to a transaction whose link was lost")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        if session.mode == Session.SESSION_TRANSACTED:
            _taken_out(session.state.work.acks, _of_durable)

    _at_loss(patch, fault)


@saboteur("6.2-19", "the loss of a link acknowledges the next ten messages of each consumer in DUPS_OK_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    _next_acknowledged(patch, {Session.DUPS_OK_ACKNOWLEDGE})


@saboteur(
    "6.2-22", "the loss of a link acknowledges the next ten messages of each consumer, but in DUPS_OK_ACKNOWLEDGE"
)
def _(patch: Patch) -> None:
    _next_acknowledged(patch, {Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})


def _next_acknowledged(patch: Patch, modes: Collection[int]) -> None:
    """Acknowledge what the consumers of a lost session would get next."""

    def fault(session: ReferenceSession) -> None:
        if session.mode not in modes:
            return
        with session.broker.lock:
            taken = [consumer.receiver.take() for consumer in session.consumers for _ in range(10)]
        session.state.acknowledge([delivery for delivery in taken if delivery is not None], durable=True)

    _at_loss(patch, fault)


@saboteur("6.2-20", "a restart acknowledges the queue messages that were delivered and not acknowledged")
def _(patch: Patch) -> None:
    _acknowledged_at_restart(patch, _of_queue)


@saboteur("6.2-21", "a restart acknowledges the messages of durable subscriptions that were not acknowledged")
def _(patch: Patch) -> None:
    _acknowledged_at_restart(patch, _of_durable)
