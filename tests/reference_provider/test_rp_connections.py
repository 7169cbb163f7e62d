"""Connections and contexts: identifiers, authentication, start, stop, close, broken links, temporary destinations."""

import gc

import pytest
from rp_support import Keeping, Told, connect, send, session_of, texts_of

from reference_provider.adapter import open_provider
from tck.api import (
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidClientIDException,
    InvalidClientIDRuntimeException,
    InvalidDestinationException,
    JMSException,
    JMSSecurityException,
    JMSSecurityRuntimeException,
    ResourceAllocationException,
    ResourceAllocationRuntimeException,
    Session,
)


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def test_a_client_identifier_is_set_once_and_first(provider):
    connection = connect(provider, start=False)
    assert connection.client_id is None
    connection.client_id = "me"
    assert connection.client_id == "me"
    with pytest.raises(IllegalStateException):
        connection.client_id = "you"
    for use in (
        lambda c: c.start(),
        lambda c: c.stop(),
        lambda c: c.create_session(),
        lambda c: c.meta_data,
        lambda c: setattr(c, "exception_listener", None),
    ):
        used = connect(provider, start=False)
        use(used)
        with pytest.raises(IllegalStateException):
            used.client_id = "late"
    with provider.connection_factory().create_context() as context:
        context.create_producer()
        with pytest.raises(IllegalStateRuntimeException):
            context.client_id = "late"


def test_a_client_identifier_belongs_to_one_connection_at_a_time(provider):
    holder = connect(provider, "me")
    with pytest.raises(InvalidClientIDException):
        connect(provider, "me")
    with provider.connection_factory().create_context() as context, pytest.raises(InvalidClientIDRuntimeException):
        context.client_id = "me"
    with pytest.raises(InvalidClientIDException):
        connect(provider, "")
    holder.close()
    connect(provider, "me")


def test_a_factory_can_have_an_identifier_configured(provider):
    factory = provider.administer("factory", client_id="fixed")
    connection = factory.create_connection()
    assert connection.client_id == "fixed"
    with pytest.raises(IllegalStateException):
        connection.client_id = "other"
    with pytest.raises(InvalidClientIDException):
        factory.create_connection()
    connection.close()
    assert factory.create_context().client_id == "fixed"


def test_credentials_are_checked_when_the_connection_is_made(tmp_path):
    with open_provider({"users": {"me": "secret"}}, tmp_path) as provider:
        factory = provider.connection_factory()
        factory.create_connection("me", "secret").close()
        factory.create_context(user_name="me", password="secret").close()  # noqa: S106 # a test's password
        factory.create_connection().close()
        with pytest.raises(JMSSecurityException):
            factory.create_connection("me", "wrong")
        with pytest.raises(JMSSecurityException):
            provider.queue_connection_factory().create_queue_connection("you", "secret")
        with pytest.raises(JMSSecurityRuntimeException):
            factory.create_context(user_name="me", password="wrong")  # noqa: S106 # a test's password


def test_an_administrator_can_limit_connections(provider):
    provider.administer("limit", connections=1)
    held = connect(provider)
    with pytest.raises(ResourceAllocationException):
        connect(provider)
    with pytest.raises(ResourceAllocationRuntimeException):
        provider.connection_factory().create_context()
    held.close()
    connect(provider)


def test_a_waiting_receive_gets_nothing_while_stopped(provider, queue):
    connection = connect(provider)
    consumer = connection.create_session().create_consumer(queue)
    got, done = [], provider.clock.event()
    provider.clock.spawn(lambda: (got.append(consumer.receive(500)), done.set()), "receiver")
    provider.clock.event().wait(100)
    connection.stop()
    send(session_of(provider), queue, "x")
    assert done.wait(None)
    assert got == [None]
    connection.start()
    assert texts_of(consumer) == ["x"]


def test_stop_waits_for_listeners_which_can_go_on_working(provider, queue):
    connection, log = connect(provider), []
    session = connection.create_session(session_mode=Session.SESSION_TRANSACTED)
    entered, leave = provider.clock.event(), provider.clock.event()
    answers = provider.create_queue("answers")

    def work(message):
        entered.set()
        leave.wait(None)
        send(session, answers, "done")
        session.commit()
        log.append("left")

    session.create_consumer(queue).message_listener = Keeping(work)
    send(session_of(provider), queue, "a")
    entered.wait(None)
    provider.clock.call_at(provider.clock.now() + 100, leave.set)
    connection.stop()
    log.append("stopped")
    assert log == ["left", "stopped"]
    assert texts_of(session_of(provider).create_consumer(answers)) == ["done"]
    assert provider.pending(queue) == 0


