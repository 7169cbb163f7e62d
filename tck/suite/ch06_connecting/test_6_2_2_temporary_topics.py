"""6.2.2 Temporary destinations: topics; what is said of queues stands in chapter 4."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.temporary_destinations import reached
from tck.suite.support.values.seen import body


@asserts("6.2.2-1", domain=("topic",))
def test_any_session_of_its_connection_subscribes(case: Case) -> None:
    """Every session of the connection that made a temporary topic may subscribe to it."""
    owner = case.client()
    peer = owner.peer()
    topic = owner.temporary()
    own = case.link(client=owner, destination=topic)
    link = expect.works("subscribing by another session", lambda: case.link(client=peer, destination=topic))
    own.send("to both sessions")
    expect.arrives(own, ["to both sessions"])
    expect.equal("what the other session got", body(link.poll()), "to both sessions")


@asserts("6.2.2-10", domain=("topic",))
def test_delete_removes_it(case: Case) -> None:
    """After delete() nothing can be sent to the temporary topic, though its connection is open."""
    owner = case.client()
    topic = owner.temporary()
    link = case.link(client=owner, destination=topic)
    link.send("x")
    link.receive()
    link.consumer.close()
    expect.works("delete()", topic.delete)
    expect.equal("what came from the temporary topic after delete()", reached(owner, topic), None)
