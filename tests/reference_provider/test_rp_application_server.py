"""What application servers use: connection consumers, the session's own listener; and the requestors."""

import pytest
from rp_server import Pool
from rp_support import Keeping, connect, send, session_of, texts_of

from tck.api import (
    IllegalStateException,
    InvalidDestinationException,
    InvalidSelectorException,
    JMSException,
    Session,
    TemporaryQueue,
    TemporaryTopic,
)


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def test_a_connection_consumer_feeds_the_sessions_of_its_pool(provider, queue):
    connection = connect(provider, start=False)
    pool = Pool(provider, connection, expected=7)
    sender = session_of(provider)
    send(sender, queue, *"abcdefg")
    consumer = connection.create_connection_consumer(queue, None, pool, 3)
    assert consumer.server_session_pool is pool
    provider.clock.event().wait(100)
    assert pool.calls == []
    connection.start()
    assert pool.done.wait(5000)
    provider.clock.event().wait(100)
    assert pool.texts == list("abcdefg")
    assert pool.batches == [3, 3, 1]
    assert pool.calls == ["get", "session", "start"] * 3
    assert provider.pending(queue) == 0
    consumer.close()
    send(sender, queue, "later")
    assert texts_of(session_of(provider).create_consumer(queue)) == ["later"]


def test_what_was_loaded_and_never_run_is_not_lost(provider, queue):
    connection = connect(provider)
    pool = Pool(provider, connection)
    pool.server.start = lambda: None
    send(session_of(provider), queue, "a", "b")
    connection.create_connection_consumer(queue, "", pool, 10)
    provider.clock.event().wait(100)
    connection.close()
    consumer = session_of(provider).create_consumer(queue)
    seen = [consumer.receive(1) for _ in range(2)]
    assert [(one.text, one.jms_redelivered) for one in seen] == [("a", False), ("b", False)]


def test_acknowledgement_follows_the_session(provider, queue):
    send(session_of(provider), queue, "a", "b")
    connection = connect(provider)

    def roll_back_once(message, session):
        if message.jms_redelivered:
            session.commit()
        else:
            session.rollback()

    pool = Pool(provider, connection, Session.SESSION_TRANSACTED, roll_back_once, expected=4)
    connection.create_connection_consumer(queue, None, pool, 1)
    assert pool.done.wait(5000)
    connection.close()
    assert sorted(pool.texts) == ["a", "a", "b", "b"]
    assert provider.pending(queue) == 0


def test_run_rests_while_the_connection_is_stopped(provider, queue):
    connection = connect(provider)
    release, entered = provider.clock.event(), provider.clock.event()

    def hold(_message, _session):
        entered.set()
        release.wait(1000)

    pool = Pool(provider, connection, then=hold, expected=3)
    send(session_of(provider), queue, "a", "b", "c")
    connection.create_connection_consumer(queue, None, pool, 3)
    assert entered.wait(1000)
    provider.clock.spawn(release.set, "release")
    connection.stop()
    seen = list(pool.texts)
    provider.clock.event().wait(100)
    assert pool.texts == seen
    assert pool.batches == []
    connection.start()
    assert pool.done.wait(5000)
    assert pool.texts == ["a", "b", "c"]


def test_a_run_that_rests_ends_with_its_session(provider, queue):
    connection = connect(provider)
    pool = Pool(provider, connection)
    start, pool.server.start = pool.server.start, lambda: None
    send(session_of(provider), queue, "a")
    connection.create_connection_consumer(queue, None, pool, 1)
    provider.clock.event().wait(100)
    connection.stop()
    start()
    provider.clock.event().wait(100)
    connection.close()
    assert pool.batches == [0]
    assert texts_of(session_of(provider).create_consumer(queue)) == ["a"]


def test_the_link_breaks_while_the_own_listener_runs(provider, queue):
    connection = connect(provider)
    release, entered = provider.clock.event(), provider.clock.event()

    def hold(_message, _session):
        entered.set()
        release.wait(1000)

    pool = Pool(provider, connection, then=hold)
    send(session_of(provider), queue, "a", "b")
    connection.create_connection_consumer(queue, None, pool, 2)
    assert entered.wait(1000)
    provider.sever(connection)
    consumer = session_of(provider).create_consumer(queue)
    seen = [consumer.receive(1) for _ in range(2)]
    assert [(one.text, one.jms_redelivered) for one in seen] == [("a", True), ("b", False)]
    release.set()
    provider.clock.event().wait(100)
    assert pool.texts == ["a"]
    assert provider.pending(queue) == 0


