"""Sessions: order, headers, acknowledgement, transactions and time, on a real file with a virtual clock."""

import pytest
from rp_support import connect, send, session_of, texts_of

from tck.api import (
    DeliveryMode,
    IllegalStateException,
    IllegalStateRuntimeException,
    Session,
    TransactionRolledBackException,
)


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


@pytest.fixture
def topic(provider):
    return provider.create_topic("t")


def test_a_queue_keeps_order_and_gives_each_message_once(provider, queue):
    session = session_of(provider)
    send(session, queue, *"abcde")
    first, second = session.create_consumer(queue), session.create_consumer(queue)
    assert first.receive().text == "a"
    assert texts_of(second) == list("bcde")


def test_a_topic_gives_each_message_to_all_who_are_there(provider, topic):
    session = session_of(provider)
    send(session, topic, "early")
    consumers = [session.create_consumer(topic) for _ in range(3)]
    send(session, topic, "now")
    assert [texts_of(one) for one in consumers] == [["now"]] * 3


def test_administered_destinations_and_non_persistent_work_cost_no_sync(provider, queue, topic):
    session = session_of(provider)
    temporary = session.create_temporary_queue()
    for destination in (queue, topic, temporary):
        consumer = session.create_consumer(destination)
        send(session, destination, "x", delivery_mode=DeliveryMode.NON_PERSISTENT)
        assert texts_of(consumer) == ["x"]
    for destination in (topic, temporary):
        consumer = session.create_consumer(destination)
        send(session, destination, "x", delivery_mode=DeliveryMode.PERSISTENT)
        assert texts_of(consumer) == ["x"]
    assert provider.store.syncs == 0
    assert provider.store.commits == 0


def test_a_persistent_pair_costs_two_syncs(provider, queue):
    session = session_of(provider)
    consumer = session.create_consumer(queue)
    send(session, queue, *"abcde")
    assert provider.store.syncs == 5
    assert texts_of(consumer) == list("abcde")
    assert provider.store.syncs == 10


def test_a_transaction_costs_one_sync(provider, queue):
    session = session_of(provider, Session.SESSION_TRANSACTED)
    send(session, queue, *"abcdefghij")
    session.commit()
    assert provider.store.syncs == 1
    assert texts_of(session.create_consumer(queue)) == list("abcdefghij")
    session.commit()
    assert provider.store.syncs == 2


def test_lazy_acknowledgement_costs_no_sync(provider, queue):
    session = session_of(provider, Session.DUPS_OK_ACKNOWLEDGE)
    send(session, queue, "a")
    assert texts_of(session.create_consumer(queue)) == ["a"]
    assert provider.store.syncs == 1
    assert provider.pending(queue) == 0


def test_urgent_messages_overtake(provider, queue):
    session = session_of(provider)
    for priority in (0, 4, 9, 4, 9):
        send(session, queue, str(priority), priority=priority)
    assert texts_of(session.create_consumer(queue)) == ["9", "9", "4", "4", "0"]


def test_the_send_sets_the_headers_of_the_senders_message(provider, queue):
    session = session_of(provider)
    message = session.create_text_message("x")
    before = provider.clock.now()
    producer = session.create_producer(queue)
    producer.delivery_delay = 500
    producer.send(message, delivery_mode=DeliveryMode.NON_PERSISTENT, priority=7, time_to_live=2000)
    assert message.jms_destination == queue
    assert message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT
    assert message.jms_priority == 7
    assert message.jms_timestamp == before
    assert message.jms_expiration == before + 2000
    assert message.jms_delivery_time == before + 500
    assert message.jms_message_id.startswith("ID:")
    received = session.create_consumer(queue).receive()
    for header in (
        "destination",
        "delivery_mode",
        "priority",
        "timestamp",
        "expiration",
        "delivery_time",
        "message_id",
    ):
        assert getattr(received, f"jms_{header}") == getattr(message, f"jms_{header}")
    assert received.jms_redelivered is False
    assert received.get_int_property("JMSXDeliveryCount") == 1


def test_hints_are_honoured(provider, queue):
    session = session_of(provider)
    send(session, queue, "x", disable_message_id=True, disable_message_timestamp=True)
    received = session.create_consumer(queue).receive()
    assert (received.jms_message_id, received.jms_timestamp) == (None, 0)


def test_message_ids_never_repeat_not_even_after_a_restart(provider, queue):
    ids = set()
    for _ in range(3):
        session = session_of(provider)
        producer = session.create_producer(queue)
        for _ in range(50):
            message = session.create_message()
            producer.send(message, delivery_mode=DeliveryMode.NON_PERSISTENT, priority=4, time_to_live=0)
            ids.add(message.jms_message_id)
        provider.restart()
    assert len(ids) == 150


def test_an_expired_message_is_not_delivered_and_leaves_no_row(provider, queue):
    session = session_of(provider)
    send(session, queue, "short", time_to_live=1000)
    send(session, queue, "long")
    provider.clock.advance(1000)
    assert provider.pending(queue) == 1
    assert texts_of(session.create_consumer(queue)) == ["long"]
    assert list(provider.store.rows("select count(*) from message")) == [(0,)]


def test_a_delayed_message_waits_for_its_time_without_holding_up_others(provider, queue, topic):
    session = session_of(provider)
    for destination in (queue, topic):
        consumer = session.create_consumer(destination)
        send(session, destination, "late", delivery_delay=5000)
        send(session, destination, "soon")
        start = provider.clock.now()
        assert consumer.receive().text == "soon"
        assert provider.clock.now() == start
        assert consumer.receive_no_wait() is None
        assert consumer.receive().text == "late"
        assert provider.clock.now() == start + 5000


