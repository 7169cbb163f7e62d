"""2.5, 2.6, 2.7, 2.10 The sets of interfaces, and what they have in common."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.client import KINDS
from tck.suite.support.marking import coloured
from tck.suite.support.raw import named_anew
from tck.suite.support.seen import body

TYPES: dict[str, type] = {
    "message": api.Message,
    "text": api.TextMessage,
    "bytes": api.BytesMessage,
    "map": api.MapMessage,
    "stream": api.StreamMessage,
    "object": api.ObjectMessage,
}


@asserts("2.5-1")
def test_all_sets_of_interfaces_are_there(case: Case) -> None:
    """Connection, JMSContext, QueueConnection and TopicConnection can be created, and carry a message each."""
    link = expect.works("connecting", case.link)
    link.send("x")
    expect.only(link, ["x"])


@asserts("2.5-2", "6.2.4-4")
def test_messages_and_destinations_are_of_one_family(case: Case) -> None:
    """What one interface makes, messages and destinations, any other sends and receives."""
    client = case.client()
    place = case.destination()
    for style in ("classic", "simplified", "domain-specific"):
        other = case.client(api=style)
        made = named_anew(other, place)
        receiver = case.link(client=other, destination=made)
        message = coloured(receiver, f"red {style}")
        sender = client.sender(None)
        expect.works(f"sending a message of the {style} interface", lambda: sender.send(message, to=made))
        received = expect.arrives(receiver, [f"red {style}"])[0]
        expect.equal("the property at the receiver", received.get_string_property("colour"), "red")
        receiver.consumer.close()


@asserts("2.6-1", "6.2.4-1")
def test_every_interface_has_all_kinds_of_message(case: Case) -> None:
    """Each of the six kinds is created by session or context, sent, and received as that kind."""
    link = case.link()
    for kind in KINDS:
        message = expect.works(f"creating a {kind} message", lambda: link.message(kind, "x"))
        expect.true(f"it is of type {TYPES[kind].__name__}", isinstance(message, TYPES[kind]), f"{type(message)}")
        link.send(message)
        received = expect.arrival(link)
        link.client.settle(received)
        expect.true(f"a {kind} message arrives as one", isinstance(received, TYPES[kind]), f"{type(received)} came")


@asserts("2.6-2")
def test_queues_and_topics_are_destinations(case: Case) -> None:
    """Administered, named and temporary ones go wherever a destination is asked for: producer, consumer, JMSReplyTo."""
    client = case.client()
    administered = case.destination()
    for place in (administered, named_anew(client, case.destination()), client.temporary()):
        expect.true("it is a Destination", isinstance(place, api.Destination), f"it is {type(place)}")
        link = expect.works(
            f"a producer and a consumer of {place}", lambda: case.link(client=client, destination=place)
        )
        message = link.text("x")
        message.jms_reply_to = place
        received = link.carry(message)
        expect.equal("JMSReplyTo at the receiver", received.jms_reply_to, place)
        expect.equal("JMSDestination at the receiver", received.jms_destination, place)


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
