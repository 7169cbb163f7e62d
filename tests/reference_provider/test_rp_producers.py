"""Sends: options, asynchronous sends and their callbacks, JMSProducer, faults."""

import threading

import pytest
from rp_support import Completing, connect, send, session_of, texts_of

from tck.api import (
    DeliveryMode,
    Destination,
    IllegalArgumentException,
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidDestinationException,
    InvalidDestinationRuntimeException,
    JMSException,
    Message,
    MessageFormatException,
    MessageFormatRuntimeException,
    MessageNotWriteableRuntimeException,
    Queue,
    ResourceAllocationException,
    Session,
    UnsupportedOperationException,
)


class ForeignQueue(Queue):
    """A queue of another provider."""

    @property
    def queue_name(self):
        """Give a name."""
        return "foreign"

    def __str__(self):
        return "foreign"


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


@pytest.fixture
def session(provider):
    return session_of(provider)


def test_the_options_of_a_send_do_not_change_the_producer(session, queue):
    producer = session.create_producer(queue)
    producer.priority, producer.time_to_live, producer.delivery_mode = 2, 5000, DeliveryMode.NON_PERSISTENT
    producer.send(session.create_message(), delivery_mode=2, priority=7, time_to_live=0)
    assert (producer.priority, producer.time_to_live, producer.delivery_mode) == (2, 5000, 1)
    received = session.create_consumer(queue).receive(1)
    assert (received.jms_priority, received.jms_expiration, received.jms_delivery_mode) == (7, 0, 2)
    with pytest.raises(TypeError):
        producer.send(session.create_message(), priority=7)


def test_impossible_options_are_refused(session, queue):
    producer = session.create_producer(queue)
    for name, value in (
        ("priority", 10),
        ("priority", -1),
        ("delivery_mode", 3),
        ("time_to_live", -1),
        ("delivery_delay", -1),
    ):
        with pytest.raises(JMSException):
            setattr(producer, name, value)


def test_impossible_destinations_are_refused(session, queue):
    message = session.create_message()
    for bad in (ForeignQueue(), None):
        with pytest.raises(InvalidDestinationException):
            session.create_producer(None).send(message, destination=bad)
        with pytest.raises(InvalidDestinationException):
            session.create_consumer(bad)
        with pytest.raises(InvalidDestinationException):
            session.create_browser(bad)
    with pytest.raises(InvalidDestinationException):
        session.create_producer(ForeignQueue())
    with pytest.raises(MessageFormatException):
        session.create_producer(queue).send(None)
    assert isinstance(queue, Destination)


def test_an_asynchronous_send_calls_back_on_another_thread(provider, session, queue):
    done, threads = provider.clock.event(), []

    def then(message):
        threads.append(threading.get_ident())
        assert message.jms_message_id.startswith("ID:")
        done.set()

    listener = Completing(then)
    session.create_producer(queue).send(session.create_text_message("x"), completion_listener=listener)
    assert done.wait(1000)
    assert threads != [threading.get_ident()]
    session.close()
    assert listener.sent == ["x"]
    assert texts_of(session_of(provider).create_consumer(queue)) == ["x"]


def test_order_is_kept_between_synchronous_and_asynchronous_sends(provider, session, queue):
    listener = Completing()
    one, two = session.create_producer(queue), session.create_producer(queue)
    for number in range(20):
        message = session.create_text_message(str(number))
        if number % 3:
            (one, two)[number % 2].send(message, completion_listener=listener)
        else:
            one.send(message)
    session.close()
    assert listener.sent == [str(number) for number in range(20) if number % 3]
    assert texts_of(session_of(provider).create_consumer(queue)) == [str(number) for number in range(20)]


def test_sends_go_on_while_a_callback_is_blocked(provider, session, queue):
    blocked, leave = provider.clock.event(), provider.clock.event()

    def then(_message):
        blocked.set()
        leave.wait(None)

    listener = Completing(then)
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("a"), completion_listener=listener)
    assert blocked.wait(None)
    producer.send(session.create_text_message("b"), completion_listener=listener)
    producer.send(session.create_text_message("c"))
    assert texts_of(session.create_consumer(queue)) == ["a", "b", "c"]
    assert listener.sent == []
    leave.set()
    session.close()
    assert listener.sent == ["a", "b"]


@pytest.mark.parametrize("what", ["producer", "session", "connection", "commit", "rollback"])
def test_the_end_waits_for_callbacks(provider, queue, what):
    connection = connect(provider)
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    producer = session.create_producer(queue)
    listener = Completing(lambda _: provider.clock.event().wait(50))
    for text in "abc":
        producer.send(session.create_text_message(text), completion_listener=listener)
    {
        "producer": producer.close,
        "session": session.close,
        "connection": connection.close,
        "commit": session.commit,
        "rollback": session.rollback,
    }[what]()
    assert listener.sent == ["a", "b", "c"]
    assert provider.pending(queue) == (3 if what == "commit" else 0)


