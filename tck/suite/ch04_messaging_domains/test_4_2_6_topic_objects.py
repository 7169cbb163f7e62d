"""4.2.6 Topic objects: names of topics."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.temporary_destinations import name_of


@asserts("4.2.6-1")
def test_a_topic_object_wraps_a_name(case: Case) -> None:
    """A Topic has a name, the same at every look, and stands for the topic in calls."""
    link = case.link()
    name = expect.present("the topic's name", name_of(link.destination))
    expect.equal("the name of a Topic made of the name", name_of(link.client.session.create_topic(name)), name)
    expect.equal("the topic's name at a second look", name_of(link.destination), name)
    link.send("x")
    received = expect.present("JMSDestination at the receiver", link.receive().jms_destination)
    expect.equal("the topic's name in JMSDestination", name_of(received), name)


@asserts("4.2.6-2")
def test_topic_objects_of_one_name_are_one_topic(case: Case) -> None:
    """What is published through one object is received through another of the same name."""
    administered = case.link()
    client = case.client()
    made = client.session.create_topic(name_of(administered.destination))
    case.link(destination=made, client=client, consumes=False).send("x")
    expect.arrives(administered, ["x"])
    expect.equal("the object made of the name", made, administered.destination)
