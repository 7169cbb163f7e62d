"""The recorder sees what passes between suite and provider, and changes none of it."""

import json
import threading

import pytest
from adapters_toy import Collect, ToyBytes, ToyMessage, ToyProvider, ToyQueue, ToyText, complete

from tck import api
from tck.adapters.recording import Recorder
from tck.record.schema import problems


def test_every_event_fits_its_schema_and_numbers_rise(toy):
    toy.sent()
    toy.session.create_consumer(toy.queue).receive(10)
    events = json.loads(json.dumps(toy.recorder.finish()))
    assert [problem for event in events for problem in problems("event", event)] == []
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert sorted(event["t_ns"] for event in events) == [event["t_ns"] for event in events]


def test_a_send_and_its_receive(toy):
    message = toy.session.create_text_message("hello")
    message.set_int_property("a", 1)
    toy.session.create_producer(toy.queue).send(message, priority=9)
    received = toy.session.create_consumer(toy.queue, "true").receive(10)
    invoke, ok = toy.events("MessageProducer.send")
    assert (invoke["phase"], invoke["actor"], invoke["on"], invoke["thread"]) == (
        "invoke",
        "session-1",
        "producer-1",
        "main",
    )
    assert invoke["args"] == {"message": "message-1", "priority": 9}
    assert invoke["destination"] == ok["destination"] == "queue:q"
    assert (ok["phase"], ok["call"], ok["value"]) == ("ok", invoke["seq"], None)
    assert (invoke["message"]["id"], invoke["message"]["priority"]) == (None, 4)
    assert (ok["message"]["id"], ok["message"]["priority"], ok["message_id"]) == (
        received.jms_message_id,
        9,
        received.jms_message_id,
    )
    (got,) = toy.events("MessageConsumer.receive", "ok")
    assert got["value"] == "message-2"
    assert got["subscription"] == "consumer-1"
    facts = got["message"]
    assert {key: facts[key] for key in ("label", "kind", "destination", "mode", "body", "properties")} == {
        "label": "message-2", "kind": "text", "destination": "queue:q", "mode": 2, "body": "hello", "properties": {"a": 1},
    }  # fmt: skip
    assert facts["digest"] == invoke["message"]["digest"]


def test_a_later_change_of_the_message_does_not_change_the_evidence(toy):
    message = toy.sent("before")
    message.text = "after"
    message.set_int_property("a", 2)
    (sent,) = toy.events("MessageProducer.send", "invoke")
    assert sent["message"]["body"] == "before"
    assert sent["message"]["properties"] == {}


def test_what_is_made_says_its_settings(toy):
    toy.connection.create_session(transacted=True)
    toy.connection.create_session(session_mode=api.Session.CLIENT_ACKNOWLEDGE)
    topic = toy.provider.create_topic("t")
    toy.session.create_durable_consumer(topic, "sub", "true", no_local=True)
    created = {event["created"]["label"]: event["created"] for event in toy.events() if "created" in event}
    assert created["session-1"] == {
        "label": "session-1",
        "type": "Session",
        "parent": "connection-1",
        "transacted": False,
        "session_mode": 1,
    }
    assert (created["session-2"]["transacted"], created["session-2"]["session_mode"]) == (True, 0)
    assert (created["session-3"]["transacted"], created["session-3"]["session_mode"]) == (False, 2)
    assert created["consumer-1"] == {
        "label": "consumer-1", "type": "MessageConsumer", "parent": "session-1", "destination": "topic:t", "selector": "true",
        "no_local": True, "durable": True, "shared": False, "subscription": "sub",
    }  # fmt: skip


def test_properties_are_recorded_on_both_sides(toy):
    message = toy.session.create_text_message()
    message.jms_type = "T"
    assert message.jms_type == "T"
    write, wrote, read, gave = toy.events("Message.jms_type")
    assert (write["args"], wrote["value"], read["args"], gave["value"]) == ({"value": "T"}, None, {}, "T")


