"""Fault points: each exists, an ordinary life of a client passes it, and a fault there is visible to a client."""

from __future__ import annotations

import inspect
from collections import Counter

import fault_point_effects_opening  # noqa: F401 # registers its effects
import fault_point_effects_server  # noqa: F401 # likewise
import pytest
from fault_point_effects import EFFECTS, skip
from fault_point_effects_lifecycle import branch, xa_session, xid
from rp_server import Pool
from rp_support import Completing, Keeping, Told, connect, send, session_of

from faults.kit.patch import Patch
from reference_provider.fault_points import FAULT_POINTS
from tck.api import (
    IllegalStateRuntimeException,
    Session,
    XAResource,
)


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


def live(provider):
    """Do what clients do: both domains, all modes, both APIs, a transaction, branches, the ends of things."""
    queue, topic = provider.create_queue("life"), provider.create_topic("life")
    _send_and_receive(provider, queue, topic)
    _transact(provider, queue)
    _serve(provider, queue)
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
    provider.restart()
    provider.kill()


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


def _serve(provider, queue):
    connection = connect(provider)
    pool = Pool(provider, connection)
    connection.create_connection_consumer(queue, None, pool, 1)
    send(session_of(provider), queue, "to a server session")
    provider.clock.event().wait(1)
    connection.close()


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
