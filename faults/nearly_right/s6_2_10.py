"""Narrow faults of section 6.2.10."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(8)(
    "acknowledge-on-a-stopped-connection-is-lost",
    "acknowledge has no effect while the connection is stopped: the messages come again",
    "6.2.10-7 6.2.10-8 6.2.10-14",
    at=fault_points.ACKNOWLEDGED,
)
def _(original, session):
    connection = session.connection
    if connection.running or connection.is_down():
        original(session)


@of_round(14)(
    "fourteen-b-acknowledge-open-only",
    "acknowledge leaves out what a consumer of a shared durable subscription had received before it was closed.",
    "6.2.10-11 8.8-13 8.3.4-13",
)
def _(patch):
    def left_out(delivery):
        consumer = delivery.consumer
        subscription = consumer.receiver.subscription if isinstance(consumer, ReferenceConsumer) else None
        return subscription is not None and consumer.closed and subscription.durable and subscription.shared

    def acknowledge(original, session):
        state = session.state
        with session.broker.lock:
            kept = [one for one in state.unacknowledged if left_out(one)]
            state.unacknowledged = [one for one in state.unacknowledged if one not in kept]
        original(session)
        with session.broker.lock:
            state.unacknowledged[:0] = kept

    patch.at(fault_points.ACKNOWLEDGED, acknowledge)


@of_round(6)(
    "acknowledge-is-cumulative-on-shared-durable-subscriptions",
    "acknowledge also settles earlier messages of the shared durable subscription that other sessions hold",
    "6.2.10-12 8.3.4-12",
)
def _(patch):
    def acknowledge_all(original, session):
        acknowledged = [one for one in session.state.unacknowledged if is_shared_durable(one)]
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
    "context-acknowledge-skips-closed-consumers",
    "acknowledge of a JMSContext leaves out messages whose consumer has been closed in the meantime",
    "6.2.10-14 8.8-13",
    around=(ReferenceContext, "acknowledge"),
)
def _(original, context):
    state = context.session.state
    with state.broker.lock:
        skipped = [one for one in state.unacknowledged if has_closed_consumer(one)]
        state.unacknowledged = [one for one in state.unacknowledged if one not in skipped]
    try:
        original(context)
    finally:
        with state.broker.lock:
            state.unacknowledged[:0] = skipped


@of_round(7)(
    "transacted-session-heeds-its-second-argument",
    "in a session made with createSession(true, CLIENT_ACKNOWLEDGE) acknowledge settles what the transaction received,"
    " so that rollback does not bring it back",
    "6.2.10-16 3.6-3 6.2-3 6.2.7-6",
)
def _(patch):
    asked = set()
    heeding = []

    def session_mode(original, connection, transacted, mode):
        asked.discard(id(connection))
        if transacted is True and mode == Session.CLIENT_ACKNOWLEDGE:
            asked.add(id(connection))
        return original(connection, transacted, mode)

    def add_session(original, connection, session):
        if id(connection) in asked:
            heeding.append(session)
        asked.discard(id(connection))
        return original(connection, session)

    def acknowledge(original, session):
        original(session)
        if session in heeding:
            with session.broker.lock:
                received, session.state.work.acks = session.state.work.acks, []
            session.state.acknowledge(received, durable=True)

    patch.at(fault_points.SESSION_MODE_CHOSEN, session_mode)
    patch.at(fault_points.SESSION_OPENED, add_session)
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)


@of_round(7)(
    "recover-skips-shared-subscriptions",
    "recover does not bring back the messages of shared non-durable subscriptions, though their consumer is open",
    "6.2.10-22 6.2.10-23 4.2.8-1",
)
def _(patch):
    def is_lost(delivery):
        subscription = delivery.consumer.receiver.subscription
        return subscription is not None and subscription.shared and not subscription.durable

    def recover(original, self):
        self.check_open()
        with self.broker.lock:
            for delivery in [one for one in self.state.unacknowledged if is_lost(one)]:
                self.state.unacknowledged.remove(delivery)
                delivery.remove_from_queue()
        original(self)

    patch.around(ReferenceSession, "recover", recover)


@of_round(6)(
    "recover-in-a-listener-covers-its-consumer-only",
    "recover called by a message listener brings back the messages of that listener's consumer and no other",
    "6.2.10-23 6.2.10-20",
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


def _is_recovered(delivery):
    """Return whether a message that is not persistent is redelivered in a session that is not transacted."""
    consumer = delivery.consumer
    again = delivery.count > 1 and delivery.entry.delivery_mode == DeliveryMode.NON_PERSISTENT
    return again and consumer is not None and consumer.session.mode != Session.SESSION_TRANSACTED


@nearly_right(
    "recovered-non-persistent-unflagged",
    "recover does not flag messages that are not persistent",
    "6.2.10-31",
    by=as_received,
)
def _(message, delivery):
    if _is_recovered(delivery):
        message.jms_redelivered = False


@of_round(11)(
    "rollback-forgets-deliveries-of-a-closed-consumer",
    "a message whose consumer was closed before the rollback comes again as if it had never been delivered",
    "6.2.10-33 3.4.7-2 6.2.10-34 3.5.11-2",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if not session.closing:
        orphans = [one for one in work.acks if getattr(one.consumer, "closed", False)]
        work.acks = [one for one in work.acks if one not in orphans]
        with session.broker.lock:
            for one in orphans:
                one.undo()
    original(session, work)


@of_round(14)(
    "fourteen-b-rolled-back-to-another",
    "A queue message that was rolled back once comes to another consumer without JMSRedelivered.",
    "6.2.10-33 3.4.7-2 3.4.7-1",
)
def _(patch):
    rolled_back = {}

    def roll_back(original, session, work):
        if not session.closing:
            rolled_back.update({id(one.entry): (one.entry, one.consumer) for one in work.acks if from_queue(one)})
        original(session, work)

    def fault(message, delivery):
        _, former = rolled_back.get(id(delivery.entry), (None, delivery.consumer))
        if delivery.count == 2 and former is not delivery.consumer and isinstance(delivery.consumer, ReferenceConsumer):
            message.jms_redelivered = False

    patch.at(fault_points.ROLLBACK, roll_back)
    as_received(patch, fault)


@of_round(6)(
    "redelivery-to-another-session-looks-new",
    "a message that was rolled back by one session comes to another with count 1 and without JMSRedelivered",
    "6.2.10-34 6.2.10-33",
)
def _(patch):
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
