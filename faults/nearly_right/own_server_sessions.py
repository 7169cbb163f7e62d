"""Faults of connection consumers and server sessions, under one condition only."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from faults.kit.servers import created, session_of
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.receivers import Receiver
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode, MessageListener, ServerSession, Session

Call = Callable[[ServerSessionRunner, MessageListener, Delivery], bool]


def _called(patch: Patch, fault: Callable[[Call, ServerSessionRunner, MessageListener, Delivery], bool]) -> None:
    """Replace each call of a session's own listener by `fault`, which gets the call first."""
    patch.at(server_points.OWN_LISTENER_CALLED, fault)


@nearly_right(
    "own-listener-acknowledged-before-its-call",
    "in AUTO_ACKNOWLEDGE a message of a durable subscription is acknowledged before the session's own listener is called",
    "11.2.7-2",
)
def _early(patch: Patch) -> None:
    early = list[Delivery]()

    def fault(call: Call, runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery) -> bool:
        session = session_of(runner)
        if session.mode != Session.AUTO_ACKNOWLEDGE or delivery.source.subscription is None:
            return call(runner, listener, delivery)
        session.state.settle(delivery)
        early.append(delivery)
        call(runner, listener, delivery)
        return False

    def settle(original: Callable[..., None], state: SessionState, delivery: Delivery) -> None:
        if not any(one is delivery for one in early):
            original(state, delivery)

    patch.at(fault_points.SETTLED, settle)
    _called(patch, fault)


@nearly_right(
    "commit-covers-one-run",
    "a commit in a server session covers the messages of the current run() only; those of earlier runs come again",
    "11.2.7-2",
)
def _one_run(patch: Patch) -> None:
    carried = defaultdict[ReferenceSession, list[Delivery]](list)

    def run(original: Callable[..., None], session: ReferenceSession) -> None:
        carried[session] = list(session.state.work.acks)
        original(session)

    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        work = session.state.work
        old = [one for one in work.acks if one in carried[session]]
        work.acks = [one for one in work.acks if one not in old]
        original(session)
        session.broker.redelivery.redeliver(old)

    around(patch, ReferenceSession, "run", run)
    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "rollback-loses-the-rest-of-a-batch",
    "a rollback by a session's own listener loses the messages that are loaded and not passed on yet",
    "11.2.1-4",
)
def _lost_rest(patch: Patch) -> None:
    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        if session.runner.is_current_thread():
            session.runner.loaded.clear()
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@nearly_right(
    "second-stop-spares-connection-consumers",
    "from the second stop of a connection on, its connection consumers go on",
    "11.2.4-7",
)
def _second_stop(patch: Patch) -> None:
    stops = Counter[ReferenceConnection]()

    def stop(original: Callable[..., None], connection: ReferenceConnection) -> None:
        stops[connection] += 1
        if stops[connection] < 2 or not connection.consumers:
            original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


@nearly_right(
    "selector-forgotten-when-started-again",
    "a connection consumer of a queue forgets its selector when its connection is started again",
    "11.2.4-3",
)
def _forgotten_selector(patch: Patch) -> None:
    receivers = defaultdict[ReferenceConnection, list[Receiver]](list)
    opened: list[Receiver] = []

    def open_receiver(original: Callable[..., Receiver], *arguments: Any) -> Receiver:
        opened.append(original(*arguments))
        return opened[-1]

    def create(original: Callable[..., Any], connection: ReferenceConnection, *arguments: Any) -> Any:
        consumer = original(connection, *arguments)
        receivers[connection].append(opened[-1])
        return consumer

    def stop(original: Callable[..., None], connection: ReferenceConnection) -> None:
        original(connection)
        for receiver in receivers[connection]:
            receiver.matches = None

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.CONNECTION_STOPPED, stop)
    created(patch, "create_connection_consumer", create)


