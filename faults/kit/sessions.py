"""Helpers of faults in sessions that end with unfinished work."""

from collections import Counter

from faults.kit.seams import *


def alone(session):
    """Return whether a session is being closed, or was, and its connection is not."""
    connection = session.connection
    return session.closing and not (connection.closing or connection.closed)


def before_end(patch, fault):
    """Run `fault` before the unfinished work of a closed session is undone; not where its link was lost."""

    def drop_unfinished(original, session):
        if session.connection.lost is None:
            fault(session)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


def send_open(session, many=1):
    """Send what the open transaction has sent, if that is at least so many messages."""
    if len(session.state.work.sends) < many:
        return
    work = Work(session.broker)
    work.sends, session.state.work.sends = session.state.work.sends, []
    work.perform()


def acknowledged_at_end(patch, *, transacted, queue, many=1, when=lambda _: True):
    """Acknowledge the unsettled messages of a queue or a durable subscription when their session is closed.

    Args:
        patch: Where the fault is put.
        transacted: Those of its open transaction, or else those of CLIENT_ACKNOWLEDGE.
        queue: Those of a queue, or else those of a durable subscription.
        many: How many of them there have to be.
        when: Which sessions it concerns.
    """

    def fault(session):
        state = session.state
        unsettled = state.work.acks if transacted else state.unacknowledged
        chosen = [
            one
            for one in unsettled
            if isinstance(one.source.physical, PhysicalQueue) is queue and (queue or one.source.in_file)
        ]
        if len(chosen) >= many and when(session):
            for delivery in chosen:
                unsettled.remove(delivery)
            state.acknowledge(chosen, durable=True)

    before_end(patch, fault)


def called_once_more(patch, many, *, wait, when=lambda _: True):
    """Call the listener of a closed session once more, `wait` ms after its end, if it had at least `many` messages."""
    calls = Counter[ReferenceSession]()
    last = {}

    def call_listener(original, dispatcher, listener, delivery):
        session = dispatcher.session
        calls[session] += 1
        last[session] = lambda: listener.on_message(session.message_of(delivery))
        return original(dispatcher, listener, delivery)

    def later(session):
        session.broker.clock.event().wait(wait)
        last[session]()

    def drop_unfinished(original, session):
        original(session)
        if calls[session] >= many and when(session):
            session.broker.clock.spawn(lambda: later(session), "reference-provider-late")

    patch.at(fault_points.LISTENER_CALLED, call_listener)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
