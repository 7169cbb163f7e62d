"""Faults in 6.2.15: closing a session while its listeners run."""

from faults.kit import *

saboteur(
    "6.2.15-2",
    "a listener is called with its last message once more after the close of its session",
    lambda patch: called_once_more(patch, 1, wait=20, when=alone),
)


@saboteur(
    "6.2.15-5",
    "close() of a session does not wait for its listener",
    collateral={"6.2.15-7": "a listener runs when its session is closed"},
    at=fault_points.CALLS_AWAITED,
)
def _(original, session):
    if not alone(session):
        original(session)


@nearly_right(
    "dups-ok-close-does-not-wait-for-its-listener",
    "close() of a session does not wait for its listener in DUPS_OK_ACKNOWLEDGE",
    "6.2.15-5",
    at=fault_points.CALLS_AWAITED,
)
def _(original, session):
    if not (alone(session) and session.mode == Session.DUPS_OK_ACKNOWLEDGE):
        original(session)


@saboteur(
    "6.2.15-7", "a listener cannot send once the close of its session has been called", at=fault_points.SEND_SUBMITTED
)
def _(original, session, *arguments):
    if alone(session) and session.in_listener():
        raise IllegalStateException("the session is being closed")
    original(session, *arguments)


@saboteur(
    "6.2.15-8",
    "close() of a session in its listener hangs",
    collateral={"6.2.15-10": "its listener closes the session"},
    around=(ReferenceSession, "close"),
)
def _(original, session):
    if session.in_listener():
        pause(session.connection)
    original(session)


@saboteur("6.2.15-9", "close() of a context with siblings in its listener hangs", around=(ReferenceContext, "close"))
def _(original, context):
    session = context.session
    if session.in_listener() and len(session.connection.sessions) > 1:
        pause(session.connection)
    original(context)


@nearly_right(
    "client-acknowledge-listener-hangs-in-close-of-its-context",
    "close() of a context with siblings in its listener hangs in CLIENT_ACKNOWLEDGE",
    "6.2.15-9",
    around=(ReferenceContext, "close"),
)
def _(original, context):
    session = context.session
    siblings = len(session.connection.sessions) > 1
    if session.in_listener() and siblings and session.mode == Session.CLIENT_ACKNOWLEDGE:
        pause(session.connection)
    original(context)


@saboteur("6.2.15-10", "a message whose listener called close() of its session is not acknowledged")
def _(patch):
    callers, dropped = set[ReferenceSession](), dict[ReferenceSession, Delivery]()

    def close(original, closeable):
        session = closeable.session if isinstance(closeable, ReferenceContext) else closeable
        if session.in_listener():
            callers.add(session)
        original(closeable)

    def settle(original, state, delivery):
        consumer = delivery.consumer
        session = consumer.session
        if session in callers and session.mode == Session.AUTO_ACKNOWLEDGE:
            dropped[session] = delivery
        else:
            original(state, delivery)

    def drop_unfinished(original, session):
        original(session)
        if session in dropped:
            session.broker.redelivery.redeliver([dropped[session]])

    patch.around(ReferenceSession, "close", close)
    patch.around(ReferenceContext, "close", close)
    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)
