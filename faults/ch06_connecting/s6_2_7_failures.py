"""Faults in 6.2.7: transactions and failures."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.transactions import Work
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.store import Unit
from tck.api import JMSException, Session

BARRIER_MS = 1000
"""Milliseconds, on the provider's clock, between the two halves of a commit."""


@saboteur("6.2.7-14", "commit writes sends and acknowledgements in two steps")
def _(patch: Patch) -> None:
    def commit(original: Callable[..., None], broker: Broker, unit: Unit) -> None:
        if isinstance(unit, Work) and unit.sends and unit.acks:
            sent = Work(broker)
            sent.sends, unit.sends = unit.sends, []
            sent.perform()
            broker.clock.event().wait(BARRIER_MS)  # a kill meanwhile falls between the halves
        original(broker, unit)

    patch.at(fault_points.FILE_WRITTEN, commit)


@saboteur("6.2.7-15", "losing a connection sends the messages of its open transactions")
def _(patch: Patch) -> None:
    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        for session in connection.sessions:
            left = Work(connection.broker)
            left.sends, session.state.work.sends = session.state.work.sends, []
            left.perform()
        original(connection, why)

    patch.at(fault_points.LINK_LOST, sever)


@saboteur("6.2.7-20", "a commit that fails rolls back and returns normally")
def _(patch: Patch) -> None:
    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        if session.mode == Session.SESSION_TRANSACTED:
            with contextlib.suppress(JMSException):
                original(session)
        else:
            original(session)

    patch.at(fault_points.COMMIT, commit)
