"""A link that breaks while a call is under way: what the session held goes back, once, and no call returns as if it had settled it."""

import pytest
from rp_support import Completing, send, session_of, texts_of

from reference_provider.client.completions import Completions
from reference_provider.client.receivers import WaitSlot
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import JMSException, Session, XAResource, Xid


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def left(provider, queue):
    """Receive what the queue still holds."""
    return texts_of(session_of(provider).create_consumer(queue))


@pytest.mark.parametrize("call", ["commit", "acknowledge"])
def test_a_link_that_breaks_within_a_call_has_settled_nothing(provider, queue, monkeypatch, call):
    """What the session held has gone back by then: the call must not find nothing to settle, and return."""
    modes = {"commit": Session.SESSION_TRANSACTED, "acknowledge": Session.CLIENT_ACKNOWLEDGE}
    session = session_of(provider, modes[call])
    send(session_of(provider), queue, "a")
    message = session.create_consumer(queue).receive(1)
    owner, step = {"commit": (Completions, "wait_until_done"), "acknowledge": (ReferenceSession, "acknowledge_all")}[
        call
    ]
    original = getattr(owner, step)

    def breaks(self):
        if self in (session, session.completions):
            provider.sever(session.connection)
        original(self)

    monkeypatch.setattr(owner, step, breaks)
    with pytest.raises(JMSException) as caught:
        getattr(session if call == "commit" else message, call)()
    monkeypatch.undo()
    assert caught.value.error_code == "CONNECTION_LOST"
    assert left(provider, queue) == ["a"]


def test_a_message_that_waits_to_be_picked_up_goes_back_once(provider, queue, monkeypatch):
    """Both the end of the session and the receive that it was handed to would put it back."""
    session = session_of(provider, Session.SESSION_TRANSACTED)
    other, sender = session_of(provider, Session.SESSION_TRANSACTED), session_of(provider)
    consumer = session.create_consumer(queue)
    wait = WaitSlot.wait

    def breaks(self, timeout):
        monkeypatch.undo()
        send(sender, queue, "a")
        wait(self, timeout)
        provider.sever(session.connection)
        assert texts_of(other.create_consumer(queue)) == ["a"]
        other.commit()

    monkeypatch.setattr(WaitSlot, "wait", breaks)
    assert consumer.receive(1000) is None
    assert left(provider, queue) == []


def test_a_receive_acknowledges_nothing_of_its_branch(provider, queue, monkeypatch):
    """The branch is over before the receive returns, and outside of a branch an XA session acknowledges by itself."""
    send(session_of(provider), queue, "a")
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    session = connection.create_xa_session()
    consumer = session.create_consumer(queue)
    session.xa_resource.start(Xid(1, b"transaction", b"1"), XAResource.TMNOFLAGS)
    mark = SessionState.mark

    def breaks(*given, **named):
        provider.sever(connection)
        mark(*given, **named)

    monkeypatch.setattr(SessionState, "mark", breaks)
    assert consumer.receive(1).text == "a"
    monkeypatch.undo()
    assert left(provider, queue) == ["a"]


def test_a_send_that_the_broken_link_overtook_has_its_callback(provider, queue, monkeypatch):
    """The link breaks between the send and its callback, when the thread of callbacks has ended already."""
    session, done = session_of(provider), provider.clock.event()
    listener = Completing(lambda message: done.set() if message.text == "overtaken" else None)
    producer, submit = session.create_producer(queue), ReferenceSession.submit
    producer.send(session.create_text_message("first"), completion_listener=listener)

    def breaks(self, *entry):
        submit(self, *entry)
        provider.sever(self.connection)
        provider.clock.event().wait(1000)  # the thread has come to its end by then

    monkeypatch.setattr(ReferenceSession, "submit", breaks)
    producer.send(session.create_text_message("overtaken"), completion_listener=listener)
    assert done.wait(1000)
