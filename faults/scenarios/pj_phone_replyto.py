"""Faults of the phone with JMSReplyTo."""

from faults.kit import *


class _Address(ReferenceQueue):
    """A queue that tells its address in place of its name."""

    __slots__ = ()

    @property
    def queue_name(self):
        return f"queue://{self.name}"


@saboteur(
    "pj-phone-replyto-1",
    "JMSReplyTo of a received message tells an address in place of the queue's name",
    by=as_received,
)
def _(message, _):
    reply_to = message.jms_reply_to
    if isinstance(reply_to, ReferenceQueue) and reply_to.kind == "queue":
        message.jms_reply_to = _Address(reply_to.name)


@saboteur("pj-phone-replyto-2", "a queue loses its first message if it has no receiver yet", by=arriving)
def _(delivery_queue, entry, ordinal):
    unread = is_queue(delivery_queue) and delivery_queue.physical.consumers == 0
    return [] if unread and ordinal == 1 else [entry]


@saboteur("pj-phone-replyto-3", "a message without JMSReplyTo gets that of the last message to the same destination")
def _(patch):
    last = {}

    def fault(_, message, entry, options):
        if entry.snapshot.reply_to is None and entry.destination in last:
            entry.snapshot = entry.snapshot._replace(reply_to=last[entry.destination])
        elif entry.snapshot.reply_to is not None:
            last[entry.destination] = entry.snapshot.reply_to

    after_send(patch, fault)
