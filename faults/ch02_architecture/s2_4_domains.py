"""Faults in 2.4: the two messaging domains."""

from faults.kit import *

saboteur(
    "2.4-1",
    "createTopicConnection is not supported",
    lambda patch: unsupported(
        patch, ReferenceTopicConnectionFactory, "create_topic_connection", "topics are not supported"
    ),
)


@saboteur("2.4-2", "a session that consumes from a queue refuses to publish to a topic", at=fault_points.SEND_SUBMITTED)
def _(original, session, physical, entry):
    queued = any(isinstance(consumer.receiver.physical, PhysicalQueue) for consumer in session.consumers)
    if queued and isinstance(physical, PhysicalTopic) and type(session) is ReferenceSession:
        raise IllegalStateException("the session is used for queues")
    original(session, physical, entry)


@saboteur("2.4-3", "createConsumer with a selector refuses topics", around=(ReferenceSession, "create_consumer"))
def _(original, self, destination, message_selector=OMITTED, no_local=OMITTED):
    if isinstance(destination, Topic) and message_selector is not OMITTED:
        raise InvalidDestinationException("a selector needs a queue")
    return original(self, destination, message_selector, no_local)


saboteur(
    "2.4-4",
    "consumers of a topic compete for its messages",
    lambda patch: rerouted(patch, lambda physical, entry, wanting: wanting[:1]),
)
