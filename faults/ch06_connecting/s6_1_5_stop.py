"""Faults in 6.1.5: connections that are stopped and started."""

from collections import Counter

from faults.kit import *


def _connection(consumer):
    return consumer.session.connection


@saboteur(
    "6.1.5-1",
    "stop() does not reach the listeners of a connection with a single session",
    collateral={"6.1.5-14": "a message waits behind the listener that stop() waited for"},
)
def _(patch):
    undeterred = Undeterred(patch)

    def go_on(connection):
        if len(connection.sessions) == 1 and listening(connection):
            undeterred.add(connection.sessions[0])

    after_stop(patch, go_on)


@saboteur("6.1.5-2", "receive() without a time limit raises IllegalStateException on a stopped connection")
def _(patch):
    stopped = stopped_connections(patch)

    def next_delivery(original, consumer, timeout):
        if timeout is None and _connection(consumer) in stopped:
            raise IllegalStateException("the connection is stopped")
        return original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.1.5-3",
    "receiveNoWait() returns prefetched messages on a stopped connection",
    collateral=dict.fromkeys(("6.1.5-4", "6.1.5-10"), "it calls receiveNoWait() after stop()"),
)
def _(patch):
    stopped = stopped_connections(patch)

    def next_delivery(original, consumer, timeout):
        connection = _connection(consumer)
        if timeout == 0 and connection in stopped:
            with connection.broker.lock:
                return consumer.receiver.take()
        return original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.1.5-4",
    "stop() reaches only the session created first",
    collateral={
        "6.1.5-5": "each of its contexts has a session, and stop() is to reach all of them",
        "6.1.5-10": "the listener that stop() is to reach is not that of the first session",
        "6.1.5-11": "one of its two listeners is in the second session",
    },
)
def _(patch):
    undeterred = Undeterred(patch)

    def go_on(connection):
        for session in connection.sessions[1:]:
            undeterred.add(session)

    after_stop(patch, go_on)


@saboteur("6.1.5-5", "stop() of the first of three contexts pauses only that context")
def _(patch):
    undeterred = Undeterred(patch)

    def stop(original, context):
        original(context)
        sessions = context.connection.sessions
        if len(sessions) == 3 and sessions[0] is context.session:
            for other in sessions[1:]:
                undeterred.add(other)

    patch.around(ReferenceContext, "stop", stop)


def _drops(patch, applies):
    """Drop some of the messages that reach consumers of a stopped connection, by their number there."""
    stopped = stopped_connections(patch)
    receivers = []
    held = Counter[ReferenceConnection]()

    def open_receiver(original, factory, *arguments):
        receiver = original(factory, *arguments)
        receivers.append((receiver, factory.connection))
        return receiver

    def admit(original, broker, queue, entry):
        for receiver, connection in receivers:
            if receiver.delivery_queue is queue and not receiver.closed and connection in stopped:
                held[connection] += 1
                if applies(held[connection]):
                    return
        original(broker, queue, entry)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)
    patch.at(fault_points.ARRIVED, admit)


saboteur(
    "6.1.5-6",
    "messages that reach a stopped consumer are dropped",
    lambda patch: _drops(patch, lambda _count: True),
    collateral={
        **dict.fromkeys(("6.1.5-9", "6.1.5-12"), "it sends while the connection is stopped and receives after that"),
        "8.4-7": "its case sends while the connection is stopped and receives after that",
    },
)
nearly_right(
    "stopped-consumer-drops-its-third-message",
    "the third message that reaches a stopped consumer is dropped",
    "6.1.5-6",
    install=lambda patch: _drops(patch, lambda count: count == 3),
)


@saboteur("6.1.5-7", "a synchronous send blocks while the connection is stopped")
def _(patch):
    stopped = stopped_connections(patch)

    def send_now(original, producer, *arguments):
        connection = producer.session
        if connection.connection in stopped and not connection.in_listener():
            pause(connection.connection)
        original(producer, *arguments)

    patch.around(ReferenceProducer, "send_now", send_now)


@saboteur("6.1.5-8", "completion listeners are not called while the connection is stopped")
def _(patch):
    stopped = stopped_connections(patch)
    owners = {}

    def add_session(original, connection, session):
        owners[session.completions] = connection
        return original(connection, session)

    def call_listener(original, completions, completion):
        if owners.get(completions) not in stopped:
            original(completions, completion)

    patch.at(fault_points.SESSION_OPENED, add_session)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)


@saboteur("6.1.5-9", "each stop() must be matched by a start()")
def _(patch):
    stops = Counter[ReferenceConnection]()

    def stop(original, connection):
        original(connection)
        stops[connection] += 1

    def start(original, connection):
        stops[connection] -= 1
        if stops[connection] <= 0:
            stops[connection] = 0
            original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)


@saboteur("6.1.5-10", "after three needless calls of start() one stop() does nothing")
def _(patch):
    needless = Counter[ReferenceConnection]()

    def start(original, connection):
        needless[connection] += connection.running
        original(connection)

    def stop(original, connection):
        if needless.pop(connection, 0) < 3:
            original(connection)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.CONNECTION_STOPPED, stop)


@saboteur("6.1.5-12", "a receive() that waited before the stop still takes the next message")
def _(patch):
    undeterred = Undeterred(patch)
    waiting = set[ReferenceConsumer]()

    def next_delivery(original, consumer, timeout):
        if timeout is None:
            waiting.add(consumer)
        try:
            return original(consumer, timeout)
        finally:
            waiting.discard(consumer)

    def go_on(connection):
        for consumer in [one for one in waiting if _connection(one) is connection]:
            undeterred.add(consumer.session)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
    after_stop(patch, go_on)


@saboteur("6.1.5-13", "the timer of a receive() that waits when the connection is stopped stands still")
def _(patch):
    stopped = stopped_connections(patch)

    def next_delivery(original, consumer, timeout):
        before = _connection(consumer) in stopped
        delivery = original(consumer, timeout)
        if delivery is None and timeout and not before and _connection(consumer) in stopped:
            return original(consumer, None)
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
