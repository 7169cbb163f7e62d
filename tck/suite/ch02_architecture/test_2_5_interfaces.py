"""2.5 The sets of interfaces."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import coloured
from tck.suite.support.clients.raw import named_anew


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
