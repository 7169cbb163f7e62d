"""Faults in 6.1.5: stop() while message listeners run."""

from faults.kit import *

_SOME_TIME = 500


@saboteur(
    "6.1.5-11",
    "stop() lets listeners work off what waits for them",
    collateral={"6.1.5-14": "a message waits behind the listener that stop() waited for"},
)
def _(patch):
    undeterred = Undeterred(patch)
    waiting = {}

    def go_on(connection):
        for session in listening(connection):
            with session.broker.lock:
                queues = {one.receiver.delivery_queue for one in session.consumers if one.listener is not None}
                waiting[session] = sum(len(list(queue.free_entries())) for queue in queues)
            if waiting[session]:
                undeterred.add(session)

    def call_listener(original, dispatcher, *arguments):
        session = dispatcher.session
        if session in waiting:
            waiting[session] -= 1
            if waiting[session] <= 0:
                undeterred.remove(session)
        return original(dispatcher, *arguments)

    after_stop(patch, go_on)
    patch.at(fault_points.LISTENER_CALLED, call_listener)


def _waits(patch, wait):
    """Change how stop() waits for the listener of one session."""
    stopped = stopped_connections(patch)

    def wait_until_idle(original, dispatcher, *consumer):
        connection = dispatcher.session.connection
        if connection in stopped and not consumer and not connection.closing:
            wait(connection, dispatcher, lambda: original(dispatcher))
        else:
            original(dispatcher, *consumer)

    patch.around(Dispatcher, "wait_until_idle", wait_until_idle)


@saboteur("6.1.5-14", "stop() waits half a second at most for the listener of a single session", by=_waits)
def _(connection, dispatcher, honest):
    if len(listening(connection)) != 1:
        honest()
        return
    for _ in range(_SOME_TIME // 10):
        if dispatcher.current is not None:
            pause(connection, 10)


@saboteur("6.1.5-15", "stop() waits only for the listener of the session created first", by=_waits)
def _(connection, dispatcher, honest):
    if listening(connection)[:1] == [dispatcher.session]:
        honest()


@saboteur("6.1.5-16", "a listener cannot send once stop() has been called")
def _(patch):
    stopped = stopped_connections(patch)

    def submit(original, session, *arguments):
        if session.connection in stopped and session.in_listener():
            raise JMSException("the connection is stopped")
        original(session, *arguments)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("6.1.5-17", "a listener cannot settle anything once stop() has been called")
def _(patch):
    stopped = stopped_connections(patch)

    def settle(original, session, *arguments):
        if session.connection in stopped and session.in_listener():
            raise JMSException("the connection is stopped")
        original(session, *arguments)

    around_each(patch, ReferenceSession, ("rollback", "recover"), settle)
    patch.at(fault_points.COMMIT, settle)
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, settle)


@saboteur("6.1.5-18", "stop() of a connection with one session in its listener hangs")
def _(patch):
    here = called_on_contexts(patch, "stop")

    def stop(original, connection):
        own = in_listener(connection) and getattr(here, "context", None) is None
        if own and len(connection.sessions) == 1:
            pause(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


def _stop_in_listener(patch, fault):
    """Run `fault` before stop() of a context in a listener, with the session of the listener."""

    def stop(original, context):
        for session in context.connection.sessions:
            if session.in_listener():
                fault(context, session)
        original(context)

    patch.around(ReferenceContext, "stop", stop)


@saboteur(
    "6.1.5-19", "stop() of a context in its own listener raises a plain JMSRuntimeException", by=_stop_in_listener
)
def _(context, session):
    if context.session is session and len(context.connection.sessions) == 1:
        raise JMSRuntimeException("a listener cannot stop its connection")


@saboteur("6.1.5-20", "stop() of a sibling context in a listener hangs", by=_stop_in_listener)
def _(context, session):
    if context.session is not session:
        pause(context.connection)


@saboteur(
    "6.1.5-21",
    "stop() in a listener succeeds at once, whatever runs in another session",
    at=fault_points.CONNECTION_STOPPED,
)
def _(original, connection):
    try:
        original(connection)
    except IllegalStateException:
        if len(listening(connection)) != 2:
            raise
        connection.running = False
