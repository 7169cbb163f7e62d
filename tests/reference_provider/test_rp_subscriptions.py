"""The four kinds of subscription: identity, conflicts, replacement, what they keep and for how long."""

import pytest
from rp_support import connect, send, session_of, texts_of

from tck.api import (
    DeliveryMode,
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidDestinationException,
    InvalidDestinationRuntimeException,
    InvalidSelectorException,
    JMSException,
    Session,
)


@pytest.fixture
def topic(provider):
    return provider.create_topic("t")


@pytest.fixture
def publisher(provider):
    return session_of(provider)


def test_a_durable_subscription_collects_while_nobody_listens(provider, topic, publisher):
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "s").close()
    send(publisher, topic, "a", "b")
    session.connection.close()
    send(publisher, topic, "c", delivery_mode=DeliveryMode.NON_PERSISTENT)
    consumer = session_of(provider, client_id="me").create_durable_consumer(topic, "s")
    send(publisher, topic, "d")
    assert texts_of(consumer) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("stop", ["restart", "kill"])
def test_durable_subscriptions_survive_with_what_they_must_keep(provider, topic, publisher, stop):
    session = session_of(provider, client_id="me")
    consumer = session.create_durable_consumer(topic, "s", "n = 1", no_local=True)
    shared = session.create_shared_durable_consumer(topic, "shared")
    message = publisher.create_text_message("kept")
    message.set_int_property("n", 1)
    producer = publisher.create_producer(topic)
    for _ in range(3):
        producer.send(message)
    send(publisher, topic, "other")
    send(publisher, topic, "gone", delivery_mode=DeliveryMode.NON_PERSISTENT)
    assert consumer.receive(1).text == "kept"
    getattr(provider, stop)()
    session = session_of(provider, client_id="me")
    resumed = session.create_durable_consumer(topic, "s", "n = 1", no_local=True)
    assert texts_of(resumed) == ["kept"] * 2
    shared = session.create_shared_durable_consumer(topic, "shared")
    assert texts_of(shared) == ["kept"] * 3 + ["other"]
    assert list(provider.store.rows("select count(*) from message")) == [(0,)]
    send(session, topic, "mine")
    assert texts_of(resumed) == []


def test_a_topic_message_leaves_the_file_with_its_last_reader(provider, topic, publisher):
    first = session_of(provider, client_id="1").create_durable_consumer(topic, "s")
    second = session_of(provider, client_id="2").create_durable_consumer(topic, "s")
    send(publisher, topic, "x")
    count = "select (select count(*) from message), (select count(*) from delivery)"
    assert list(provider.store.rows(count)) == [(1, 2)]
    assert texts_of(first) == ["x"]
    assert list(provider.store.rows(count)) == [(1, 1)]
    assert texts_of(second) == ["x"]
    assert list(provider.store.rows(count)) == [(0, 0)]


@pytest.mark.parametrize("creator", ["create_durable_consumer", "create_durable_subscriber"])
def test_an_invalid_topic_is_refused_before_a_missing_client_identifier(provider, creator):
    session = session_of(provider)
    for wrong in (None, provider.create_queue("q")):
        with pytest.raises(InvalidDestinationException):
            getattr(session, creator)(wrong, "s")
    context = provider.connection_factory().create_context()
    with pytest.raises(InvalidDestinationRuntimeException):
        context.create_durable_consumer(None, "s")


def test_an_unshared_durable_subscription_needs_a_client_identifier(provider, topic):
    session = session_of(provider)
    for create in (session.create_durable_consumer, session.create_durable_subscriber):
        with pytest.raises(IllegalStateException):
            create(topic, "s")
    with provider.connection_factory().create_context() as context, pytest.raises(IllegalStateRuntimeException):
        context.create_durable_consumer(topic, "s")


def test_an_unshared_durable_subscription_has_one_consumer_at_a_time(provider, topic):
    connection = connect(provider, "me")
    first, second = connection.create_session(), connection.create_session()
    consumer = first.create_durable_subscriber(topic, "s")
    for session in (first, second):
        with pytest.raises(JMSException, match="open consumer"):
            session.create_durable_consumer(topic, "s")
    with pytest.raises(JMSException):
        second.unsubscribe("s")
    first.close()
    second.create_durable_consumer(topic, "s")
    assert consumer is not None


