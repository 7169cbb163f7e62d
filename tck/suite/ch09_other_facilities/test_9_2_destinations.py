"""9.2 Destination objects that a session of one domain creates by name."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import named_anew
from tck.suite.support.clients.temporary_destinations import name_of
from tck.suite.support.lifecycle.administered import what_exists
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import taken

MODES = ("auto", "client", "dups_ok", "transacted")


def _named(client: Client, name: str) -> api.Destination:
    """Create the object of a name."""
    session = client.session
    made: api.Destination = session.create_queue(name) if client.case.domain == "queue" else session.create_topic(name)
    return made


@asserts("9.2-18", ack=MODES)
def test_a_destination_object_has_the_name_it_was_created_with(case: Case) -> None:
    """createQueue() and createTopic() return objects of the name, with messages unsettled and after; they work as the others do."""
    link = case.link()
    name = name_of(link.destination)
    link.send("received")
    received = link.take()
    link.put("sent")
    made = [named_anew(link.client, link.destination) for _ in range(2)]
    expect.equal("the names of objects created with messages unsettled", [name_of(one) for one in made], [name] * 2)
    link.client.settle(received)
    made.append(named_anew(link.client, link.destination))
    expect.equal("the name of an object created afterwards", name_of(made[2]), name)
    for number, one in enumerate(made):
        Link(link.client, one, consumes=False).send(f"to object {number}")
    expect.only(link, ["sent", "to object 0", "to object 1", "to object 2"])
    link.consumer.close()
    again = Link(link.client, made[0])
    Link(link.client, link.destination, consumes=False).send("to the destination")
    expect.arrives(again, ["to the destination"])


@asserts("9.2-18", ack=("client", "transacted"), variant="returned")
def test_a_destination_object_has_its_name_after_a_return(case: Case) -> None:
    """The objects that sessions create after a rollback or recover(), by a second session and before start() have the name."""
    link = case.link()
    link.send_all(("one", "two"))
    link.take_all(2)
    link.client.return_all()
    clients = [link.client, link.client.peer(), unstarted(case)]
    names = [name_of(named_anew(client, link.destination)) for client in clients]
    expect.equal("the names", names, [name_of(link.destination)] * 3)
    expect.arrives(link, ["one", "two"])


@asserts("9.2-18", ack=("auto", "transacted"), variant="names")
def test_a_destination_object_keeps_every_letter_of_its_name(case: Case) -> None:
    """Objects of names that differ in case, in their endings and in length have these names, as far as the provider takes them; nothing is created."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    stem = str(name_of(link.destination))  # one that exists: a provider may refuse to name what nobody has created
    names = [stem, stem.upper(), f"{stem}.Mixed.CASE", f"{stem}.", f"{stem}_1", f"{stem}-1", f"{stem}.{'long' * 40}"]
    names = [name for name in names if name == stem or taken(partial(_named, link.client, name))]
    there = what_exists(case)
    for turn in ("", ", created again"):
        expect.equal(f"the names{turn}", [name_of(_named(link.client, name)) for name in names], names)
    link.client.settle()
    expect.equal("what an administrator sees", [what_exists(case)], [there])
