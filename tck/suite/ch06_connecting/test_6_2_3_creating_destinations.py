"""6.2.3 Creating destination objects by name."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.raw import named_anew
from tck.suite.support.clients.temporary_destinations import name_of


@asserts("6.2.3-1", ack=("auto", "transacted"))
def test_an_object_created_by_name_stands_for_the_destination(case: Case) -> None:
    """createQueue() and createTopic() of a name, called twice and by two connections, return objects of one destination."""
    link = case.link()
    other = case.client()
    names = [named_anew(client, link.destination) for client in (other, other, link.client)]
    for place in names:
        expect.equal("the destination that it stands for", place, link.destination)
        sender = case.link(client=other, destination=place, consumes=False)
        sender.send(f"by the object {names.index(place)}")
    expect.equal("its name", [name_of(place) for place in names], [name_of(link.destination)] * 3)
    expect.only(link, [f"by the object {names.index(place)}" for place in names])
    receiver = case.link(client=other, destination=names[1])
    link.consumer.close()
    link.send("to a consumer of the object")
    expect.only(receiver, ["to a consumer of the object"])


@asserts("6.2.3-2")
def test_an_object_created_by_name_creates_no_destination(case: Case) -> None:
    """createQueue() and createTopic() of an unused name alone create nothing that the administrator sees."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    name = case.name("unused")
    create = link.client.session.create_queue if case.domain == "queue" else link.client.session.create_topic
    expect.equal("the name of the object", name_of(create(name)), name)
    places = [str(each) for each in case.administer("destinations")]  # type: ignore[attr-defined] # a list
    used = str(name_of(link.destination))
    seen = {kind: any(text in place for place in places) for kind, text in (("used", used), ("unused", name))}
    expect.equal("whether the administrator sees it", seen, {"used": True, "unused": False})