def test_unsubscribe_removes_a_subscription_and_what_it_holds(provider, topic, publisher):
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "s").close()
    send(publisher, topic, "x")
    session.unsubscribe("s")
    with pytest.raises(InvalidDestinationException):
        session.unsubscribe("s")
    send(publisher, topic, "y")
    assert texts_of(session.create_durable_consumer(topic, "s")) == []
    assert list(provider.store.rows("select count(*) from message")) == [(0,)]


def test_unsubscribe_waits_for_acknowledgement(provider, topic, publisher):
    session = session_of(provider, Session.CLIENT_ACKNOWLEDGE, client_id="me")
    consumer = session.create_durable_consumer(topic, "s")
    send(publisher, topic, "x")
    message = consumer.receive(1)
    consumer.close()
    with pytest.raises(JMSException, match="not acknowledged"):
        session.unsubscribe("s")
    message.acknowledge()
    session.unsubscribe("s")


@pytest.mark.parametrize("change", ["topic", "selector", "no_local"])
def test_other_terms_make_a_new_subscription(provider, topic, publisher, change):
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "s").close()
    send(publisher, topic, "old")
    other = provider.create_topic("other")
    arguments = {
        "topic": (other, "s"),
        "selector": (topic, "s", "TRUE = TRUE"),
        "no_local": (topic, "s", None, True),
    }[change]
    consumer = session.create_durable_consumer(*arguments)
    send(publisher, arguments[0], "new")
    assert texts_of(consumer) == ["new"]
    provider.kill()
    consumer = session_of(provider, client_id="me").create_durable_consumer(*arguments)
    assert texts_of(consumer) == []


def test_equal_terms_however_written_resume(provider, topic, publisher):
    session = session_of(provider, client_id="me")
    for arguments in ((topic, "s"), (topic, "s", None), (topic, "s", "", False), (topic, "s")):
        consumer = session.create_durable_consumer(*arguments)
        consumer.close()
        send(publisher, topic, "x")
    assert texts_of(session.create_durable_subscriber(topic, "s")) == ["x"] * 4


def test_durable_names_belong_to_client_identifiers(provider, topic, publisher):
    one, two = session_of(provider, client_id="1"), session_of(provider, client_id="2")
    first, second = one.create_durable_consumer(topic, "s"), two.create_durable_consumer(topic, "s")
    send(publisher, topic, "x")
    first.close()
    one.unsubscribe("s")
    assert texts_of(second) == ["x"]


def test_shared_and_unshared_durable_subscriptions_exclude_each_other(provider, topic):
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "unshared").close()
    session.create_shared_durable_consumer(topic, "shared").close()
    with pytest.raises(JMSException, match="unshared"):
        session.create_shared_durable_consumer(topic, "unshared")
    with pytest.raises(JMSException, match="shared"):
        session.create_durable_consumer(topic, "shared")


@pytest.mark.parametrize("durable", [False, True])
def test_consumers_of_a_shared_subscription_split_its_messages(provider, topic, publisher, durable):
    kind = "create_shared_durable_consumer" if durable else "create_shared_consumer"
    consumers = [getattr(session_of(provider), kind)(topic, "s") for _ in range(3)]
    own = session_of(provider, client_id="me")
    apart = getattr(own, kind)(topic, "s")
    send(publisher, topic, *(str(number) for number in range(30)))
    seen = [texts_of(one, 10) for one in consumers]
    assert sorted(int(text) for part in seen for text in part) == list(range(30))
    assert all(part == sorted(part, key=int) for part in seen)
    assert len(texts_of(apart)) == 30


def test_a_shared_subscription_that_is_not_durable_ends_with_its_last_consumer(provider, topic, publisher):
    session = session_of(provider)
    first, second = session.create_shared_consumer(topic, "s"), session.create_shared_consumer(topic, "s", "")
    first.close()
    send(publisher, topic, "a", "b")
    assert second.receive(1).text == "a"
    second.close()
    assert texts_of(session.create_shared_consumer(topic, "s")) == []
    assert provider.administer("consumers", destination=topic) == 1


