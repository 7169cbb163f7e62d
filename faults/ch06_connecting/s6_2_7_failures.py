"""Faults in 6.2.7: transactions and failures."""

import contextlib

from faults.kit import *

BARRIER_MS = 1000
"""Milliseconds, on the provider's clock, between the two halves of a commit."""


@saboteur("6.2.7-14", "commit writes sends and acknowledgements in two steps", at=fault_points.FILE_WRITTEN)
def _(original, broker, unit):
    if isinstance(unit, Work) and unit.sends and unit.acks:
        sent = Work(broker)
        sent.sends, unit.sends = unit.sends, []
        sent.perform()
        broker.clock.event().wait(BARRIER_MS)  # a kill meanwhile falls between the halves
    original(broker, unit)


@saboteur("6.2.7-15", "losing a connection sends the messages of its open transactions", at=fault_points.LINK_LOST)
def _(original, connection, why):
    for session in connection.sessions:
        left = Work(connection.broker)
        left.sends, session.state.work.sends = session.state.work.sends, []
        left.perform()
    original(connection, why)


@saboteur("6.2.7-20", "a commit that fails rolls back and returns normally", at=fault_points.COMMIT)
def _(original, session):
    if session.mode == Session.SESSION_TRANSACTED:
        with contextlib.suppress(JMSException):
            original(session)
    else:
        original(session)
