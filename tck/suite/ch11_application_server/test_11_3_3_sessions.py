"""11.3.3 XA sessions: the resource, the session for the application, and the calls that are left to the manager."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching, neighbour
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient
from tck.suite.support.xa.manager import branch, in_one_phase, in_two_phases
from tck.suite.support.xa.shared import just, receipts_share, sends_share
from tck.suite.support.xa.states import IN_EACH_STATE, each_state

TRANSACTED = ("transacted",)


@asserts("11.3.3-1", ack=TRANSACTED)
def test_the_resource_of_an_xa_session_controls_its_work(case: Case) -> None:
    """getXAResource() returns a resource; its branches decide on the sends of this session, and of no other of the connection."""
    side, watcher = branching(case), case.link("auto")
    other = neighbour(side)
    expect.present("getXAResource()", side.owner.xa_resource)
    with branch(side) as first, branch(other) as second:
        side.send(watcher.destination, "rolled back")
        other.send(watcher.destination, "committed")
    side.owner.xa_resource.rollback(first)
    in_two_phases(other.owner.xa_resource, second)
    just(watcher, ["committed"])


@asserts("11.3.3-2", ack=TRANSACTED)
def test_the_session_for_the_application_shares_the_branch(case: Case) -> None:
    """getSession() returns a Session; what is sent and received through it belongs to the branch, with the XA session's own work."""
    side = branching(case)
    inner = side.owner.session
    expect.true("getSession() returns a Session", isinstance(inner, api.Session), f"it returned {inner!r}")
    application = ClassicClient(case, "transacted", side.client.connection, inner)
    whole = ClassicClient(case, "transacted", side.client.connection, side.owner)
    with expect.all_of():
        with expect.all_of():
            sends_share(case.link("auto"), side, {"the application's session": application, "the XA session": whole})
        receipts_share(case, side, application)


@asserts("11.3.3-3", ack=TRANSACTED)
def test_the_domain_specific_session_for_the_application_shares_the_branch(case: Case) -> None:
    """getQueueSession() and getTopicSession() return a session of their kind, and its work belongs to the branch."""
    side = branching(case)
    of_queues = case.domain == "queue"
    kind: type = api.QueueSession if of_queues else api.TopicSession
    inner = side.owner.queue_session if of_queues else side.owner.topic_session
    expect.true(f"it returns a {kind.__name__}", isinstance(inner, kind), f"it returned {inner!r}")
    application = DomainClient(case, "transacted", case.domain, side.client.connection, inner)
    with expect.all_of():
        with expect.all_of():
            sends_share(case.link("auto"), side, {"the application's session": application})
        receipts_share(case, side, application)


@asserts("11.3.3-8", ack=TRANSACTED)
def test_an_xa_session_is_always_transacted(case: Case) -> None:
    """getTransacted() is true before, within and after a branch, while it is suspended, and while it is prepared."""
    side, watcher = branching(case), case.link("auto")
    with expect.all_of():
        for state in each_state(side, watcher.destination):
            expect.equal(f"getTransacted() {state}", side.owner.transacted, True)
        just(watcher, [IN_EACH_STATE])


def _left_to_the_manager(case: Case, name: str) -> None:
    """Demand that a call on the XA session is refused in each state, and that the branch goes on unharmed."""
    side, watcher = branching(case), case.link("auto")
    local = case.client()
    getattr(local.session, name)()
    case.witness(f"{name}() of a local transacted session works")
    with expect.all_of():
        for state in each_state(side, watcher.destination):
            with expect.all_of():
                refused = case.thrown(api.TransactionInProgressException)
                expect.raises(refused, getattr(side.owner, name), what=f"{name}() {state}")
        just(watcher, [IN_EACH_STATE])


@asserts("11.3.3-9", ack=TRANSACTED)
def test_an_xa_session_does_not_commit(case: Case) -> None:
    """commit() raises TransactionInProgressException before, within and after a branch, which commits as a whole all the same."""
    _left_to_the_manager(case, "commit")


@asserts("11.3.3-10", ack=TRANSACTED)
def test_an_xa_session_does_not_roll_back(case: Case) -> None:
    """rollback() raises TransactionInProgressException before, within and after a branch, whose work is committed all the same."""
    _left_to_the_manager(case, "rollback")


def _refused_with_receipts(case: Case, name: str) -> None:
    """Demand that a refused call leaves what a branch has received to the branch."""
    side = branching(case)
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    sender.send_all(["1", "2"])
    with branch(side) as xid:
        expect.arrives(source, ["1"], settle=False)
        expect.raises(case.thrown(api.TransactionInProgressException), getattr(side.owner, name), what=f"{name}()")
        expect.arrives(source, ["2"], settle=False)
    side.resource.rollback(xid)
    with branch(side) as xid:
        expect.arrives(source, ["1", "2"], ordered=False, settle=False)
    in_two_phases(side.resource, xid)
    sender.send("3")
    with branch(side) as xid:
        expect.arrives(source, ["3"], settle=False)
    in_one_phase(side.resource, xid)


@asserts("11.3.3-9", ack=TRANSACTED, variant="receipts")
def test_a_refused_commit_acknowledges_nothing(case: Case) -> None:
    """After a refused commit() the branch is rolled back: what it received before and after the call is redelivered."""
    _refused_with_receipts(case, "commit")


@asserts("11.3.3-10", ack=TRANSACTED, variant="receipts")
def test_a_refused_rollback_returns_nothing(case: Case) -> None:
    """A refused rollback() returns no message: the next one comes after it, and all of them after the branch's own rollback."""
    _refused_with_receipts(case, "rollback")
