"""Faults of the farm that searches a password."""

from faults.kit import *


@saboteur("pj-password-farm-1", "the last byte of the seventeenth message of a queue arrives as zero", by=arriving)
def _(stream, entry, ordinal):
    body = entry.snapshot.body
    if ordinal != 17 or not is_queue(stream) or not isinstance(body, bytes):
        return [entry]
    return [changed(entry, body=body[:-1] + b"\0")]


saboteur(
    "pj-password-farm-2",
    "the third message of a queue comes twice",
    lambda patch: doubled(patch, lambda stream, _, ordinal: ordinal == 3 and is_queue(stream)),
)


saboteur(
    "pj-password-farm-4",
    "the seventeenth message of a queue is there again when a connection is closed",
    lambda patch: comes_again(patch, 17),
)
