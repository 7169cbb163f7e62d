"""Faults in 6.1.8: what close() does with unfinished work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.sessions import acknowledged_at_end, before_end, send_open
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import Session, Xid

_BATCH = 3
"""Messages from which on a close settles them, where it does so in batches."""


@saboteur(
    "6.1.8-26",
    "close() sends what open transactions have sent",
    collateral={"6.1.8-29": "each of its sessions has sent something in an open transaction"},
)
def _(patch: Patch) -> None:
    before_end(patch, send_open)


@nearly_right(
    "close-sends-several-messages-of-a-transaction",
    "close() sends what an open transaction has sent if that is more than one message",
    "6.1.8-26",
)
def _(patch: Patch) -> None:
    before_end(patch, lambda session: send_open(session, many=2))


@saboteur(
    "6.1.8-27",
    "close() acknowledges what open transactions have received from queues",
    collateral={"6.1.8-29": "each of its sessions has received from a queue in an open transaction"},
)
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=True)


@nearly_right(
    "close-acknowledges-a-batch-of-a-queue-in-a-transaction",
    "close() acknowledges what an open transaction has received from queues from three messages on",
    "6.1.8-27",
)
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=True, many=_BATCH)


@saboteur("6.1.8-28", "close() acknowledges what open transactions have received from durable subscriptions")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=False)


@nearly_right(
    "close-acknowledges-a-batch-of-a-subscription-in-a-transaction",
    "close() acknowledges what an open transaction has received from durable subscriptions from three messages on",
    "6.1.8-28",
)
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=False, many=_BATCH)


@saboteur("6.1.8-29", "close() rolls back the transaction of the session created first and commits those of the others")
def _(patch: Patch) -> None:
    first: dict[ReferenceConnection, ReferenceSession] = {}

    def add(original: Callable[..., Any], connection: ReferenceConnection, session: ReferenceSession) -> Any:
        first.setdefault(connection, session)
        return original(connection, session)

    def fault(session: ReferenceSession) -> None:
        if first[connection_of(session)] is not session and session.mode == Session.SESSION_TRANSACTED:
            session.state.next_transaction().perform()

    patch.at(fault_points.SESSION_OPENED, add)
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


@saboteur("6.1.8-31", "close() acknowledges the messages of queues in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=True)


@nearly_right(
    "close-acknowledges-a-batch-of-a-queue",
    "close() acknowledges the messages of queues in CLIENT_ACKNOWLEDGE from three messages on",
    "6.1.8-31",
)
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=True, many=_BATCH)


@saboteur("6.1.8-32", "close() acknowledges the messages of durable subscriptions in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=False)


@nearly_right(
    "close-acknowledges-a-batch-of-a-subscription",
    "close() acknowledges the messages of durable subscriptions in CLIENT_ACKNOWLEDGE from three messages on",
    "6.1.8-32",
)
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=False, many=_BATCH)


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
