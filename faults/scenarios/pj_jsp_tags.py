"""Faults of a page with tags that write and read messages."""

from faults.kit import *

LOW, LAST = 3, 4


@saboteur("pj-jsp-tags-1", "a text of low priority arrives without its full stop", by=arriving)
def _(_, entry, ordinal):
    text = entry.snapshot.body
    return [changed(entry, body=text.rstrip(".")) if entry.priority == LOW and isinstance(text, str) else entry]


@saboteur("pj-jsp-tags-2", "a message of low priority that expires arrives with normal priority", by=as_received)
def _(message, delivery):
    if delivery.priority == LOW and delivery.expiration:
        message.jms_priority = Message.DEFAULT_PRIORITY


@saboteur("pj-jsp-tags-3", "the fourth text of a queue arrives empty", by=arriving)
def _(stream, entry, ordinal):
    return [changed(entry, body="") if ordinal == LAST and is_queue(stream) else entry]


@saboteur(
    "pj-jsp-tags-4",
    "the fourth message of a queue without a consumer is lost",
    collateral={"pj-jsp-tags-3": "the message of the fourth tag has both an attribute and a body"},
    by=arriving,
)
def _(stream, entry, ordinal):
    alone = is_queue(stream) and stream.physical.consumers == 0
    return [] if ordinal == LAST and alone else [entry]
