"""The visible effects of faults at the fault points of opening, naming, selecting and temporary destinations."""

from __future__ import annotations

import gc

import pytest
from fault_point_effects import effect, left, skip
from rp_support import Keeping, connect, send, session_of, texts_of

from reference_provider import fault_points
from tck.api import InvalidDestinationException, Session


@effect("HEADERS_COMPUTED")
def _(provider, queue, patch):
    patch.at(fault_points.HEADERS_COMPUTED, lambda original, *rest: original(*rest)._replace(priority=9))
    session = session_of(provider)
    send(session, queue, "a")
    assert session.create_consumer(queue).receive(1).jms_priority == 9


@effect("MESSAGE_AWAITED")
def _(provider, queue, patch):
    send(session_of(provider), queue, "a")
    patch.at(fault_points.MESSAGE_AWAITED, skip)
    assert left(provider, queue) == []


@effect("BODY_RECEIVED")
def _(provider, queue, patch):
    patch.at(fault_points.BODY_RECEIVED, lambda original, consumer, delivery, read: "faulty")
    send(session_of(provider), queue, "a")
    consumer = provider.connection_factory().create_context().create_consumer(queue)
    assert consumer.receive_body_no_wait(str) == "faulty"


@effect("MESSAGE_ACKNOWLEDGED")
def _(provider, queue, patch):
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, lambda original, session: session.rollback())
    session = session_of(provider, Session.SESSION_TRANSACTED)
    send(session_of(provider), queue, "a")
    consumer = session.create_consumer(queue)
    consumer.receive(1).acknowledge()
    assert texts_of(consumer) == ["a"]


@effect("CONNECTION_OPENED")
def _(provider, queue, patch):
    patch.at(fault_points.CONNECTION_OPENED, skip)
    assert provider.connection_factory().create_connection() is None


@effect("SESSION_OPENED")
def _(provider, queue, patch):
    patch.at(fault_points.SESSION_OPENED, skip)
    assert connect(provider).create_session() is None


@effect("PLAIN_CONSUMER_OPENED")
def _(provider, queue, patch):
    def fault(original, session, destination, selector, no_local):
        return original(session, destination, None, no_local)

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, fault)
    session = session_of(provider)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue, "JMSPriority > 8")) == ["a"]


@effect("SUBSCRIPTION_NAMED")
def _(provider, queue, patch):
    patch.at(fault_points.SUBSCRIPTION_NAMED, lambda original, name: "other name")
    session = session_of(provider, client_id="client")
    session.create_durable_consumer(provider.create_topic("t"), "name")
    assert provider.administer("subscriptions") == [("client", "other name")]


@effect("SUBSCRIPTION_DELETED")
def _(provider, queue, patch):
    patch.at(fault_points.SUBSCRIPTION_DELETED, skip)
    session = session_of(provider, client_id="client")
    session.create_durable_consumer(provider.create_topic("t"), "name").close()
    session.unsubscribe("name")
    assert provider.administer("subscriptions") == [("client", "name")]


@effect("VALUES_SELECTED")
def _(provider, queue, patch):
    patch.at(fault_points.VALUES_SELECTED, lambda original, entry: {**original(entry), "JMSPriority": 9})
    session = session_of(provider)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue, "JMSPriority > 8")) == ["a"]


@effect("TEMPORARY_CHECKED")
def _(provider, queue, patch):
    temporary = session_of(provider).create_temporary_queue()
    other = session_of(provider)
    with pytest.raises(InvalidDestinationException):
        other.create_consumer(temporary)
    patch.at(fault_points.TEMPORARY_CHECKED, skip)
    other.create_consumer(temporary)


@effect("TEMPORARY_DELETED")
def _(provider, queue, patch):
    patch.at(fault_points.TEMPORARY_DELETED, skip)
    session = session_of(provider)
    temporary = session.create_temporary_queue()
    temporary.delete()
    session.create_consumer(temporary)


@effect("TEMPORARY_SWEPT")
def _(provider, queue, patch):
    session = session_of(provider)
    name = str(session.create_temporary_queue())
    gc.collect()
    patch.at(fault_points.TEMPORARY_SWEPT, skip)
    session.create_temporary_queue()
    assert name in provider.administer("destinations")


@effect("NAME_MADE")
def _(provider, queue, patch):
    patch.at(fault_points.NAME_MADE, lambda original, broker, prefix: prefix)
    session = session_of(provider)
    assert session.create_temporary_queue().queue_name == session.create_temporary_queue().queue_name


@effect("SESSION_MODE_CHOSEN")
def _(provider, queue, patch):
    patch.at(fault_points.SESSION_MODE_CHOSEN, lambda original, *rest: Session.CLIENT_ACKNOWLEDGE)
    assert connect(provider).create_session().acknowledge_mode == Session.CLIENT_ACKNOWLEDGE


@effect("PROVIDER_RESTARTED")
def _(provider, queue, patch):
    patch.at(fault_points.PROVIDER_RESTARTED, skip)
    session = session_of(provider)
    provider.restart()
    send(session, queue, "a")
    assert left(provider, queue) == ["a"]


@effect("PROVIDER_KILLED")
def _(provider, queue, patch):
    patch.at(fault_points.PROVIDER_KILLED, skip)
    session = session_of(provider)
    provider.kill()
    send(session, queue, "a")
    assert left(provider, queue) == ["a"]


@effect("LISTENER_ADDED")
def _(provider, queue, patch):
    patch.at(fault_points.LISTENER_ADDED, skip)
    session, heard = session_of(provider), Keeping()
    session.create_consumer(queue).message_listener = heard
    send(session_of(provider), queue, "a")
    provider.clock.event().wait(1)
    assert heard.texts == []


@effect("LISTENER_ABANDONED")
def _(provider, queue, patch):
    patch.at(fault_points.LISTENER_ABANDONED, lambda original, dispatcher: original(dispatcher)[:0])
    session, entered, released = session_of(provider), provider.clock.event(), provider.clock.event()

    def hear(message):
        entered.set()
        released.wait(1000)

    session.create_consumer(queue).message_listener = Keeping(hear)
    send(session_of(provider), queue, "a")
    entered.wait(100)
    provider.sever(session.connection)
    again = left(provider, queue)
    released.set()
    assert again == []
