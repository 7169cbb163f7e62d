"""Run by test_jvm_providers.py in a process of its own, since there is one Java machine per process: the adapter at work.

JVM_PROFILE=activemq python -m pytest tests/jvm/inside.py
"""

import gc
import itertools
import math
import os
import threading
import weakref
from dataclasses import dataclass

import pytest
from jvm_foreign import Colour, Foreign, Order
from jvm_watched import EARLY, MADE, watch

from tck import api
from tck.adapters.jvm.machine import Machine
from tck.adapters.recording import Recorder
from tck.profile import load_profile
from tck.suite.support.harness.threads import Call

PROFILE = os.environ["JVM_PROFILE"]
WAIT = 10_000
NUMBERS = itertools.count()
CAN_SEND_ASYNC = PROFILE not in {"activemq", "activemq5", "activemq5-jms11"}
HAS_CONTEXTS = not PROFILE.startswith("activemq5")
POOLS = PROFILE != "artemis"


def sent(session, queue, message):
    """What arrives of a message."""
    session.create_producer(queue).send(message)
    with session.create_consumer(queue) as consumer:
        return consumer.receive(WAIT)


def test_it_describes_itself(provider):
    info = provider.info()
    assert info.language == "java"
    assert info.name
    assert info.version in load_profile(PROFILE).title or PROFILE.startswith("openmq")
    assert provider.clock.virtual is False


def test_classes_that_methods_take_are_made_before_any_call(provider):
    # JPype would make them when an argument first meets them, and crash where two threads do so at once.
    assert EARLY == ["javax.transaction.xa.Xid"]
    watch("java.time.temporal.TemporalAmount")
    machine = Machine.running()
    machine.prepare([machine.type("java.time.LocalTime")])
    assert MADE[-1] == "java.time.temporal.TemporalAmount"


TEXTS = ["", "x", "é\u4e2d\U0001f600", "a\x00b", "half \ud83d of a pair"]


@pytest.mark.parametrize("text", TEXTS[:-1], ids=range(4))
def test_texts_travel(session, queue, text):
    wanted = None if PROFILE == "openmq" and not text else text  # which it loses over TCP
    assert sent(session, queue, session.create_text_message(text)).text == wanted


def test_half_a_surrogate_pair_reaches_java_and_comes_back(session):
    for text in (TEXTS[-1], "\ude00\ud83d", "\ud83d \ude00"):
        assert session.create_text_message(text).text == text


VALUES = [
    True, False, 5, -(2**63), 2**63 - 1, 1.5, -0.0, math.inf, "x", api.Byte(-128), api.Short(-1), api.Int(2**31 - 1),
    api.Float(0.1), api.Float(math.inf),
]  # fmt: skip


def test_properties_keep_their_exact_types(session, queue):
    message = session.create_message()
    for number, value in enumerate(VALUES):
        message.set_object_property(f"p{number}", value)
    found = sent(session, queue, message)
    read = [found.get_object_property(f"p{number}") for number in range(len(VALUES))]
    assert read == VALUES
    assert [type(value) for value in read] == [type(value) for value in VALUES]
    assert set(found.get_property_names()) >= {f"p{number}" for number in range(len(VALUES))}


def test_map_entries_keep_their_exact_types(session, queue):
    wanted = {"char": api.Char("\ud83d"), "bytes": b"\x00\xff\x80", "none": None, "int": api.Int(7), "long": 7}
    if PROFILE.startswith("openmq"):
        del wanted["none"]  # which it refuses
    message = session.create_map_message()
    for name, value in wanted.items():
        message.set_object(name, value)
    message.set_bytes("part", b"abcdef", 2, 3)
    found = sent(session, queue, message)
    assert {name: found.get_object(name) for name in found.get_map_names()} == wanted | {"part": b"cde"}


def test_typed_calls_check_their_range_before_java_sees_them(session):
    message = session.create_message()
    with pytest.raises(ValueError, match="40000 is out of range for Java's short"):
        message.set_short_property("s", 40_000)
    with pytest.raises(TypeError, match="expected an int for Java's int, not float"):
        message.set_int_property("i", 1.0)


def test_bytes_are_read_into_the_callers_buffer(session, queue):
    message = session.create_bytes_message()
    message.write_bytes(bytes(range(256)))
    found = sent(session, queue, message)
    buffer = bytearray(b"?" * 300)
    assert found.body_length == 256
    assert found.read_bytes(buffer) == 256
    assert bytes(buffer) == bytes(range(256)) + b"?" * 44
    assert found.read_bytes(buffer) == -1


@pytest.mark.parametrize(
    "body",
    [None, "x", api.Int(5), [1, "a", None, [True]], {"k": 1.5, 5: b"z"}, Order(3, ("a", "b")), Colour.RED, {1, 2}],
    ids=lambda body: type(body).__name__,
)
def test_objects_travel(session, queue, body):
    assert sent(session, queue, session.create_object_message(body)).object == body


