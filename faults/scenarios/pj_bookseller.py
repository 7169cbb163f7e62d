"""Faults of the bookseller: card and warehouse as one unit."""

from collections import Counter

from faults.kit import *


@saboteur("pj-bookseller-1", "the second commit of a session sends its first message only")
def _(patch):
    commits = Counter[ReferenceSession]()

    def fault(session):
        commits[session] += 1
        if commits[session] == 2:
            del session.state.work.sends[1:]

    before_commit(patch, fault)


@saboteur(
    "pj-bookseller-2",
    "JMSRedelivered is not set on a message that was received in a transaction before",
    by=as_received,
)
def _(message, delivery):
    if delivery.transaction is not None:
        message.jms_redelivered = False


@saboteur(
    "pj-bookseller-3",
    "a session that closes with an open transaction sends its first message",
    at=fault_points.SESSION_ENDED,
)
def _(original, session):
    for physical, entry in session.state.work.sends[:1]:
        SingleSend(session.broker, physical, entry).perform()
    original(session)
