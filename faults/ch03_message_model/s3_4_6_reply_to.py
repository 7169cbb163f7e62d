"""Faults in 3.4.6: JMSReplyTo."""

from faults.kit import *


@saboteur(
    "3.4.6-1",
    "a topic in JMSReplyTo arrives as a queue",
    collateral={"3.4.6-2": "a reply to the wrong kind of destination does not arrive"},
    by=as_received,
)
def _(message, delivery):
    reply_to = message.jms_reply_to
    if isinstance(reply_to, ReferenceTopic):
        message.jms_reply_to = ReferenceQueue(reply_to.name)


class _DetourQueue(ReferenceQueue):
    """A queue that returns one name and leads to another."""

    @property
    def queue_name(self):
        return self.name.removesuffix(".copy")


class _DetourTopic(ReferenceTopic):
    """A topic that returns one name and leads to another."""

    @property
    def topic_name(self):
        return self.name.removesuffix(".copy")


@saboteur("3.4.6-2", "the received JMSReplyTo leads to another destination", by=as_received)
def _(message, delivery):
    reply_to = message.jms_reply_to
    if isinstance(reply_to, ReferenceQueue) and reply_to.kind == "queue":
        message.jms_reply_to = _DetourQueue(f"{reply_to.name}.copy")
    elif isinstance(reply_to, ReferenceTopic) and reply_to.kind == "topic":
        message.jms_reply_to = _DetourTopic(f"{reply_to.name}.copy")


@saboteur("3.4.6-3", "a JMSReplyTo that was not set arrives as a default queue", by=as_received)
def _(message, delivery):
    if message.jms_reply_to is None:
        message.jms_reply_to = ReferenceQueue("default.reply")


@saboteur("3.4.6-4", "acknowledging a message sends a receipt to its JMSReplyTo", at=fault_points.ACKNOWLEDGED)
def _(original, session):
    targets = [delivery.entry.snapshot.reply_to for delivery in session.state.unacknowledged]
    original(session)
    for target in targets:
        if target is not None:
            ReferenceProducer(session, target).send(session.create_text_message("receipt"))