@pytest.mark.parametrize("what", ["session", "connection"])
def test_close_waits_for_listeners_which_can_go_on_working(provider, queue, what):
    connection, log = connect(provider), []
    session = connection.create_session(session_mode=Session.CLIENT_ACKNOWLEDGE)
    entered, leave = provider.clock.event(), provider.clock.event()
    answers = provider.create_queue("answers")

    def work(message):
        entered.set()
        leave.wait(None)
        send(session, answers, "done")
        message.acknowledge()
        log.append("left")

    session.create_consumer(queue).message_listener = Keeping(work)
    send(session_of(provider), queue, "a", "b")
    entered.wait(None)
    provider.clock.call_at(provider.clock.now() + 100, leave.set)
    {"session": session, "connection": connection}[what].close()
    log.append("closed")
    assert log == ["left", "closed"]
    assert texts_of(session_of(provider).create_consumer(answers)) == ["done"]
    assert provider.pending(queue) == 1


@pytest.mark.parametrize("call", ["connection.close", "connection.stop", "session.close"])
def test_a_listener_cannot_close_what_it_runs_in(provider, queue, call):
    connection, caught, done = connect(provider), [], provider.clock.event()
    session = connection.create_session()
    owner, method = call.split(".")

    def work(_message):
        try:
            getattr({"connection": connection, "session": session}[owner], method)()
        except IllegalStateException as error:
            caught.append(error)
        done.set()

    session.create_consumer(queue).message_listener = Keeping(work)
    send(session_of(provider), queue, "a")
    assert done.wait(None)
    assert len(caught) == 1
    connection.close()


def test_a_context_cannot_be_closed_by_its_listener_nor_stopped_by_a_siblings(provider, queue):
    context = provider.connection_factory().create_context()
    sibling = context.create_context(Session.AUTO_ACKNOWLEDGE)
    caught, done = [], provider.clock.event()

    def work(_message):
        for call in (context.close, context.stop, sibling.stop):
            try:
                call()
            except IllegalStateRuntimeException as error:
                caught.append(error)
        done.set()

    context.create_consumer(queue).message_listener = Keeping(work)
    sibling.create_producer().send(queue, "x")
    assert done.wait(None)
    assert len(caught) == 3
    context.close()
    context.close()
    assert sibling.create_producer().send(queue, "y") is not None
    sibling.close()


def test_a_closed_context_does_not_reach_the_connection_that_its_sibling_uses(provider):
    sibling = provider.connection_factory().create_context()
    closed = sibling.create_context(Session.AUTO_ACKNOWLEDGE)
    closed.close()
    for call in (
        lambda: closed.client_id,
        lambda: setattr(closed, "client_id", "late"),
        lambda: closed.meta_data,
        lambda: closed.exception_listener,
        lambda: setattr(closed, "exception_listener", None),
    ):
        with pytest.raises(IllegalStateRuntimeException):
            call()
    assert sibling.client_id is None
    assert sibling.meta_data.jms_version == "3.1"


def test_everything_of_a_closed_connection_refuses_and_closes_quietly(provider, queue):
    connection = connect(provider)
    session = connection.create_session(session_mode=Session.CLIENT_ACKNOWLEDGE)
    consumer, producer, browser = (
        session.create_consumer(queue),
        session.create_producer(queue),
        session.create_browser(queue),
    )
    send(session, queue, "x")
    received = consumer.receive(1)
    connection.close()
    calls = [
        connection.start,
        connection.stop,
        connection.create_session,
        lambda: connection.client_id,
        lambda: connection.meta_data,
        lambda: connection.exception_listener,
        session.create_message,
        session.recover,
        session.commit,
        lambda: session.transacted,
        lambda: session.acknowledge_mode,
        lambda: session.unsubscribe("s"),
        lambda: producer.send(received),
        lambda: producer.priority,
        lambda: producer.destination,
        consumer.receive,
        consumer.receive_no_wait,
        lambda: consumer.message_selector,
        lambda: consumer.message_listener,
        browser.get_enumeration,
        lambda: browser.queue,
        received.acknowledge,
    ]
    for call in calls:
        with pytest.raises(IllegalStateException):
            call()
    for one in (producer, consumer, browser, session, connection):
        one.close()
    assert received.text == "x"
    again = session_of(provider).create_consumer(queue).receive(1)
    assert again.jms_redelivered