def test_a_callback_may_work_but_not_end_its_session(provider, queue):
    connection = connect(provider)
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    producer = session.create_producer(queue)
    caught, done = [], provider.clock.event()

    def then(_message):
        for call in (producer.close, session.close, connection.close, session.commit, session.rollback):
            try:
                call()
            except IllegalStateException as error:
                caught.append(error)
        producer.send(session.create_text_message("from the callback"))
        done.set()

    producer.send(session.create_text_message("x"), completion_listener=Completing(then))
    assert done.wait(None)
    session.commit()
    assert len(caught) == 5
    assert texts_of(session_of(provider).create_consumer(queue)) == ["x", "from the callback"]


def test_a_context_cannot_be_closed_by_a_callback(provider, queue):
    context = provider.connection_factory().create_context()
    caught, done = [], provider.clock.event()

    def then(_message):
        try:
            context.close()
        except IllegalStateRuntimeException as error:
            caught.append(error)
        done.set()

    listener = Completing(then)
    producer = context.create_producer().set_async(listener)
    assert producer.get_async() is listener
    producer.send(queue, "x")
    assert done.wait(None)
    context.close()
    assert len(caught) == 1


def test_what_is_wrong_with_an_asynchronous_call_is_raised(session, queue):
    listener = Completing()
    message = session.create_text_message("x")
    with pytest.raises(IllegalArgumentException):
        session.create_producer(queue).send(message, completion_listener=None)
    with pytest.raises(UnsupportedOperationException):
        session.create_producer(None).send(message, completion_listener=listener)
    with pytest.raises(UnsupportedOperationException):
        session.create_producer(queue).send(message, destination=queue, completion_listener=listener)
    with pytest.raises(InvalidDestinationException):
        session.create_producer(None).send(message, destination=None, completion_listener=listener)
    with pytest.raises(MessageFormatException):
        session.create_producer(queue).send(None, completion_listener=listener)
    session.close()
    assert (listener.sent, listener.failed) == ([], [])


def test_a_send_that_fails_late_is_reported_in_its_turn(provider, session, queue):
    order = []
    listener = Completing(lambda message: order.append(message.text))
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("a"), completion_listener=listener)
    provider.administer("fail-next-sends", destination=queue, count=2)
    producer.send(session.create_text_message("b"), completion_listener=listener)
    with pytest.raises(ResourceAllocationException):
        producer.send(session.create_text_message("c"))
    producer.send(session.create_text_message("d"), completion_listener=listener)
    session.close()
    assert order == ["a", "b", "d"]
    assert listener.sent == ["a", "d"]
    assert [text for text, _ in listener.failed] == ["b"]
    assert isinstance(listener.failed[0][1], ResourceAllocationException)


def test_a_completion_listener_that_raises_changes_nothing(provider, session, queue):
    def then(_message):
        raise RuntimeError("listener")

    listener = Completing(then)
    producer = session.create_producer(queue)
    for text in "ab":
        producer.send(session.create_text_message(text), completion_listener=listener)
    session.close()
    assert texts_of(session_of(provider).create_consumer(queue)) == ["a", "b"]


def test_a_jms_producer_puts_its_properties_and_headers_on_what_it_sends(provider, queue):
    with provider.connection_factory().create_context() as context:
        consumer = context.create_consumer(queue)
        producer = context.create_producer().set_property("a", 1).set_property("b", "producer").set_jms_type("t")
        producer.set_jms_correlation_id_as_bytes(b"\x00\x01").set_jms_reply_to(queue)
        message = context.create_text_message("x")
        message.set_string_property("b", "message")
        message.set_string_property("c", "message")
        producer.send(queue, message)
        received = consumer.receive(1)
        assert [received.get_string_property(name) for name in "abc"] == ["1", "producer", "message"]
        assert (received.jms_type, received.jms_reply_to, received.jms_correlation_id_as_bytes) == (
            "t",
            queue,
            b"\x00\x01",
        )
        with pytest.raises(MessageNotWriteableRuntimeException):
            producer.send(queue, received)
        names = producer.get_property_names()
        assert set(names) == {"a", "b"}
        producer.set_property("d", 2.5)
        assert "d" in names
        for change in (names.add, names.remove, names.clear):
            with pytest.raises(UnsupportedOperationException):
                change("a")
        producer.clear_properties()
        assert len(names) == 0
        with pytest.raises(IllegalArgumentException):
            producer.set_property("", 1)
        with pytest.raises(MessageFormatRuntimeException):
            producer.set_property("e", provider.unsupported_value())


