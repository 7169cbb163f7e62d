"""From Python arguments back to the Java overload."""

import pytest

from tck.api import OMITTED, SERIALIZABLE, Byte, Char, Double, Float, Int, Long, Message, Queue, Short, Topic
from tck.api import check_overload as check
from tck.api import resolve_overload as resolve
from tck.api.java.overloads import parameter_names
from tck.api.java.rule import Kind, python_api


class AQueue(Queue):
    """A queue by type alone."""

    __slots__ = ()
    queue_name = "q"

    def __str__(self):
        return "q"


class ATopic(Topic):
    """A topic by type alone."""

    __slots__ = ()
    topic_name = "t"

    def __str__(self):
        return "t"


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("MessageProducer.send", {"priority": 3}),
        ("MessageProducer.send", {"delivery_mode": 1, "priority": 3}),
        ("TopicPublisher.publish", {"topic": None, "time_to_live": 3}),
        ("Connection.create_session", {"transacted": True}),
        ("ConnectionFactory.create_connection", {"user_name": "u"}),
        ("ConnectionFactory.create_context", {"password": "p", "session_mode": 1}),
        ("Session.create_durable_consumer", {"message_selector": "a = 1"}),
        ("TopicSession.create_subscriber", {"no_local": True}),
        ("BytesMessage.write_bytes", {"offset": 1}),
        ("MapMessage.set_bytes", {"length": 1}),
        ("JMSException.__init__", {"cause": None}),
    ],
)
def test_arguments_without_an_overload_are_a_type_error(operation, arguments):
    with pytest.raises(TypeError, match=operation):
        check(operation, **arguments)
    with pytest.raises(TypeError, match=operation):
        resolve(operation, **arguments)


def test_refusal_lists_what_goes_together():
    with pytest.raises(TypeError) as caught:
        check("Connection.create_session", transacted=True, session_mode=OMITTED)
    assert str(caught.value) == (
        "Connection.create_session: no Java overload takes transacted of the optional arguments; "
        "those there are take: none; session_mode; transacted, session_mode"
    )


def test_unknown_argument_is_a_type_error():
    with pytest.raises(TypeError, match="prioritee"):
        check("MessageProducer.send", prioritee=3)


def test_every_overload_passes_its_own_check():
    for name, members in python_api().items():
        for key, member in members.items():
            if member.kind in (Kind.PROPERTY, Kind.CONSTANT):
                continue
            names = parameter_names(f"{name}.{key}")
            for overload in member.overloads:
                check(f"{name}.{key}", **{names[i]: None for i in overload.fills})


def test_presence_alone_tells_most_overloads_apart():
    for name, members in python_api().items():
        for key, member in members.items():
            operation = f"{name}.{key}"
            if member.kind in (Kind.PROPERTY, Kind.CONSTANT) or member.exception in ("send-body", "set-property"):
                continue
            for overload in member.overloads:
                given = {parameter_names(operation)[i]: None for i in overload.fills}
                assert resolve(operation, **given) == overload.java, f"{operation} {overload.java}"


def test_required_arguments_may_be_named_or_left_out():
    check("MessageProducer.send", message="m", destination=None)
    check("MessageProducer.send", destination=OMITTED)
    check("Session.create_consumer", destination=None, message_selector="x")


@pytest.mark.parametrize(
    ("given", "java"),
    [
        ({}, "send(Message)"),
        ({"destination": None}, "send(Destination, Message)"),
        ({"completion_listener": None}, "send(Message, CompletionListener)"),
        ({"delivery_mode": 2, "priority": 4, "time_to_live": 0}, "send(Message, int, int, long)"),
    ],
)
def test_send_is_resolved_by_presence(given, java):
    assert str(resolve("MessageProducer.send", message=None, **given)) == java


@pytest.mark.parametrize(
    ("destination", "java", "declared_in"),
    [
        (AQueue(), "send(Queue, Message)", "QueueSender"),
        (None, "send(Queue, Message)", "QueueSender"),
        (ATopic(), "send(Destination, Message)", "MessageProducer"),
    ],
)
def test_nearer_overload_wins_as_in_java(destination, java, declared_in):
    found = resolve("QueueSender.send", message=None, destination=destination)
    assert (str(found), found.type) == (java, declared_in)


@pytest.mark.parametrize(
    ("value", "java"),
    [
        (True, "boolean"),
        (Byte(1), "byte"),
        (Short(1), "short"),
        (Int(1), "int"),
        (1, "long"),
        (Long(1), "long"),
        (Float(1), "float"),
        (1.0, "double"),
        (Double(1), "double"),
        ("x", "String"),
        (None, "String"),
        (b"x", "Object"),
        (Char("x"), "Object"),
        (Ellipsis, "Object"),
    ],
    ids=repr,
)
def test_producer_property_is_resolved_by_value(value, java):
    assert str(resolve("JMSProducer.set_property", name="p", value=value)) == f"setProperty(String, {java})"
    assert str(resolve("JMSProducer.set_object_property", name="p", value=value)) == "setProperty(String, Object)"


@pytest.mark.parametrize(
    ("body", "java"),
    [
        ("x", "String"),
        (b"x", "byte[]"),
        ({"a": 1}, "Map"),
        (5, "Serializable"),
        (True, "Serializable"),
        ([1], "Serializable"),
    ],
)
def test_body_is_resolved_by_value(body, java):
    assert str(resolve("JMSProducer.send", destination=None, body=body)) == f"send(Destination, {java})"


@pytest.mark.parametrize(
    ("body_type", "java"),
    [(Message, "Message"), (str, "String"), (bytes, "byte[]"), (dict, "Map"), (SERIALIZABLE, "Serializable")],
)
def test_null_body_is_resolved_by_its_type(body_type, java):
    check("JMSProducer.send", body_type=body_type)
    assert (
        str(resolve("JMSProducer.send", destination=None, body=None, body_type=body_type))
        == f"send(Destination, {java})"
    )


def test_body_type_is_a_cast():
    assert (
        str(resolve("JMSProducer.send", destination=None, body="x", body_type=SERIALIZABLE))
        == "send(Destination, Serializable)"
    )
    with pytest.raises(TypeError, match="body_type"):
        resolve("JMSProducer.send", destination=None, body="x", body_type=dict)
    with pytest.raises(TypeError, match="body_type"):
        resolve("JMSProducer.send", destination=None, body=None)


def test_property_is_read_or_set():
    assert str(resolve("Message.jms_type")) == "getJMSType()"
    assert str(resolve("Message.jms_type", value=None)) == "setJMSType(String)"
    with pytest.raises(TypeError, match="cannot be set"):
        resolve("Session.transacted", value=True)


def test_inherited_members_are_found_under_the_lower_type():
    assert resolve("QueueSession.commit").type == "Session"
    assert str(resolve("XAQueueSession.create_queue", queue_name="q")) == "createQueue(String)"


@pytest.mark.parametrize("operation", ["Session.comit", "Sesion.commit", "commit"])
def test_unknown_operation_is_named(operation):
    with pytest.raises(LookupError, match=operation):
        resolve(operation)
