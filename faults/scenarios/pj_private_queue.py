"""Faults of a private queue."""

from faults.kit import *


@saboteur("pj-private-queue-1", "the password of any user opens the door to all", at=fault_points.CONNECTION_OPENED)
def _(original, factory, kind, user, password):
    users = factory._server.users
    return original(factory, kind, user, users[user] if user in users and password in users.values() else password)


@saboteur("pj-private-queue-2", "a text loses its last word", by=arriving)
def _(_, entry, ordinal):
    text = entry.snapshot.body
    return [changed(entry, body=text.rpartition(" ")[0]) if isinstance(text, str) else entry]
