"""Faults in 2.9: the interfaces of queues and of topics."""

from collections import Counter

from faults.kit import *


def _third_is_lost(patch, owner, name):
    original = getattr(owner, name)
    sent = Counter()

    def send(self, message, **options):
        sent[self] += 1
        if sent[self] != 3:
            original(self, message, **options)

    patch.replace(owner, name, send)


saboteur("2.9-1", "a QueueSender loses its third message", lambda patch: _third_is_lost(patch, ReferenceSender, "send"))
saboteur(
    "2.9-2",
    "a TopicPublisher loses its third message",
    lambda patch: _third_is_lost(patch, ReferencePublisher, "publish"),
)


@saboteur("2.9-5", "publish(topic, message) publishes the message twice", around=(ReferencePublisher, "publish"))
def _(original, self, message, **options):
    original(self, message, **options)
    if options.get("topic", OMITTED) is not OMITTED:
        original(self, message, **options)


saboteur(
    "2.9-6",
    "QueueSession.createTemporaryQueue is not supported",
    lambda patch: unsupported(
        patch, ReferenceQueueSession, "create_temporary_queue", "a queue session makes no temporary queues"
    ),
)
saboteur(
    "2.9-7",
    "TopicSession.unsubscribe does nothing",
    lambda patch: patch.replace(ReferenceTopicSession, "unsubscribe", lambda self, name: None),
)


def _end_acknowledges(patch, kind):
    def drop_unfinished(original, session):
        if isinstance(session, kind):
            session.state.acknowledge_all(lambda: None)
        original(session)

    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


saboteur(
    "2.9-8",
    "closing a QueueSession acknowledges the messages it has received",
    lambda patch: _end_acknowledges(patch, ReferenceQueueSession),
)
saboteur(
    "2.9-9",
    "closing a TopicSession acknowledges the messages it has received",
    lambda patch: _end_acknowledges(patch, ReferenceTopicSession),
)
