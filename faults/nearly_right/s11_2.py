"""Narrow faults of section 11.2 but for acknowledgment and control."""

from collections import Counter, defaultdict

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "replaced-own-listener-is-ignored",
    "a session goes on with its first own listener when another is set after a message has come",
    "11.2.1-1 11.2.1-2",
)
def _(patch):
    first = {}

    def fault(call, runner, listener, delivery):
        return call(runner, first.setdefault(runner, listener), delivery)

    patch.at(server_points.OWN_LISTENER_CALLED, fault)


@nearly_right(
    "delayed-messages-miss-the-own-listener",
    "a message with a delivery delay is acknowledged without a call of the session's own listener",
    "11.2.1-2",
    at=server_points.OWN_LISTENER_CALLED,
)
def _(call, runner, listener, delivery):
    delayed = delivery.entry.delivery_time > delivery.entry.timestamp
    return False if delayed else call(runner, listener, delivery)


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


@of_round(10)(
    "run-returns-after-a-failed-listener",
    "run leaves the rest of the assigned messages where they are when the listener has raised",
    "11.2.1-4 11.2.1-5",
)
def _(patch):
    failed = []

    def call_listener(original, runner, listener, delivery):
        raised = original(runner, listener, delivery)
        if raised:
            failed.append(runner)
        return raised

    def next_delivery(original, runner):
        if any(one is runner for one in failed):
            failed[:] = [one for one in failed if one is not runner]
            return None
        return original(runner)

    patch.at(server_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(server_points.RUN_CONTINUED, next_delivery)


@of_round(8)(
    "failing-own-listener-ends-the-run",
    "run() returns when the session's own listener raises, and leaves the rest of the batch to the next run()",
    "11.2.1-4",
)
def _(patch):
    failing = set()

    def call_listener(original, runner, listener, delivery):
        failed = original(runner, listener, delivery)
        if failed:
            failing.add(runner)
        return failed

    def next_delivery(original, runner):
        if runner in failing:
            failing.discard(runner)
            return None
        return original(runner)

    patch.at(asf_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(asf_points.RUN_CONTINUED, next_delivery)


@nearly_right(
    "second-of-a-batch-does-not-send",
    "a transacted session does not send what its own listener sends with the second message of a run()",
    "11.2.1-7",
)
def _(patch):
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

    patch.around(ReferenceSession, "run", run)
    patch.at(server_points.OWN_LISTENER_CALLED, fault)
    patch.at(fault_points.SEND_SUBMITTED, submit)


@nearly_right(
    "second-connection-consumer-of-a-queue-is-idle",
    "the second connection consumer of the same queue on one connection feeds nothing while the first is open",
    "11.2.4-1 11.2.4-2",
)
def _(patch):
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
    "selector-forgotten-when-started-again",
    "a connection consumer of a queue forgets its selector when its connection is started again",
    "11.2.4-3",
)
def _(patch):
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


@of_round(10)(
    "batch-is-filled-up-without-the-selector",
    "a connection consumer on a queue applies its selector to the first message of a batch only",
    "11.2.4-3",
    at=server_points.SESSION_LOADED,
)
def _(original, consumer, runner, first):
    receiver = consumer._receiver
    matches, receiver.matches = receiver.matches, None
    try:
        return original(consumer, runner, first)
    finally:
        receiver.matches = matches


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
    "second-stop-spares-connection-consumers",
    "from the second stop of a connection on, its connection consumers go on",
    "11.2.4-7",
)
def _(patch):
    stops = Counter[ReferenceConnection]()

    def stop(original, connection):
        stops[connection] += 1
        if stops[connection] < 2 or not connection.consumers:
            original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


@nearly_right(
    "close-while-the-pool-blocks-loses-a-message",
    "the message that a connection consumer has in hand is lost if it is closed while the pool blocks",
    "11.2.4-16 11.2.3-2",
)
def _(patch):
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
    patch.around(ReferenceConnectionConsumer, "close", close)