@pytest.mark.parametrize("durable", [False, True])
def test_a_shared_subscription_in_use_keeps_its_terms(provider, topic, durable):
    session = session_of(provider)
    create = session.create_shared_durable_consumer if durable else session.create_shared_consumer
    consumer = create(topic, "s", "a = 1")
    for arguments in ((provider.create_topic("other"), "s", "a = 1"), (topic, "s", "a = 2"), (topic, "s")):
        with pytest.raises(JMSException):
            create(*arguments)
    consumer.close()
    create(provider.create_topic("other"), "s")


def test_durable_and_other_names_are_apart(provider, topic, publisher):
    session = session_of(provider, client_id="me")
    consumers = [session.create_durable_consumer(topic, "s"), session.create_shared_consumer(topic, "s")]
    send(publisher, topic, "x")
    assert [texts_of(one) for one in consumers] == [["x"], ["x"]]


def test_no_local_leaves_out_the_messages_of_the_client(provider, topic):
    connection = connect(provider, "me")
    session, sibling = connection.create_session(), connection.create_session()
    plain = session.create_consumer(topic, None, True)
    durable = session.create_durable_consumer(topic, "s", None, True)
    send(session, topic, "own")
    send(sibling, topic, "sibling")
    send(session_of(provider), topic, "foreign")
    assert [texts_of(one) for one in (plain, durable)] == [["foreign"], ["foreign"]]
    connection.close()
    again = session_of(provider, client_id="me")
    send(again, topic, "own again")
    assert texts_of(again.create_durable_consumer(topic, "s", None, True)) == []


def test_a_selector_decides_what_joins_a_subscription(provider, topic, publisher):
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "s", "JMSPriority > 5").close()
    send(publisher, topic, "low", priority=1)
    send(publisher, topic, "high", priority=9)
    assert texts_of(session.create_durable_consumer(topic, "s", "JMSPriority > 5")) == ["high"]


def test_delayed_messages_go_to_those_who_were_there_at_the_send(provider, topic, publisher):
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "early").close()
    send(publisher, topic, "x", delivery_delay=1000)
    late = session.create_consumer(topic)
    later = session.create_durable_consumer(topic, "late")
    provider.kill()
    provider.clock.advance(1000)
    session = session_of(provider, client_id="me")
    assert texts_of(session.create_durable_consumer(topic, "early")) == ["x"]
    assert texts_of(session.create_durable_consumer(topic, "late")) == []
    assert late is not later


def test_wrong_arguments_are_refused(provider, topic):
    session = session_of(provider, client_id="me")
    creators = [
        session.create_durable_consumer,
        session.create_durable_subscriber,
        session.create_shared_consumer,
        session.create_shared_durable_consumer,
    ]
    for create in creators:
        with pytest.raises(InvalidDestinationException):
            create(None, "s")
        with pytest.raises(InvalidDestinationException):
            create(provider.create_queue("q"), "s")
        with pytest.raises(InvalidSelectorException):
            create(topic, "s", "=TEST 'test'")
        with pytest.raises(JMSException):
            create(topic, None)


def test_version_1_0_gives_a_session_one_copy(tmp_path):
    from reference_provider.adapter import open_provider

    with open_provider({"clock": "virtual", "version": "1.0"}, tmp_path) as provider, provider.clock.actor():
        topic = provider.create_topic("t")
        connection = provider.topic_connection_factory().create_topic_connection()
        connection.start()
        session, other = (connection.create_topic_session(False, Session.AUTO_ACKNOWLEDGE) for _ in range(2))
        pair = [session.create_subscriber(topic) for _ in range(2)]
        single = other.create_subscriber(topic)
        other.create_publisher(topic).publish(other.create_text_message("x"))
        assert sorted(len(texts_of(one)) for one in pair) == [0, 1]
        assert texts_of(single) == ["x"]


def test_a_bad_argument_is_refused_before_a_missing_client_identifier(topic, publisher):
    temporary = publisher.create_temporary_topic()
    for open_one in (publisher.create_durable_consumer, publisher.create_durable_subscriber):
        for bad in (None, temporary):
            with pytest.raises(InvalidDestinationException):
                open_one(bad, "s")
        with pytest.raises(InvalidSelectorException):
            open_one(topic, "s", "((", no_local=False)
        with pytest.raises(JMSException, match="needs a name") as caught:
            open_one(topic, None)
        assert not isinstance(caught.value, IllegalStateException)
        with pytest.raises(IllegalStateException):
            open_one(topic, "s")
