"""Faults in 9.1: delivery modes that mix, and what a client that fails had not acknowledged."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import Marked, after_send, as_received
from faults.kit.declaring import saboteur
from faults.kit.messages import provider_property
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.producers import Options, ReferenceProducer
from tck.api import Int, Message, MessageListener, Session

EXPLICIT = frozenset({Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})


@saboteur("9.1-4", "the first message sent to a destination decides the delivery mode of all")
def _(patch: Patch) -> None:
    modes: dict[object, int] = {}

    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        entry.delivery_mode = modes.setdefault(entry.destination, entry.delivery_mode)

    after_send(patch, fault)


@saboteur("9.1-5", "a message is acknowledged when its listener returns, also in CLIENT_ACKNOWLEDGE and transactions")
def _(patch: Patch) -> None:
    def call_listener(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        failed = original(dispatcher, listener, delivery)
        state = dispatcher.session.state
        for owed in (state.unacknowledged, state.work.acks):
            if delivery in owed and not failed:
                owed.remove(delivery)
                state.acknowledge([delivery], durable=True)
        return failed

    patch.at(fault_points.LISTENER_CALLED, call_listener)


def _held_at_loss(patch: Patch) -> Marked:
    """Remember the messages that clients held when their link broke."""
    marked = Marked()

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        for session in connection.sessions:
            for delivery in (*session.state.unacknowledged, *session.state.work.acks):
                if session.mode in EXPLICIT:
                    marked.add(delivery.entry)
        original(connection, why)

    patch.at(fault_points.LINK_LOST, sever)
    return marked


@saboteur("9.1-6", "what a client had not acknowledged when its link was lost comes again without JMSRedelivered")
def _(patch: Patch) -> None:
    marked = _held_at_loss(patch)

    def unset(message: Message, delivery: Delivery) -> None:
        if delivery.entry in marked:
            message.jms_redelivered = False

    as_received(patch, unset)


@saboteur(
    "9.1-7", "what a client had not acknowledged when its link was lost comes again with a JMSXDeliveryCount of 1"
)
def _(patch: Patch) -> None:
    marked = _held_at_loss(patch)
    provider_property(patch, "JMSXDeliveryCount", lambda one: Int(1 if one.entry in marked else one.count))
