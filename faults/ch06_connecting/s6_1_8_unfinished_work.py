"""Faults in 6.1.8: what close() does with unfinished work."""

from collections import Counter

from faults.kit import *

saboteur(
    "6.1.8-26",
    "close() sends what open transactions have sent",
    lambda patch: before_end(patch, send_open),
    collateral={"6.1.8-29": "each of its sessions has sent something in an open transaction"},
)
nearly_right(
    "close-sends-several-messages-of-a-transaction",
    "close() sends what an open transaction has sent if that is more than one message",
    "6.1.8-26",
    install=lambda patch: before_end(patch, lambda session: send_open(session, many=2)),
)


saboteur(
    "6.1.8-27",
    "close() acknowledges what open transactions have received from queues",
    lambda patch: acknowledged_at_end(patch, transacted=True, queue=True),
    collateral={"6.1.8-29": "each of its sessions has received from a queue in an open transaction"},
)
saboteur(
    "6.1.8-28",
    "close() acknowledges what open transactions have received from durable subscriptions",
    lambda patch: acknowledged_at_end(patch, transacted=True, queue=False),
)


@saboteur("6.1.8-29", "close() rolls back the transaction of the session created first and commits those of the others")
def _(patch):
    first = {}

    def add(original, connection, session):
        first.setdefault(connection, session)
        return original(connection, session)

    def fault(session):
        if first[session.connection] is not session and session.mode == Session.SESSION_TRANSACTED:
            session.state.next_transaction().perform()

    patch.at(fault_points.SESSION_OPENED, add)
    before_end(patch, fault)


@saboteur("6.1.8-30", "close() rolls back the prepared branches of its sessions")
def _(patch):
    prepared = []

    def prepare(original, resource, xid):
        prepared.append((resource, xid))
        return original(resource, xid)

    def shut(original, session):
        for resource, xid in [one for one in prepared if one[0]._session is session]:
            prepared.remove((resource, xid))
            resource.rollback(xid)
        return original(session)

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.around(ReferenceSession, "shut", shut)


saboteur(
    "6.1.8-31",
    "close() acknowledges the messages of queues in CLIENT_ACKNOWLEDGE",
    lambda patch: acknowledged_at_end(patch, transacted=False, queue=True),
)
saboteur(
    "6.1.8-32",
    "close() acknowledges the messages of durable subscriptions in CLIENT_ACKNOWLEDGE",
    lambda patch: acknowledged_at_end(patch, transacted=False, queue=False),
)


def _lose(patch, *, queue):
    """Lose the next message of a consumer that is closed with its session, if it had 30 messages or more in all."""
    sent = Counter[object]()
    taken = []  # keeps them alive, so that they are not returned

    def admit(original, broker, delivery_queue, entry):
        sent[delivery_queue] += 1
        original(broker, delivery_queue, entry)

    def detach(original, consumer):
        source = consumer.receiver.delivery_queue
        session = consumer.session
        if session.closing and sent[source] >= 30 and isinstance(source.physical, PhysicalQueue) is queue:
            delivery = consumer.receiver.take()
            for unsettled in (session.state.work.acks, session.state.unacknowledged):
                if delivery in unsettled:
                    unsettled.remove(delivery)
            taken.append(delivery)
        original(consumer)

    patch.at(fault_points.ARRIVED, admit)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


saboteur(
    "6.1.8-33",
    "close() loses a message of a queue that was on its way to the client",
    lambda patch: _lose(patch, queue=True),
)
saboteur(
    "6.1.8-34",
    "close() loses a message of a durable subscription that was on its way to the client",
    lambda patch: _lose(patch, queue=False),
)