def test_a_misspelt_property_does_not_pass_silently(toy):
    message = toy.session.create_text_message()
    with pytest.raises(AttributeError):
        message.jms_typ = "T"


def test_signatures_are_those_of_the_api(toy):
    with pytest.raises(TypeError, match="positional"):
        toy.session.create_producer(toy.queue).send(toy.session.create_text_message(), toy.queue)
    with pytest.raises(TypeError, match="unexpected keyword"):
        toy.session.create_consumer(toy.queue, selector="x")


def test_an_argument_left_out_is_left_out_behind_too(toy):
    seen = []

    class Session(type(toy.raw.factory.create_connection().create_session())):
        def create_consumer(self, destination, message_selector=api.OMITTED, no_local=api.OMITTED):
            seen.append((message_selector, no_local))

    session = toy.recorder.wrap(Session(toy.raw, None))
    session.create_consumer(toy.queue)
    session.create_consumer(toy.queue, None)
    assert seen == [(api.OMITTED, api.OMITTED), (None, api.OMITTED)]
    assert [event["args"] for event in toy.events("Session.create_consumer", "invoke")] == [
        {"destination": "queue:q"},
        {"destination": "queue:q", "message_selector": None},
    ]


def test_exceptions_pass_untouched_and_are_known(toy):
    with pytest.raises(api.InvalidDestinationException) as caught:
        toy.session.create_producer(None).send(toy.session.create_text_message())
    assert toy.recorder.raised(caught.value)
    assert not toy.recorder.raised(api.InvalidDestinationException("no destination"))
    (failed,) = toy.events("MessageProducer.send", "fail")
    assert failed["error"] == {
        "type": "InvalidDestinationException", "text": "no destination", "code": "TOY-1", "linked": "ValueError: none",
    }  # fmt: skip


def test_an_exception_of_the_same_name_elsewhere_shows_where_it_is_from(toy):
    class JMSException(Exception):  # noqa: N818
        pass

    class Session(type(toy.raw.factory.create_connection().create_session())):
        def commit(self):
            raise JMSException("fake")

    with pytest.raises(JMSException):
        toy.recorder.wrap(Session(toy.raw, None)).commit()
    (failed,) = toy.events("Session.commit", "fail")
    assert failed["error"]["type"].endswith(".JMSException")
    assert failed["error"]["type"] != "JMSException"


def test_identity_and_equality_are_the_providers(toy):
    assert toy.provider.connection_factory() is toy.provider.connection_factory()
    other = toy.recorder.wrap(ToyQueue("q"))
    assert other is not toy.queue
    assert other == toy.queue
    assert hash(other) == hash(toy.queue)
    assert other != toy.recorder.wrap(ToyQueue("r"))
    assert {other: 1}[toy.queue] == 1
    toy.sent()
    received = toy.session.create_consumer(toy.queue).receive(10)
    assert received.jms_destination is toy.queue


def test_wrappers_have_the_types_of_what_is_behind(toy):
    assert isinstance(toy.queue, api.Queue)
    assert not isinstance(toy.queue, api.Topic)
    message = toy.session.create_text_message()
    assert isinstance(message, api.TextMessage)
    assert not isinstance(message, api.BytesMessage)

    class Both(ToyQueue, api.Topic):
        pass

    both = toy.recorder.wrap(Both("b"))
    assert isinstance(both, api.Queue)
    assert isinstance(both, api.Topic)
    assert both.topic_name == "b"


def test_str_is_the_providers_and_repr_is_not_recorded(toy):
    before = len(toy.events())
    assert repr(toy.queue) == "<recorded queue:q>"
    assert len(toy.events()) == before
    assert str(toy.queue) == "toy:q"
    assert toy.events("Queue.__str__", "ok")[0]["value"] == "toy:q"


