"""2.6 Interfaces common to all APIs: messages, destinations."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.raw import named_anew
from tck.suite.support.values.kinds import KINDS

TYPES: dict[str, type] = {
    "message": api.Message,
    "text": api.TextMessage,
    "bytes": api.BytesMessage,
    "map": api.MapMessage,
    "stream": api.StreamMessage,
    "object": api.ObjectMessage,
}


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
