"""4.1.4 Queue: the object that stands for a queue."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.temporary_destinations import name_of


@asserts("4.1.4-1")
def test_a_queue_object_wraps_a_name(case: Case) -> None:
    """A Queue has a name, the same at every look, and stands for the queue in calls."""
    link = case.link()
    name = expect.present("the queue's name", name_of(link.destination))
    expect.equal("the name of a Queue made of the name", name_of(link.client.session.create_queue(name)), name)
    expect.equal("the queue's name at a second look", name_of(link.destination), name)
    link.send("x")
    expect.equal("the queue's name in JMSDestination", name_of(_destination(link.receive())), name)


def _destination(message: api.Message) -> api.Destination:
    return expect.present("JMSDestination at the receiver", message.jms_destination)


@asserts("4.1.4-2")
def test_queue_objects_of_one_name_are_one_queue(case: Case) -> None:
    """What is sent through the administered object is received through another object of the same name."""
    administered = case.link(consumes=False)
    client = case.client()
    made = client.session.create_queue(name_of(administered.destination))
    administered.send("x")
    expect.arrives(case.link(destination=made, client=client), ["x"])
    expect.equal("the object made of the name", made, administered.destination)