def test_a_listener_is_called_through_and_given_back(toy):
    consumer = toy.session.create_consumer(toy.queue)
    listener = Collect()
    consumer.message_listener = listener
    assert consumer.message_listener is listener
    sent = toy.sent("to the listener")
    (message,) = listener.messages
    assert message.text == "to the listener"
    assert message is not sent
    delivered, done = toy.events("MessageListener.on_message")
    assert (delivered["phase"], done["phase"], done["call"]) == ("delivered", "ok", delivered["seq"])
    assert (delivered["thread"], delivered["actor"], delivered["subscription"]) == (
        "toy-delivery",
        "session-1",
        "consumer-1",
    )
    assert delivered["message"]["body"] == "to the listener"
    assert delivered["destination"] == "queue:q"
    assert delivered["args"] == {"message": "message-2"}
    assert delivered["on"] == toy.events("MessageConsumer.message_listener")[0]["args"]["value"] == "listener-1"


def test_an_exception_of_the_suites_listener_is_not_the_providers(toy):
    mine = RuntimeError("mine")
    toy.sent()
    session = toy.connection.create_session()
    session.message_listener = Collect(mine)

    class Pool(api.ServerSessionPool):
        def get_server_session(self):
            return Server()

    class Server(api.ServerSession):
        @property
        def session(self):
            return session

        def start(self):
            session.run()

    with pytest.raises(RuntimeError) as caught:
        toy.connection.create_connection_consumer(toy.queue, None, Pool(), 1)
    assert caught.value is mine
    assert not toy.recorder.raised(mine)
    assert [event["phase"] for event in toy.events("MessageListener.on_message")] == ["delivered", "fail"]


def test_pools_and_server_sessions_work_inward(toy):
    toy.sent("for the server")
    listener = Collect()
    session = toy.connection.create_session()
    session.message_listener = listener

    class Server(api.ServerSession):
        @property
        def session(self):
            return session

        def start(self):
            session.run()

    class Pool(api.ServerSessionPool):
        def get_server_session(self):
            return Server()

    pool = Pool()
    made = toy.connection.create_connection_consumer(toy.queue, None, pool, 1)
    assert made.server_session_pool is pool
    assert [message.text for message in listener.messages] == ["for the server"]
    ops = [
        (event["op"], event["phase"])
        for event in toy.events()
        if event["phase"] in ("delivered", "ok") and "server" in event["op"].lower()
    ]
    assert ops == [
        ("ServerSessionPool.get_server_session", "delivered"), ("ServerSessionPool.get_server_session", "ok"),
        ("ServerSession.session", "delivered"), ("ServerSession.session", "ok"),
        ("ServerSession.start", "delivered"), ("ServerSession.start", "ok"),
        ("ConnectionConsumer.server_session_pool", "ok"),
    ]  # fmt: skip
    assert toy.events("MessageListener.on_message", "delivered")[0]["actor"] == "session-2"


def test_completion_listeners_get_the_message_that_was_sent(toy):
    seen = []

    class Completion(api.CompletionListener):
        def on_completion(self, message):
            seen.append(message)

        def on_exception(self, message, exception):
            seen.append(exception)

    message = toy.session.create_text_message("x")
    toy.session.create_producer(toy.queue).send(message, completion_listener=Completion())
    assert seen == [message]
    assert seen[0] is message
    (delivered,) = toy.events("CompletionListener.on_completion", "delivered")
    assert delivered["message"]["label"] == "message-1"
    assert delivered["message_id"] == delivered["message"]["id"]
    # While the send goes on in the background the message is the provider's: not read when the call returns.
    assert "message" not in toy.events("MessageProducer.send", "ok")[0]


def test_foreign_messages_pass_as_they_are(toy):
    @complete
    class Foreign(ToyMessage, api.TextMessage):
        text = "foreign"

    foreign = Foreign()
    toy.session.create_producer(toy.queue).send(foreign)
    (invoke,) = toy.events("MessageProducer.send", "invoke")
    assert invoke["args"]["message"] == invoke["message"]["label"] == "message-1"
    assert invoke["message"]["body"] == "foreign"

    class Completion(api.CompletionListener):
        def on_completion(self, message):
            assert message is foreign

        def on_exception(self, message, exception): ...

    toy.session.create_producer(toy.queue).send(foreign, completion_listener=Completion())
    assert toy.events("CompletionListener.on_completion")[-1]["phase"] == "ok"


