"""Faults in 5.2: destinations."""

from faults.kit import *


@saboteur(
    "5.2-2",
    "a queue that createQueue makes is a private copy of the queue of that name",
    around=(ReferenceSession, "create_queue"),
)
def _(original, session, name):
    return original(session, f"{name}.copy")