def test_expiry_before_the_delivery_time_means_no_delivery(provider, queue):
    session = session_of(provider)
    send(session, queue, "never", delivery_delay=2000, time_to_live=1000)
    assert session.create_consumer(queue).receive(10_000) is None
    assert provider.pending(queue) == 0


def test_receive_waits_no_longer_than_asked(provider, queue):
    consumer = session_of(provider).create_consumer(queue)
    start = provider.clock.now()
    assert consumer.receive(700) is None
    assert provider.clock.now() == start + 700
    assert consumer.receive_no_wait() is None
    assert provider.clock.now() == start + 700


def test_a_waiting_receive_gets_what_another_thread_sends(provider, queue):
    got, done = [], provider.clock.event()
    consumer = session_of(provider).create_consumer(queue)

    def receive():
        got.append(consumer.receive(0).text)
        done.set()

    provider.clock.spawn(receive, "receiver")
    send(session_of(provider), queue, "x")
    assert done.wait(1000)
    assert got == ["x"]


def test_close_ends_a_waiting_receive(provider, queue):
    for closed in ("consumer", "session", "connection"):
        connection = connect(provider)
        session = connection.create_session()
        consumer = session.create_consumer(queue)
        got, done = [], provider.clock.event()

        def receive(consumer=consumer, got=got, done=done):
            got.append(consumer.receive())
            done.set()

        provider.clock.spawn(receive, "receiver")
        provider.clock.event().wait(10)
        {"consumer": consumer, "session": session, "connection": connection}[closed].close()
        assert done.wait(1000)
        assert got == [None]


def test_a_stopped_connection_delivers_nothing_until_it_is_started(provider, queue):
    connection = provider.connection_factory().create_connection()
    session = connection.create_session()
    consumer = session.create_consumer(queue)
    send(session, queue, "x")
    assert consumer.receive(100) is None
    got, done = [], provider.clock.event()
    provider.clock.spawn(lambda: (got.append(consumer.receive().text), done.set()), "receiver")
    provider.clock.event().wait(10)
    assert got == []
    connection.start()
    assert done.wait(1000)
    assert got == ["x"]


def test_client_acknowledge_covers_all_consumed_so_far(provider, queue):
    session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
    send(session, queue, *"abc")
    consumer = session.create_consumer(queue)
    first, second = consumer.receive(), consumer.receive()
    first.acknowledge()
    assert consumer.receive().text == "c"
    session.close()
    again = session_of(provider).create_consumer(queue)
    redelivered = again.receive(1)
    assert (redelivered.text, redelivered.jms_redelivered) == ("c", True)
    assert again.receive(1) is None
    assert second.text == "b"


def test_recover_delivers_again_in_order_and_counted(provider, queue, topic):
    for destination in (queue, topic):
        session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
        consumer = session.create_consumer(destination)
        send(session, destination, *"abc")
        assert [consumer.receive().text for _ in range(2)] == ["a", "b"]
        session.recover()
        seen = [consumer.receive() for _ in range(3)]
        assert [one.text for one in seen] == ["a", "b", "c"]
        assert [one.jms_redelivered for one in seen] == [True, True, False]
        assert [one.get_int_property("JMSXDeliveryCount") for one in seen] == [2, 2, 1]
        seen[-1].acknowledge()
        session.recover()
        assert consumer.receive(1) is None


def test_nothing_of_a_transaction_is_visible_before_its_commit(provider, queue, topic):
    session = session_of(provider, Session.SESSION_TRANSACTED)
    other = session_of(provider)
    consumers = [other.create_consumer(queue), other.create_consumer(topic), session.create_consumer(topic)]
    send(session, queue, "q")
    send(session, topic, "t")
    assert [one.receive(1) for one in consumers] == [None] * 3
    session.commit()
    assert [one.receive(1).text for one in consumers] == ["q", "t", "t"]


def test_rollback_gives_back_and_forgets(provider, queue):
    send(session_of(provider), queue, *"ab")
    session = session_of(provider, Session.SESSION_TRANSACTED)
    consumer = session.create_consumer(queue)
    assert consumer.receive(1).text == "a"
    send(session, queue, "never")
    session.rollback()
    assert texts_of(consumer) == ["a", "b"]
    session.commit()
    assert provider.pending(queue) == 0


def test_a_failed_commit_is_a_rollback(provider, queue):
    connection = connect(provider)
    session = connection.create_session(transacted=True, session_mode=Session.AUTO_ACKNOWLEDGE)
    send(session_of(provider), queue, "a")
    consumer = session.create_consumer(queue)
    consumer.receive(1)
    send(session, queue, "b")
    provider.administer("fail-next-commit", connection=connection)
    with pytest.raises(TransactionRolledBackException):
        session.commit()
    again = consumer.receive(1)
    assert (again.text, again.jms_redelivered) == ("a", True)
    assert consumer.receive(1) is None
    session.commit()


def test_commit_needs_a_transacted_session(provider):
    session = session_of(provider)
    for call in (session.commit, session.rollback):
        with pytest.raises(IllegalStateException):
            call()
    with provider.connection_factory().create_context() as context:
        for call in (context.commit, context.rollback):
            with pytest.raises(IllegalStateRuntimeException):
                call()
