"""11.3.1 XA connection factories: their connections begin stopped, and their contexts start with the first consumer."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching, branching_on, xa_connection_from, xa_factory_of
from tck.suite.support.lifecycle.unstarted import seen_at, sent_to
from tck.suite.support.values.seen import body
from tck.suite.support.xa.manager import branch, in_one_phase
from tck.suite.support.xa.places import places
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)


@asserts("11.3.1-7", ack=TRANSACTED)
def test_an_xa_connection_begins_stopped(case: Case) -> None:
    """Before start() a receive in a branch finds nothing, also by another consumer of the session; after it the message comes."""
    connection = xa_connection_from(case, xa_factory_of(case))
    side = branching_on(case, connection)
    link = case.link(client=side.client)
    sent_to(case, link.destination, "x")
    with branch(side) as xid:
        case.link(client=side.client)
        before = seen_at(link)
        connection.start()
        expect.equal("what came before start() and after it", [before, body(link.poll())], [[], "x"])
    in_one_phase(side.resource, xid)


@asserts("11.3.1-7", ack=TRANSACTED, variant="second-session")
def test_a_second_xa_session_does_not_start_the_connection(case: Case) -> None:
    """Opening another XA session, and committing work of it, leaves the connection stopped."""
    connection = xa_connection_from(case, xa_factory_of(case))
    side = branching_on(case, connection)
    link = case.link(client=side.client)
    sent_to(case, link.destination, "x")
    other, watcher = branching_on(case, connection), case.link("auto")
    with branch(other) as xid:
        other.send(watcher.destination, "of the other session")
    in_one_phase(other.resource, xid)
    just(watcher, ["of the other session"])
    with branch(side) as xid:
        before = seen_at(link)
        connection.start()
        expect.equal("what came before start() and after it", [before, body(link.poll())], [[], "x"])
    in_one_phase(side.resource, xid)


@asserts("11.3.1-8", ack=TRANSACTED)
def test_the_first_consumer_starts_an_xa_context(case: Case) -> None:
    """A consumer of each kind gets messages in a branch although start() was never called."""
    with expect.all_of():
        for place in places(case):
            side = place.side()
            link = place.open(side.client)
            place.sender().send("x")
            with branch(side) as xid:
                expect.equal(f"what came to the {place.name}", body(link.poll()), "x")
            in_one_phase(side.resource, xid)


@asserts("11.3.1-8", ack=TRANSACTED, variant="later")
def test_a_later_consumer_starts_an_xa_context(case: Case) -> None:
    """A context that has sent and committed without a consumer starts with the first one, made within a branch."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    in_one_phase(side.resource, xid)
    just(watcher, ["sent"])
    with branch(side) as xid:
        link = case.link(client=side.client)
        case.link("auto", destination=link.destination, consumes=False).send("x")
        expect.equal("what came", body(link.poll()), "x")
    in_one_phase(side.resource, xid)
