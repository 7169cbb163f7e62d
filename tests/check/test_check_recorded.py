"""The whole way with real events: what the recorder sees of the reference provider breaks nothing, and is judged."""

import threading

import pytest

from reference_provider.adapter import open_provider
from tck import api
from tck.adapters.recording import Recorder
from tck.check import Margins, judge_events


class Counting(api.MessageListener):
    """Raise at the first message, tell when enough have come."""

    def __init__(self, enough, number):
        self.enough = enough
        self.left = number

    def on_message(self, message):
        self.left -= 1
        if self.left == 2:
            raise RuntimeError("once")
        if self.left <= 0:
            self.enough.set()


class Completions(api.CompletionListener):
    def on_completion(self, message):
        pass

    def on_exception(self, message, exception):
        pass


def drain(consumer):
    while consumer.receive(200) is not None:
        pass


def durable(provider):
    topic = provider.create_topic("t")
    connection = provider.connection_factory().create_connection()
    connection.client_id = "me"
    connection.start()
    sending, session = connection.create_session(), connection.create_session(session_mode=2)
    producer, consumer = sending.create_producer(topic), session.create_durable_consumer(topic, "s")
    message = sending.create_text_message("a")
    producer.send(message)
    producer.send(message)
    consumer.receive(100)
    session.recover()
    consumer.receive(100)
    consumer.receive(100).acknowledge()
    drain(consumer)
    consumer.close()
    producer.send(message)
    session.unsubscribe("s")


def browsed(provider):
    queue = provider.create_queue("q")
    with provider.connection_factory().create_context(session_mode=0) as context:
        context.create_producer().send(queue, "x")
        context.commit()
        list(context.create_browser(queue).get_enumeration())
        consumer = context.create_consumer(queue)
        consumer.receive(100)
        context.rollback()
        consumer.receive(100)
        context.commit()
        drain(consumer)


def asynchronous(provider):
    queue = provider.create_queue("q")
    connection = provider.connection_factory().create_connection()
    connection.start()
    session = connection.create_session()
    producer = session.create_producer(queue)
    for text in "abc":
        producer.send(session.create_text_message(text), completion_listener=Completions())
    session.close()
    drain(connection.create_session().create_consumer(queue))


def listened(provider):
    queue = provider.create_queue("q")
    connection = provider.connection_factory().create_connection()
    session, sending = connection.create_session(), connection.create_session()
    enough = provider.clock.event()
    session.create_consumer(queue).message_listener = Counting(enough, 4)
    producer = sending.create_producer(queue)
    for _ in range(3):
        producer.send(sending.create_bytes_message())
    connection.start()
    assert enough.wait(5000)
    connection.stop()
    producer.send(sending.create_message())
    connection.start()
    connection.close()


def killed(provider):
    queue = provider.create_queue("q")
    connection = provider.connection_factory().create_connection()
    connection.start()
    session = connection.create_session(session_mode=2)
    producer, consumer = session.create_producer(queue), session.create_consumer(queue)
    for text in "abc":
        producer.send(session.create_text_message(text))
    consumer.receive(100).acknowledge()
    consumer.receive(100)
    provider.kill()
    connection = provider.connection_factory().create_connection()
    connection.start()
    drain(connection.create_session().create_consumer(queue))


def branch(provider):
    queue = provider.create_queue("q")
    connection = provider.xa_connection_factory().create_xa_connection()
    session = connection.create_xa_session()
    resource, xid = session.xa_resource, api.Xid(1, b"g", b"b")
    producer = session.create_producer(queue)
    resource.start(xid, api.XAResource.TMNOFLAGS)
    producer.send(session.create_text_message("a"))
    resource.end(xid, api.XAResource.TMSUCCESS)
    resource.prepare(xid)
    resource.commit(xid, False)
    other = provider.connection_factory().create_connection()
    other.start()
    drain(other.create_session().create_consumer(queue))


def selected(provider):
    topic = provider.create_topic("t")
    connection = provider.connection_factory().create_connection()
    connection.start()
    session = connection.create_session()
    producer, consumer = session.create_producer(topic), session.create_consumer(topic, "a = 1")
    session.create_consumer(topic, None, True)
    for number in (0, 1):
        message = session.create_map_message()
        message.set_int_property("a", number)
        producer.send(message)
    drain(consumer)
    temporary = session.create_temporary_queue()
    mine = session.create_consumer(temporary)
    session.create_producer(temporary).send(session.create_object_message(5))
    drain(mine)
    mine.close()
    temporary.delete()


def requested(provider):
    queue = provider.create_queue("q")
    connection = provider.queue_connection_factory().create_queue_connection()
    connection.start()
    asking, serving = connection.create_queue_session(False, 1), connection.create_queue_session(False, 1)
    receiver = serving.create_receiver(queue)

    def serve():
        with provider.clock.actor():
            question = receiver.receive(5000)
            serving.create_sender(None).send(serving.create_text_message("answer"), destination=question.jms_reply_to)

    server = threading.Thread(target=serve)
    server.start()
    provider.queue_requestor(asking, queue).request(asking.create_text_message("question"))
    server.join(30)


@pytest.mark.parametrize(
    ("scenario", "judged"),
    [
        (durable, {"durable-complete", "recovered-by-same-session", "repeat-is-flagged", "settled-stays-settled"}),
        (browsed, {"browsing-does-not-consume", "uncommitted-invisible", "unsettled-comes-back"}),
        (asynchronous, {"completion-once", "completion-order", "completion-serial", "order-per-stream"}),
        (listened, {"listener-serial", "nothing-while-stopped", "count-rises", "no-loss-persistent"}),
        (killed, {"settled-survives-restart", "unsettled-comes-back", "no-loss-persistent"}),
        (branch, {"prepared-outcome", "uncommitted-invisible"}),
        (selected, {"selector-honoured", "temporary-owner-only"}),
        (requested, {"no-invention", "no-loss-persistent"}),
    ],
)
def test_the_reference_provider_keeps_every_property(tmp_path, scenario, judged):
    provider = open_provider({"clock": "virtual"}, tmp_path)
    recorder = Recorder(provider.clock, scenario.__name__)
    with provider.clock.actor():
        scenario(recorder.wrap(provider))
    provider.close()

    def matches(selector, facts):
        assert selector == "a = 1"
        return facts["properties"].get("a") == {"type": "Int", "value": 1}

    results = judge_events(recorder.finish(), margins=Margins(redelivery=0), matches=matches)
    assert [finding.text for result in results for finding in result.violations] == []
    assert judged <= {result.name for result in results if result.obligations}