def test_a_message_of_a_second_recorded_provider_is_unwrapped(toy):
    other = toy.recorder.wrap(ToyProvider())
    message = other.connection_factory().create_connection().create_session().create_text_message("of another")
    toy.session.create_producer(toy.queue).send(message)
    assert toy.session.create_consumer(toy.queue).receive(10).text == "of another"


def test_browsing_records_each_element(toy):
    toy.sent("a")
    toy.sent("b")
    seen = list(toy.session.create_browser(toy.queue).get_enumeration())
    assert [message.text for message in seen] == ["a", "b"]
    steps = toy.events("Enumeration.next_element", "ok")
    assert [event["message"]["body"] for event in steps[:2]] == ["a", "b"]
    assert (steps[2]["value"], steps[2]["end"]) == (None, True)
    assert {event["subscription"] for event in steps} == {"browser-1"}
    assert {event["destination"] for event in steps} == {"queue:q"}
    assert toy.events("QueueBrowser.get_enumeration", "ok")[0]["value"] == "enumeration-1"


def test_names_of_properties_are_recorded_too(toy):
    assert list(toy.connection.meta_data.get_jmsx_property_names()) == ["JMSXGroupID"]
    assert toy.events("Enumeration.next_element", "ok")[0]["value"] == "JMSXGroupID"


def test_bytes_are_read_when_the_case_is_over_and_not_before(toy):
    message = toy.session.create_bytes_message()
    message.write_bytes(b"payload")
    toy.session.create_producer(toy.queue).send(message)
    received = toy.session.create_consumer(toy.queue).receive(10)
    assert toy.events("MessageConsumer.receive", "ok")[0]["message"]["digest"] is None
    buffer = bytearray(3)
    assert received.read_bytes(buffer) == 3
    assert bytes(buffer) == b"pay"
    assert toy.recorder.finish() is not None
    (sent,) = toy.events("MessageProducer.send", "invoke")
    (got,) = toy.events("MessageConsumer.receive", "ok")
    assert sent["message"]["body"] == {"type": "bytes", "hex": b"payload".hex()}
    assert sent["message"]["digest"] == got["message"]["digest"] is not None


def test_bytes_written_after_the_send_are_not_taken_for_those_sent(toy):
    message = toy.session.create_bytes_message()
    message.write_bytes(b"sent")
    toy.session.create_producer(toy.queue).send(message)
    message.write_bytes(b"more")
    toy.recorder.finish()
    (sent,) = toy.events("MessageProducer.send", "invoke")
    assert sent["message"]["digest"] is None
    assert "unread" in sent["message"]["body"]


def test_a_getter_that_raises_is_a_fact(toy):
    class Broken(ToyText):
        @property
        def jms_priority(self):
            raise api.JMSException("no")

        def get_property_names(self):
            raise ValueError

        @property
        def text(self):
            raise api.JMSException("no")

    message = toy.recorder.wrap(Broken())
    toy.session.create_producer(toy.queue).send(message)
    facts = toy.events("MessageProducer.send", "invoke")[0]["message"]
    assert facts["priority"] == facts["body"] == {"error": "JMSException"}
    assert facts["properties"] == {"error": "ValueError"}
    assert facts["mode"] == 2


def test_an_iterator_of_names_without_end_does_not_hang_the_recorder(toy):
    class Endless(ToyText):
        def get_property_names(self):
            while True:
                yield "x"

    toy.session.create_producer(toy.queue).send(toy.recorder.wrap(Endless()))
    assert toy.events("MessageProducer.send", "ok")


