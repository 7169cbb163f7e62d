"""Faults of batches in transactions."""

from collections import Counter
from typing import Any

from faults.kit import *


def _as_rolled_back(patch, fault):
    """Run `fault` before each rollback."""

    def roll_back(original, session, work):
        fault(session, work)
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur("pj-tx-batch-1", "a commit of three messages sends the first two the other way round", by=before_commit)
def _(session):
    sends = session.state.work.sends
    if len(sends) == 3:
        for (_, one), (_, other) in [(sends[0], sends[1])]:
            one.number, other.number = other.number, one.number
        sends[0], sends[1] = sends[1], sends[0]


@saboteur("pj-tx-batch-2", "a rollback of three messages or more sends the third", by=_as_rolled_back)
def _(session, work):
    for physical, entry in work.sends[2:3]:
        SingleSend(session.broker, physical, entry).perform()


@saboteur(
    "pj-tx-batch-3", "rollback of a session that is not transacted does nothing", around=(ReferenceSession, "rollback")
)
def _(original, self):
    if self.mode == Session.SESSION_TRANSACTED:
        original(self)


@saboteur("pj-tx-batch-4", "rollback of a transacted session made with DUPS_OK_ACKNOWLEDGE sends its messages")
def _(patch):
    opened = Counter[Any]()
    lazy = set[ReferenceSession]()

    def session_mode(original, connection, transacted, mode):
        opened[connection] = transacted is True and mode == Session.DUPS_OK_ACKNOWLEDGE
        return original(connection, transacted, mode)

    def add_session(original, connection, session):
        if opened[connection]:
            lazy.add(session)
        return original(connection, session)

    def fault(session, work):
        for physical, entry in work.sends if session in lazy else ():
            SingleSend(session.broker, physical, entry).perform()

    patch.at(fault_points.SESSION_MODE_CHOSEN, session_mode)
    patch.at(fault_points.SESSION_OPENED, add_session)
    _as_rolled_back(patch, fault)
