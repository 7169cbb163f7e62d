"""Narrow faults of sections 6.1.4 to 6.1.8."""

from faults.kit import *
from faults.nearly_right.shared import *

_AUTO_START = ReferenceContext.auto_start


@nearly_right(
    "auto-start-by-plain-consumers",
    "the first consumer of a context starts it unless it has a selector",
    "6.1.4-9 6.1.4-8",
    around=(ReferenceContext, "create_shared_consumer", "create_shared_durable_consumer"),
)
def _(original, context, *arguments):
    wanted, selects = _AUTO_START.fget(context), any(isinstance(each, str) and "=" in each for each in arguments)
    _AUTO_START.fset(context, wanted and not selects)
    try:
        return original(context, *arguments)
    finally:
        _AUTO_START.fset(context, wanted)


@nearly_right("auto-start-off-stops", "setAutoStart(false) stops a context that delivers", "6.1.4-14")
def _(patch):
    def set_auto_start(self, auto_start):
        _AUTO_START.fset(self, auto_start)
        if not auto_start and self.connection.running:
            self.connection.stop()

    patch.replace(ReferenceContext, "auto_start", property(_AUTO_START.fget, set_auto_start))


@of_round(9)(
    "siblings-inherit-auto-start-off",
    "a context made from one whose auto-start is off has it off as well",
    "6.1.4-15 6.1.4-10 8.4-11",
    around=(ReferenceContext, "create_context"),
)
@of_round(6)(
    "sibling-context-inherits-auto-start-off",
    "a context made from one with auto-start off has it off too, so that its first consumer does not start anything",
    "6.1.4-15 6.1.4-10 8.4-11 8.4-13",
    around=(ReferenceContext, "create_context"),
)
def _(original, context, session_mode):
    made = original(context, session_mode)
    made._auto_start = context._auto_start
    return made


@of_round(11)(
    "closing-a-session-restarts-a-stopped-connection",
    "closing one session of a connection that was stopped resumes the delivery to its other sessions",
    "6.1.5-4 6.1.5-3 8.4-2",
)
def _(patch):
    stopped = Notes()

    def stop(original, connection):
        was_running = connection.running
        original(connection)
        if was_running:
            stopped.put(connection, value=True)

    def close(original, session):
        original(session)
        connection = session.connection
        if connection in stopped and not connection.is_down():
            connection.start()

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.around(ReferenceSession, "close", close)


@of_round(6)(
    "session-made-while-stopped-delivers",
    "a session made while its connection is stopped, after it had been started, delivers at once",
    "6.1.5-4 6.1.5-3 6.1.5-1 8.4-2",
)
def _(patch):
    started = set()
    eager = set()

    def start(original, connection):
        original(connection)
        started.add(connection)

    def stop(original, connection):
        original(connection)
        eager.difference_update(connection.sessions)

    def add_session(original, connection, session):
        if connection in started and not connection.running:
            eager.add(session)
        return original(connection, session)

    def may_deliver(original, session):
        if session in eager and not session.closing and not session.connection.is_down():
            return True
        return original(session)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.SESSION_OPENED, add_session)
    patch.around(ReferenceSession, "may_deliver", may_deliver)


@of_round(7)(
    "stop-of-a-further-context-stops-itself-only",
    "stop of a context that was made from another one does not pause what the others on the connection receive",
    "6.1.5-5 6.1.5-4",
)
def _(patch):
    paused = []

    def stop(stop_all, self):
        session, connection = self.session, self.connection
        if session.closed or not connection.usable or connection.sessions[0] is session:
            stop_all(self)
            return
        with unchecked:
            connection._check_not_in_listener("stopped")
            with connection.broker.lock:
                paused.append(session)
                for slot in session.wait_slots():
                    slot.open = False
            if session.dispatcher is not None:
                session.dispatcher.wait_until_idle()

    def start(original, connection):
        paused[:] = [one for one in paused if one.connection is not connection]
        original(connection)

    patch.around(ReferenceContext, "stop", stop)
    patch.at(fault_points.CONNECTION_STARTED, start)
    kept_paused(patch, paused)


@of_round(14)(
    "fourteen-b-arrived-while-stopped",
    "NON_PERSISTENT messages that reach an unshared non-durable subscription while its connection is stopped are lost "
    "when it is started again.",
    "6.1.5-6 8.4-2 8.4-7 8.3.1-7",
)
def _(patch):
    stopped = {}

    def queues(connection):
        receivers = [consumer.receiver for session in connection.sessions for consumer in session.consumers]
        return [one.delivery_queue for one in receivers if one.subscription is not None and not one.subscription.key]

    def stop(original, connection):
        was_running = connection.running
        original(connection)
        if was_running:
            with connection.broker.lock:
                stopped[connection] = {queue: set(queue.numbers()) for queue in queues(connection)}

    def start(original, connection):
        before = stopped.pop(connection, {})
        with connection.broker.lock:
            for queue, kept in before.items():
                for entry in list(queue.free_entries()):
                    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and entry.number not in kept:
                        queue.remove(entry.number, entry.priority)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)