def test_a_provider_that_answers_with_nonsense_is_still_recorded(toy):
    class Nonsense(ToyMessage):
        jms_message_id = 7
        jms_destination = "not a destination"

        def get_property_names(self):
            return None

    toy.raw.queues["q"].messages.put(Nonsense())
    toy.raw.queues["q"].messages.put("no message at all")
    consumer = toy.session.create_consumer(toy.queue)
    consumer.receive(10)
    assert consumer.receive(10) == "no message at all"
    first, second = toy.events("MessageConsumer.receive", "ok")
    assert first["message"]["destination"] == "not a destination"
    assert first["message_id"] is None
    assert second["value"] == "no message at all"
    assert [problem for event in toy.events() for problem in problems("event", event)] == []


def test_the_simplified_api_shows_bodies(toy):
    context = toy.provider.connection_factory().create_context(session_mode=api.JMSContext.CLIENT_ACKNOWLEDGE)
    producer = context.create_producer()
    assert producer.send(toy.queue, "body") is producer
    assert context.create_consumer(toy.queue).receive_body(str, 10) == "body"
    (sent,) = toy.events("JMSProducer.send", "invoke")
    (got,) = toy.events("JMSConsumer.receive_body", "ok")
    assert sent["actor"] == got["actor"] == "context-1"
    assert sent["message"]["label"] is None
    assert sent["message"]["digest"] == got["message"]["digest"]
    created = next(event["created"] for event in toy.events() if event.get("created", {}).get("label") == "context-1")
    assert (created["transacted"], created["session_mode"]) == (False, 2)


def test_the_simplified_api_does_not_read_a_message_that_is_still_being_sent(toy):
    class Completion(api.CompletionListener):
        def on_completion(self, message): ...
        def on_exception(self, message, exception): ...

    context = toy.provider.connection_factory().create_context()
    message, listener = context.create_text_message("x"), Completion()
    producer = context.create_producer().set_async(listener)
    assert producer.get_async() is listener
    producer.send(toy.queue, message)
    producer.set_async(None).send(toy.queue, message)
    assert ["message" in event for event in toy.events("JMSProducer.send", "ok")] == [False, True]


def test_boundary_not_instrumentation(toy):
    """The toy's JMSProducer uses a MessageProducer inside: nobody called that, so it is no event."""
    toy.provider.connection_factory().create_context().create_producer().send(toy.queue, "x")
    assert toy.events("MessageProducer.send") == []


def test_the_spi_is_recorded_with_its_arguments_unwrapped(toy):
    toy.provider.sever(toy.connection)
    assert toy.provider.administer("override", destination=toy.queue, priority=9) is toy.queue
    assert isinstance(toy.raw.asked["destination"], ToyQueue)
    assert toy.events("Provider.administer", "invoke")[0]["args"] == {
        "action": "override", "arguments": {"type": "map", "value": {"destination": "queue:q", "priority": 9}},
    }  # fmt: skip
    assert toy.events("Provider.sever", "invoke")[0]["args"] == {"connection": "connection-1"}
    with pytest.raises(api.UnsupportedOperationException) as caught:
        toy.provider.restart()
    assert toy.recorder.raised(caught.value)


def test_asking_the_provider_about_itself_is_not_recorded(toy):
    before = len(toy.events())
    assert toy.provider.info().name == "Toy"
    assert toy.provider.hooks == toy.raw.hooks
    toy.provider.unsupported_value()
    toy.provider.register_types(Collect)
    assert toy.provider.clock.now() > 0
    assert not toy.provider.clock.virtual
    assert len(toy.events()) == before
    with pytest.raises(api.UnsupportedOperationException):
        toy.provider.clock.advance(5)
    assert [(event["phase"], event["on"]) for event in toy.events("Clock.advance")] == [
        ("invoke", "clock"),
        ("fail", "clock"),
    ]


