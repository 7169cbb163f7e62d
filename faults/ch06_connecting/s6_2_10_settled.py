"""Faults in 6.2.10: acknowledgements that do not last."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.client.sessions import ReferenceSession


def _lost_while_stopped(patch: Patch, *, of_queues: bool) -> None:
    """Let acknowledge() do nothing for the messages of queues, or of topics, while the connection is stopped."""

    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        stopped = not session.connection.running and not session.connection.is_down()
        from_queue = [isinstance(each.source.physical, PhysicalQueue) for each in session.state.unacknowledged]
        if not stopped or of_queues not in from_queue:
            original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


@saboteur("6.2.10-7", "acknowledge() has no effect on messages of a queue while the connection is stopped")
def _(patch: Patch) -> None:
    _lost_while_stopped(patch, of_queues=True)


@saboteur("6.2.10-8", "acknowledge() has no effect on messages of a subscription while the connection is stopped")
def _(patch: Patch) -> None:
    _lost_while_stopped(patch, of_queues=False)
