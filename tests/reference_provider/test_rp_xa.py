"""Distributed transactions: the protocol, isolation, what survives, what an administrator and the clock can do to a branch."""

import pytest
from rp_support import Keeping, send, session_of, texts_of

from tck.api import (
    TransactionInProgressException,
    TransactionInProgressRuntimeException,
    XAException,
    XAResource,
    Xid,
)

OK, JOIN, RESUME = XAResource.TMNOFLAGS, XAResource.TMJOIN, XAResource.TMRESUME
SUCCESS, FAIL, SUSPEND = XAResource.TMSUCCESS, XAResource.TMFAIL, XAResource.TMSUSPEND
SCAN = XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN


def xid(number):
    """Make an identifier."""
    return Xid(1, b"transaction", bytes([number]))


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def _xa(provider):
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    return connection.create_xa_session()


def _drain(provider, destination):
    session = session_of(provider)
    texts = texts_of(session.create_consumer(destination))
    session.connection.close()
    return texts


def _branch(session, name, *destinations_and_texts):
    session.xa_resource.start(name, OK)
    for destination, text in destinations_and_texts:
        send(session, destination, text)
    session.xa_resource.end(name, SUCCESS)


def _code(call, *arguments):
    with pytest.raises(XAException) as caught:
        call(*arguments)
    return caught.value.error_code


def test_two_phases(provider, queue):
    session = _xa(provider)
    resource = session.xa_resource
    _branch(session, xid(1), (queue, "x"))
    assert _drain(provider, queue) == []
    assert resource.prepare(xid(1)) == XAResource.XA_OK
    assert _drain(provider, queue) == []
    assert resource.recover(SCAN) == [xid(1)]
    resource.commit(xid(1), False)
    assert resource.recover(SCAN) == []
    assert _drain(provider, queue) == ["x"]


def test_one_phase_and_rollback(provider, queue):
    session = _xa(provider)
    resource = session.xa_resource
    for number in (1, 2, 3):
        _branch(session, xid(number), (queue, str(number)))
    resource.commit(xid(1), True)
    resource.rollback(xid(2))
    resource.prepare(xid(3))
    resource.rollback(xid(3))
    assert _drain(provider, queue) == ["1"]


def test_receiving_in_a_branch(provider, queue):
    send(session_of(provider), queue, "a", "b")
    session = _xa(provider)
    resource = session.xa_resource
    consumer = session.create_consumer(queue)
    resource.start(xid(1), OK)
    assert consumer.receive(1).text == "a"
    resource.end(xid(1), SUCCESS)
    resource.rollback(xid(1))
    resource.start(xid(2), OK)
    again = consumer.receive(1)
    assert (again.text, again.jms_redelivered) == ("a", True)
    resource.end(xid(2), SUCCESS)
    resource.prepare(xid(2))
    assert _drain(provider, queue) == ["b"]
    resource.commit(xid(2), False)
    assert provider.pending(queue) == 0


def test_a_branch_without_work_is_read_only(provider):
    session = _xa(provider)
    _branch(session, xid(1))
    assert session.xa_resource.prepare(xid(1)) == XAResource.XA_RDONLY
    assert _code(session.xa_resource.commit, xid(1), False) == XAException.XAER_NOTA


def test_a_branch_does_not_see_its_own_messages(provider, queue):
    session = _xa(provider)
    consumer = session.create_consumer(queue)
    session.xa_resource.start(xid(1), OK)
    send(session, queue, "x")
    assert consumer.receive(1) is None
    session.xa_resource.end(xid(1), SUCCESS)
    session.xa_resource.commit(xid(1), True)
    assert consumer.receive(1).text == "x"


def test_outside_of_branches_work_takes_effect_at_once(provider, queue):
    session = _xa(provider)
    send(session, queue, "x")
    assert _drain(provider, queue) == ["x"]
    assert session.transacted is True


def test_suspend_resume_and_several_branches(provider, queue):
    session = _xa(provider)
    resource = session.xa_resource
    resource.start(xid(1), OK)
    send(session, queue, "1a")
    resource.end(xid(1), SUSPEND)
    _branch(session, xid(2), (queue, "2"))
    resource.start(xid(1), RESUME)
    send(session, queue, "1b")
    resource.end(xid(1), SUCCESS)
    resource.rollback(xid(2))
    resource.commit(xid(1), True)
    assert _drain(provider, queue) == ["1a", "1b"]