@dataclass(frozen=True)
class Journey:
    to: str


@dataclass(frozen=True)
class Flight(Journey):
    by: str


@pytest.mark.skipif(not HAS_CONTEXTS, reason="get_body came with 2.0")
def test_a_type_inherits_from_a_parent_that_is_registered_later(provider, session):
    provider.register_types(Flight)
    provider.register_types(Journey, Flight)
    flight = Flight("Turku", "noon")
    assert session.create_object_message(flight).get_body(Journey) == flight


def test_a_value_without_counterpart_is_for_the_provider_to_refuse(provider, session):
    message = session.create_message()
    for value in (provider.unsupported_value(), object()):
        with pytest.raises(api.MessageFormatException) as caught:
            message.set_object_property("p", value)
        assert type(caught.value) is api.MessageFormatException


def test_an_exception_keeps_what_java_said(session, queue):
    with pytest.raises(api.InvalidSelectorException) as caught:
        session.create_consumer(queue, "a = = 3")
    assert str(caught.value) == str(caught.value.java_throwable.getMessage())
    assert caught.value.__notes__[0].startswith("Java stack:\n")
    assert "\tat " in caught.value.__notes__[0]
    linked = caught.value.java_throwable.getLinkedException()
    assert (caught.value.linked_exception is None) == (linked is None)


def test_a_reader_of_the_wrong_end_gets_the_right_exception(session, queue):
    message = session.create_bytes_message()
    with pytest.raises(api.MessageNotReadableException):
        message.read_int()
    message.write_byte(1)
    found = sent(session, queue, message)
    with pytest.raises(api.MessageEOFException):
        found.read_int()
    with pytest.raises(api.MessageNotWriteableException):
        found.write_int(1)


def test_arguments_that_are_no_java_overload_are_the_callers_error(session, queue):
    with pytest.raises(TypeError, match=r"MessageProducer\.send: no Java overload takes priority"):
        session.create_producer(queue).send(session.create_message(), priority=3)
    with pytest.raises(api.JMSException):
        session.create_consumer(None)


class Listener(api.MessageListener):
    def __init__(self, event):
        self.event = event
        self.seen = []

    def on_message(self, message):
        self.seen.append(message.text)
        if len(self.seen) == 1:
            raise RuntimeError("the first one fails")
        self.event.set()


def test_a_listener_is_called_and_given_back(provider, session, queue):
    listener = Listener(provider.clock.event())
    consumer = session.create_consumer(queue)
    consumer.message_listener = listener
    assert consumer.message_listener is listener
    session.create_producer(queue).send(session.create_text_message("x"))
    assert listener.event.wait(WAIT)
    assert listener.seen == ["x", "x"]
    consumer.message_listener = None
    assert consumer.message_listener is None


class Completion(api.CompletionListener):
    def __init__(self, event):
        self.event = event
        self.message = None

    def on_completion(self, message):
        self.message = message
        self.event.set()

    def on_exception(self, message, exception):
        raise AssertionError(exception)


@pytest.mark.skipif(not CAN_SEND_ASYNC, reason="this provider cannot send asynchronously")
def test_a_completion_listener_gets_the_message_that_was_sent(provider, session, queue):
    listener, message = Completion(provider.clock.event()), session.create_text_message("x")
    session.create_producer(queue).send(message, completion_listener=listener)
    assert listener.event.wait(WAIT)
    assert listener.message is message


def test_a_message_implemented_in_python_can_be_sent(session, queue):
    message = Foreign()
    found = sent(session, queue, message)
    assert found.text == "from elsewhere"
    assert found.get_object_property("count") == api.Int(5)
    assert message.jms_message_id.startswith("ID:")
    assert message.jms_destination == queue


def test_a_destination_keeps_identity_and_equality(session, queue):
    found = sent(session, queue, session.create_text_message("x"))
    assert found.jms_destination == queue
    assert hash(found.jms_destination) == hash(queue)
    assert found.jms_destination.queue_name == queue.queue_name
    assert isinstance(session.create_temporary_queue(), api.TemporaryQueue)
    assert not isinstance(queue, (api.TemporaryQueue, api.Topic))


@pytest.mark.skipif(not HAS_CONTEXTS, reason="this provider implements 1.1")
def test_the_simplified_api_chains_and_converts(provider, queue):
    with provider.connection_factory().create_context() as context:
        producer = context.create_producer()
        assert producer.set_priority(7).set_property("i", api.Int(3)) is producer
        assert producer.get_object_property("i") == api.Int(3)
        assert producer.get_property_names() == {"i"}
        producer.send(queue, {"a": api.Short(1)})
        with context.create_consumer(queue) as consumer:
            found = consumer.receive(WAIT)
        assert found.get_body(dict) == {"a": api.Short(1)}
        assert found.jms_priority == 7
        assert not found.is_body_assignable_to(str)
        with pytest.raises(api.MessageFormatException):
            found.get_body(str)
        with pytest.raises(api.InvalidDestinationRuntimeException):
            context.create_consumer(None)


