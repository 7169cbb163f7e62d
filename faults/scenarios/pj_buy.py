"""Faults of order entry in a transaction."""

import copy
from collections import Counter

from faults.kit import *


def _at_commit(patch, number, before, after):
    """Run two faults around one commit with messages of each session, by its number from 1."""
    commits = Counter[ReferenceSession]()

    def commit(original, session):
        commits[session] += bool(session.state.work.sends)
        faulty = bool(session.state.work.sends) and commits[session] == number
        if faulty:
            before(session.state.work)
        original(session)
        if faulty:
            after()

    patch.at(fault_points.COMMIT, commit)


@saboteur("pj-buy-1", "the first commit of a session reports a rollback although it has taken effect")
def _(patch):
    def report():
        raise TransactionRolledBackException("the transaction was rolled back")

    _at_commit(patch, 1, before=lambda _: None, after=report)


@saboteur("pj-buy-2", "the first rollback of a session sends a message")
def _(patch):
    seen = set[ReferenceSession]()

    def roll_back(original, session, work):
        if work.sends and session not in seen:
            seen.add(session)
            SingleSend(session.broker, *work.sends[0]).perform()
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur("pj-buy-3", "the first message that a transacted session sends is seen before the commit too")
def _(patch):
    seen = set[ReferenceSession]()

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        if session.mode == Session.SESSION_TRANSACTED and session not in seen:
            seen.add(session)
            SingleSend(session.broker, physical, copy.copy(entry)).perform()

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("pj-buy-4", "the 20th commit of a session sends its first message only")
def _(patch):
    def lose(work):
        del work.sends[1:]

    _at_commit(patch, 20, before=lose, after=lambda: None)


@saboteur("pj-buy-5", "after a transaction without a message, the next message does not wait for its commit")
def _(patch):
    idle = set[ReferenceSession]()

    def commit(original, session):
        (idle.discard if session.state.work else idle.add)(session)
        original(session)

    def submit(original, session, physical, entry):
        if session in idle:
            idle.discard(session)
            SingleSend(session.broker, physical, entry).perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.COMMIT, commit)
    patch.at(fault_points.SEND_SUBMITTED, submit)
