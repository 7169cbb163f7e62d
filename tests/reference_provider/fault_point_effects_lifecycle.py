"""Faults in transactions, sessions, connections, consumers and branches, and what a client then sees; see `fault_point_effects`."""

from __future__ import annotations

import pytest
from fault_point_effects import effect, left, skip
from rp_support import Told, connect, send, session_of, texts_of

from reference_provider import fault_points
from tck.api import (
    IllegalStateException,
    JMSException,
    JMSRuntimeException,
    Session,
    XAException,
    XAResource,
    Xid,
)


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


@effect("CALLS_AWAITED")
def _(provider, queue, patch):
    waited = []
    patch.at(fault_points.CALLS_AWAITED, lambda original, session: (waited.append(session), original(session)))
    session = session_of(provider)
    session.close()
    assert waited == [session]


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
