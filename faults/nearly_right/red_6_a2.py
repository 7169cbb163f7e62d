"""Red round 6, second part: faults in sessions, acknowledgment and transactions, written without sight of the suite."""

import threading

from faults.kit import *

_BATCH = 3


def _subscription_of(delivery):
    consumer = delivery.consumer
    return consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None


def _is_shared_durable(delivery):
    subscription = _subscription_of(delivery)
    return subscription is not None and subscription.shared and subscription.durable


def _has_closed_consumer(delivery):
    return isinstance(delivery.consumer, ReferenceConsumer) and delivery.consumer.closed


@of_round(6)(
    "commit-in-a-listener-leaves-its-message",
    "commit called by a message listener does not acknowledge the message that the listener has in hand",
    "6.2.7-1",
    "6.2.7-2",
    "6.2.7-12",
    "8.7-10",
    at=fault_points.COMMIT,
)
def _(original, session):
    dispatcher = session.dispatcher
    current = dispatcher.current if dispatcher is not None and dispatcher.is_current_thread() else None
    if current is None or current not in session.state.work.acks:
        original(session)
        return
    session.state.work.acks.remove(current)
    try:
        original(session)
    finally:
        with session.broker.lock:
            session.state.enter(current)


@of_round(6)(
    "redelivery-to-another-session-looks-new",
    "a message that was rolled back by one session comes to another with count 1 and without JMSRedelivered",
    "6.2.10-34",
    "6.2.10-33",
)
def _looks_new(patch):
    holders = {}

    def roll_back(original, session, work):
        for ack in work.acks:
            holders[ack.source, ack.entry.number] = session.state
        original(session, work)

    def open_delivery(original, state, consumer, delivery_queue, entry):
        delivery = original(state, consumer, delivery_queue, entry)
        if holders.get((delivery_queue, entry.number), state) is not state:
            delivery.count = 1
        return delivery

    patch.at(fault_points.ROLLBACK, roll_back)
    patch.at(fault_points.HANDED_OVER, open_delivery)


@of_round(6)(
    "rollback-forgets-closed-shared-durable-consumers",
    "rollback does not give back what a consumer of a shared durable subscription received before it was closed",
    "8.8-16",
    "6.2.7-7",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if not session.closed:
        work.acks = [ack for ack in work.acks if not (_is_shared_durable(ack) and _has_closed_consumer(ack))]
    original(session, work)


@of_round(6)(
    "rollback-wakes-nobody",
    "a message given back by rollback is not handed to a consumer of another session that is waiting already",
    "6.2.7-9",
)
def _wakes_nobody(patch):
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
    around(patch, DeliveryQueue, "put_back", put_back)


@of_round(6)(
    "failed-commit-leaves-its-sends",
    "the messages sent in a transaction whose commit failed go out with the next commit of the session",
    "6.2.7-20",
    "6.2.7-5",
    "6.2.7-12",
)
def _leaves_sends(patch):
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


@of_round(6)(
    "recover-in-a-listener-covers-its-consumer-only",
    "recover called by a message listener brings back the messages of that listener's consumer and no other",
    "6.2.10-23",
    "6.2.10-20",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    dispatcher = session.dispatcher
    if dispatcher is None or not dispatcher.is_current_thread() or dispatcher.current is None:
        original(session)
        return
    consumer, state = dispatcher.current.consumer, session.state
    with session.broker.lock:
        others = [one for one in state.unacknowledged if one.consumer is not consumer]
        state.unacknowledged = [one for one in state.unacknowledged if one.consumer is consumer]
    original(session)
    with session.broker.lock:
        state.unacknowledged[:0] = others


@of_round(6)(
    "context-acknowledge-skips-closed-consumers",
    "acknowledge of a JMSContext leaves out messages whose consumer has been closed in the meantime",
    "6.2.10-14",
    "8.8-13",
    around=(ReferenceContext, "acknowledge"),
)
def _(original, context):
    state = context.session.state
    with state.broker.lock:
        skipped = [one for one in state.unacknowledged if _has_closed_consumer(one)]
        state.unacknowledged = [one for one in state.unacknowledged if one not in skipped]
    try:
        original(context)
    finally:
        with state.broker.lock:
            state.unacknowledged[:0] = skipped


@of_round(6)(
    "acknowledge-is-cumulative-on-shared-durable-subscriptions",
    "acknowledge also settles earlier messages of the shared durable subscription that other sessions hold",
    "6.2.10-12",
    "8.3.4-12",
)
def _cumulative(patch):
    def acknowledge_all(original, session):
        acknowledged = [one for one in session.state.unacknowledged if _is_shared_durable(one)]
        original(session)
        connections = list(session.connection.server.connections)
        for state in (other.state for connection in connections for other in connection.sessions):
            earlier = [one for one in state.unacknowledged if any(_is_before(one, ours) for ours in acknowledged)]
            for one in earlier:
                state.unacknowledged.remove(one)
            state.acknowledge(earlier, durable=True)

    def _is_before(one, other):
        return one.source is other.source and one.entry.number < other.entry.number

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@of_round(6)(
    "listener-acknowledges-durable-messages-in-batches",
    "messages that a listener got from a durable subscription are acknowledged three at a time, so a failure repeats two",
    "6.2.11-5",
    "6.2.10-4",
)
def _batches(patch):
    held = {}

    def settle(original, state, delivery):
        listened = getattr(delivery.consumer, "listener", None) is not None
        if state.mode != Session.AUTO_ACKNOWLEDGE or delivery.source.subscription is None or not listened:
            original(state, delivery)
            return
        held.setdefault(state, []).append(delivery)
        if len(held[state]) == _BATCH:
            flush(original, state)

    def flush(original, state):
        for delivery in held.pop(state, []):
            original(state, delivery)

    sound = SessionState.settle

    def drop_unfinished(original, session):
        if session.connection.lost is None:
            flush(sound, session.state)
        session.broker.redelivery.redeliver(held.pop(session.state, []))
        original(session)

    def close(original, consumer):
        original(consumer)
        flush(sound, consumer.session.state)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
    around(patch, ReferenceConsumer, "close", close)


@of_round(6)(
    "delayed-messages-of-a-transaction-are-reversed",
    "messages sent to one destination in one transaction with the same delay arrive together, the last one first",
    "6.2.9.2-5",
    "6.2.9.2-10",
)
def _reversed(patch):
    delays = {}
    releases = {}

    def prepared(producer, message, entry, options):
        if options.delivery_delay:
            delays[entry] = options.delivery_delay

    def committed(session):
        sends = session.state.work.sends
        groups = {}
        for index, (physical, entry) in enumerate(sends):
            if entry in delays:
                groups.setdefault((physical, delays[entry]), []).append(index)
        for indexes in groups.values():
            together = [sends[index] for index in indexes]
            latest = max(entry.delivery_time for _, entry in together)
            for index, (physical, entry) in zip(indexes, reversed(together), strict=True):
                sends[index] = physical, entry
                releases[entry] = latest

    def add(original, schedule, delivery_queue, entry):
        due, entry.delivery_time = entry.delivery_time, releases.get(entry, entry.delivery_time)
        original(schedule, delivery_queue, entry)
        entry.delivery_time = due

    after_send(patch, prepared)
    before_commit(patch, committed)
    around(patch, Schedule, "add", add)
