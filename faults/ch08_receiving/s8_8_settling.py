"""Faults in 8.8: acknowledgement and transactions after the close of a consumer."""

from collections import defaultdict

from faults.kit import *


def _is_closed(delivery):
    return bool(getattr(delivery.consumer, "closed", False))


@saboteur("8.8-10", "the message of a listener that closed its consumer is not acknowledged")
def _(patch):
    closed = set()

    def close(original, consumer):
        dispatcher = consumer.session.dispatcher
        if dispatcher is not None and dispatcher.is_current_thread():
            closed.add(consumer)
        original(consumer)

    def settle(original, state, delivery):
        if delivery.consumer in closed:
            state.broker.redelivery.redeliver([delivery])
        else:
            original(state, delivery)

    patch.around(ReferenceConsumer, "close", close)
    patch.at(fault_points.SETTLED, settle)


def _come_again(patch, mode, counts):
    """Put the last of so many messages back that a consumer without listener received in a mode, when it is closed."""
    settled = defaultdict(list)

    def settle(original, state, delivery):
        original(state, delivery)
        if state.mode == mode:
            settled[delivery.consumer].append(delivery.entry)

    def detach(original, consumer):
        if len(settled[consumer]) in counts and consumer.listener is None and not consumer.session.closing:
            put_again(consumer.receiver, settled[consumer][-1:])
        original(consumer)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


saboteur(
    "8.8-11",
    "the last message received in AUTO_ACKNOWLEDGE comes again after the close of its consumer",
    lambda patch: _come_again(patch, Session.AUTO_ACKNOWLEDGE, range(1, 1000)),
    collateral={"8.8-3": "it closes a consumer that has received two messages in AUTO_ACKNOWLEDGE"},
)
saboteur(
    "8.8-12",
    "the last message received in DUPS_OK_ACKNOWLEDGE comes again after the close of its consumer",
    lambda patch: _come_again(patch, Session.DUPS_OK_ACKNOWLEDGE, range(1, 1000)),
)


@saboteur(
    "8.8-13",
    "acknowledge() is refused while the session has messages of a closed consumer",
    at=fault_points.MESSAGE_ACKNOWLEDGED,
)
def _(original, session):
    if any(map(_is_closed, session.state.unacknowledged)):
        raise IllegalStateException("the consumer is closed", "CONSUMER_CLOSED")
    original(session)


@saboteur(
    "8.8-14",
    "closing a consumer acknowledges what it had received in CLIENT_ACKNOWLEDGE",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    original(consumer)
    state = consumer.session.state
    held = [one for one in state.unacknowledged if one.consumer is consumer]
    state.unacknowledged = [one for one in state.unacknowledged if one not in held]
    state.acknowledge(held, durable=True)


@saboteur(
    "8.8-15",
    "a commit returns the messages that a closed consumer had",
    collateral={"8.8-17": "it commits after the close of a consumer"},
    by=before_commit,
)
def _(session):
    acks = session.state.work.acks
    closed = [one for one in acks if _is_closed(one)]
    if closed:
        acks[:] = [one for one in acks if one not in closed]
        session.broker.redelivery.redeliver(closed)


@saboteur(
    "8.8-16",
    "a rollback loses the messages that a closed consumer had",
    collateral={"8.8-17": "it rolls back after the close of a consumer"},
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    work.acks = [one for one in work.acks if not _is_closed(one)]
    original(session, work)


@nearly_right(
    "rollback-loses-two-messages-of-a-closed-consumer",
    "a rollback loses the two messages that a closed consumer had",
    "8.8-16",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if len([one for one in work.acks if _is_closed(one)]) == 2:
        work.acks = [one for one in work.acks if not _is_closed(one)]
    original(session, work)


@saboteur(
    "8.8-17", "closing the last consumer of a session commits its transaction", around=(ReferenceConsumer, "close")
)
def _(original, consumer):
    original(consumer)
    session = consumer.session
    if session.mode == Session.SESSION_TRANSACTED and not session.consumers and session.state.work.sends:
        session.commit()


@saboteur("8.8-18", "a consumer stays open at the end of a block that fails", around=(AutoCloseable, "__exit__"))
def _(original, resource, *failure):
    if failure[0] is None or not isinstance(resource, (MessageConsumer, JMSConsumer)):
        original(resource, *failure)
