"""Faults in 6.2.15: closing a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each, connection_of, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.pauses import pause, stopped_connections
from faults.kit.sessions import alone
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from tck.api import AutoCloseable, IllegalStateException, JMSContext, Session

_Await = Callable[[ReferenceConsumer, int | None], Delivery | None]


@saboteur("6.2.15-1", "the close of the last session closes the connection")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        original(session)
        if not connection_of(session).sessions:
            connection_of(session).close()

    around(patch, ReferenceSession, "close", close)


def _ending(patch: Patch, fault: Callable[[ReferenceConsumer], None]) -> None:
    """Run `fault` when a receive() without a message is about to return since its session is closed."""

    def next_delivery(original: _Await, consumer: ReferenceConsumer, timeout: int | None) -> Delivery | None:
        delivery = original(consumer, timeout)
        if delivery is None and alone(session_of(consumer)):
            fault(consumer)
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.2.15-3", "close() of a session does not end a receive() while the connection is stopped")
def _(patch: Patch) -> None:
    stopped = stopped_connections(patch)

    def fault(consumer: ReferenceConsumer) -> None:
        if connection_of(session_of(consumer)) in stopped:
            pause(connection_of(session_of(consumer)))

    _ending(patch, fault)


@saboteur("6.2.15-4", "a receive() with a selector that the close of its session ends raises IllegalStateException")
def _(patch: Patch) -> None:
    def fault(consumer: ReferenceConsumer) -> None:
        if consumer.receiver.selector:
            raise IllegalStateException("the session was closed meanwhile")

    _ending(patch, fault)


@saboteur("6.2.15-6", "close() of a session returns half a second before the receive() that it ends")
def _(patch: Patch) -> None:
    def wait_until_idle(original: Callable[..., None], session: ReferenceSession) -> None:
        if not alone(session):
            original(session)
        elif session.dispatcher is not None:
            session.dispatcher.wait_until_idle()

    patch.at(fault_points.CALLS_AWAITED, wait_until_idle)
    _ending(patch, lambda consumer: pause(connection_of(session_of(consumer)), 500))


@saboteur(
    "6.2.15-12",
    "a closed session keeps its durable subscriptions in use, and its consumers answer receives",
    collateral={"6.2.15-20": "it calls a consumer of a closed session"},
)
def _(patch: Patch) -> None:
    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        source = consumer.receiver.delivery_queue
        if alone(session_of(consumer)) and source.in_file and not isinstance(source.physical, PhysicalQueue):
            consumer.closed = True
        else:
            original(consumer)

    def receive(original: Callable[..., Any], consumer: ReferenceConsumer, *arguments: Any) -> Any:
        return None if consumer.session.closed else original(consumer, *arguments)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    around_each(patch, ReferenceConsumer, ("receive", "receive_no_wait"), receive)


@nearly_right(
    "subscription-stays-in-use-with-messages-in-hand",
    "a durable subscription stays in use when its session is closed with messages in hand",
    "6.2.15-12",
)
def _(patch: Patch) -> None:
    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        session, source = session_of(consumer), consumer.receiver.delivery_queue
        held = session.state.unacknowledged or session.state.work.acks
        if alone(session) and held and source.in_file and not isinstance(source.physical, PhysicalQueue):
            consumer.closed = True
        else:
            original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur("6.2.15-13", "a block that an exception of the client ends does not close its session")
def _(patch: Patch) -> None:
    def leave(original: Callable[..., None], resource: AutoCloseable, kind: Any, *failure: Any) -> None:
        if kind is None or not isinstance(resource, (Session, JMSContext)):
            original(resource, kind, *failure)

    around(patch, AutoCloseable, "__exit__", leave)


@saboteur("6.2.15-21", "close() of a consumer with a listener raises IllegalStateException after its session is closed")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        session = session_of(consumer)
        if session.closed and alone(session) and session.dispatcher is not None:
            raise IllegalStateException("the session is closed")
        original(consumer)

    around(patch, ReferenceConsumer, "close", close)


@saboteur("6.2.15-24", "the third close() of a session raises IllegalStateException")
def _(patch: Patch) -> None:
    calls = Counter[ReferenceSession]()

    def close(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        calls[session] += 1
        if calls[session] == 3:
            raise IllegalStateException("the session is closed")
        original(session)

    around(patch, ReferenceSession, "close", close)
