"""Faults in 8.8: acknowledgement and transactions after the close of a consumer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container

from faults.kit.common import around, before_commit, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import put_again
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import AutoCloseable, IllegalStateException, JMSConsumer, MessageConsumer, Session

Close = Callable[[ReferenceConsumer], None]


def _is_closed(delivery: Delivery) -> bool:
    return bool(getattr(delivery.consumer, "closed", False))


@saboteur("8.8-10", "the message of a listener that closed its consumer is not acknowledged")
def _(patch: Patch) -> None:
    closed: set[ReferenceConsumer] = set()

    def close(original: Close, consumer: ReferenceConsumer) -> None:
        dispatcher = session_of(consumer).dispatcher
        if dispatcher is not None and dispatcher.is_current_thread():
            closed.add(consumer)
        original(consumer)

    def settle(original: Callable[[SessionState, Delivery], None], state: SessionState, delivery: Delivery) -> None:
        if delivery.consumer in closed:
            state.broker.redelivery.redeliver([delivery])
        else:
            original(state, delivery)

    around(patch, ReferenceConsumer, "close", close)
    patch.at(fault_points.SETTLED, settle)


def _come_again(patch: Patch, mode: int, counts: Container[int]) -> None:
    """Put the last of so many messages back that a consumer without listener received in a mode, when it is closed."""
    settled: defaultdict[object, list[StoredMessage]] = defaultdict(list)

    def settle(original: Callable[[SessionState, Delivery], None], state: SessionState, delivery: Delivery) -> None:
        original(state, delivery)
        if state.mode == mode:
            settled[delivery.consumer].append(delivery.entry)

    def detach(original: Close, consumer: ReferenceConsumer) -> None:
        if len(settled[consumer]) in counts and consumer.listener is None and not consumer.session.closing:
            put_again(consumer.receiver, settled[consumer][-1:])
        original(consumer)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur(
    "8.8-11",
    "the last message received in AUTO_ACKNOWLEDGE comes again after the close of its consumer",
    collateral={"8.8-3": "it closes a consumer that has received two messages in AUTO_ACKNOWLEDGE"},
)
def _(patch: Patch) -> None:
    _come_again(patch, Session.AUTO_ACKNOWLEDGE, range(1, 1000))


@nearly_right(
    "second-of-two-automatic-messages-comes-again",
    "the second of two messages received in AUTO_ACKNOWLEDGE comes again after the close of its consumer",
    "8.8-11",
)
def _(patch: Patch) -> None:
    _come_again(patch, Session.AUTO_ACKNOWLEDGE, {2})


@saboteur("8.8-12", "the last message received in DUPS_OK_ACKNOWLEDGE comes again after the close of its consumer")
def _(patch: Patch) -> None:
    _come_again(patch, Session.DUPS_OK_ACKNOWLEDGE, range(1, 1000))


@nearly_right(
    "second-of-two-dups-ok-messages-comes-again",
    "the second of two messages received in DUPS_OK_ACKNOWLEDGE comes again after the close of its consumer",
    "8.8-12",
)
def _(patch: Patch) -> None:
    _come_again(patch, Session.DUPS_OK_ACKNOWLEDGE, {2})


@saboteur("8.8-13", "acknowledge() is refused while the session has messages of a closed consumer")
def _(patch: Patch) -> None:
    def acknowledge(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if any(map(_is_closed, session.state.unacknowledged)):
            raise IllegalStateException("the consumer is closed", "CONSUMER_CLOSED")
        original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)


@saboteur("8.8-14", "closing a consumer acknowledges what it had received in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        original(consumer)
        state = session_of(consumer).state
        held = [one for one in state.unacknowledged if one.consumer is consumer]
        state.unacknowledged = [one for one in state.unacknowledged if one not in held]
        state.acknowledge(held, durable=True)

    around(patch, ReferenceConsumer, "close", close)


@saboteur(
    "8.8-15",
    "a commit returns the messages that a closed consumer had",
    collateral={"8.8-17": "it commits after the close of a consumer"},
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        acks = session.state.work.acks
        closed = [one for one in acks if _is_closed(one)]
        if closed:
            acks[:] = [one for one in acks if one not in closed]
            session.broker.redelivery.redeliver(closed)

    before_commit(patch, fault)


@nearly_right(
    "commit-returns-two-messages-of-a-closed-consumer",
    "a commit returns the two messages that a closed consumer had",
    "8.8-15",
)
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        acks = session.state.work.acks
        closed = [one for one in acks if _is_closed(one)]
        if len(closed) == 2:
            acks[:] = [one for one in acks if one not in closed]
            session.broker.redelivery.redeliver(closed)

    before_commit(patch, fault)


@saboteur(
    "8.8-16",
    "a rollback loses the messages that a closed consumer had",
    collateral={"8.8-17": "it rolls back after the close of a consumer"},
)
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        work.acks = [one for one in work.acks if not _is_closed(one)]
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "rollback-loses-two-messages-of-a-closed-consumer",
    "a rollback loses the two messages that a closed consumer had",
    "8.8-16",
)
def _(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if len([one for one in work.acks if _is_closed(one)]) == 2:
            work.acks = [one for one in work.acks if not _is_closed(one)]
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur("8.8-17", "closing the last consumer of a session commits its transaction")
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        original(consumer)
        session = session_of(consumer)
        if session.mode == Session.SESSION_TRANSACTED and not session.consumers and session.state.work.sends:
            session.commit()

    around(patch, ReferenceConsumer, "close", close)


@saboteur("8.8-18", "a consumer stays open at the end of a block that fails")
def _(patch: Patch) -> None:
    def leave(original: Callable[..., None], resource: AutoCloseable, *failure: object) -> None:
        if failure[0] is None or not isinstance(resource, (MessageConsumer, JMSConsumer)):
            original(resource, *failure)

    around(patch, AutoCloseable, "__exit__", leave)
