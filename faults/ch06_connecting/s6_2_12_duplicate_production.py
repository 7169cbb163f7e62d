"""Faults in 6.2.12: one send makes two messages."""

from faults.kit import *

saboteur(
    "6.2.12-1",
    "the first message of a queue that is acknowledged is dispatched once more",
    lambda patch: _dispatched_again(patch, 1),
    collateral={"6.2.12-4": "its receiver acknowledges messages of a queue and then looks for second ones"},
)


def _dispatched_again(patch, consumers):
    """Dispatch a message once more when it is acknowledged, the first of a queue that has so many consumers."""
    doubled = set()

    def remove_from_queue(original, delivery):
        original(delivery)
        physical = delivery.source.physical
        if not isinstance(physical, PhysicalQueue) or physical.consumers < consumers or physical in doubled:
            return
        if isinstance(delivery.consumer, ReferenceConsumer):
            doubled.add(physical)
            put_copy(delivery.consumer.session.broker, delivery.source, delivery.entry)

    patch.at(fault_points.REMOVED, remove_from_queue)


def _arrives_twice(patch, applies):
    """Let messages reach some subscriptions of topics twice."""

    def offer(original, broker, delivery_queue, entry):
        original(broker, delivery_queue, entry)
        physical = delivery_queue.physical
        if isinstance(physical, PhysicalTopic) and not delivery_queue.gone and applies(physical, delivery_queue):
            put_copy(broker, delivery_queue, entry)

    patch.at(fault_points.OFFERED, offer)


saboteur(
    "6.2.12-2",
    "each subscription of a topic gets each message twice",
    lambda patch: _arrives_twice(patch, lambda _physical, _delivery_queue: True),
    collateral=dict.fromkeys(("6.2.12-3", "6.2.12-4"), "some of its cases receive what was sent to a topic"),
)


@saboteur("6.2.12-3", "the loss of a link repeats the last send of each session, or the last of its last commit")
def _(patch):
    sent = {}

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        if session.mode != Session.SESSION_TRANSACTED:
            sent[session] = entry

    def committed(session):
        sent.update((session, entry) for _, entry in session.state.work.sends[-1:])

    def sever(original, connection, why):
        sessions = list(connection.sessions)
        original(connection, why)
        for session in sessions:
            if session in sent:
                send_copy(session.broker, sent[session])

    before_commit(patch, committed)
    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.LINK_LOST, sever)


@nearly_right(
    "lost-link-repeats-the-last-of-many-sends",
    "the loss of a link repeats the last of more than four sends of each session that is not transacted",
    "6.2.12-3",
)
def _(patch):
    sent = {}

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        if session.mode != Session.SESSION_TRANSACTED:
            sent[session] = (sent[session][0] + 1 if session in sent else 1, entry)

    def sever(original, connection, why):
        sessions = list(connection.sessions)
        original(connection, why)
        for session in sessions:
            count, entry = sent.get(session, (0, None))
            if count > 4 and entry is not None:
                send_copy(session.broker, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.LINK_LOST, sever)


@saboteur("6.2.12-4", "an exception of a completion listener makes the library send the message again")
def _(patch):
    sent = {}

    def remember(producer, message, entry, _options):
        sent[id(message)] = (message, producer.session.broker, entry)

    def call_listener(original, completions, completion):
        if completion.error is not None:
            original(completions, completion)
            return
        try:
            completion.listener.on_completion(completion.message)
        except Exception:  # noqa: BLE001 # the client's listener failed
            _, broker, entry = sent[id(completion.message)]
            send_copy(broker, entry)

    after_send(patch, remember)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
