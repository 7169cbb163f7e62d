"""Narrow faults of section 9.1."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "loses-what-a-listener-of-a-transaction-had-at-a-cut",
    "a link breaks while a listener of a transacted session runs: the message that it has is lost",
    "9.1-1 6.2-17",
    origin="reported",
    at=fault_points.LISTENER_ABANDONED,
)
def _(original, dispatcher):
    """As AMQ-9829."""
    held, session = dispatcher.current, dispatcher.session
    with session.broker.lock:
        if held is not None and session.state.mode == Session.SESSION_TRANSACTED and held in session.state.work.acks:
            session.state.work.acks.remove(held)
            held.remove_from_queue()
    return original(dispatcher)


_LARGE = 100 * 1024


def _is_large(entry):
    body = entry.snapshot.body
    return isinstance(body, str | bytes) and len(body) > _LARGE


@of_round(8)(
    "large-message-in-the-place-of-a-consumed-one-is-not-stored",
    "a PERSISTENT message of more than 100 KiB does not survive the provider if a large one of its destination was consumed before",
    "9.1-1",
)
def _(patch):
    emptied = set()

    def remove_from_queue(original, delivery):
        original(delivery)
        if _is_large(delivery.entry):
            emptied.add(delivery.source.physical.destination)

    def stores(original, physical, entry, delivery_queues):
        in_a_used_place = _is_large(entry) and physical.destination in emptied
        return original(physical, entry, delivery_queues) and not in_a_used_place

    patch.at(fault_points.REMOVED, remove_from_queue)
    patch.at(fault_points.STORED, stores)


@of_round(8)(
    "message-consumed-by-a-transaction-that-sends-to-its-queue-comes-again",
    "what a transaction has received from a destination to which it also sends is delivered again after a restart",
    "9.1-2",
    around=(Work, "statements"),
)
def _(original, self):
    found = original(self)
    for ack in self.acks:
        if ack.stored and any(ack.source in delivery_queues for _, _, delivery_queues in self.routed_sends):
            found = [one for one in found if one not in ack.forget_statements()]
    return found


@nearly_right(
    "temporary-persistent", "a temporary destination delivers every message as NON_PERSISTENT", "9.1-4", by=after_send
)
def _(sender, message, entry, options):
    if entry.destination.kind.startswith("temporary"):
        entry.delivery_mode = DeliveryMode.NON_PERSISTENT


@nearly_right(
    "second-failure-discards",
    "what two clients left unacknowledged is discarded with the second",
    "9.1-5",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    state = session.state
    for owed in (state.unacknowledged, state.work.acks):
        twice = [one for one in owed if one.count > 1]
        owed[:] = [one for one in owed if one not in twice]
        if session.connection.is_down():
            state.acknowledge(twice, durable=True)
        else:
            owed.extend(twice)
    original(session)


@nearly_right(
    "closed-consumer-acknowledges",
    "the close of a consumer acknowledges what its session received in a batch",
    "9.1-5",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    original(consumer)
    state = consumer.session.state
    own = [one for one in state.unacknowledged if one.consumer is consumer]
    if own and isinstance(consumer.receiver.physical, PhysicalQueue):
        state.unacknowledged[:] = [one for one in state.unacknowledged if one not in own]
        state.acknowledge(own, durable=True)


@nearly_right("second-failure-unflagged", "after a second lost link JMSRedelivered is not set", "9.1-6")
def _(patch):
    lost = {}

    def sever(original, connection, why):
        for session in connection.sessions:
            for one in (*session.state.unacknowledged, *session.state.work.acks):
                lost[one.entry.number] = lost.get(one.entry.number, 0) + 1
        original(connection, why)

    def unset(message, delivery):
        if lost.get(delivery.entry.number, 0) > 1 and delivery.count > 2:
            message.jms_redelivered = False

    patch.at(fault_points.LINK_LOST, sever)
    as_received(patch, unset)


@of_round(10)(
    "only-the-first-message-of-a-transaction-says-redelivered",
    "after the death of the provider only the first message of the open transaction has JMSRedelivered set",
    "9.1-6 9.1-7",
    around=(SessionState, "mark"),
)
def _(original, state, delivery, *, listener):
    if state.mode != Session.SESSION_TRANSACTED or state.work.acks[0] is delivery:
        original(state, delivery, listener=listener)
