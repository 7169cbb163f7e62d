"""Acknowledgements the file refuses: no message is lost to it, and none is acknowledged that nobody has had."""

import threading

import pytest
from rp_support import Keeping, connect, send, session_of, texts_of

from reference_provider.adapter import open_provider
from reference_provider.store import Cleaning
from tck.api import JMSException, Session

REFUSE_DELETES = "create trigger refuse before delete on message begin select raise(abort, 'refused'); end"
REFUSE_MARKS = "create trigger refuse before update on message begin select raise(abort, 'refused'); end"


@pytest.fixture
def provider(tmp_path):
    with open_provider({}, tmp_path) as provider:
        yield provider


@pytest.fixture
def queue(provider):
    queue = provider.create_queue("q")
    send(session_of(provider), queue, *"abc")
    return queue


def _run(provider, sql):
    provider.store.commit(Cleaning([(sql, ())]))


@pytest.mark.parametrize("mode", [Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE])
def test_a_receive_that_cannot_acknowledge_takes_nothing(provider, queue, mode):
    consumer = session_of(provider, mode).create_consumer(queue)
    _run(provider, REFUSE_DELETES)
    for _ in range(2):
        with pytest.raises(JMSException, match="refused"):
            consumer.receive(1000)
    _run(provider, "drop trigger refuse")
    message = consumer.receive(1000)
    assert (message.text, message.jms_redelivered) == ("a", False)
    assert texts_of(consumer) == ["b", "c"]


@pytest.mark.parametrize("mode", [Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED])
def test_what_was_not_handed_over_is_not_acknowledged(provider, queue, mode):
    session = session_of(provider, mode)
    consumer = session.create_consumer(queue)
    _run(provider, REFUSE_MARKS)
    for _ in range(2):
        with pytest.raises(JMSException, match="refused"):
            consumer.receive(1000)
    if mode == Session.SESSION_TRANSACTED:
        session.commit()
    else:
        session.create_message().acknowledge()
    _run(provider, "drop trigger refuse")
    message = consumer.receive(1000)
    assert (message.text, message.jms_redelivered) == ("a", False)
    provider.kill()
    assert session_of(provider).create_consumer(queue).receive(1000).jms_redelivered


def test_a_message_whose_acknowledgement_failed_comes_to_its_listener_again(provider, queue):
    connection = connect(provider, start=False)
    consumer = connection.create_session().create_consumer(queue)
    twice, all_there = threading.Event(), threading.Event()
    flags = []

    def note(message):
        flags.append((message.text, message.jms_redelivered))
        if len(flags) == 2:
            twice.set()
        if message.text == "c":
            all_there.set()

    consumer.message_listener = Keeping(note)
    _run(provider, REFUSE_DELETES)
    connection.start()
    assert twice.wait(10)
    assert flags[:2] == [("a", False), ("a", True)]
    _run(provider, "drop trigger refuse")
    assert all_there.wait(10)
    connection.close()
    assert provider.pending(queue) == 0
