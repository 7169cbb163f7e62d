"""Queues, topics, headers, acknowledgement, transactions, time: the everyday work, on a real file with a virtual clock."""

import pytest

from reference_provider.adapter import open_provider
from tck.api import (
    DeliveryMode,
    IllegalArgumentException,
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidDestinationException,
    MessageListener,
    Session,
    TransactionRolledBackException,
    UnsupportedOperationException,
)


class Keeping(MessageListener):
    """Keeps the texts it gets; calls `then` with each message."""

    def __init__(self, then=None):
        self.texts = []
        self.then = then or (lambda message: None)  # called with the message

    def on_message(self, message):
        """Keep it."""
        self.texts.append(message.text)
        self.then(message)


def _connect(provider, **arguments):
    connection = provider.connection_factory().create_connection(**arguments)
    connection.start()
    return connection


def _session(provider, mode=Session.AUTO_ACKNOWLEDGE):
    return _connect(provider).create_session(session_mode=mode)


def _send(session, destination, *texts, **options):
    producer = session.create_producer(destination)
    for name, value in options.items():
        setattr(producer, name, value)
    for text in texts:
        producer.send(session.create_text_message(text))
    producer.close()


def _texts(consumer, limit=100):
    texts = []
    while len(texts) < limit and (message := consumer.receive(1)) is not None:
        texts.append(message.text)
    return texts


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


@pytest.fixture
def topic(provider):
    return provider.create_topic("t")


def test_a_queue_keeps_order_and_gives_each_message_once(provider, queue):
    session = _session(provider)
    _send(session, queue, *"abcde")
    first, second = session.create_consumer(queue), session.create_consumer(queue)
    assert first.receive().text == "a"
    assert _texts(second) == list("bcde")


def test_a_topic_gives_each_message_to_all_who_are_there(provider, topic):
    session = _session(provider)
    _send(session, topic, "early")
    consumers = [session.create_consumer(topic) for _ in range(3)]
    _send(session, topic, "now")
    assert [_texts(one) for one in consumers] == [["now"]] * 3


def test_administered_destinations_and_non_persistent_work_cost_no_sync(provider, queue, topic):
    session = _session(provider)
    temporary = session.create_temporary_queue()
    for destination in (queue, topic, temporary):
        consumer = session.create_consumer(destination)
        _send(session, destination, "x", delivery_mode=DeliveryMode.NON_PERSISTENT)
        assert _texts(consumer) == ["x"]
    for destination in (topic, temporary):
        consumer = session.create_consumer(destination)
        _send(session, destination, "x", delivery_mode=DeliveryMode.PERSISTENT)
        assert _texts(consumer) == ["x"]
    assert provider.store.syncs == 0
    assert provider.store.commits == 0


def test_a_persistent_pair_costs_two_syncs(provider, queue):
    session = _session(provider)
    consumer = session.create_consumer(queue)
    _send(session, queue, *"abcde")
    assert provider.store.syncs == 5
    assert _texts(consumer) == list("abcde")
    assert provider.store.syncs == 10


def test_a_transaction_costs_one_sync(provider, queue):
    session = _session(provider, Session.SESSION_TRANSACTED)
    _send(session, queue, *"abcdefghij")
    session.commit()
    assert provider.store.syncs == 1
    assert _texts(session.create_consumer(queue)) == list("abcdefghij")
    session.commit()
    assert provider.store.syncs == 2


def test_lazy_acknowledgement_costs_no_sync(provider, queue):
    session = _session(provider, Session.DUPS_OK_ACKNOWLEDGE)
    _send(session, queue, "a")
    assert _texts(session.create_consumer(queue)) == ["a"]
    assert provider.store.syncs == 1
    assert provider.pending(queue) == 0


def test_urgent_messages_overtake(provider, queue):
    session = _session(provider)
    for priority in (0, 4, 9, 4, 9):
        _send(session, queue, str(priority), priority=priority)
    assert _texts(session.create_consumer(queue)) == ["9", "9", "4", "4", "0"]


def test_the_send_sets_the_headers_of_the_senders_message(provider, queue):
    session = _session(provider)
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
    session = _session(provider)
    _send(session, queue, "x", disable_message_id=True, disable_message_timestamp=True)
    received = session.create_consumer(queue).receive()
    assert (received.jms_message_id, received.jms_timestamp) == (None, 0)


def test_message_ids_never_repeat_not_even_after_a_restart(provider, queue):
    ids = set()
    for _ in range(3):
        session = _session(provider)
        producer = session.create_producer(queue)
        for _ in range(50):
            message = session.create_message()
            producer.send(message, delivery_mode=DeliveryMode.NON_PERSISTENT, priority=4, time_to_live=0)
            ids.add(message.jms_message_id)
        provider.restart()
    assert len(ids) == 150


def test_an_expired_message_is_not_delivered_and_leaves_no_row(provider, queue):
    session = _session(provider)
    _send(session, queue, "short", time_to_live=1000)
    _send(session, queue, "long")
    provider.clock.advance(1000)
    assert provider.pending(queue) == 1
    assert _texts(session.create_consumer(queue)) == ["long"]
    assert list(provider.store.rows("select count(*) from message")) == [(0,)]


