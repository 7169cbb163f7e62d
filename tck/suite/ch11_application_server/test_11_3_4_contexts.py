"""11.3.4 XA contexts: the resource, the context for the application, and the calls that are left to the manager."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching
from tck.suite.support.clients.interfaces import SimplifiedClient
from tck.suite.support.xa.manager import branch, in_two_phases
from tck.suite.support.xa.shared import just, receipts_share, sends_share
from tck.suite.support.xa.states import IN_EACH_STATE, each_state

TRANSACTED = ("transacted",)


@asserts("11.3.4-1", ack=TRANSACTED)
def test_the_resource_of_an_xa_context_controls_its_work(case: Case) -> None:
    """getXAResource() returns a resource; its branches decide on the sends of this context, and of no other."""
    side, other, watcher = branching(case), branching(case), case.link("auto")
    expect.present("getXAResource()", side.owner.xa_resource)
    with branch(side) as first, branch(other) as second:
        side.send(watcher.destination, "rolled back")
        other.send(watcher.destination, "committed")
    side.owner.xa_resource.rollback(first)
    in_two_phases(other.owner.xa_resource, second)
    just(watcher, ["committed"])


@asserts("11.3.4-2", ack=TRANSACTED)
def test_the_context_for_the_application_shares_the_branch(case: Case) -> None:
    """getContext() returns a JMSContext; what is sent and received through it belongs to the branch, with the XA context's own work."""
    side, watcher = branching(case), case.link("auto")
    inner = side.owner.context
    expect.true("getContext() returns a JMSContext", isinstance(inner, api.JMSContext), f"it returned {inner!r}")
    application = SimplifiedClient(case, "transacted", inner)
    with expect.all_of():
        with expect.all_of():
            sends_share(watcher, side, {"the application's context": application, "the XA context": side.client})
        receipts_share(case, side, application)


@asserts("11.3.4-4", ack=TRANSACTED)
def test_an_xa_context_is_always_transacted(case: Case) -> None:
    """getTransacted() is true before, within and after a branch, while it is suspended, and while it is prepared."""
    side, watcher = branching(case), case.link("auto")
    with expect.all_of():
        for state in each_state(side, watcher.destination):
            expect.equal(f"getTransacted() {state}", side.owner.transacted, True)
        just(watcher, [IN_EACH_STATE])


def _left_to_the_manager(case: Case, name: str) -> None:
    """Demand that a call on the XA context is refused in each state, and that the branch goes on unharmed."""
    side, watcher = branching(case), case.link("auto")
    local = case.client()
    getattr(local.session, name)()
    case.witness(f"{name}() of a local transacted context works")
    with expect.all_of():
        for state in each_state(side, watcher.destination):
            with expect.all_of():
                refused = api.TransactionInProgressRuntimeException
                expect.raises(refused, getattr(side.owner, name), what=f"{name}() {state}")
        just(watcher, [IN_EACH_STATE])


@asserts("11.3.4-5", ack=TRANSACTED)
def test_an_xa_context_does_not_commit(case: Case) -> None:
    """commit() raises TransactionInProgressRuntimeException before, within and after a branch, which commits all the same."""
    _left_to_the_manager(case, "commit")


@asserts("11.3.4-6", ack=TRANSACTED)
def test_an_xa_context_does_not_roll_back(case: Case) -> None:
    """rollback() raises TransactionInProgressRuntimeException before, within and after a branch, which commits all the same."""
    _left_to_the_manager(case, "rollback")
