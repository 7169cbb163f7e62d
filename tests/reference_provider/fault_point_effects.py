"""Faults at the points that messages pass, and what a client then sees; without the fault each function fails."""

from __future__ import annotations

from rp_support import Completing, Keeping, send, session_of, texts_of

from reference_provider import fault_points
from tck.api import (
    DeliveryMode,
    Session,
)

EFFECTS = {}


def effect(name):
    """Declare the decorated function as the proof that a fault at this point is visible."""

    def declare(function):
        EFFECTS[name] = function
        return function

    return declare


def skip(original, *arguments, **keywords):
    """Do nothing: the fault that needs no thought."""


def left(provider, queue):
    """Receive what a queue holds."""
    session = session_of(provider)
    texts = texts_of(session.create_consumer(queue))
    session.connection.close()
    return texts


# --- sending ----------------------------------------------------------------------------------------------------------


@effect("SEND_PREPARED")
def _(provider, queue, patch):
    def fault(original, producer, message, destination, options):
        physical, entry = original(producer, message, destination, options)
        entry.priority = 9
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, fault)
    session = session_of(provider)
    send(session, queue, "a")
    assert session.create_consumer(queue).receive(1).jms_priority == 9


@effect("HEADERS_WRITTEN")
def _(provider, queue, patch):
    patch.at(fault_points.HEADERS_WRITTEN, skip)
    session = session_of(provider)
    message = session.create_text_message("a")
    session.create_producer(queue).send(message)
    assert message.jms_message_id is None


@effect("PRODUCER_APPLIED")
def _(provider, queue, patch):
    patch.at(fault_points.PRODUCER_APPLIED, skip)
    context = provider.connection_factory().create_context()
    context.create_producer().set_jms_type("t").send(queue, "a")
    assert context.create_consumer(queue).receive(1).jms_type is None


@effect("SEND_SUBMITTED")
def _(provider, queue, patch):
    patch.at(fault_points.SEND_SUBMITTED, skip)
    send(session_of(provider), queue, "a")
    assert left(provider, queue) == []


@effect("ROUTED")
def _(provider, queue, patch):
    patch.at(fault_points.ROUTED, lambda original, *rest: original(*rest)[:0])
    send(session_of(provider), queue, "a")
    assert left(provider, queue) == []


@effect("SUBSCRIPTION_MATCHED")
def _(provider, queue, patch):
    patch.at(fault_points.SUBSCRIPTION_MATCHED, lambda original, subscription, entry: False)
    session, topic = session_of(provider), provider.create_topic("t")
    consumer = session.create_consumer(topic)
    send(session, topic, "a")
    assert texts_of(consumer) == []


@effect("STORED")
def _(provider, queue, patch):
    patch.at(fault_points.STORED, lambda original, *rest: False)
    send(session_of(provider), queue, "a", delivery_mode=DeliveryMode.PERSISTENT)
    provider.kill()
    assert left(provider, queue) == []


@effect("FILE_WRITTEN")
def _(provider, queue, patch):
    patch.at(fault_points.FILE_WRITTEN, skip)
    send(session_of(provider), queue, "a", delivery_mode=DeliveryMode.PERSISTENT)
    assert left(provider, queue) == []


@effect("ARRIVED")
def _(provider, queue, patch):
    def fault(original, broker, delivery_queue, entry):
        if entry.snapshot.body != "lost":
            original(broker, delivery_queue, entry)

    patch.at(fault_points.ARRIVED, fault)
    send(session_of(provider), queue, "lost", "a")
    assert left(provider, queue) == ["a"]


@effect("OFFERED")
def _(provider, queue, patch):
    def fault(original, broker, delivery_queue, entry):
        if entry.delivery_time == entry.timestamp:
            original(broker, delivery_queue, entry)

    patch.at(fault_points.OFFERED, fault)
    session = session_of(provider)
    send(session, queue, "a")
    producer = session.create_producer(queue)
    producer.delivery_delay = 5
    producer.send(session.create_text_message("lost"))
    provider.clock.advance(10)
    assert left(provider, queue) == ["a"]