def test_a_delayed_message_waits_for_its_time_without_holding_up_others(provider, queue, topic):
    session = _session(provider)
    for destination in (queue, topic):
        consumer = session.create_consumer(destination)
        _send(session, destination, "late", delivery_delay=5000)
        _send(session, destination, "soon")
        start = provider.clock.now()
        assert consumer.receive().text == "soon"
        assert provider.clock.now() == start
        assert consumer.receive_no_wait() is None
        assert consumer.receive().text == "late"
        assert provider.clock.now() == start + 5000


def test_expiry_before_the_delivery_time_means_no_delivery(provider, queue):
    session = _session(provider)
    _send(session, queue, "never", delivery_delay=2000, time_to_live=1000)
    assert session.create_consumer(queue).receive(10_000) is None
    assert provider.pending(queue) == 0


def test_receive_waits_no_longer_than_asked(provider, queue):
    consumer = _session(provider).create_consumer(queue)
    start = provider.clock.now()
    assert consumer.receive(700) is None
    assert provider.clock.now() == start + 700
    assert consumer.receive_no_wait() is None
    assert provider.clock.now() == start + 700


def test_a_waiting_receive_gets_what_another_thread_sends(provider, queue):
    got, done = [], provider.clock.event()
    consumer = _session(provider).create_consumer(queue)

    def receive():
        got.append(consumer.receive(0).text)
        done.set()

    provider.clock.spawn(receive, "receiver")
    _send(_session(provider), queue, "x")
    assert done.wait(1000)
    assert got == ["x"]


def test_close_ends_a_waiting_receive(provider, queue):
    for closed in ("consumer", "session", "connection"):
        connection = _connect(provider)
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
    _send(session, queue, "x")
    assert consumer.receive(100) is None
    got, done = [], provider.clock.event()
    provider.clock.spawn(lambda: (got.append(consumer.receive().text), done.set()), "receiver")
    provider.clock.event().wait(10)
    assert got == []
    connection.start()
    assert done.wait(1000)
    assert got == ["x"]


def test_client_acknowledge_covers_all_consumed_so_far(provider, queue):
    session = _session(provider, Session.CLIENT_ACKNOWLEDGE)
    _send(session, queue, *"abc")
    consumer = session.create_consumer(queue)
    first, second = consumer.receive(), consumer.receive()
    first.acknowledge()
    assert consumer.receive().text == "c"
    session.close()
    again = _session(provider).create_consumer(queue)
    redelivered = again.receive(1)
    assert (redelivered.text, redelivered.jms_redelivered) == ("c", True)
    assert again.receive(1) is None
    assert second.text == "b"


def test_recover_delivers_again_in_order_and_counted(provider, queue, topic):
    for destination in (queue, topic):
        session = _session(provider, Session.CLIENT_ACKNOWLEDGE)
        consumer = session.create_consumer(destination)
        _send(session, destination, *"abc")
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
    session = _session(provider, Session.SESSION_TRANSACTED)
    other = _session(provider)
    consumers = [other.create_consumer(queue), other.create_consumer(topic), session.create_consumer(topic)]
    _send(session, queue, "q")
    _send(session, topic, "t")
    assert [one.receive(1) for one in consumers] == [None] * 3
    session.commit()
    assert [one.receive(1).text for one in consumers] == ["q", "t", "t"]


def test_rollback_gives_back_and_forgets(provider, queue):
    _send(_session(provider), queue, *"ab")
    session = _session(provider, Session.SESSION_TRANSACTED)
    consumer = session.create_consumer(queue)
    assert consumer.receive(1).text == "a"
    _send(session, queue, "never")
    session.rollback()
    assert _texts(consumer) == ["a", "b"]
    session.commit()
    assert provider.pending(queue) == 0


def test_a_failed_commit_is_a_rollback(provider, queue):
    connection = _connect(provider)
    session = connection.create_session(transacted=True, session_mode=Session.AUTO_ACKNOWLEDGE)
    _send(_session(provider), queue, "a")
    consumer = session.create_consumer(queue)
    consumer.receive(1)
    _send(session, queue, "b")
    provider.administer("fail-next-commit", connection=connection)
    with pytest.raises(TransactionRolledBackException):
        session.commit()
    again = consumer.receive(1)
    assert (again.text, again.jms_redelivered) == ("a", True)
    assert consumer.receive(1) is None
    session.commit()


def test_commit_needs_a_transacted_session(provider):
    session = _session(provider)
    for call in (session.commit, session.rollback):
        with pytest.raises(IllegalStateException):
            call()
    with provider.connection_factory().create_context() as context:
        for call in (context.commit, context.rollback):
            with pytest.raises(IllegalStateRuntimeException):
                call()