def test_connection_consumers_of_every_kind_of_subscription(provider):
    topic = provider.create_topic("t")
    connection = connect(provider, "me")
    session = connection.create_session()
    session.create_durable_consumer(topic, "durable").close()
    session.create_shared_durable_consumer(topic, "shared durable").close()
    send(session, topic, "x")
    for create, expected in (
        (lambda pool: connection.create_durable_connection_consumer(topic, "durable", None, pool, 1), ["x", "y"]),
        (
            lambda pool: connection.create_shared_durable_connection_consumer(topic, "shared durable", "", pool, 1),
            ["x", "y"],
        ),
        (lambda pool: connection.create_shared_connection_consumer(topic, "shared", None, pool, 1), ["y"]),
        (lambda pool: connection.create_connection_consumer(topic, "JMSPriority = 4", pool, 1), ["y"]),
    ):
        pool = Pool(provider, connection, expected=len(expected))
        consumer = create(pool)
        send(session, topic, "y")
        assert pool.done.wait(5000)
        assert pool.texts[: len(expected)] == expected
        consumer.close()
        session.create_durable_consumer(topic, "durable").close()


def test_wrong_arguments_of_connection_consumers(provider, queue):
    connection = connect(provider)
    pool = Pool(provider, connection)
    with pytest.raises(InvalidDestinationException):
        connection.create_connection_consumer(None, None, pool, 1)
    with pytest.raises(InvalidSelectorException):
        connection.create_connection_consumer(queue, "=TEST 'test'", pool, 1)
    for arguments in ((queue, None, None, 1), (queue, None, pool, 0)):
        with pytest.raises(JMSException):
            connection.create_connection_consumer(*arguments)
    assert provider.administer("consumers", destination=queue) == 0
    queues = provider.queue_connection_factory().create_queue_connection()
    topic = provider.create_topic("t")
    for call in (
        queues.create_shared_connection_consumer,
        queues.create_durable_connection_consumer,
        queues.create_shared_durable_connection_consumer,
    ):
        with pytest.raises(IllegalStateException):
            call(topic, "s", None, pool, 1)


def test_a_session_without_its_own_listener_cannot_run(provider):
    session = session_of(provider)
    assert session.message_listener is None
    with pytest.raises(IllegalStateException):
        session.run()


def _answer(provider, destination, kinds, answers=1):
    session = session_of(provider)

    def work(message):
        kinds.append(message.jms_reply_to)
        for number in range(answers):
            send(session, message.jms_reply_to, f"{message.text} {number}")

    session.create_consumer(destination).message_listener = Keeping(work)


def test_a_queue_requestor(provider, queue):
    kinds = []
    _answer(provider, queue, kinds)
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    session = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.queue_requestor(session, queue)
    assert [requestor.request(session.create_text_message(text)).text for text in "ab"] == ["a 0", "b 0"]
    assert isinstance(kinds[0], TemporaryQueue)
    assert kinds[0] == kinds[1]
    requestor.close()
    with pytest.raises(IllegalStateException):
        session.create_producer(queue)
    with pytest.raises(InvalidDestinationException):
        send(session_of(provider), kinds[0], "late")
    other = connection.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    with pytest.raises(InvalidDestinationException):
        provider.queue_requestor(other, None)


def test_a_topic_requestor_takes_the_first_answer(provider):
    topic, kinds = provider.create_topic("t"), []
    _answer(provider, topic, kinds, answers=3)
    connection = provider.topic_connection_factory().create_topic_connection()
    connection.start()
    session = connection.create_topic_session(False, Session.AUTO_ACKNOWLEDGE)
    requestor = provider.topic_requestor(session, topic)
    assert requestor.request(session.create_text_message("a")).text == "a 0"
    provider.clock.event().wait(10)
    assert requestor.request(session.create_text_message("b")).text == "b 0"
    assert isinstance(kinds[0], TemporaryTopic)
    requestor.close()
    with pytest.raises(IllegalStateException):
        provider.topic_requestor(connection.create_topic_session(True, 0), topic)