def test_a_jms_producer_chooses_the_message_by_the_body(provider, queue):
    with provider.connection_factory().create_context() as context:
        consumer, producer = context.create_consumer(queue), context.create_producer()
        for body in ("text", b"bytes", {"a": 1, "b": None}, [1, 2]):
            producer.send(queue, body)
        producer.send(queue, None, body_type=str)
        producer.send(queue, None, body_type=bytes)
        seen = [type(consumer.receive(1)).__mro__ for _ in range(6)]
        names = ["TextMessage", "BytesMessage", "MapMessage", "ObjectMessage", "TextMessage", "BytesMessage"]
        assert all(name in [one.__name__ for one in mro] for name, mro in zip(names, seen, strict=True))
        with pytest.raises(MessageFormatRuntimeException):
            producer.send(queue, None)
        with pytest.raises(InvalidDestinationRuntimeException):
            producer.send(None, "x")
        with pytest.raises(MessageFormatRuntimeException):
            producer.send(queue, {"a": provider.unsupported_value()})
        assert provider.pending(queue) == 0


def test_properties_of_the_provider_tell_who_and_in_which_transaction(provider, queue):
    connection = provider.connection_factory().create_connection("me", "secret")
    connection.start()
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    consumer = session.create_consumer(queue)
    sent = []
    for _ in range(2):
        for _ in range(2):
            message = session.create_text_message("x")
            session.create_producer(queue).send(message)
            sent.append(message)
        session.commit()
    assert [one.get_string_property("JMSXUserID") for one in sent] == ["me"] * 4
    transactions = [one.get_string_property("JMSXProducerTXID") for one in sent]
    assert len(set(transactions)) == 2
    assert transactions[0] == transactions[1] != transactions[2] == transactions[3]
    received = [consumer.receive(1) for _ in range(2)]
    session.commit()
    received += [consumer.receive(1) for _ in range(2)]
    assert [one.get_string_property("JMSXProducerTXID") for one in received] == transactions
    consuming = [one.get_string_property("JMSXConsumerTXID") for one in received]
    assert consuming[0] == consuming[1] != consuming[2] == consuming[3]
    assert not {*consuming} & {*transactions}
    assert all(one.get_long_property("JMSXRcvTimestamp") == provider.clock.now() for one in received)
    assert not any(one.property_exists("JMSXDeliveryCount") for one in sent)


def test_a_body_that_cannot_be_read_counts_as_not_delivered(provider, queue):
    sender = session_of(provider)
    for mode in (Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE):
        with provider.connection_factory().create_context(session_mode=mode) as context:
            consumer = context.create_consumer(queue)
            send(sender, queue, "a", "b")
            for wrong in (dict, bytes):
                with pytest.raises(MessageFormatRuntimeException):
                    consumer.receive_body(wrong, 1)
            message = consumer.receive(1)
            assert (message.text, message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")) == (
                "a",
                False,
                1,
            )
            assert consumer.receive_body(str, 1) == "b"


@pytest.mark.parametrize("mode", [Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED])
def test_a_body_that_cannot_be_read_counts_as_delivered_where_the_client_acknowledges(provider, queue, mode):
    send(session_of(provider), queue, "a", "b")
    with provider.connection_factory().create_context(session_mode=mode) as context:
        consumer = context.create_consumer(queue)
        with pytest.raises(MessageFormatRuntimeException):
            consumer.receive_body(dict, 1)
        assert consumer.receive_body(str, 1) == "b"
        if mode == Session.CLIENT_ACKNOWLEDGE:
            context.recover()
        else:
            context.rollback()
        again = consumer.receive(1)
        assert (again.text, again.jms_redelivered, again.get_int_property("JMSXDeliveryCount")) == ("a", True, 2)


def test_a_message_without_a_body_has_none_to_receive(provider, queue):
    with provider.connection_factory().create_context() as context:
        consumer = context.create_consumer(queue)
        for message in (context.create_text_message(), context.create_object_message(), context.create_message()):
            context.create_producer().send(queue, message)
            with pytest.raises(MessageFormatRuntimeException):
                consumer.receive_body(str, 1)
            assert isinstance(consumer.receive(1), Message)


def test_a_producer_notices_that_its_destination_is_gone(provider, queue):
    session = session_of(provider)
    producer = session.create_producer(queue)
    producer.send(session.create_text_message("dropped along"))
    provider.drop(queue)
    producer.send(session.create_text_message("sent to a new queue of that name"))
    assert texts_of(session.create_consumer(queue)) == ["sent to a new queue of that name"]
    temporary = session.create_temporary_queue()
    producer = session.create_producer(temporary)
    producer.send(session.create_text_message("x"))
    temporary.delete()
    with pytest.raises(InvalidDestinationException):
        producer.send(session.create_text_message("y"))
