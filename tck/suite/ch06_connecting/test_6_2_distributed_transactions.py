"""6.2.8 Distributed transactions, and 6.2.7 of a session that takes part in one."""

from __future__ import annotations

from functools import partial

from tck.api import TransactionInProgressException, Xid
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link


@asserts("6.2.7-21", ack=("transacted",))
def test_a_session_in_a_branch_neither_commits_nor_rolls_back(case: Case) -> None:
    """commit() and rollback() within a branch raise TransactionInProgressException, and the branch commits later as a whole."""
    watcher, side = case.link("auto"), branching(case)
    local = case.client()
    local.commit()
    case.link(client=local, destination=watcher.destination, consumes=False).send("of a local transaction")
    expect.only(watcher, ["of a local transaction"])
    xid = side.begin()
    link = case.link(client=side.client, destination=watcher.destination, consumes=False)
    link.put("in the branch")
    wanted = case.thrown(TransactionInProgressException)
    with expect.all_of():
        expect.raises(wanted, side.owner.commit, what="commit() within a branch")
        expect.raises(wanted, side.owner.rollback, what="rollback() within a branch")
        expect.nothing_before(watcher, "marker", lambda: watcher.put("marker"))
        side.end(xid)
        side.resource.prepare(xid)
        side.resource.commit(xid, False)
        expect.only(watcher, ["in the branch"])


def _work(side: Branching, source: Link, target: Link, text: str) -> Xid:
    """Receive a message and send one in a new branch; return the identifier of the branch, which is ended."""
    xid = side.begin()
    source.take()
    side.client.sender(target.destination).send(side.client.text(text))
    side.end(xid)
    return xid


@asserts("6.2.8-2", ack=("transacted",))
def test_a_branch_is_driven_through_its_resource(case: Case) -> None:
    """XAResource starts, ends, prepares, commits in two phases and in one, and rolls back branches with receives and sends."""
    side, target = branching(case), case.link("auto")
    expect.present("getXAResource()", side.resource)
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    sender.send_all(numbered(3))
    side.resource.rollback(_work(side, source, target, "rolled back"))
    xid = _work(side, source, target, "prepared and rolled back")
    side.resource.prepare(xid)
    side.resource.rollback(xid)
    xid = _work(side, source, target, "in two phases")
    side.resource.prepare(xid)
    side.resource.commit(xid, False)
    xid = _work(side, source, target, "in one phase")
    side.resource.commit(xid, True)
    expect.only(target, ["in two phases", "in one phase"])
    left = side.begin()
    expect.true("the third message is still there", source.poll() is not None, "no message came")
    expect.nothing_before(source, "marker", partial(sender.send, "marker"), settle=False)
    side.end(left)
    side.resource.rollback(left)
