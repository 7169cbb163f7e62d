"""Faults in 6.2.10: acknowledgements that do not last."""

from faults.kit import *


def _lost_while_stopped(patch, *, of_queues):
    """Let acknowledge() do nothing for the messages of queues, or of topics, while the connection is stopped."""

    def acknowledge_all(original, session):
        stopped = not session.connection.running and not session.connection.is_down()
        from_queue = [isinstance(each.source.physical, PhysicalQueue) for each in session.state.unacknowledged]
        if not stopped or of_queues not in from_queue:
            original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


saboteur(
    "6.2.10-7",
    "acknowledge() has no effect on messages of a queue while the connection is stopped",
    lambda patch: _lost_while_stopped(patch, of_queues=True),
)
saboteur(
    "6.2.10-8",
    "acknowledge() has no effect on messages of a subscription while the connection is stopped",
    lambda patch: _lost_while_stopped(patch, of_queues=False),
)
