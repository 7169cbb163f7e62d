"""Faults in 6.2.15: closing a session."""

from collections import Counter

from faults.kit import *


@saboteur("6.2.15-1", "the close of the last session closes the connection")
def _(patch):
    def close(original, session):
        original(session)
        if not session.connection.sessions:
            session.connection.close()

    patch.around(ReferenceSession, "close", close)


def _ending(patch, fault):
    """Run `fault` when a receive() without a message is about to return since its session is closed."""

    def next_delivery(original, consumer, timeout):
        delivery = original(consumer, timeout)
        if delivery is None and alone(consumer.session):
            fault(consumer)
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.2.15-3", "close() of a session does not end a receive() while the connection is stopped")
def _(patch):
    stopped = stopped_connections(patch)

    def fault(consumer):
        if consumer.session.connection in stopped:
            pause(consumer.session.connection)

    _ending(patch, fault)


@saboteur(
    "6.2.15-4",
    "a receive() with a selector that the close of its session ends raises IllegalStateException",
    by=_ending,
)
def _(consumer):
    if consumer.receiver.selector:
        raise IllegalStateException("the session was closed meanwhile")


@saboteur("6.2.15-6", "close() of a session returns half a second before the receive() that it ends")
def _(patch):
    def wait_until_idle(original, session):
        if not alone(session):
            original(session)
        elif session.dispatcher is not None:
            session.dispatcher.wait_until_idle()

    patch.at(fault_points.CALLS_AWAITED, wait_until_idle)
    _ending(patch, lambda consumer: pause(consumer.session.connection, 500))


@saboteur(
    "6.2.15-12",
    "a closed session keeps its durable subscriptions in use, and its consumers answer receives",
    collateral={"6.2.15-20": "it calls a consumer of a closed session"},
)
def _(patch):
    def detach(original, consumer):
        source = consumer.receiver.delivery_queue
        if alone(consumer.session) and source.in_file and not isinstance(source.physical, PhysicalQueue):
            consumer.closed = True
        else:
            original(consumer)

    def receive(original, consumer, *arguments):
        return None if consumer.session.closed else original(consumer, *arguments)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    around_each(patch, ReferenceConsumer, ("receive", "receive_no_wait"), receive)


@saboteur(
    "6.2.15-13",
    "a block that an exception of the client ends does not close its session",
    around=(AutoCloseable, "__exit__"),
)
def _(original, resource, kind, *failure):
    if kind is None or not isinstance(resource, (Session, JMSContext)):
        original(resource, kind, *failure)


@saboteur(
    "6.2.15-21",
    "close() of a consumer with a listener raises IllegalStateException after its session is closed",
    around=(ReferenceConsumer, "close"),
)
def _(original, consumer):
    session = consumer.session
    if session.closed and alone(session) and session.dispatcher is not None:
        raise IllegalStateException("the session is closed")
    original(consumer)


@saboteur("6.2.15-24", "the third close() of a session raises IllegalStateException")
def _(patch):
    calls = Counter[ReferenceSession]()

    def close(original, session):
        calls[session] += 1
        if calls[session] == 3:
            raise IllegalStateException("the session is closed")
        original(session)

    patch.around(ReferenceSession, "close", close)