@effect("EXPIRY_CHECKED")
def _(provider, queue, patch):
    patch.at(fault_points.EXPIRY_CHECKED, lambda original, broker, entry: False)
    send(session_of(provider), queue, "a", time_to_live=5)
    provider.clock.advance(10)
    assert left(provider, queue) == ["a"]


@effect("SENT_ASYNCHRONOUSLY")
def _(provider, queue, patch):
    patch.at(fault_points.SENT_ASYNCHRONOUSLY, skip)
    assert _completed(provider, queue) == []
    assert left(provider, queue) == []


@effect("COMPLETION_QUEUED")
def _(provider, queue, patch):
    patch.at(fault_points.COMPLETION_QUEUED, skip)
    assert _completed(provider, queue) == []
    assert left(provider, queue) == ["a"]


@effect("COMPLETIONS_AWAITED")
def _(provider, queue, patch):
    waited = []
    patch.at(fault_points.COMPLETIONS_AWAITED, lambda original, *rest: (waited.append(rest), original(*rest)))
    _completed(provider, queue)
    assert waited


@effect("COMPLETION_CALLED")
def _(provider, queue, patch):
    patch.at(fault_points.COMPLETION_CALLED, skip)
    assert _completed(provider, queue) == []


def _completed(provider, queue):
    """Send asynchronously, close the producer, and return what completed."""
    session, listener = session_of(provider), Completing()
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("a"), completion_listener=listener)
    producer.close()
    return listener.sent


# --- receiving --------------------------------------------------------------------------------------------------------


@effect("CONSUMER_ADDED")
def _(provider, queue, patch):
    added = []
    patch.at(fault_points.CONSUMER_ADDED, lambda original, session, made: added.append(made) or original(session, made))
    assert added == [session_of(provider).create_consumer(queue)]


@effect("MESSAGE_TAKEN")
def _(provider, queue, patch):
    send(session_of(provider), queue, "a")
    patch.at(fault_points.MESSAGE_TAKEN, skip)
    assert left(provider, queue) == []


@effect("HANDED_OVER")
def _(provider, queue, patch):
    def fault(original, *rest):
        delivery = original(*rest)
        delivery.count += 1
        return delivery

    patch.at(fault_points.HANDED_OVER, fault)
    session = session_of(provider)
    send(session, queue, "a")
    assert session.create_consumer(queue).receive(1).jms_redelivered


@effect("MESSAGE_MADE")
def _(provider, queue, patch):
    def fault(original, session, delivery):
        message = original(session, delivery)
        message.jms_type = "faulty"
        return message

    patch.at(fault_points.MESSAGE_MADE, fault)
    session = session_of(provider)
    send(session, queue, "a")
    assert session.create_consumer(queue).receive(1).jms_type == "faulty"


@effect("LISTENER_CALLED")
def _(provider, queue, patch):
    patch.at(fault_points.LISTENER_CALLED, lambda original, dispatcher, listener, delivery: False)
    session, heard = session_of(provider), Keeping()
    session.create_consumer(queue).message_listener = heard
    send(session_of(provider), queue, "a")
    provider.clock.event().wait(1)
    assert (heard.texts, left(provider, queue)) == ([], [])


# --- acknowledging ----------------------------------------------------------------------------------------------------


@effect("SETTLED")
def _(provider, queue, patch):
    patch.at(fault_points.SETTLED, skip)
    send(session_of(provider), queue, "a")
    assert left(provider, queue) == ["a"]
    provider.restart()
    assert left(provider, queue) == ["a"]


@effect("ACKNOWLEDGED")
def _(provider, queue, patch):
    patch.at(fault_points.ACKNOWLEDGED, skip)
    session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
    send(session, queue, "a")
    session.create_consumer(queue).receive(1).acknowledge()
    session.connection.close()
    assert left(provider, queue) == ["a"]


@effect("REMOVED")
def _(provider, queue, patch):
    patch.at(fault_points.REMOVED, skip)
    send(session_of(provider), queue, "a")
    assert left(provider, queue) == ["a"]
    assert provider.pending(queue) == 1


@effect("REDELIVERED")
def _(provider, queue, patch):
    patch.at(fault_points.REDELIVERED, skip)
    session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
    consumer = session.create_consumer(queue)
    send(session, queue, "a")
    assert texts_of(consumer) == ["a"]
    session.recover()
    assert texts_of(consumer) == []