def test_a_second_resource_can_join_and_finish(provider, queue):
    first, second = _xa(provider), _xa(provider)
    assert first.xa_resource.is_same_rm(second.xa_resource)
    _branch(first, xid(1), (queue, "a"))
    second.xa_resource.start(xid(1), JOIN)
    send(second, queue, "b")
    assert _code(first.xa_resource.prepare, xid(1)) == XAException.XAER_PROTO
    second.xa_resource.end(xid(1), SUCCESS)
    first.xa_resource.prepare(xid(1))
    second.xa_resource.commit(xid(1), False)
    assert _drain(provider, queue) == ["a", "b"]


def test_failure_leaves_only_the_rollback(provider, queue):
    session = _xa(provider)
    resource = session.xa_resource
    for number, finish in ((1, resource.prepare), (2, lambda name: resource.commit(name, True))):
        resource.start(xid(number), OK)
        send(session, queue, "never")
        resource.end(xid(number), FAIL)
        assert _code(finish, xid(number)) == XAException.XA_RBROLLBACK
    assert _drain(provider, queue) == []


def test_the_protocol_is_guarded(provider, queue):
    session = _xa(provider)
    resource = session.xa_resource
    unknown = xid(99)
    assert _code(resource.commit, unknown, False) == XAException.XAER_NOTA
    assert _code(resource.rollback, unknown) == XAException.XAER_NOTA
    assert _code(resource.prepare, unknown) == XAException.XAER_NOTA
    assert _code(resource.forget, unknown) == XAException.XAER_NOTA
    assert _code(resource.end, unknown, SUCCESS) == XAException.XAER_NOTA
    assert _code(resource.start, unknown, JOIN) == XAException.XAER_NOTA
    assert _code(resource.start, None, OK) == XAException.XAER_INVAL
    assert _code(resource.start, unknown, 0x1234) == XAException.XAER_INVAL
    assert _code(resource.recover, XAResource.TMNOFLAGS) == XAException.XAER_INVAL
    resource.start(xid(1), OK)
    assert _code(resource.start, xid(2), OK) == XAException.XAER_PROTO
    assert _code(resource.commit, xid(1), True) == XAException.XAER_PROTO
    assert _code(_xa(provider).xa_resource.start, xid(1), OK) == XAException.XAER_DUPID
    send(session, queue, "x")
    resource.end(xid(1), SUCCESS)
    assert _code(resource.end, xid(1), SUCCESS) == XAException.XAER_PROTO
    assert _code(resource.commit, xid(1), False) == XAException.XAER_PROTO
    assert _code(resource.start, xid(1), RESUME) == XAException.XAER_PROTO
    resource.prepare(xid(1))
    assert _code(resource.prepare, xid(1)) == XAException.XAER_PROTO
    assert _code(resource.start, xid(1), JOIN) == XAException.XAER_PROTO
    assert _code(resource.commit, xid(1), True) == XAException.XAER_PROTO
    assert _code(resource.forget, xid(1)) == XAException.XAER_PROTO
    resource.commit(xid(1), False)
    assert _drain(provider, queue) == ["x"]


@pytest.mark.parametrize("stop", ["restart", "kill", "sever"])
@pytest.mark.parametrize("outcome", ["commit", "rollback"])
def test_a_prepared_branch_outlives_everything(provider, queue, stop, outcome):
    topic = provider.create_topic("t")
    durable = session_of(provider, client_id="me").create_durable_consumer(topic, "s")
    sender = session_of(provider)
    send(sender, queue, "received")
    send(sender, topic, "received")
    session = _xa(provider)
    session.xa_resource.start(xid(1), OK)
    assert session.create_consumer(queue).receive(1).text == "received"
    send(session, queue, "sent")
    send(session, topic, "sent")
    session.xa_resource.end(xid(1), SUCCESS)
    session.xa_resource.prepare(xid(1))
    if stop == "sever":
        provider.sever(session.connection)
        durable.session.connection.close()
    else:
        getattr(provider, stop)()
    assert _drain(provider, queue) == []
    resource = _xa(provider).xa_resource
    assert resource.recover(SCAN) == [xid(1)]
    if outcome == "commit":
        resource.commit(xid(1), False)
    else:
        resource.rollback(xid(1))
    assert resource.recover(SCAN) == []
    assert _drain(provider, queue) == (["sent"] if outcome == "commit" else ["received"])
    subscriber = session_of(provider, client_id="me").create_durable_consumer(topic, "s")
    assert texts_of(subscriber) == (["received", "sent"] if outcome == "commit" else ["received"])
    counts = "select (select count(*) from message), (select count(*) from branch), (select count(*) from branch_ack)"
    assert list(provider.store.rows(counts)) == [(0, 0, 0)]


