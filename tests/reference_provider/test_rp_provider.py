"""The provider as a whole: listeners, browsers, restarts, administration, and the three APIs over one implementation."""

import pytest
from rp_support import Keeping, connect, send, session_of, texts_of

from tck.api import (
    DeliveryMode,
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidDestinationException,
    Session,
    UnsupportedOperationException,
)


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


@pytest.fixture
def topic(provider):
    return provider.create_topic("t")


def test_a_listener_gets_the_messages_in_order(provider, queue):
    listener, done = Keeping(lambda m: m.text == "e" and done.set()), provider.clock.event()
    session = session_of(provider)
    session.create_consumer(queue).message_listener = listener
    send(session_of(provider), queue, *"abcde")
    assert done.wait(1000)
    assert listener.texts == list("abcde")


def test_a_failing_listener_gets_the_message_again(provider, queue):
    done, flags = provider.clock.event(), []

    def fail_once(message):
        flags.append(message.jms_redelivered)
        if len(flags) == 1:
            raise RuntimeError("once")
        done.set()

    listener = Keeping(fail_once)
    session = session_of(provider)
    session.create_consumer(queue).message_listener = listener
    send(session_of(provider), queue, "x")
    assert done.wait(1000)
    session.close()
    assert flags == [False, True]
    assert provider.pending(queue) == 0


def test_close_waits_for_the_running_listener(provider, queue):
    entered, leave, log = provider.clock.event(), provider.clock.event(), []

    def slow(message):
        entered.set()
        leave.wait(10_000)
        log.append("left")

    connection = connect(provider)
    session = connection.create_session()
    session.create_consumer(queue).message_listener = Keeping(slow)
    send(session_of(provider), queue, "x")
    entered.wait(1000)
    provider.clock.call_at(provider.clock.now() + 500, leave.set)
    connection.close()
    log.append("closed")
    assert log == ["left", "closed"]


def test_no_synchronous_receive_beside_a_listener(provider, queue):
    session = session_of(provider)
    session.create_consumer(queue).message_listener = Keeping()
    with pytest.raises(IllegalStateException):
        session.create_consumer(queue).receive(1)


def test_a_browser_shows_what_is_there_and_takes_nothing(provider, queue):
    session = session_of(provider)
    send(session, queue, *"abc")
    send(session, queue, "late", delivery_delay=1000)
    browser = session.create_browser(queue)
    for _ in range(2):
        assert [message.text for message in browser.get_enumeration()] == list("abc")
    assert texts_of(session.create_consumer(queue), 3) == list("abc")


def test_temporary_destinations_end_with_their_connection(provider):
    connection = connect(provider)
    session = connection.create_session()
    temporary = session.create_temporary_queue()
    other = session_of(provider)
    send(other, temporary, "reply")
    assert session.create_consumer(temporary).receive(1).text == "reply"
    with pytest.raises(InvalidDestinationException):
        other.create_consumer(temporary)
    connection.close()
    with pytest.raises(InvalidDestinationException):
        send(other, temporary, "too late")


def test_persistent_messages_survive_kill_and_restart(provider, queue):
    session = session_of(provider)
    send(session, queue, *"abc")
    send(session, queue, "gone", delivery_mode=DeliveryMode.NON_PERSISTENT)
    send(session, queue, "late", delivery_delay=5000)
    assert session.create_consumer(queue).receive(1).text == "a"
    for stop in (provider.kill, provider.restart):
        stop()
        with pytest.raises(Exception, match=r"lost|stopped"):
            session.create_producer(queue)
        assert provider.pending(queue) == 3
    consumer = session_of(provider).create_consumer(queue)
    assert texts_of(consumer, 2) == ["b", "c"]
    assert consumer.receive_no_wait() is None
    assert consumer.receive(10_000).text == "late"


def test_a_message_delivered_before_a_crash_is_marked_redelivered(provider, queue):
    session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
    send(session, queue, *"ab")
    session.create_consumer(queue).receive(1)
    provider.kill()
    consumer = session_of(provider).create_consumer(queue)
    seen = [consumer.receive(1) for _ in range(2)]
    assert [(one.text, one.jms_redelivered) for one in seen] == [("a", True), ("b", False)]


