"""2.10 How the interfaces relate to each other."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.seen import body


@asserts("2.10-1", api=("domain-specific",))
def test_domain_specific_objects_serve_as_classic_ones(case: Case) -> None:
    """A QueueConnection or TopicConnection is used through Connection, its session through Session, and so on."""
    connection = case.client().connection
    mode = api.Session.AUTO_ACKNOWLEDGE
    session = expect.works("createSession", lambda: connection.create_session(transacted=False, session_mode=mode))
    place = case.destination()
    consumer = expect.works("createConsumer", lambda: session.create_consumer(place))
    producer = expect.works("createProducer", lambda: session.create_producer(place))
    expect.works("send", lambda: producer.send(session.create_text_message("x")))
    expect.equal("what the consumer got", body(consumer.receive(int(case.timing.deadline))), "x")
