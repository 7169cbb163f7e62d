"""Faults in 6.1.8: what close() does with unfinished work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.resource import ReferenceXAResource
from reference_provider.saboteurs.faults import around, connection_of, session_of
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.session_faults import acknowledged_at_end, before_end, send_open
from tck.api import Session, Xid


@saboteur("6.1.8-26", "close() commits an open transaction that has sent several messages")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        if len(session.state.work.sends) > 1:
            send_open(session)

    before_end(patch, fault)


@saboteur("6.1.8-27", "close() acknowledges three or more messages that an open transaction received from a queue")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=True)


@saboteur("6.1.8-28", "close() acknowledges three or more messages of a durable subscription in an open transaction")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=False)


@saboteur("6.1.8-29", "close() rolls back only the transaction of the session created first")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        if connection_of(session).sessions[0] is not session and session.mode == Session.SESSION_TRANSACTED:
            send_open(session)

    before_end(patch, fault)


@saboteur("6.1.8-30", "close() rolls back the prepared branches of its sessions")
def _(patch: Patch) -> None:
    prepared: list[tuple[ReferenceXAResource, Xid]] = []

    def prepare(original: Callable[..., int], resource: ReferenceXAResource, xid: Xid) -> int:
        prepared.append((resource, xid))
        return original(resource, xid)

    def shut(original: Callable[[ReferenceSession], bool], session: ReferenceSession) -> bool:
        for resource, xid in [one for one in prepared if one[0]._session is session]:
            prepared.remove((resource, xid))
            resource.rollback(xid)
        return original(session)

    patch.at(fault_points.XA_PREPARE, prepare)
    around(patch, ReferenceSession, "shut", shut)


@saboteur("6.1.8-31", "close() acknowledges three or more messages of a queue in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=True)


@saboteur("6.1.8-32", "close() acknowledges three or more messages of a durable subscription in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=False)


def _lose(patch: Patch, *, queue: bool) -> None:
    """Lose the next message of a consumer that is closed with its session, if it had 30 messages or more in all."""
    sent = Counter[object]()
    taken: list[Delivery | None] = []  # keeps them alive, so that they are not returned

    def admit(original: Callable[..., None], broker: Broker, delivery_queue: Any, entry: StoredMessage) -> None:
        sent[delivery_queue] += 1
        original(broker, delivery_queue, entry)

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        source = consumer.receiver.delivery_queue
        session = session_of(consumer)
        if session.closing and sent[source] >= 30 and isinstance(source.physical, PhysicalQueue) is queue:
            delivery = consumer.receiver.take()
            for unsettled in (session.state.work.acks, session.state.unacknowledged):
                if delivery in unsettled:
                    unsettled.remove(delivery)
            taken.append(delivery)
        original(consumer)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("6.1.8-33", "close() loses a message of a queue that was on its way to the client")
def _(patch: Patch) -> None:
    _lose(patch, queue=True)


@saboteur("6.1.8-34", "close() loses a message of a durable subscription that was on its way to the client")
def _(patch: Patch) -> None:
    _lose(patch, queue=False)