@nearly_right(
    "redelivered-messages-do-not-count",
    "a batch that begins with a redelivered message has one message more than maxMessages",
    "11.2.4-5",
)
def _not_counted(patch: Patch) -> None:
    def load(
        original: Callable[..., bool],
        consumer: ReferenceConnectionConsumer,
        runner: ServerSessionRunner,
        first: Delivery,
    ) -> bool:
        most = consumer.max_messages
        consumer.max_messages += first.count > 1
        try:
            return original(consumer, runner, first)
        finally:
            consumer.max_messages = most

    patch.at(server_points.SESSION_LOADED, load)


@nearly_right(
    "close-while-the-pool-blocks-loses-a-message",
    "the message that a connection consumer has in hand is lost if it is closed while the pool blocks",
    "11.2.4-16",
    "11.2.3-2",
)
def _lost_in_hand(patch: Patch) -> None:
    waiting, closed = set[ReferenceConnectionConsumer](), set[ReferenceConnectionConsumer]()

    def take(original: Callable[..., ServerSession], consumer: ReferenceConnectionConsumer) -> ServerSession:
        waiting.add(consumer)
        try:
            return original(consumer)
        finally:
            waiting.discard(consumer)

    def close(original: Callable[..., None], consumer: ReferenceConnectionConsumer) -> None:
        if consumer in waiting:
            closed.add(consumer)
        original(consumer)

    def load(original: Callable[..., bool], consumer: ReferenceConnectionConsumer, *arguments: Any) -> bool:
        return False if consumer in closed else original(consumer, *arguments)

    patch.at(server_points.SERVER_SESSION_TAKEN, take)
    patch.at(server_points.SESSION_LOADED, load)
    around(patch, ReferenceConnectionConsumer, "close", close)


@nearly_right(
    "replaced-own-listener-is-ignored",
    "a session goes on with its first own listener when another is set after a message has come",
    "11.2.1-1",
    "11.2.1-2",
)
def _ignored_listener(patch: Patch) -> None:
    first: dict[ServerSessionRunner, MessageListener] = {}

    def fault(call: Call, runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery) -> bool:
        return call(runner, first.setdefault(runner, listener), delivery)

    _called(patch, fault)


@nearly_right(
    "failing-pool-loses-non-persistent-messages",
    "the NON_PERSISTENT message that a connection consumer has in hand is lost if the pool raises an exception",
    "11.2.7-1",
)
def _lost_by_pool(patch: Patch) -> None:
    last: dict[object, Delivery] = {}

    def take_message(original: Callable[..., Delivery | None], receiver: Receiver) -> Delivery | None:
        taken = original(receiver)
        if taken is not None:
            last[taken.consumer] = taken
        return taken

    def take(original: Callable[..., ServerSession], consumer: ReferenceConnectionConsumer) -> ServerSession:
        try:
            return original(consumer)
        except Exception:
            held = last.get(consumer)
            if held is not None and held.entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
                held.held = False
            raise

    patch.at(fault_points.MESSAGE_TAKEN, take_message)
    patch.at(server_points.SERVER_SESSION_TAKEN, take)


@nearly_right(
    "shared-connection-consumers-with-selector-have-copies",
    "connection consumers of one shared subscription with a selector have a copy of the messages each",
    "11.2.4-9",
)
def _copies(patch: Patch) -> None:
    numbers = itertools.count()

    def create(
        original: Callable[..., Any], connection: object, topic: object, name: object, selector: object, *others: Any
    ) -> Any:
        return original(connection, topic, f"{name}-{next(numbers)}" if selector else name, selector, *others)

    created(patch, "create_shared_connection_consumer", create)


