"""2.7 The classic API."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.values.seen import body


@asserts("2.7-1", "5.3-3", api=("classic",))
def test_one_factory_makes_connections_and_contexts(case: Case) -> None:
    """A factory that has made a Connection makes a JMSContext too, and a message goes from one to the other."""
    factory = case.provider.connection_factory()
    connection = factory.create_connection()
    case.opened(connection)
    context = expect.works("createContext()", factory.create_context)
    case.opened(context)
    place = case.destination()
    consumer = context.create_consumer(place)
    session = connection.create_session()
    session.create_producer(place).send(session.create_text_message("x"))
    expect.equal("what the context received", body(consumer.receive(int(case.timing.deadline))), "x")
