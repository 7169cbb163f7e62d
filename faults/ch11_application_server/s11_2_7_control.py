"""A fault in 11.2.7: messages that were loaded and never reached a listener."""

from faults.kit import *


@saboteur(
    "11.2.7-1",
    "messages that were loaded into a session and never passed on are lost when it ends",
    at=server_points.SESSION_UNLOADED,
)
def _(original, runner):
    original(runner)
    return []