def test_closing_leaves_ended_branches_alone_and_fails_active_ones(provider, queue):
    session = _xa(provider)
    _branch(session, xid(1), (queue, "ended"))
    session.xa_resource.start(xid(2), OK)
    send(session, queue, "active")
    session.connection.close()
    resource = _xa(provider).xa_resource
    resource.commit(xid(1), True)
    assert _code(resource.commit, xid(2), True) == XAException.XA_RBROLLBACK
    assert _drain(provider, queue) == ["ended"]


def test_a_branch_can_take_too_long(provider, queue):
    session = _xa(provider)
    resource = session.xa_resource
    assert resource.get_transaction_timeout() == 0
    assert resource.set_transaction_timeout(5) is True
    assert resource.get_transaction_timeout() == 5
    send(session_of(provider), queue, "received")
    resource.start(xid(1), OK)
    assert session.create_consumer(queue).receive(1).text == "received"
    resource.end(xid(1), SUCCESS)
    provider.clock.advance(5000)
    assert _drain(provider, queue) == ["received"]
    assert _code(resource.prepare, xid(1)) == XAException.XA_RBTIMEOUT
    resource.start(xid(2), OK)
    send(session, queue, "in time")
    resource.end(xid(2), SUCCESS)
    resource.prepare(xid(2))
    provider.clock.advance(5000)
    resource.commit(xid(2), False)
    assert _drain(provider, queue) == ["in time"]
    assert _code(resource.set_transaction_timeout, -1) == XAException.XAER_INVAL


@pytest.mark.parametrize(("outcome", "code"), [("commit", XAException.XA_HEURCOM), ("rollback", XAException.XA_HEURRB)])
def test_a_heuristic_outcome_is_reported_until_forgotten(provider, queue, outcome, code):
    session = _xa(provider)
    _branch(session, xid(1), (queue, "x"))
    session.xa_resource.prepare(xid(1))
    provider.administer("heuristic", xid=xid(1), outcome=outcome)
    assert _drain(provider, queue) == (["x"] if outcome == "commit" else [])
    provider.restart()
    resource = _xa(provider).xa_resource
    assert resource.recover(SCAN) == [xid(1)]
    assert _code(resource.commit, xid(1), False) == code
    assert _code(resource.rollback, xid(1)) == code
    resource.forget(xid(1))
    assert resource.recover(SCAN) == []
    assert _code(resource.commit, xid(1), False) == XAException.XAER_NOTA


def test_only_the_manager_ends_a_transaction(provider):
    session = _xa(provider)
    for call in (session.commit, session.rollback, session.session.commit):
        with pytest.raises(TransactionInProgressException):
            call()
    context = provider.xa_connection_factory().create_xa_context()
    for call in (context.commit, context.rollback, context.context.commit):
        with pytest.raises(TransactionInProgressRuntimeException):
            call()
    assert context.transacted is True


def test_contexts_and_domain_specific_sessions_take_part(provider, queue):
    context = provider.xa_connection_factory().create_xa_context()
    context.xa_resource.start(xid(1), OK)
    context.create_producer().send(queue, "context")
    context.xa_resource.end(xid(1), SUCCESS)
    context.xa_resource.commit(xid(1), True)
    queues = provider.xa_queue_connection_factory().create_xa_queue_connection().create_xa_queue_session()
    queues.xa_resource.start(xid(2), OK)
    queues.queue_session.create_sender(queue).send(queues.create_text_message("queue session"))
    queues.xa_resource.end(xid(2), SUCCESS)
    queues.xa_resource.commit(xid(2), True)
    topic = provider.create_topic("t")
    subscriber = session_of(provider).create_consumer(topic)
    topics = provider.xa_topic_connection_factory().create_xa_topic_connection().create_xa_topic_session()
    topics.xa_resource.start(xid(3), OK)
    topics.topic_session.create_publisher(topic).publish(topics.create_text_message("topic session"))
    assert texts_of(subscriber) == []
    topics.xa_resource.end(xid(3), SUCCESS)
    topics.xa_resource.commit(xid(3), True)
    assert texts_of(subscriber) == ["topic session"]
    assert _drain(provider, queue) == ["context", "queue session"]


def test_an_xa_connection_makes_ordinary_sessions_too(provider, queue):
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.client_id = "me"
    session = connection.create_session(transacted=True, session_mode=0)
    send(session, queue, "x")
    session.commit()
    listener, done = Keeping(lambda _: done.set()), provider.clock.event()
    connection.create_session().create_consumer(queue).message_listener = listener
    connection.start()
    assert done.wait(None)
    connection.close()
    assert listener.texts == ["x"]
