"""A fault in 11.2.7: acknowledgment in server sessions."""

from faults.kit import *


@saboteur(
    "11.2.7-2",
    "a server session in CLIENT_ACKNOWLEDGE acknowledges by itself when its listener returns",
    at=server_points.OWN_LISTENER_CALLED,
)
def _(original, runner, listener, delivery):
    failed = original(runner, listener, delivery)
    session = runner.session
    if not failed and session.mode == Session.CLIENT_ACKNOWLEDGE:
        session.acknowledge_all()
    return failed