def test_the_times_are_those_of_the_providers_clock(toy):
    before = toy.raw.clock.now()
    toy.sent()
    after = toy.raw.clock.now()
    (sent,) = toy.events("MessageProducer.send", "invoke")
    assert before - 1 <= sent["t_ns"] / 1e6 <= after + 1


def test_one_provider_serves_many_recorders(toy):
    second = Recorder(toy.raw.clock, "other")
    provider = second.wrap(toy.raw)
    queue = provider.create_queue("q")
    assert type(queue) is type(toy.queue)
    assert queue is not toy.queue
    toy.sent("across")
    session = provider.connection_factory().create_connection().create_session()
    assert session.create_consumer(queue).receive(10).text == "across"
    assert {event["case"] for event in second.events} == {"other"}
    # An object of an earlier case is unwrapped like any other.
    session.create_producer(toy.queue)


def test_open_calls_name_what_has_not_returned(toy):
    consumer = toy.session.create_consumer(toy.queue)
    started = threading.Event()

    def run():
        started.set()
        consumer.receive(30_000)

    thread = threading.Thread(target=run, name="receiver", daemon=True)
    thread.start()
    assert started.wait(10)
    while not toy.recorder.open_calls():
        assert thread.is_alive()
    (call,) = toy.recorder.open_calls()
    assert (call.op, call.on, call.thread, call.interrupted) == (
        "MessageConsumer.receive",
        "consumer-1",
        "receiver",
        False,
    )
    assert str(call) == f"MessageConsumer.receive on consumer-1 by thread receiver (event {call.seq}, open)"
    toy.sent()
    thread.join(10)
    assert toy.recorder.open_calls() == []


def test_a_call_that_was_cut_stays_open_and_its_effect_is_unknown(toy):
    class Cut(BaseException):
        pass

    class Session(type(toy.raw.factory.create_connection().create_session())):
        def commit(self):
            raise Cut

    with pytest.raises(Cut) as caught:
        toy.recorder.wrap(Session(toy.raw, None)).commit()
    assert not toy.recorder.raised(caught.value)
    (call,) = toy.recorder.open_calls()
    assert (call.op, call.interrupted) == ("Session.commit", True)
    assert toy.events("Session.commit")[-1]["phase"] == "unknown"


def test_threads_share_a_recorder(toy):
    def work(number):
        session = toy.connection.create_session()
        queue = toy.provider.create_queue(f"q{number}")
        producer, consumer = session.create_producer(queue), session.create_consumer(queue)
        for _ in range(50):
            producer.send(session.create_text_message("x"))
            assert consumer.receive(5000).text == "x"

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    events = toy.recorder.finish()
    assert len({event["seq"] for event in events}) == len(events)
    labels = [event["value"] for event in toy.events("MessageConsumer.receive", "ok")]
    assert len(set(labels)) == 200
    assert len(toy.events(phase="invoke")) == len(toy.events(phase="ok"))


def test_mutable_arguments_are_frozen(toy):
    buffer = bytearray(b"abc")
    message = toy.recorder.wrap(ToyBytes())
    message.write_bytes(buffer)
    buffer[:] = b"xyz"
    assert toy.events("BytesMessage.write_bytes", "invoke")[0]["args"]["value"] == {
        "type": "bytes",
        "hex": b"abc".hex(),
    }


def test_a_provider_object_that_also_listens_is_recorded(toy):
    class Listening(type(toy.raw.factory.create_connection().create_session()), api.MessageListener):
        def on_message(self, message): ...
        def commit(self): ...

    toy.recorder.wrap(Listening(toy.raw, None)).commit()
    assert toy.events("Session.commit", "ok")


def test_values_that_fight_back_do_not_stop_the_evidence(toy):
    class Hostile(dict):
        def items(self):
            raise RuntimeError

    toy.recorder.wrap(ToyMessage()).set_object_property("x", Hostile())
    (invoke,) = toy.events("Message.set_object_property", "invoke")
    assert invoke["args"]["value"] == {"type": "Hostile", "text": "<unreadable: RuntimeError>"}
