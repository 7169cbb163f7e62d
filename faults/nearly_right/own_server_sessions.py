"""Faults of connection consumers and server sessions, under one condition only."""

import itertools
from collections import Counter, defaultdict

from faults.kit import *


def _called(patch, fault):
    """Replace each call of a session's own listener by `fault`, which gets the call first."""
    patch.at(server_points.OWN_LISTENER_CALLED, fault)


@nearly_right(
    "own-listener-acknowledged-before-its-call",
    "in AUTO_ACKNOWLEDGE a message of a durable subscription is acknowledged before the session's own listener is called",
    "11.2.7-2",
)
def _early(patch):
    early = list[Delivery]()

    def fault(call, runner, listener, delivery):
        session = runner.session
        if session.mode != Session.AUTO_ACKNOWLEDGE or delivery.source.subscription is None:
            return call(runner, listener, delivery)
        session.state.settle(delivery)
        early.append(delivery)
        call(runner, listener, delivery)
        return False

    def settle(original, state, delivery):
        if not any(one is delivery for one in early):
            original(state, delivery)

    patch.at(fault_points.SETTLED, settle)
    _called(patch, fault)


@nearly_right(
    "commit-covers-one-run",
    "a commit in a server session covers the messages of the current run() only; those of earlier runs come again",
    "11.2.7-2",
)
def _one_run(patch):
    carried = defaultdict[ReferenceSession, list[Delivery]](list)

    def run(original, session):
        carried[session] = list(session.state.work.acks)
        original(session)

    def commit(original, session):
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
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if session.runner.is_current_thread():
        session.runner.loaded.clear()
    original(session, work)


@nearly_right(
    "second-stop-spares-connection-consumers",
    "from the second stop of a connection on, its connection consumers go on",
    "11.2.4-7",
)
def _second_stop(patch):
    stops = Counter[ReferenceConnection]()

    def stop(original, connection):
        stops[connection] += 1
        if stops[connection] < 2 or not connection.consumers:
            original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


@nearly_right(
    "selector-forgotten-when-started-again",
    "a connection consumer of a queue forgets its selector when its connection is started again",
    "11.2.4-3",
)
def _forgotten_selector(patch):
    receivers = defaultdict[ReferenceConnection, list[Receiver]](list)
    opened = []

    def open_receiver(original, *arguments):
        opened.append(original(*arguments))
        return opened[-1]

    def create(original, connection, *arguments):
        consumer = original(connection, *arguments)
        receivers[connection].append(opened[-1])
        return consumer

    def stop(original, connection):
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
    at=server_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    most = consumer.max_messages
    consumer.max_messages += first.count > 1
    try:
        return original(consumer, runner, first)
    finally:
        consumer.max_messages = most


@nearly_right(
    "close-while-the-pool-blocks-loses-a-message",
    "the message that a connection consumer has in hand is lost if it is closed while the pool blocks",
    "11.2.4-16",
    "11.2.3-2",
)
def _lost_in_hand(patch):
    waiting, closed = set[ReferenceConnectionConsumer](), set[ReferenceConnectionConsumer]()

    def take(original, consumer):
        waiting.add(consumer)
        try:
            return original(consumer)
        finally:
            waiting.discard(consumer)

    def close(original, consumer):
        if consumer in waiting:
            closed.add(consumer)
        original(consumer)

    def load(original, consumer, *arguments):
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
def _ignored_listener(patch):
    first = {}

    def fault(call, runner, listener, delivery):
        return call(runner, first.setdefault(runner, listener), delivery)

    _called(patch, fault)


@nearly_right(
    "failing-pool-loses-non-persistent-messages",
    "the NON_PERSISTENT message that a connection consumer has in hand is lost if the pool raises an exception",
    "11.2.7-1",
)
def _lost_by_pool(patch):
    last = {}

    def take_message(original, receiver):
        taken = original(receiver)
        if taken is not None:
            last[taken.consumer] = taken
        return taken

    def take(original, consumer):
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
def _copies(patch):
    numbers = itertools.count()

    def create(original, connection, topic, name, selector, *others):
        return original(connection, topic, f"{name}-{next(numbers)}" if selector else name, selector, *others)

    created(patch, "create_shared_connection_consumer", create)


@nearly_right(
    "acknowledge-covers-loaded-messages",
    "acknowledge() in a session's own listener acknowledges the loaded messages too that have not reached it yet",
    "11.2.7-1",
    "11.2.7-2",
)
def _covers_loaded(patch):
    acknowledged = list[Delivery]()

    def acknowledge(original, session):
        original(session)
        if session.runner.is_current_thread() and session.mode == Session.CLIENT_ACKNOWLEDGE:
            acknowledged.extend(session.runner.loaded)

    def drop(original, runner):
        return [one for one in original(runner) if one not in acknowledged]

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)
    patch.at(server_points.SESSION_UNLOADED, drop)


@nearly_right(
    "second-of-a-batch-does-not-send",
    "a transacted session does not send what its own listener sends with the second message of a run()",
    "11.2.1-7",
)
def _second_silent(patch):
    calls = Counter[ReferenceSession]()

    def run(original, session):
        calls[session] = 0
        original(session)

    def fault(call, runner, listener, delivery):
        calls[runner.session] += 1
        return call(runner, listener, delivery)

    def submit(original, session, *arguments):
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
    by=_called,
)
def _(call, runner, listener, delivery):
    failed = call(runner, listener, delivery)
    lasting = isinstance(delivery.source.physical, PhysicalQueue) or delivery.source.subscription is not None
    return failed and lasting


@nearly_right(
    "recover-within-a-batch-is-ignored",
    "recover() of a session's own listener has no effect while other messages are loaded",
    "11.2.7-2",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if not (session.runner.is_current_thread() and session.runner.loaded):
        original(session)


@nearly_right(
    "second-connection-consumer-of-a-queue-is-idle",
    "the second connection consumer of the same queue on one connection feeds nothing while the first is open",
    "11.2.4-1",
    "11.2.4-2",
)
def _idle_second(patch):
    consumers = defaultdict[tuple[object, str], list[ReferenceConnectionConsumer]](list)

    def create(original, connection, destination, *others):
        consumer = original(connection, destination, *others)
        consumers[connection, str(destination)].append(consumer)
        return consumer

    def may_take(original, consumer):
        mates = next((each for each in consumers.values() if consumer in each), [consumer])
        open_ones = [one for one in mates if one in consumer.connection.consumers]
        return original(consumer) and open_ones[:1] == [consumer]

    created(patch, "create_connection_consumer", create)
    patch.at(server_points.MESSAGES_ALLOWED, may_take)


@nearly_right(
    "delayed-messages-miss-the-own-listener",
    "a message with a delivery delay is acknowledged without a call of the session's own listener",
    "11.2.1-2",
    by=_called,
)
def _(call, runner, listener, delivery):
    return False if _is_delayed(delivery.entry) else call(runner, listener, delivery)


def _is_delayed(entry):
    return entry.delivery_time > entry.timestamp
