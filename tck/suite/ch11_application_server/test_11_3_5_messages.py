"""11.3.5 The XAResource contract: a message does not carry the transaction that sent it to its receiver."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.api import XAResource
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching, neighbour
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.values.seen import body
from tck.suite.support.xa.manager import (
    COMMITS,
    ROLLBACKS,
    GlobalTransaction,
    branch,
    in_one_phase,
    in_two_phases,
)
from tck.suite.support.xa.places import lasting, places
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)
MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


@asserts("11.3.5-11", ack=TRANSACTED)
def test_a_branch_does_not_receive_its_own_messages(case: Case) -> None:
    """In the branch that sends a message a consumer of the same session finds nothing; after the commit it gets the message."""
    with expect.all_of():
        for place in places(case):
            side = place.side()
            link = place.open(side.client)
            for mode in MODES:
                with branch(side) as xid:
                    side.send(place.destination, "sent", mode=mode)
                    within = [link.look(), link.consumer.receive_no_wait()]
                in_two_phases(side.resource, xid)
                with branch(side) as xid, expect.all_of():
                    expect.equal(f"what came after the commit, {place.name}", body(link.poll()), "sent")
                    expect.equal(f"what came within the branch, {place.name}", within, [None, None])
                in_one_phase(side.resource, xid)


@asserts("11.3.5-11", ack=TRANSACTED, variant="transaction")
def test_a_transaction_does_not_receive_its_own_messages(case: Case) -> None:
    """A second branch of the transaction, on another resource, finds nothing of what the first one sends, before its prepare and after it."""
    sender, receiver = branching(case), branching(case)
    link = case.link(client=receiver.client)
    transaction = GlobalTransaction(case)
    transaction.enlist(sender, receiver)
    sender.send(link.destination, "sent")
    seen = [link.look()]
    transaction.delist()
    for side, xid in zip((sender, receiver), transaction.xids, strict=True):
        in_two_phases(side.resource, xid)
    with branch(receiver) as xid:
        expect.equal("what came after the commit", body(link.poll()), "sent")
    in_one_phase(receiver.resource, xid)
    expect.equal("what came within the transaction", seen, [None])


@asserts("11.3.5-11", ack=TRANSACTED, variant="resumed")
def test_a_resumed_branch_does_not_receive_its_own_messages(case: Case) -> None:
    """A branch that sent, was suspended and resumed, finds nothing of its own; a rollback leaves nothing either, a commit the message."""
    side = branching(case)
    link = case.link(client=side.client)
    for finish in (*ROLLBACKS.values(), *COMMITS.values()):
        xid = side.begin()
        side.send(link.destination, "sent")
        side.resource.end(xid, XAResource.TMSUSPEND)
        side.resource.start(xid, XAResource.TMRESUME)
        within = link.look()
        side.end(xid)
        finish(side.resource, xid)
        with branch(side) as after:
            wanted = "sent" if finish in COMMITS.values() else None
            came = link.poll() if wanted else link.look()
            case.witness("branches that had sent were suspended, resumed and ended")
            expect.equal("what came within the branch and after it", [within, body(came)], [None, wanted])
        in_one_phase(side.resource, after)


@asserts("11.3.5-12", ack=TRANSACTED)
def test_the_rollback_of_a_receipt_leaves_the_send(case: Case) -> None:
    """A message of a committed branch is received in another, which is rolled back, of the same session and of another: it stays available."""
    with expect.all_of():
        for place in lasting(case):
            place.open().client.close()
            receiver = place.side()
            for sender in (receiver, branching(case)):
                with branch(sender) as xid:
                    sender.send(place.destination, *numbered(3))
                in_two_phases(sender.resource, xid)
                link = place.open(receiver.client)
                for undo in ROLLBACKS.values():
                    with branch(receiver) as xid:
                        expect.arrives(link, numbered(3)[:2], ordered=False, settle=False)
                    undo(receiver.resource, xid)
                with expect.all_of(), branch(receiver) as xid:
                    expect.arrives(link, numbered(3), ordered=False, settle=False)
                in_one_phase(receiver.resource, xid)
                link.consumer.close()


@asserts("11.3.5-12", ack=TRANSACTED, variant="forwarded")
def test_the_rollback_of_a_forwarding_branch_leaves_the_send(case: Case) -> None:
    """A branch that receives a message and sends it on is rolled back: the message is there again, and was not sent on."""
    sender, forwarder = branching(case), branching(case)
    source, target = case.link(client=forwarder.client), case.link("auto")
    for way, finish in {**ROLLBACKS, **COMMITS}.items():
        with branch(sender) as first:
            sender.send(source.destination, way)
        in_one_phase(sender.resource, first)
        with branch(forwarder) as second:
            [message] = expect.arrives(source, [way], settle=False)
            forwarder.client.sender(target.destination).send(message)
        finish(forwarder.resource, second)
        just(target, [way] if way in COMMITS else [])
        for _ in [] if way in COMMITS else [way]:
            with branch(forwarder) as second:
                expect.arrives(source, [way], settle=False)
            in_one_phase(forwarder.resource, second)


@asserts("11.3.5-12", ack=TRANSACTED, variant="neighbour", domain=("queue",))
def test_the_rollback_of_a_receipt_leaves_later_sends(case: Case) -> None:
    """While a branch holds a message another branch sends one to the same queue; the rollback of the first leaves both available."""
    receiver = branching(case)
    sender = neighbour(receiver)
    link = case.link(client=receiver.client)
    case.link("auto", destination=link.destination, consumes=False).send("1")
    with branch(receiver) as held:
        expect.arrives(link, ["1"], settle=False)
    with branch(sender) as xid:
        sender.send(link.destination, "2")
    in_two_phases(sender.resource, xid)
    receiver.resource.rollback(held)
    link.consumer.close()
    watcher = case.link("auto", destination=link.destination)
    expect.arrives(watcher, ["1", "2"], ordered=False)
    expect.nothing_before(watcher, "marker", partial(watcher.put, "marker"))