def test_a_listener_gets_the_messages_in_order(provider, queue):
    listener, done = Keeping(lambda m: m.text == "e" and done.set()), provider.clock.event()
    session = _session(provider)
    session.create_consumer(queue).message_listener = listener
    _send(_session(provider), queue, *"abcde")
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
    session = _session(provider)
    session.create_consumer(queue).message_listener = listener
    _send(_session(provider), queue, "x")
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

    connection = _connect(provider)
    session = connection.create_session()
    session.create_consumer(queue).message_listener = Keeping(slow)
    _send(_session(provider), queue, "x")
    entered.wait(1000)
    provider.clock.call_at(provider.clock.now() + 500, leave.set)
    connection.close()
    log.append("closed")
    assert log == ["left", "closed"]


def test_no_synchronous_receive_beside_a_listener(provider, queue):
    session = _session(provider)
    session.create_consumer(queue).message_listener = Keeping()
    with pytest.raises(IllegalStateException):
        session.create_consumer(queue).receive(1)


def test_a_browser_shows_what_is_there_and_takes_nothing(provider, queue):
    session = _session(provider)
    _send(session, queue, *"abc")
    _send(session, queue, "late", delivery_delay=1000)
    browser = session.create_browser(queue)
    for _ in range(2):
        assert [message.text for message in browser.get_enumeration()] == list("abc")
    assert _texts(session.create_consumer(queue), 3) == list("abc")


def test_temporary_destinations_end_with_their_connection(provider):
    connection = _connect(provider)
    session = connection.create_session()
    temporary = session.create_temporary_queue()
    other = _session(provider)
    _send(other, temporary, "reply")
    assert session.create_consumer(temporary).receive(1).text == "reply"
    with pytest.raises(InvalidDestinationException):
        other.create_consumer(temporary)
    connection.close()
    with pytest.raises(InvalidDestinationException):
        _send(other, temporary, "too late")


def test_persistent_messages_survive_kill_and_restart(provider, queue):
    session = _session(provider)
    _send(session, queue, *"abc")
    _send(session, queue, "gone", delivery_mode=DeliveryMode.NON_PERSISTENT)
    _send(session, queue, "late", delivery_delay=5000)
    assert session.create_consumer(queue).receive(1).text == "a"
    for stop in (provider.kill, provider.restart):
        stop()
        with pytest.raises(Exception, match=r"lost|stopped"):
            session.create_producer(queue)
        assert provider.pending(queue) == 3
    consumer = _session(provider).create_consumer(queue)
    assert _texts(consumer, 2) == ["b", "c"]
    assert consumer.receive_no_wait() is None
    assert consumer.receive(10_000).text == "late"


def test_a_message_delivered_before_a_crash_is_marked_redelivered(provider, queue):
    session = _session(provider, Session.CLIENT_ACKNOWLEDGE)
    _send(session, queue, *"ab")
    session.create_consumer(queue).receive(1)
    provider.kill()
    consumer = _session(provider).create_consumer(queue)
    seen = [consumer.receive(1) for _ in range(2)]
    assert [(one.text, one.jms_redelivered) for one in seen] == [("a", True), ("b", False)]


def test_a_severed_connection_gives_back_and_tells_its_listener(provider, queue):
    connection = _connect(provider)
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    told = []

    class Told:
        def on_exception(self, exception):
            told.append(exception)

    connection.exception_listener = Told()
    _send(_session(provider), queue, "a")
    session.create_consumer(queue).receive(1)
    _send(session, queue, "never")
    provider.sever(connection)
    assert len(told) == 1
    assert _texts(_session(provider).create_consumer(queue)) == ["a"]


def test_an_administrator_overrides_what_the_client_chose(provider, queue):
    provider.administer("override", destination=queue, priority=8, delivery_mode=1, time_to_live=900, delivery_delay=10)
    session = _session(provider)
    message = session.create_text_message("x")
    session.create_producer(queue).send(message)
    now = provider.clock.now()
    for one in (message, session.create_consumer(queue).receive()):
        assert (one.jms_priority, one.jms_delivery_mode) == (8, 1)
        assert (one.jms_expiration, one.jms_delivery_time) == (now + 900, now + 10)


def test_drop_removes_all_of_a_destination(provider, queue):
    _send(_session(provider), queue, "x")
    provider.drop(queue)
    provider.drop(queue)
    assert provider.pending(queue) == 0
    provider.restart()
    assert _session(provider).create_consumer(queue).receive(1) is None


def test_an_unidentified_producer_needs_a_destination_with_each_send(provider, queue):
    session = _session(provider)
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


@pytest.mark.parametrize("settings", [{"colour": "red"}, {"clock": "sundial"}, {"version": "4.0"}, {"users": "me"}])
def test_unknown_settings_are_refused_by_name(settings, tmp_path):
    with pytest.raises(IllegalArgumentException, match=next(iter(settings))):
        open_provider(settings, tmp_path)


def test_it_works_in_real_time_too(real_time):
    queue = real_time.create_queue("q")
    session = _session(real_time)
    consumer = session.create_consumer(queue)
    _send(session, queue, "late", delivery_delay=30)
    _send(session, queue, "short", time_to_live=1)
    assert consumer.receive(5000) is not None
    assert _texts(consumer) in ([], ["late"])
