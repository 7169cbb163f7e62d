"""5.2 Destinations: objects for one address lead to one place, however they were made."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import named_anew

MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("5.2-2", ack=MODES)
def test_objects_for_one_address_lead_to_one_place(case: Case) -> None:
    """An administered destination, and those that clients make by its name, are one place for senders and receivers."""
    place = case.destination()
    clients = [case.client() for _ in range(2)]
    made = [named_anew(client, place) for client in clients]
    for receiving in (place, *made):
        link = Link(case.client(), receiving)
        link.send("its own")
        for number, sending in enumerate((place, *made)):
            Link(clients[0], sending, consumes=False).send(f"message {number}")
        expect.only(link, ["its own", "message 0", "message 1", "message 2"], ordered=False)  # of two senders
        link.client.close()


@asserts("5.2-2", domain=("queue",), variant="waiting")
def test_waiting_messages_are_found_by_another_object(case: Case) -> None:
    """Messages that wait in a queue are browsed and received through an object that a later client makes by its name."""
    sender = case.link(consumes=False)
    sender.send_all(["one", "two"])
    client = case.client()
    again = named_anew(client, sender.destination)
    expect.equal("what a browser shows", client.browse_until(again, 2), ["one", "two"])
    expect.only(Link(client, again), ["one", "two"])


@asserts("5.2-2", domain=("topic",), variant="durable")
def test_a_durable_subscription_belongs_to_the_address(case: Case) -> None:
    """A durable subscription that was made through one object is resumed through another one for the same topic."""
    name = case.name("s")
    first = case.link(durable=name)
    first.client.close()
    sender = case.client()
    again = named_anew(sender, first.destination)
    Link(sender, again, consumes=False).send("x")
    expect.only(case.link(destination=again, durable=name), ["x"])


@asserts("5.2-2", variant="other-address")
def test_objects_for_two_addresses_lead_to_two_places(case: Case) -> None:
    """What is sent to one of two addresses, through any object, does not come from the other."""
    one, other = case.link(), case.link()
    sender = case.client()
    Link(sender, named_anew(sender, one.destination), consumes=False).send("for one")
    Link(sender, named_anew(sender, other.destination), consumes=False).send("for the other")
    expect.only(one, ["for one"])
    expect.only(other, ["for the other"])
