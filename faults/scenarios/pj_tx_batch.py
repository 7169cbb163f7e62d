"""Faults of batches in transactions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import before_commit
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.transactions import SingleSend, Work
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from tck.api import Session


def _as_rolled_back(patch: Patch, fault: Callable[[ReferenceSession, Work], None]) -> None:
    """Run `fault` before each rollback."""

    def roll_back(original: Callable[..., None], session: ReferenceSession, work: Work) -> None:
        fault(session, work)
        original(session, work)

    patch.at(fault_points.ROLLBACK, roll_back)


@saboteur("pj-tx-batch-1", "a commit of three messages sends the first two the other way round")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if len(sends) == 3:
            for (_, one), (_, other) in [(sends[0], sends[1])]:
                one.number, other.number = other.number, one.number
            sends[0], sends[1] = sends[1], sends[0]

    before_commit(patch, fault)


@saboteur("pj-tx-batch-2", "a rollback of three messages or more sends the third")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession, work: Work) -> None:
        for physical, entry in work.sends[2:3]:
            SingleSend(session.broker, physical, entry).perform()

    _as_rolled_back(patch, fault)


@saboteur("pj-tx-batch-3", "rollback of a session that is not transacted does nothing")
def _(patch: Patch) -> None:
    original = ReferenceSession.rollback

    def rollback(self: ReferenceSession) -> None:
        if self.mode == Session.SESSION_TRANSACTED:
            original(self)

    patch.replace(ReferenceSession, "rollback", rollback)


@saboteur("pj-tx-batch-4", "rollback of a transacted session made with DUPS_OK_ACKNOWLEDGE sends its messages")
def _(patch: Patch) -> None:
    opened = Counter[Any]()
    lazy = set[ReferenceSession]()

    def session_mode(original: Callable[..., int], connection: ReferenceConnection, transacted: Any, mode: Any) -> int:
        opened[connection] = transacted is True and mode == Session.DUPS_OK_ACKNOWLEDGE
        return original(connection, transacted, mode)

    def add_session(original: Callable[..., Any], connection: ReferenceConnection, session: ReferenceSession) -> Any:
        if opened[connection]:
            lazy.add(session)
        return original(connection, session)

    def fault(session: ReferenceSession, work: Work) -> None:
        for physical, entry in work.sends if session in lazy else ():
            SingleSend(session.broker, physical, entry).perform()

    patch.at(fault_points.SESSION_MODE_CHOSEN, session_mode)
    patch.at(fault_points.SESSION_OPENED, add_session)
    _as_rolled_back(patch, fault)
