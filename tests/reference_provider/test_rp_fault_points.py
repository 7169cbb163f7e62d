"""Fault points: each exists, an ordinary life of a client passes it, and a fault there is visible to a client."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest
from rp_support import Completing, Keeping, Told, connect, send, session_of, texts_of

from reference_provider import fault_points
from reference_provider.fault_points import FAULT_POINTS
from reference_provider.saboteurs.registry import Patch
from tck.api import (
    DeliveryMode,
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidDestinationException,
    JMSException,
    JMSRuntimeException,
    Session,
    XAException,
    XAResource,
    Xid,
)

EFFECTS = {}


class Harmless(Patch):
    """Installs nothing."""

    def at(self, point, fault):
        """Leave the fault point alone."""


@pytest.fixture
def patch():
    opened = Patch()
    yield opened
    opened.undo()


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def effect(name):
    """Declare the decorated function as the proof that a fault at this point is visible."""

    def declare(function):
        EFFECTS[name] = function
        return function

    return declare


def skip(original, *arguments, **keywords):
    """Do nothing: the fault that needs no thought."""


def xid(number):
    """Make an identifier."""
    return Xid(1, b"transaction", bytes([number]))


def xa_session(provider):
    """Make a session for branches."""
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    return connection.create_xa_session()


def branch(session, name, queue, text):
    """Send a text within a branch."""
    session.xa_resource.start(name, XAResource.TMNOFLAGS)
    send(session, queue, text)
    session.xa_resource.end(name, XAResource.TMSUCCESS)


def left(provider, queue):
    """Receive what a queue holds."""
    session = session_of(provider)
    texts = texts_of(session.create_consumer(queue))
    session.connection.close()
    return texts


def live(provider):
    """Do what clients do: both domains, all modes, both APIs, a transaction, branches, the ends of things."""
    queue, topic = provider.create_queue("life"), provider.create_topic("life")
    _send_and_receive(provider, queue, topic)
    _transact(provider, queue)
    session = xa_session(provider)
    resource = session.xa_resource
    branch(session, xid(1), queue, "committed")
    resource.prepare(xid(1))
    resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN)
    resource.commit(xid(1), one_phase=False)
    branch(session, xid(2), queue, "rolled back")
    resource.rollback(xid(2))
    branch(session, xid(3), queue, "decided by an administrator")
    resource.prepare(xid(3))
    provider.administer("heuristic", xid=xid(3), outcome="rollback")
    resource.forget(xid(3))
    context = provider.connection_factory().create_context(session_mode=Session.AUTO_ACKNOWLEDGE)
    context.create_producer().send(queue, "body")
    context.create_consumer(queue).receive_body_no_wait(str)
    with pytest.raises(IllegalStateRuntimeException):
        context.commit()


def _send_and_receive(provider, queue, topic):
    connection = connect(provider, "client")
    session = connection.create_session(session_mode=Session.CLIENT_ACKNOWLEDGE)
    durable = session.create_durable_consumer(topic, "name", "JMSPriority = 4")
    send(session, topic, "to a topic", time_to_live=1000)
    durable.receive(1).acknowledge()
    durable.close()
    session.unsubscribe("name")
    temporary = session.create_temporary_queue()
    temporary.delete()
    producer, listener = session.create_producer(queue), Completing()
    producer.send(session.create_text_message("later"), completion_listener=listener)
    producer.close()
    listening = connection.create_session()
    heard = Keeping()
    listening.create_consumer(queue).message_listener = heard
    provider.clock.event().wait(1)
    connection.stop()
    connection.exception_listener = Told(provider.clock.event())
    provider.sever(connection)
    other = session_of(provider)
    consumer = other.create_consumer(queue)
    send(other, queue, "again")
    consumer.receive_no_wait()
    other.connection.close()


def _transact(provider, queue):
    session = session_of(provider, Session.SESSION_TRANSACTED)
    send(session, queue, "x")
    session.commit()
    session.create_consumer(queue).receive(1)
    session.rollback()
    session.close()


def test_a_life_passes_every_fault_point(provider, patch):
    seen = Counter()

    def counting(name):
        def fault(original, *arguments, **keywords):
            seen[name] += 1
            return original(*arguments, **keywords)

        return fault

    for name, point in FAULT_POINTS.items():
        patch.at(point, counting(name))
    live(provider)
    assert sorted(set(FAULT_POINTS) - set(seen)) == []


@pytest.mark.parametrize("name", FAULT_POINTS)
def test_a_fault_point_is_a_public_documented_function(name):
    point = FAULT_POINTS[name]
    function = vars(point.owner)[point.attribute]
    assert not point.attribute.startswith("_")
    assert inspect.isfunction(function)
    assert function.__doc__


@pytest.mark.parametrize("name", FAULT_POINTS)
def test_a_fault_is_visible(provider, queue, patch, name):
    EFFECTS[name](provider, queue, patch)


@pytest.mark.parametrize("name", FAULT_POINTS)
def test_without_the_fault_nothing_of_it_is_visible(provider, queue, name):
    with pytest.raises((Exception, pytest.fail.Exception)):
        EFFECTS[name](provider, queue, Harmless())


def test_a_patch_puts_every_fault_point_back(patch):
    before = [vars(point.owner)[point.attribute] for point in FAULT_POINTS.values()]
    for point in FAULT_POINTS.values():
        patch.at(point, skip)
        patch.at(point, skip)
    patch.undo()
    assert [vars(point.owner)[point.attribute] for point in FAULT_POINTS.values()] == before


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


@effect("HEADERS_COMPUTED")
def _(provider, queue, patch):
    patch.at(fault_points.HEADERS_COMPUTED, lambda original, *rest: original(*rest)._replace(priority=9))
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


@effect("EXPIRY_CHECKED")
def _(provider, queue, patch):
    patch.at(fault_points.EXPIRY_CHECKED, lambda original, broker, entry: False)
    send(session_of(provider), queue, "a", time_to_live=5)
    provider.clock.advance(10)
    assert left(provider, queue) == ["a"]


@effect("COMPLETION_CALLED")
def _(provider, queue, patch):
    patch.at(fault_points.COMPLETION_CALLED, skip)
    session, listener = session_of(provider), Completing()
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("a"), completion_listener=listener)
    producer.close()
    assert listener.sent == []


# --- receiving --------------------------------------------------------------------------------------------------------


@effect("MESSAGE_AWAITED")
def _(provider, queue, patch):
    send(session_of(provider), queue, "a")
    patch.at(fault_points.MESSAGE_AWAITED, skip)
    assert left(provider, queue) == []


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


@effect("BODY_RECEIVED")
def _(provider, queue, patch):
    patch.at(fault_points.BODY_RECEIVED, lambda original, consumer, delivery, read: "faulty")
    send(session_of(provider), queue, "a")
    consumer = provider.connection_factory().create_context().create_consumer(queue)
    assert consumer.receive_body_no_wait(str) == "faulty"


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


@effect("MESSAGE_ACKNOWLEDGED")
def _(provider, queue, patch):
    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, lambda original, session: session.rollback())
    session = session_of(provider, Session.SESSION_TRANSACTED)
    send(session_of(provider), queue, "a")
    consumer = session.create_consumer(queue)
    consumer.receive(1).acknowledge()
    assert texts_of(consumer) == ["a"]


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


# --- transactions and sessions ----------------------------------------------------------------------------------------


@effect("COMMIT")
def _(provider, queue, patch):
    patch.at(fault_points.COMMIT, skip)
    session = session_of(provider, Session.SESSION_TRANSACTED)
    send(session, queue, "a")
    session.commit()
    assert left(provider, queue) == []


@effect("ROLLBACK")
def _(provider, queue, patch):
    def fault(original, session, work):
        work.perform()

    patch.at(fault_points.ROLLBACK, fault)
    session = session_of(provider, Session.SESSION_TRANSACTED)
    send(session, queue, "a")
    session.rollback()
    assert left(provider, queue) == ["a"]


@effect("SESSION_CHECKED")
def _(provider, queue, patch):
    session = session_of(provider)
    session.close()
    with pytest.raises(IllegalStateException):
        session.create_text_message("a")
    patch.at(fault_points.SESSION_CHECKED, skip)
    assert session.create_text_message("a").text == "a"


@effect("SESSION_ENDED")
def _(provider, queue, patch):
    def fault(original, session):
        session.state.acknowledge_all(lambda: None)
        original(session)

    patch.at(fault_points.SESSION_ENDED, fault)
    session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue)) == ["a"]
    session.close()
    assert left(provider, queue) == []


# --- connections ------------------------------------------------------------------------------------------------------


@effect("CONNECTION_OPENED")
def _(provider, queue, patch):
    patch.at(fault_points.CONNECTION_OPENED, skip)
    assert provider.connection_factory().create_connection() is None


@effect("SESSION_OPENED")
def _(provider, queue, patch):
    patch.at(fault_points.SESSION_OPENED, skip)
    assert connect(provider).create_session() is None


@effect("CONNECTION_STARTED")
def _(provider, queue, patch):
    patch.at(fault_points.CONNECTION_STARTED, skip)
    send(session_of(provider), queue, "a")
    assert left(provider, queue) == []


@effect("CONNECTION_STOPPED")
def _(provider, queue, patch):
    patch.at(fault_points.CONNECTION_STOPPED, skip)
    session = session_of(provider)
    send(session, queue, "a")
    session.connection.stop()
    assert texts_of(session.create_consumer(queue)) == ["a"]


@effect("CONNECTION_CLOSED")
def _(provider, queue, patch):
    patch.at(fault_points.CONNECTION_CLOSED, skip)
    session = session_of(provider)
    session.connection.close()
    assert provider.administer("connections") == 1


@effect("CONNECTION_CHECKED")
def _(provider, queue, patch):
    connection = connect(provider)
    connection.close()
    with pytest.raises(IllegalStateException):
        connection.start()
    patch.at(fault_points.CONNECTION_CHECKED, skip)
    connection.start()


@effect("LINK_LOST")
def _(provider, queue, patch):
    patch.at(fault_points.LINK_LOST, skip)
    session = session_of(provider)
    provider.sever(session.connection)
    send(session, queue, "a")
    assert left(provider, queue) == ["a"]


# --- consumers --------------------------------------------------------------------------------------------------------


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


@effect("SUBSCRIPTION_OPENED")
def _(provider, queue, patch):
    def fault(original, factory, physical, text, matches, subscription):
        return original(factory, physical, text, None, subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, fault)
    session = session_of(provider)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue, "JMSPriority > 8")) == ["a"]


@effect("SUBSCRIPTION_STORED")
def _(provider, queue, patch):
    def fault(original, factory, topic, key, selector, no_local, *, shared):
        return original(factory, topic, (key[0], "other name"), selector, no_local, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, fault)
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


@effect("CONSUMER_CLOSED")
def _(provider, queue, patch):
    patch.at(fault_points.CONSUMER_CLOSED, skip)
    session_of(provider).create_consumer(queue).close()
    assert provider.administer("consumers", destination=queue) == 1


@effect("SELECTOR_COMPILED")
def _(provider, queue, patch):
    patch.at(fault_points.SELECTOR_COMPILED, lambda original, text, version: None)
    session = session_of(provider)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue, "JMSPriority > 8")) == ["a"]


@effect("VALUES_SELECTED")
def _(provider, queue, patch):
    patch.at(fault_points.VALUES_SELECTED, lambda original, entry: {**original(entry), "JMSPriority": 9})
    session = session_of(provider)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue, "JMSPriority > 8")) == ["a"]


# --- temporary destinations -------------------------------------------------------------------------------------------


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


# --- exceptions -------------------------------------------------------------------------------------------------------


@effect("EXCEPTION_TRANSLATED")
def _(provider, queue, patch):
    patch.at(fault_points.EXCEPTION_TRANSLATED, lambda original, error: JMSRuntimeException(error.reason))
    context = provider.connection_factory().create_context()
    with pytest.raises(JMSRuntimeException) as caught:
        context.commit()
    assert type(caught.value) is JMSRuntimeException


@effect("EXCEPTION_REPORTED")
def _(provider, queue, patch):
    patch.at(fault_points.EXCEPTION_REPORTED, skip)
    connection, listener = connect(provider), Told(provider.clock.event())
    connection.exception_listener = listener
    provider.sever(connection)
    with pytest.raises(JMSException):
        connection.start()
    provider.clock.event().wait(1)
    assert listener.problems == []


# --- distributed transactions -----------------------------------------------------------------------------------------


@effect("XA_START")
def _(provider, queue, patch):
    patch.at(fault_points.XA_START, skip)
    session = xa_session(provider)
    session.xa_resource.start(xid(1), XAResource.TMNOFLAGS)
    send(session, queue, "a")
    assert left(provider, queue) == ["a"]


@effect("XA_END")
def _(provider, queue, patch):
    patch.at(fault_points.XA_END, skip)
    session = xa_session(provider)
    branch(session, xid(1), queue, "a")
    with pytest.raises(XAException):
        session.xa_resource.prepare(xid(1))


@effect("XA_PREPARE")
def _(provider, queue, patch):
    patch.at(fault_points.XA_PREPARE, lambda original, resource, xid: XAResource.XA_OK)
    session = xa_session(provider)
    branch(session, xid(1), queue, "a")
    assert session.xa_resource.prepare(xid(1)) == XAResource.XA_OK
    provider.restart()
    assert provider.server.broker.branches.find(xid(1)) is None


@effect("XA_COMMIT")
def _(provider, queue, patch):
    patch.at(fault_points.XA_COMMIT, skip)
    session = xa_session(provider)
    branch(session, xid(1), queue, "a")
    session.xa_resource.commit(xid(1), one_phase=True)
    assert left(provider, queue) == []


@effect("XA_ROLLBACK")
def _(provider, queue, patch):
    def fault(original, resource, xid):
        resource.commit(xid, one_phase=True)

    patch.at(fault_points.XA_ROLLBACK, fault)
    session = xa_session(provider)
    branch(session, xid(1), queue, "a")
    session.xa_resource.rollback(xid(1))
    assert left(provider, queue) == ["a"]


@effect("XA_FORGET")
def _(provider, queue, patch):
    patch.at(fault_points.XA_FORGET, skip)
    session = xa_session(provider)
    branch(session, xid(1), queue, "a")
    session.xa_resource.prepare(xid(1))
    provider.administer("heuristic", xid=xid(1), outcome="commit")
    session.xa_resource.forget(xid(1))
    assert provider.server.broker.branches.find(xid(1)) is not None


@effect("XA_RECOVER")
def _(provider, queue, patch):
    patch.at(fault_points.XA_RECOVER, lambda original, resource, flags: [])
    session = xa_session(provider)
    branch(session, xid(1), queue, "a")
    session.xa_resource.prepare(xid(1))
    assert session.xa_resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN) == []
