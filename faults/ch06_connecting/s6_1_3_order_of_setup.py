"""Faults in 6.1.3: the order of setting up a client."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.connections import Connections, of_contexts, started
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession


@saboteur("6.1.3-1", "the messages of a session that had a producer and a consumer before start() are lost")
def _(patch: Patch) -> None:
    early, contexts = Connections(), of_contexts(patch)

    def before_start(connection: ReferenceConnection) -> None:
        for session in connection.sessions if connection not in contexts else ():
            if session.producers and session.consumers:
                early.add(session)

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        if session not in early:
            original(session, physical, entry)

    started(patch, before_start)
    patch.at(fault_points.SEND_SUBMITTED, submit)