@of_round(9)(
    "callbacks-of-non-persistent-sends-wait-for-start",
    "on a connection that was started and stopped, the callback of an asynchronous non-persistent send waits for start",
    "6.1.5-8 7.3-7",
)
def _(patch):
    add_now = Completions.add
    started = {}  # connections by identity
    held = []

    def release(connection, completions):
        ready = [one for one in held if one[0] is connection or one[1] is completions]
        for one in ready:
            held.remove(one)
            add_now(one[1], one[2])

    def start(original, connection):
        original(connection)
        started[id(connection)] = connection
        release(connection, None)

    def add(original, completions, completion):
        sender = completion.sender
        session = sender._session if isinstance(sender, ReferenceJMSProducer) else sender.session
        connection = session.connection
        stopped = id(connection) in started and not connection.running and not session.closing
        if stopped and completion.message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT:
            held.append((connection, completions, completion))
        else:
            original(completions, completion)

    def wait(original, completions, sender=None):
        release(None, completions)
        original(completions, sender)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETIONS_AWAITED, wait)


@of_round(6)(
    "replaced-exception-listener-is-told",
    "when an exception listener is replaced on a started connection, the loss of the link is told to the old one",
    "6.1.7-5",
)
def _(patch):
    first = {}

    def start(original, connection):
        original(connection)
        if connection._exception_listener is not None:
            first.setdefault(connection, connection._exception_listener)

    def report_loss(original, connection, why):
        connection._exception_listener = first.get(connection, connection._exception_listener)
        original(connection, why)

    patch.at(fault_points.CONNECTION_STARTED, start)
    patch.at(fault_points.EXCEPTION_REPORTED, report_loss)


@of_round(11)(
    "closing-a-context-drops-the-exception-listener",
    "closing a context, while others of its connection are open, removes the exception listener of the connection",
    "6.1.7-6 6.1.7-3 6.1.8-20",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    original(context)
    if not context.connection.closed:
        context.connection._exception_listener = None


@nearly_right(
    "timeout-is-a-problem",
    "a receive with a timeout that gets nothing is reported as a lost link",
    "6.1.7-9",
    at=fault_points.MESSAGE_AWAITED,
)
def _(original, consumer, timeout):
    delivery = original(consumer, timeout)
    connection = consumer.session.connection
    if delivery is None and timeout and connection.running:
        connection.report_loss("nothing was read in time")
    return delivery


@nearly_right(
    "closing-a-connection-raises",
    "close of a connection closes it and raises JMSException",
    "6.1.8-13 3.4.7-2",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    original(connection)
    raise JMSException("closed, with an error")


@of_round(11)(
    "context-closed-twice-counts-twice",
    "a second close of a context counts again, so that it closes the connection of a sibling that is open",
    "6.1.8-20 6.1.8-48",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    again = context._closed
    original(context)
    if again and context.shared.leave():
        context.connection.close()


@of_round(6)(
    "context-made-from-a-sibling-does-not-count",
    "a context made from a context that was itself made from another does not keep their connection open",
    "6.1.8-20 7.1-16",
)
def _(patch):
    derived = set()

    def create_context(original, context, session_mode):
        made = original(context, session_mode)
        if context in derived:
            made.shared.leave()
        derived.add(made)
        return made

    patch.around(ReferenceContext, "create_context", create_context)


@of_round(6)(
    "closing-a-stopped-connection-loses-received-messages",
    "close of a stopped connection acknowledges what its transacted sessions received in their open transactions",
    "6.1.8-27 6.1.8-28 6.1.8-29",
)
def _(patch):
    stopped = set()

    def close(original, connection):
        if not connection.running and not connection.is_down():
            stopped.add(connection)
        original(connection)

    def drop_unfinished(original, session):
        if session.connection in stopped:
            work = session.state.next_transaction()
            work.sends.clear()
            work.perform()
        original(session)

    patch.at(fault_points.CONNECTION_CLOSED, close)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@nearly_right(
    "receive-outlasts-a-lost-connection",
    "a receive() that waits when its connection is lost never ends, not even by close()",
    "6.1.8-1",
    at=fault_points.MESSAGE_AWAITED,
)
def _(original, consumer, timeout):
    delivery = original(consumer, timeout)
    if delivery is None and consumer.session.connection.lost:
        pause(consumer.session.connection)
    return delivery
