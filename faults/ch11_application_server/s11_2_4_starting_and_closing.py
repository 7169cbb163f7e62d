"""Faults in 11.2.4: connection consumers of stopped connections, and closed ones."""

from faults.kit import *

saboteur(
    "11.2.4-7",
    "run() passes loaded messages on while the connection is stopped",
    lambda patch: patch.at(server_points.RUN_ALLOWED, lambda original, runner: True),
)


@saboteur(
    "11.2.4-16",
    "a closed connection consumer goes on until its connection is closed",
    around=(ReferenceConnectionConsumer, "close"),
)
def _(original, consumer):
    if consumer.connection.is_down():
        original(consumer)
