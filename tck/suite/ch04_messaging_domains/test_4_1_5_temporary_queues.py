"""4.1.5 TemporaryQueue."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.temporary_destinations import name_of, passing_uses, reached
from tck.suite.support.values.seen import body


@asserts("4.1.5-1")
def test_each_temporary_queue_is_unique(case: Case) -> None:
    """No two temporary queues of any session or connection have one name, and none gets what was sent to another."""
    clients = [case.client(), case.client()]
    clients += [client.peer() for client in clients]
    queues = [(client, client.temporary()) for client in clients for _ in range(5)]
    expect.distinct("queue_name", [name_of(queue) for _, queue in queues])
    first, *others = [case.link(client=client, destination=queue) for client, queue in queues[::5]]
    first.send("x")
    expect.only(first, ["x"])
    for other in others:
        expect.only(other, [])


@asserts("4.1.5-2")
def test_its_identity_is_made_by_the_system(case: Case) -> None:
    """A temporary queue is made without a name from the client, has one, and can be used at once."""
    client = case.client()
    queue = client.temporary()
    expect.differs("the name of the temporary queue", name_of(queue), None)
    link = case.link(client=client, destination=queue)
    link.send("x")
    expect.only(link, ["x"])


@asserts("4.1.5-3", "6.2.2-2")
def test_it_outlives_the_session_that_made_it(case: Case) -> None:
    """After the session that made a temporary queue is closed, another one of the connection sends to it and consumes."""
    for ack in ("auto", "client", "transacted"):
        owner = case.client()
        maker = owner.peer(ack)
        queue = maker.temporary()
        case.link(client=maker, destination=queue, consumes=False).send("x")
        maker.close_session()
        expect.equal(f"what the other session got, {ack} maker", reached(owner, queue, lives=True), "x")


@asserts("4.1.5-4", "6.2.2-8")
def test_it_ends_with_its_connection(case: Case) -> None:
    """Once the connection is closed, nothing can be sent to its temporary queue and consumed from it."""
    owner = case.client()
    queue = owner.temporary()
    link = case.link(client=owner, destination=queue)
    link.send("while it lived")  # by its owner: whether others are let in is 4.1.5-7
    link.receive()
    owner.close()
    for _ in range(2):
        expect.equal("what came from the temporary queue after the end", reached(case.client(), queue), None)


@asserts("4.1.5-5", "6.2.2-3")
def test_only_its_own_connection_consumes(case: Case) -> None:
    """Another connection is refused a consumer of the temporary queue, and the owner goes on receiving."""
    owner, other = case.client(), case.client()
    link = case.link(client=owner, destination=owner.temporary())
    link.send("before")
    link.receive()
    expect.raises(case.thrown(api.JMSException), lambda: other.consumer(link.destination), what="another's consumer")
    expect.only(link, [])


@asserts("4.1.5-6", "6.2.2-1")
def test_any_session_of_its_connection_consumes(case: Case) -> None:
    """Every session of the connection that made a temporary queue may consume from it."""
    owner = case.client()
    peer = owner.peer()
    queue = owner.temporary()
    own = case.link(client=owner, destination=queue)
    own.send("to the session that made it")
    own.receive()
    own.consumer.close()
    link = expect.works("consuming by another session", lambda: case.link(client=peer, destination=queue))
    own.send("to the other session")
    expect.equal("what the other session got", body(link.poll()), "to the other session")
    expect.trace("temporary-owner-only")


@asserts("4.1.5-7", "2.16-3", "6.2.2-5")
def test_clients_of_other_connections_send_to_it(case: Case) -> None:
    """A client of another connection replies to the temporary queue named in JMSReplyTo, and the owner gets the reply."""
    owner = case.client()
    queue = owner.temporary()
    requests = case.link()
    request = requests.text("request")
    request.jms_reply_to = queue
    reply_to = expect.present("JMSReplyTo at the receiver", requests.carry(request).jms_reply_to)
    replies = owner.consumer(queue)
    expect.works("a reply", lambda: requests.client.sender(reply_to).send(requests.text("reply")))
    expect.equal("what the owner got", body(replies.receive(int(case.timing.deadline))), "reply")


@asserts("4.1.5-7", "6.2.2-5", ack=("auto", "client", "transacted"), variant="company")
def test_clients_of_other_connections_send_to_it_whatever_was_before(case: Case) -> None:
    """Clients that are there, and new ones, send to a temporary queue after refused and ended uses of it; the owner gets it all."""
    owner, there = case.client(), case.client()
    link = case.link(client=owner, destination=owner.temporary())
    acts = passing_uses(owner, link.destination)
    for _ in range(2):
        link.receive()
    with expect.all_of():
        for what, act in acts.items():
            act()
            for which, client in (("one that is there", there), ("a new one", case.client())):
                sender = expect.works(f"a producer of {which} once {what}", partial(client.sender, link.destination))
                expect.works(f"a send of {which} once {what}", partial(sender.send, client.text("x")))
                client.settle()
                expect.equal(f"what came from {which} once {what}", body(link.receive()), "x")


@asserts("4.1.5-8", "6.2.2-10")
def test_delete_removes_it(case: Case) -> None:
    """After delete() nothing can be sent to the temporary queue and consumed from it, though its connection is open."""
    owner = case.client()
    queue = owner.temporary()
    link = case.link(client=owner, destination=queue)
    link.send("x")
    link.receive()
    link.consumer.close()
    expect.works("delete()", queue.delete)
    expect.equal("what came from the temporary queue after delete()", reached(owner, queue), None)


@asserts("4.1.5-8", variant="without-its-session")
def test_delete_works_once_the_session_that_made_it_is_closed(case: Case) -> None:
    """delete() of a queue that holds a message works after the close of the session that made it, filled it, or both."""
    for closed in ("made", "filled", "made and filled"):
        owner = case.client()
        maker, filler = owner.peer(), owner.peer()
        queue = (maker if "made" in closed else owner).temporary()
        user = filler if closed == "filled" else maker
        link = case.link(client=user, destination=queue)
        link.carry(link.text("while it lived"))
        link.put("left behind")
        user.close_session()
        expect.works(f"delete() of a queue that a closed session had {closed}", queue.delete)
        expect.equal("what came from the temporary queue after delete()", reached(owner, queue), None)


@asserts("4.1.5-8", "6.2.2-10", variant="with-messages")
def test_delete_removes_it_with_its_messages(case: Case) -> None:
    """delete() succeeds while messages are in the queue, of either mode, never consumed, browsed, or given back; nothing comes after it."""
    for use in ("never consumed", "browsed", "given back"):
        owner = case.client()
        queue = owner.temporary()
        link = case.link(client=owner, destination=queue)
        link.send("first")
        expect.arrives(link, ["first"])
        for mode in (1, 2):
            link.sender.set(mode=mode)
            link.send_all(["x", "y"])
        if use == "given back":
            link.take()
            link.client.return_all()
        link.consumer.close()
        if use == "browsed":
            expect.works("browsing the queue", lambda: list(owner.browse_messages(queue, None)))
        expect.works(f"delete() of a queue whose messages were {use}", queue.delete)
        expect.equal("what came from the temporary queue after delete()", reached(owner, queue), None)


@asserts("4.1.5-9")
def test_delete_is_refused_while_it_is_in_use(case: Case) -> None:
    """delete() raises JMSException while a receiver is open, which goes on receiving, and succeeds after its close."""
    owner = case.client()
    queue = owner.temporary()
    link = case.link(client=owner, destination=queue)
    link.send("x")
    link.receive()
    expect.raises(api.JMSException, queue.delete, what="delete() with an open receiver")
    expect.works("sending after the refusal", lambda: link.send("y"))
    expect.equal("what the receiver got", body(link.poll()), "y")
    link.consumer.close()
    expect.works("delete() after the close of the receiver", queue.delete)