@nearly_right(
    "acknowledge-covers-loaded-messages",
    "acknowledge() in a session's own listener acknowledges the loaded messages too that have not reached it yet",
    "11.2.7-1",
    "11.2.7-2",
)
def _covers_loaded(patch: Patch) -> None:
    acknowledged = list[Delivery]()

    def acknowledge(original: Callable[..., None], session: ReferenceSession) -> None:
        original(session)
        if session.runner.is_current_thread() and session.mode == Session.CLIENT_ACKNOWLEDGE:
            acknowledged.extend(session.runner.loaded)

    def drop(original: Callable[..., list[Delivery]], runner: ServerSessionRunner) -> list[Delivery]:
        return [one for one in original(runner) if one not in acknowledged]

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)
    patch.at(server_points.SESSION_UNLOADED, drop)


@nearly_right(
    "second-of-a-batch-does-not-send",
    "a transacted session does not send what its own listener sends with the second message of a run()",
    "11.2.1-7",
)
def _second_silent(patch: Patch) -> None:
    calls = Counter[ReferenceSession]()

    def run(original: Callable[..., None], session: ReferenceSession) -> None:
        calls[session] = 0
        original(session)

    def fault(call: Call, runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery) -> bool:
        calls[session_of(runner)] += 1
        return call(runner, listener, delivery)

    def submit(original: Callable[..., None], session: ReferenceSession, *arguments: Any) -> None:
        transacted = session.mode == Session.SESSION_TRANSACTED
        if not (transacted and session.runner.is_current_thread() and calls[session] == 2):
            original(session, *arguments)

    around(patch, ReferenceSession, "run", run)
    _called(patch, fault)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right(
    "failing-own-listener-loses-messages-of-a-topic",
    "in AUTO_ACKNOWLEDGE a message of a non-durable subscription is not redelivered when the own listener fails",
    "11.2.7-2",
)
def _not_again(patch: Patch) -> None:
    def fault(call: Call, runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery) -> bool:
        failed = call(runner, listener, delivery)
        lasting = isinstance(delivery.source.physical, PhysicalQueue) or delivery.source.subscription is not None
        return failed and lasting

    _called(patch, fault)


@nearly_right(
    "recover-within-a-batch-is-ignored",
    "recover() of a session's own listener has no effect while other messages are loaded",
    "11.2.7-2",
)
def _no_recover(patch: Patch) -> None:
    def recover(original: Callable[..., None], session: ReferenceSession) -> None:
        if not (session.runner.is_current_thread() and session.runner.loaded):
            original(session)

    around(patch, ReferenceSession, "recover", recover)


@nearly_right(
    "second-connection-consumer-of-a-queue-is-idle",
    "the second connection consumer of the same queue on one connection feeds nothing while the first is open",
    "11.2.4-1",
    "11.2.4-2",
)
def _idle_second(patch: Patch) -> None:
    consumers = defaultdict[tuple[object, str], list[ReferenceConnectionConsumer]](list)

    def create(original: Callable[..., Any], connection: ReferenceConnection, destination: object, *others: Any) -> Any:
        consumer = original(connection, destination, *others)
        consumers[connection, str(destination)].append(consumer)
        return consumer

    def may_take(original: Callable[..., bool], consumer: ReferenceConnectionConsumer) -> bool:
        mates = next((each for each in consumers.values() if consumer in each), [consumer])
        open_ones = [one for one in mates if one in consumer.connection.consumers]
        return original(consumer) and open_ones[:1] == [consumer]

    created(patch, "create_connection_consumer", create)
    patch.at(server_points.MESSAGES_ALLOWED, may_take)


@nearly_right(
    "delayed-messages-miss-the-own-listener",
    "a message with a delivery delay is acknowledged without a call of the session's own listener",
    "11.2.1-2",
)
def _delayed(patch: Patch) -> None:
    def fault(call: Call, runner: ServerSessionRunner, listener: MessageListener, delivery: Delivery) -> bool:
        return False if _is_delayed(delivery.entry) else call(runner, listener, delivery)

    _called(patch, fault)


def _is_delayed(entry: StoredMessage) -> bool:
    return entry.delivery_time > entry.timestamp
