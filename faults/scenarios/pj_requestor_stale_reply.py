"""Faults of the server that answers twice."""

from faults.kit import *

saboteur(
    "pj-requestor-stale-reply-1",
    "the first reply to a temporary queue comes after the second",
    lambda patch: exchanged(patch, lambda stream, entry, ordinal: ordinal == 1 and is_queue(stream, temporary=True)),
)


@saboteur("pj-requestor-stale-reply-3", "the second reply to a temporary queue has no JMSCorrelationID", by=arriving)
def _(stream, entry, ordinal):
    return [changed(entry, correlation=None) if ordinal == 2 and is_queue(stream, temporary=True) else entry]