def test_a_severed_connection_gives_back_and_tells_its_listener(provider, queue):
    connection = connect(provider)
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    reported = []

    class Told:
        def on_exception(self, exception):
            reported.append(exception)

    connection.exception_listener = Told()
    send(session_of(provider), queue, "a")
    session.create_consumer(queue).receive(1)
    send(session, queue, "never")
    provider.sever(connection)
    assert len(reported) == 1
    assert texts_of(session_of(provider).create_consumer(queue)) == ["a"]


def test_an_administrator_overrides_what_the_client_chose(provider, queue):
    provider.administer("override", destination=queue, priority=8, delivery_mode=1, time_to_live=900, delivery_delay=10)
    session = session_of(provider)
    message = session.create_text_message("x")
    session.create_producer(queue).send(message)
    now = provider.clock.now()
    for one in (message, session.create_consumer(queue).receive()):
        assert (one.jms_priority, one.jms_delivery_mode) == (8, 1)
        assert (one.jms_expiration, one.jms_delivery_time) == (now + 900, now + 10)


def test_drop_removes_all_of_a_destination(provider, queue):
    send(session_of(provider), queue, "x")
    provider.drop(queue)
    provider.drop(queue)
    assert provider.pending(queue) == 0
    provider.restart()
    assert session_of(provider).create_consumer(queue).receive(1) is None


def test_an_unidentified_producer_needs_a_destination_with_each_send(provider, queue):
    session = session_of(provider)
    message = session.create_text_message("x")
    with pytest.raises(UnsupportedOperationException):
        session.create_producer(None).send(message)
    with pytest.raises(UnsupportedOperationException):
        session.create_producer(queue).send(message, destination=queue)
    session.create_producer(None).send(message, destination=queue)
    assert provider.pending(queue) == 1


def test_the_simplified_api_does_the_same(provider, queue):
    with provider.connection_factory().create_context(session_mode=Session.SESSION_TRANSACTED) as context:
        producer = context.create_producer().set_priority(7).set_property("who", "me").set_jms_type("greeting")
        assert producer.send(queue, "hello") is producer
        producer.send(queue, {"a": 1}).send(queue, b"xyz")
        context.commit()
        with context.create_consumer(queue) as consumer:
            message = consumer.receive(1)
            assert (message.text, message.jms_priority, message.jms_type) == ("hello", 7, "greeting")
            assert message.get_string_property("who") == "me"
            assert consumer.receive_body(dict, 1) == {"a": 1}
            assert consumer.receive_body_no_wait(bytes) == b"xyz"
        context.commit()
    with pytest.raises(IllegalStateRuntimeException):
        context.create_producer()


def test_contexts_share_a_connection(provider, queue):
    first = provider.connection_factory().create_context()
    second = first.create_context(Session.CLIENT_ACKNOWLEDGE)
    first.close()
    second.create_producer().send(queue, "x")
    assert second.create_consumer(queue).receive_body(str, 1) == "x"
    second.close()
    with pytest.raises(IllegalStateRuntimeException):
        second.create_context(Session.AUTO_ACKNOWLEDGE)


def test_the_domain_specific_api_does_the_same(provider, queue, topic):
    queues = provider.queue_connection_factory().create_queue_connection()
    queues.start()
    session = queues.create_queue_session(False, Session.AUTO_ACKNOWLEDGE)
    receiver = session.create_receiver(queue)
    session.create_sender(queue).send(session.create_text_message("q"))
    assert receiver.receive(1).text == "q"
    assert receiver.queue == queue
    with pytest.raises(IllegalStateException):
        session.create_topic("t")
    topics = provider.topic_connection_factory().create_topic_connection()
    topics.start()
    session = topics.create_topic_session(False, Session.AUTO_ACKNOWLEDGE)
    subscriber, deaf = session.create_subscriber(topic), session.create_subscriber(topic, None, True)
    session.create_publisher(topic).publish(session.create_text_message("t"))
    assert (subscriber.receive(1).text, subscriber.topic, subscriber.no_local) == ("t", topic, False)
    assert (deaf.receive(1), deaf.no_local) == (None, True)
    with pytest.raises(IllegalStateException):
        session.create_browser(queue)


def test_it_works_in_real_time_too(real_time):
    queue = real_time.create_queue("q")
    session = session_of(real_time)
    consumer = session.create_consumer(queue)
    send(session, queue, "late", delivery_delay=30)
    send(session, queue, "short", time_to_live=1)
    assert consumer.receive(5000) is not None
    assert texts_of(consumer) in ([], ["late"])
