"""Narrow faults of section 6.2.7."""

import threading
from contextlib import suppress

from faults.kit import *
from faults.nearly_right.shared import *


def _of_closed(delivery):
    return bool(getattr(delivery.consumer, "closed", False))


@nearly_right(
    "commit-leaves-closed",
    "commit does not acknowledge what consumers got that were closed before it",
    "6.2.7-1",
    by=before_commit,
)
def _(session):
    work = session.state.work
    session.state.unacknowledged += [one for one in work.acks if _of_closed(one)]
    work.acks = [one for one in work.acks if not _of_closed(one)]


@of_round(8)(
    "closed-producer-takes-its-uncommitted-sends-along",
    "the close of a producer drops what it has sent in the open transaction, and commit does not bring it",
    "6.2.7-3 6.2.7-11",
)
def _(patch):
    senders = {}

    def prepare(original, producer, *arguments):
        physical, entry = original(producer, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            senders[id(entry)] = entry, producer
        return physical, entry

    def close(original_close, self):
        original_close(self)
        work = self.session.state.work
        work.sends = [one for one in work.sends if senders.get(id(one[1]), (None, None))[1] is not self]

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.around(ReferenceProducer, "close", close)


@of_round(11)(
    "next-commit-sends-what-a-failed-one-rolled-back",
    "the messages of a commit that ended in TransactionRolledBackException are sent by the next commit of the session",
    "6.2.7-5 6.2.7-20 6.2.7-12",
    at=fault_points.COMMIT,
)
def _(original, session):
    failing = session.state.work
    try:
        original(session)
    except TransactionRolledBackException:
        session.state.work.sends[:0] = failing.sends
        raise


@of_round(8)(
    "delayed-sends-outlive-the-rollback",
    "rollback drops what the transaction has sent, except messages with a delivery delay",
    "6.2.7-5 6.2.7-4",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    original(session, work)
    now = session.broker.clock.now()
    left = Work(session.broker)
    left.sends = [(physical, entry) for physical, entry in work.sends if entry.delivery_time > now]
    if not session.closing:
        left.perform()


@nearly_right(
    "duplicate-after-rollback",
    "a message redelivered after a rollback is delivered again after its commit",
    "6.2.7-6 6.2.7-7 6.2.7-8 6.2.7-1",
)
def _(patch):
    repeated = Marked()

    def commit(original, session):
        again = [one for one in session.state.work.acks if one.count > 1 and one.entry not in repeated]
        session.state.work.acks = [one for one in session.state.work.acks if one not in again]
        original(session)
        for one in again:
            repeated.add(one.entry)
        session.broker.redelivery.redeliver(again)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "rollback-loses-closed",
    "rollback loses what consumers got that were closed before it",
    "6.2.7-6",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if not session.closing:
        work.acks = [one for one in work.acks if not _of_closed(one)]
    original(session, work)


@of_round(8)(
    "temporary-queues-are-consumed-outside-the-transaction",
    "a message that a transacted session receives from a temporary queue is gone at once: rollback does not return it",
    "6.2.7-6 8.5-8",
    at=fault_points.HANDED_OVER,
)
def _(original, state, consumer, queue, entry):
    delivery = original(state, consumer, queue, entry)
    if queue.physical.temporary and queue.physical.destination.kind == "temporary-queue" and delivery.transaction:
        state.work.acks.remove(delivery)
        delivery.held = False
        delivery.remove_from_queue()
    return delivery


@of_round(6)(
    "rollback-wakes-nobody",
    "a message given back by rollback is not handed to a consumer of another session that is waiting already",
    "6.2.7-9",
)
def _(patch):
    quiet = threading.local()

    def roll_back(original, session, work):
        quiet.now = not session.closed
        try:
            original(session, work)
        finally:
            quiet.now = False

    def put_back(original, delivery_queue, entry, deliveries):
        waiting = delivery_queue.waiting
        if getattr(quiet, "now", False):
            delivery_queue.waiting = {}
        original(delivery_queue, entry, deliveries)
        delivery_queue.waiting = waiting

    patch.at(fault_points.ROLLBACK, roll_back)
    patch.around(DeliveryQueue, "put_back", put_back)


@of_round(14)(
    "fourteen-b-closed-publisher-forgotten",
    "What a producer has sent to a topic in a transaction is dropped when the producer is closed before the commit.",
    "6.2.7-11 6.2.7-3",
)
def _(patch):
    senders = Senders(patch)

    def close(original, producer):
        was_open = not producer.closed
        original(producer)
        session = producer.session
        if was_open and producer.closed and session.state.mode == Session.SESSION_TRANSACTED:
            with session.broker.lock:
                session.state.work.sends = [
                    (physical, entry)
                    for physical, entry in session.state.work.sends
                    if senders.of(entry) is not producer or not isinstance(physical, PhysicalTopic)
                ]

    patch.around(ReferenceProducer, "close", close)


@of_round(7)(
    "unsubscribe-commits-the-transaction",
    "unsubscribe in a transacted session commits its open transaction, as if it had changed a table of a database",
    "6.2.7-17 6.2.7-5",
    around=(ReferenceSession, "unsubscribe"),
)
def _(original, self, name):
    original(self, name)
    if self.mode == JMSContext.SESSION_TRANSACTED:
        self.commit()


@of_round(9)(
    "new-durable-subscription-commits-the-transaction",
    "a transacted session that makes a durable subscription, rather than resuming one, commits its open transaction",
    "6.2.7-17 6.2.7-4",
)
def _(patch):
    made = {}  # receivers by identity

    def open_stored(original, factory, topic, key, *others, **named):
        before = factory.broker.subscriptions.durable(key)
        receiver = original(factory, topic, key, *others, **named)
        if receiver.subscription is not before:
            made[id(receiver)] = receiver
        return receiver

    def add(original, session, consumer):
        added = original(session, consumer)
        if made.pop(id(consumer.receiver), None) is not None and session.mode == Session.SESSION_TRANSACTED:
            with suppress(JMSException):
                session.commit()
        return added

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
    patch.at(fault_points.CONSUMER_ADDED, add)


@nearly_right(
    "rollback-of-receipts-loses-the-next-send",
    "after the rollback of a transaction that sent nothing, the first message of the next one is lost",
    "6.2.7-18 6.2.7-6 6.2.7-7",
)
def _(patch):
    doomed = set[object]()

    def undone(original, session, work):
        if work.acks and not work.sends:
            doomed.add(session)
        original(session, work)

    def submitted(original, session, physical, entry):
        if session in doomed:
            doomed.discard(session)
        else:
            original(session, physical, entry)

    patch.at(fault_points.ROLLBACK, undone)
    patch.at(fault_points.SEND_SUBMITTED, submitted)


@of_round(7)(
    "session-is-stopped-by-a-failed-commit",
    "a session whose commit failed, and was rolled back, receives nothing any more",
    "6.2.7-18 6.2.7-6 6.2.7-20",
)
def _(patch):
    paused = []

    def commit(original, session):
        try:
            original(session)
        except TransactionRolledBackException:
            paused.append(session)
            raise

    patch.at(fault_points.COMMIT, commit)
    kept_paused(patch, paused)


def _failing(patch, fault, after):
    """Change what a commit does that an administrator has made fail."""

    def commit(original, session):
        fails = session.mode == Session.SESSION_TRANSACTED and session.connection.commit_fails
        if fails:
            fault(session)
        try:
            original(session)
        finally:
            if fails:
                after(session)

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "failed-commit-keeps-receives", "what a failed commit had received is acknowledged all the same", "6.2.7-20"
)
def _(patch):
    def fault(session):
        received, session.state.work.acks = session.state.work.acks, []
        session.state.acknowledge(received, durable=True)

    _failing(patch, fault, lambda session: None)


@nearly_right("failed-commit-keeps-sends", "what a failed commit was to send leaves with the next commit", "6.2.7-20")
def _(patch):
    kept = {}

    def fault(session):
        kept[session] = list(session.state.work.sends)

    _failing(patch, fault, lambda session: session.state.work.sends.extend(kept.pop(session)))


@of_round(6)(
    "failed-commit-leaves-its-sends",
    "the messages sent in a transaction whose commit failed go out with the next commit of the session",
    "6.2.7-20 6.2.7-5 6.2.7-12",
)
def _(patch):
    undone = {}

    def roll_back(original, session, work):
        original(session, work)
        undone[session] = work

    def commit(original, session):
        undone.pop(session, None)
        try:
            original(session)
        except TransactionRolledBackException:
            if session in undone:
                session.state.work.sends[:0] = undone[session].sends
            raise

    patch.at(fault_points.ROLLBACK, roll_back)
    patch.at(fault_points.COMMIT, commit)
