"""Run by test_jvm_old_api.py in a process of its own: what the adapter makes of an API jar older than the suite's API.

OLD_API=activemq5-jms11 python -m pytest tests/jvm/inside_old_api.py -k "not v102"
"""

import os

import pytest
from jvm_loopback import open_provider

from tck import api
from tck.adapters.jvm.binding import Binding
from tck.adapters.jvm.machine import Machine

OLD = os.environ["OLD_API"]
AUTO = {"transacted": False, "session_mode": api.Session.AUTO_ACKNOWLEDGE}


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    settings = {"clock": "virtual", "version": "1.1", "jars_of": OLD}
    with open_provider(settings, tmp_path_factory.mktemp("loopback")) as made:
        yield made


def lacks(call, member):
    """Check that a call fails as one of a member that is not there, and names it."""
    with pytest.raises(api.JavaException) as caught:
        call()
    assert caught.value.java_name == "java.lang.NoSuchMethodError"
    assert str(caught.value) == f"javax.jms.{member} is not in the provider's jars"


def queue_session(provider):
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    return connection.create_queue_session(False, api.Session.AUTO_ACKNOWLEDGE)


def test_old_interfaces_of_one_domain_carry_messages(provider):
    session, queue = queue_session(provider), provider.create_queue("q")
    session.create_sender(queue).send(session.create_text_message("x"))
    assert session.create_receiver(queue).receive(1000).text == "x"


def test_old_apis_lack_contexts_and_what_came_with_them(provider):
    session = queue_session(provider)
    message = session.create_text_message("x")
    lacks(provider.connection_factory().create_context, "ConnectionFactory.createContext()")
    lacks(lambda: message.get_body(str), "Message.getBody(Class)")
    lacks(lambda: message.jms_delivery_time, "Message.getJMSDeliveryTime()")
    sender = session.create_sender(provider.create_queue("q"))
    lacks(lambda: setattr(sender, "delivery_delay", 5), "MessageProducer.setDeliveryDelay(long)")


def test_old_apis_lack_exceptions_and_constructors(provider):
    lacks(lambda: provider.new_exception(api.JMSRuntimeException, "x"), "JMSRuntimeException(String)")
    longest = "JMSException(String, String, Exception)"
    lacks(lambda: provider.new_exception(api.JMSException, "x", "c", ValueError()), longest)
    assert provider.new_exception(api.JMSException, "x", "c").error_code == "c"


def test_old_apis_take_an_exception_they_lack_as_its_base(provider):
    failures = Binding(Machine.running(), "javax").failures
    raised = failures.java(api.IllegalStateRuntimeException("why"))
    assert str(raised.getClass().getName()) == "java.lang.RuntimeException"
    assert "why" in str(raised.getMessage())
    assert (
        str(failures.java(api.IllegalStateException("why")).getClass().getName()) == "javax.jms.IllegalStateException"
    )


def test_v11_lacks_overloads_and_calls_no_other_in_their_place(provider):
    connection = provider.connection_factory().create_connection()
    lacks(connection.create_session, "Connection.createSession()")
    lacks(lambda: connection.create_session(session_mode=api.Session.AUTO_ACKNOWLEDGE), "Connection.createSession(int)")
    session, queue = connection.create_session(**AUTO), provider.create_queue("q11")
    assert session.acknowledge_mode == api.Session.AUTO_ACKNOWLEDGE
    producer, message = session.create_producer(None), session.create_message()
    producer.send(message, destination=queue)
    listener = type("Listener", (api.CompletionListener,), {"on_completion": None, "on_exception": None})()
    lacks(
        lambda: producer.send(message, destination=queue, completion_listener=listener),
        "MessageProducer.send(Destination, Message, CompletionListener)",
    )


def test_v102_has_no_common_interfaces(provider):
    lacks(provider.connection_factory().create_connection, "ConnectionFactory.createConnection()")
    session, queue = queue_session(provider), provider.create_queue("q102")
    lacks(lambda: session.create_producer(queue), "Session.createProducer(Destination)")
    lacks(lambda: session.create_consumer(queue), "Session.createConsumer(Destination)")
    lacks(lambda: session.acknowledge_mode, "Session.getAcknowledgeMode()")
    lacks(lambda: session.create_sender(queue).destination, "MessageProducer.getDestination()")
    lacks(lambda: session.create_bytes_message().body_length, "BytesMessage.getBodyLength()")