def test_a_broken_link_is_reported_and_releases_all(provider, queue):
    connection = connect(provider, "me")
    event = provider.clock.event()
    reported = Told(event)
    connection.exception_listener = reported
    session = connection.create_session(session_mode=Session.CLIENT_ACKNOWLEDGE)
    consumer = session.create_consumer(queue)
    send(session_of(provider), queue, "x")
    consumer.receive(1)
    provider.sever(connection)
    assert event.wait(1000)
    assert isinstance(reported.problems[0], JMSException)
    assert reported.problems[0].linked_exception is not None
    with pytest.raises(JMSException) as caught:
        session.create_message()
    assert not isinstance(caught.value, IllegalStateException)
    connect(provider, "me")
    again = session_of(provider).create_consumer(queue).receive(1)
    assert (again.text, again.jms_redelivered, again.get_int_property("JMSXDeliveryCount")) == ("x", True, 2)
    connection.close()


def test_a_link_that_breaks_inside_a_listener_leaves_the_message_unacknowledged(provider, queue):
    connection = connect(provider)
    entered, leave = provider.clock.event(), provider.clock.event()

    def work(_message):
        entered.set()
        leave.wait(None)

    connection.create_session().create_consumer(queue).message_listener = Keeping(work)
    send(session_of(provider), queue, "x")
    entered.wait(None)
    provider.sever(connection)
    again = session_of(provider).create_consumer(queue).receive(1)
    leave.set()
    assert (again.text, again.jms_redelivered) == ("x", True)
    assert provider.pending(queue) == 0


def test_metadata_name_the_version(provider):
    data = connect(provider).meta_data
    assert (data.jms_version, data.jms_major_version, data.jms_minor_version) == ("3.1", 3, 1)
    assert data.provider_version == f"{data.provider_major_version}.{data.provider_minor_version}"
    names = list(data.get_jmsx_property_names())
    assert {"JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount"} <= set(names)
    assert all(name.startswith("JMSX") for name in names)


def test_session_modes(provider):
    connection = connect(provider)
    assert connection.create_session().acknowledge_mode == Session.AUTO_ACKNOWLEDGE
    assert connection.create_session(transacted=True, session_mode=2).acknowledge_mode == Session.SESSION_TRANSACTED
    assert connection.create_session(transacted=False, session_mode=3).acknowledge_mode == 3
    for arguments in ({"session_mode": 7}, {"transacted": False, "session_mode": 0}):
        with pytest.raises(JMSException):
            connection.create_session(**arguments)
    with pytest.raises(TypeError):
        connection.create_session(transacted=True)


def test_auto_start_is_a_flag_and_no_more(provider, queue):
    context = provider.connection_factory().create_context()
    assert context.auto_start is True
    context.auto_start = False
    consumer = context.create_consumer(queue)
    context.create_producer().send(queue, "x")
    assert consumer.receive(1) is None
    context.auto_start = True
    assert consumer.receive(1) is None
    context.create_context(Session.AUTO_ACKNOWLEDGE).create_consumer(provider.create_queue("other"))
    assert consumer.receive_body(str, 1) == "x"


def test_temporary_destinations_can_be_deleted_and_used_by_all_sessions(provider):
    connection = connect(provider)
    first, second = connection.create_session(), connection.create_session()
    for temporary in (first.create_temporary_queue(), first.create_temporary_topic()):
        consumer = second.create_consumer(temporary)
        with pytest.raises(JMSException):
            temporary.delete()
        send(session_of(provider), temporary, "x")
        assert texts_of(consumer) == ["x"]
        consumer.close()
        temporary.delete()
        for use in (lambda d=temporary: send(first, d, "y"), lambda d=temporary: first.create_consumer(d)):
            with pytest.raises(InvalidDestinationException):
                use()


def test_a_temporary_destination_goes_with_its_object(provider):
    session = session_of(provider)
    temporary = session.create_temporary_queue()
    name = str(temporary)
    assert name in provider.administer("destinations")
    consumer = session.create_consumer(temporary)
    del temporary
    gc.collect()
    assert name in provider.administer("destinations")
    consumer.close()
    del consumer
    gc.collect()
    assert name not in provider.administer("destinations")


def test_naming_a_destination_does_not_create_it(provider):
    session_of(provider).create_queue("nowhere")
    assert "queue:nowhere" not in provider.administer("destinations")


def test_administered_objects_are_found_by_name_also_after_a_restart(provider, queue):
    factory = provider.administer("factory", client_id="fixed", kind="topic-connection-factory")
    bound = {"a/q": queue, "b": provider.create_topic("t"), "c/d/e": factory, "xa": provider.xa_connection_factory()}
    for name, obj in bound.items():
        provider.bind(name, obj)
    provider.bind("b", queue)
    provider.restart()
    assert provider.lookup("a/q") == queue
    assert provider.lookup("b") == queue
    assert provider.lookup("c/d/e") == factory
    assert provider.lookup("xa") == provider.xa_connection_factory()
    assert provider.lookup("c/d/e").create_topic_connection().client_id == "fixed"
    with pytest.raises(JMSException):
        provider.lookup("nothing")