def test_xa_with_the_suites_own_xid(provider, queue):
    with provider.xa_connection_factory().create_xa_connection() as connection:
        session = connection.create_xa_session()
        resource = session.xa_resource
        xid = api.Xid(7, b"global", b"branch\xff")
        resource.start(xid, resource.TMNOFLAGS)
        session.create_producer(queue).send(session.create_text_message("x"))
        resource.end(xid, resource.TMSUCCESS)
        assert resource.prepare(xid) == resource.XA_OK
        assert xid in resource.recover(resource.TMSTARTRSCAN | resource.TMENDRSCAN)
        with pytest.raises(api.XAException) as caught:
            resource.commit(api.Xid(7, b"unknown", b""), False)
        assert caught.value.error_code < 0
        resource.commit(xid, False)
        assert resource.is_same_rm(resource)
    if api.Hook.PENDING in provider.hooks:
        assert provider.pending(queue) == 1


class Pool(api.ServerSessionPool):
    def __init__(self, server_session):
        self.server_session = server_session

    def get_server_session(self):
        return self.server_session


class Server(api.ServerSession):
    def __init__(self, session, started):
        self._session = session
        self.started = started

    @property
    def session(self):
        return self._session

    def start(self):
        self._session.run()
        self.started.set()


@pytest.mark.skipif(not POOLS, reason="this provider has no connection consumers")
def test_a_server_session_pool_in_python_is_loaded(provider, connection, session, queue):
    session.create_producer(queue).send(session.create_text_message("x"))
    loaded = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
    listener = Listener(provider.clock.event())
    listener.seen.append("so that the first one does not fail")
    loaded.message_listener = listener
    pool = Pool(Server(loaded, provider.clock.event()))
    consumer = connection.create_connection_consumer(queue, None, pool, 1)
    assert consumer.server_session_pool is pool
    assert pool.server_session.started.wait(WAIT)
    assert listener.seen[1:] == ["x"]
    consumer.close()


def test_a_requestor_of_the_providers_own_jars(provider):
    with provider.queue_connection_factory().create_queue_connection() as connection:
        connection.start()
        queue = provider.create_queue(f"requests{next(NUMBERS)}")
        serving = connection.create_queue_session(False, api.Session.AUTO_ACKNOWLEDGE)

        class Server(api.MessageListener):
            def on_message(self, message):
                serving.create_producer(message.jms_reply_to).send(serving.create_text_message("answer"))

        serving.create_receiver(queue).message_listener = Server()
        asking = connection.create_queue_session(False, api.Session.AUTO_ACKNOWLEDGE)
        with provider.queue_requestor(asking, queue) as requestor:
            assert requestor.request(asking.create_text_message("question")).text == "answer"


def test_java_tells_what_its_threads_do(provider):
    assert "\n    at " in provider.stacks()
    assert Machine.running() is not None


def test_a_thread_of_python_finds_classes_as_javas_own_threads_do(provider):
    def loader():
        return Machine.running().current_thread().getContextClassLoader()

    assert Call(provider.clock, "its class loader", loader, WAIT).result() is not None


def test_a_call_that_waits_in_java_is_seen(provider, session, queue):
    consumer = session.create_consumer(queue)
    waiting = Call(provider.clock, "receive", consumer.receive, WAIT)
    assert waiting.blocks_within(WAIT)
    assert not waiting.returned
    session.create_producer(queue).send(session.create_text_message("x"))
    assert waiting.result().text == "x"

    over = threading.Event()
    elsewhere = Call(provider.clock, "in Python", over.wait, WAIT)
    assert elsewhere.blocks_within(50) is False
    over.set()
    assert elsewhere.ends_within()


def test_a_listener_that_holds_its_connection_does_not_keep_it_in_java(provider, queue):
    """A cycle of Python and Java: neither collector sees all of it, so the recorder breaks it at the end of a case."""
    recorder = Recorder(provider.clock, "case")
    connection = recorder.wrap(provider).connection_factory().create_connection()
    listener = Problems()
    listener.connection = connection
    connection.exception_listener = listener
    connection.close()
    held = weakref.ref(connection.raw_)
    recorder.let_go()
    del connection, listener, recorder
    gc.collect()
    assert held() is None


class Problems(api.ExceptionListener):
    def on_exception(self, exception):
        raise AssertionError(exception)
