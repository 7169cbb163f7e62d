"""Destinations of somebody else: as JMSReplyTo they lose nothing but their implementation (3.12-4)."""

import pytest
from rp_support import session_of

from reference_provider.adapter import open_provider
from reference_provider.destinations import (
    ReferenceQueue,
    ReferenceTemporaryQueue,
    ReferenceTemporaryTopic,
    ReferenceTopic,
)
from tck.api import DeliveryMode, Destination, Queue, TemporaryQueue, TemporaryTopic, Topic


class _Queue(Queue):
    queue_name = "answers"

    def __str__(self):
        return "foreign"

    def delete(self):
        """Do nothing."""


class _TemporaryQueue(_Queue, TemporaryQueue):
    pass


class _Topic(Topic):
    topic_name = "answers"

    def __str__(self):
        return "foreign"

    def delete(self):
        """Do nothing."""


class _TemporaryTopic(_Topic, TemporaryTopic):
    pass


class _Nameless(Destination):
    pass


@pytest.mark.parametrize("mode", [DeliveryMode.NON_PERSISTENT, DeliveryMode.PERSISTENT])
@pytest.mark.parametrize(
    ("foreign", "kind"),
    [
        (_Queue(), ReferenceQueue),
        (_TemporaryQueue(), ReferenceTemporaryQueue),
        (_Topic(), ReferenceTopic),
        (_TemporaryTopic(), ReferenceTemporaryTopic),
        (_Nameless(), None),
    ],
)
def test_a_foreign_reply_destination_arrives_as_one_of_this_provider(tmp_path, mode, foreign, kind):
    provider = open_provider({}, tmp_path)
    session, queue = session_of(provider), provider.create_queue("q")
    message = session.create_message()
    message.jms_reply_to = foreign
    producer = session.create_producer(queue)
    producer.delivery_mode = mode
    producer.send(message)
    if mode == DeliveryMode.PERSISTENT:
        provider.kill()
    received = session_of(provider).create_consumer(queue).receive(1000)
    assert received.jms_reply_to == (None if kind is None else kind("answers"))
    assert type(received.jms_reply_to) is (kind or type(None))
    assert message.jms_reply_to is foreign
    provider.close()
