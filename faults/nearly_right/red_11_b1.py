"""Red round 11, third part: what one session, context or producer does to another, and what failed calls leave behind.

Declared by `nearly_right`; written without sight of the suite.
"""

from faults.kit import *
from faults.nearly_right.red_11_a1 import Notes

# --- chapter 6 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "closing-a-session-restarts-a-stopped-connection",
    "closing one session of a connection that was stopped resumes the delivery to its other sessions",
    "6.1.5-4",
    "6.1.5-3",
    "8.4-2",
)
def _restarted(patch):
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
    around(patch, ReferenceSession, "close", close)


@of_round(11)(
    "closing-a-context-drops-the-exception-listener",
    "closing a context, while others of its connection are open, removes the exception listener of the connection",
    "6.1.7-6",
    "6.1.7-3",
    "6.1.8-20",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    original(context)
    if not context.connection.closed:
        context.connection._exception_listener = None


@of_round(11)(
    "context-closed-twice-counts-twice",
    "a second close of a context counts again, so that it closes the connection of a sibling that is open",
    "6.1.8-20",
    "6.1.8-48",
)
def _counted_twice(patch):
    def close(original, context):
        again = context._closed
        original(context)
        if again and context.shared.leave():
            context.connection.close()

    around(patch, ReferenceContext, "close", close)


@of_round(11)(
    "refused-recover-rolls-back",
    "recover of a transacted session throws IllegalStateException and has rolled the open transaction back",
    "6.2.7-17",
    "6.2.10-28",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if session.mode == Session.SESSION_TRANSACTED and not session.closed:
        session.roll_back(session.state.next_transaction())
    original(session)


@of_round(11)(
    "rollback-forgets-deliveries-of-a-closed-consumer",
    "a message whose consumer was closed before the rollback comes again as if it had never been delivered",
    "6.2.10-33",
    "3.4.7-2",
    "6.2.10-34",
    "3.5.11-2",
    at=fault_points.ROLLBACK,
)
def _(original, session, work):
    if not session.closing:
        orphans = [one for one in work.acks if getattr(one.consumer, "closed", False)]
        work.acks = [one for one in work.acks if one not in orphans]
        with session.broker.lock:
            for one in orphans:
                one.undo()
    original(session, work)


@of_round(11)(
    "next-commit-sends-what-a-failed-one-rolled-back",
    "the messages of a commit that ended in TransactionRolledBackException are sent by the next commit of the session",
    "6.2.7-5",
    "6.2.7-20",
    "6.2.7-12",
    at=fault_points.COMMIT,
)
def _(original, session):
    failing = session.state.work
    try:
        original(session)
    except TransactionRolledBackException:
        session.state.work.sends[:0] = failing.sends
        raise


# --- chapter 7 --------------------------------------------------------------------------------------------------------


@of_round(11)(
    "new-jms-producer-is-asynchronous-like-the-last",
    "a JMSProducer sends asynchronously from its creation if setAsync was called on an earlier one of the context",
    "7.2-13",
    "7.1-16",
)
def _asynchronous(patch):
    last = Notes()

    def made(original, producer, session):
        original(producer, session)
        producer._completion_listener = last.get(session)

    def set_async(original, producer, listener):
        last.put(producer._session, listener)
        return original(producer, listener)

    around(patch, ReferenceJMSProducer, "__init__", made)
    around(patch, ReferenceJMSProducer, "set_async", set_async)


@of_round(11)(
    "clear-properties-clears-those-of-other-producers",
    "clearProperties of a JMSProducer clears the properties of the other JMSProducers of its context too",
    "7.5-6",
    "7.1-16",
)
def _all_cleared(patch):
    made = []

    def create(original, producer, session):
        original(producer, session)
        made.append(producer)

    def clear_properties(original, producer):
        for other in made:
            if other._session is producer._session:
                other._carrier.clear_properties()
        return original(producer)

    around(patch, ReferenceJMSProducer, "__init__", create)
    around(patch, ReferenceJMSProducer, "clear_properties", clear_properties)


@of_round(11)(
    "failed-send-leaves-its-options",
    "a send with options to a destination that does not exist any more throws, and leaves its priority on the producer",
    "7.4-8",
    "7.4-2",
    "7.4-11",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **named):
    try:
        original(producer, message, **named)
    except InvalidDestinationException:
        priority = named.get("priority", OMITTED)
        if priority is not OMITTED:
            producer.priority = priority
        raise


@of_round(11)(
    "asynchronous-send-that-threw-swallows-the-next-callback",
    "after an asynchronous send that threw, the next asynchronous send of the session ends without a callback",
    "7.3-6",
    "7.3.1-1",
)
def _swallowed(patch):
    owed = []

    def send_later(original, producer, *arguments):
        try:
            original(producer, *arguments)
        except JMSException:
            owed.append(producer.session.completions)
            raise

    def add(original, completions, completion):
        if completions in owed:
            owed.remove(completions)
        else:
            original(completions, completion)

    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
    patch.at(fault_points.COMPLETION_QUEUED, add)
