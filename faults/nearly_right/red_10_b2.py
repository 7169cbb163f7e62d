"""Red round 10, fourth part: faults in branches of distributed transactions, written without sight of the suite."""

from faults.kit import *


@of_round(10)(
    "rolled-back-branch-of-before-a-restart-keeps-its-receipts",
    "rollback of a branch that was prepared before a restart does not return the messages it has received",
    "11.3.5-6",
    "11.3.5-4",
    "11.3.3-7",
    by=before_rollback_of_branch,
)
def _(_, branch):
    take_out(branch, [one for one in branch.work.acks if isinstance(one.consumer, Branches)])


@of_round(10)(
    "commit-of-another-branch-empties-a-suspended-one",
    "what a branch has sent before its suspension is dropped when its resource commits another branch meanwhile",
    "11.3.5-8",
    "11.3.5-7",
    at=fault_points.XA_COMMIT,
)
def _(original, resource, xid, one_phase):
    original(resource, xid, one_phase)
    for branch in resource.broker.branches._branches.values():
        if resource in branch.suspended:
            branch.work.sends.clear()


@of_round(10)(
    "success-of-one-resource-covers-the-failure-of-another",
    "a branch that one resource has ended with TMFAIL can be committed if another that joined it ends with TMSUCCESS later",
    "11.3.5-14",
    "11.3.5-9",
    noticed=False,
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    original(resource, xid, flags)
    if branch is not None and flags == XAResource.TMSUCCESS and branch.rollback_code == XAException.XA_RBROLLBACK:
        branch.rollback_code = 0


@of_round(10)(
    "failure-of-a-suspended-branch-is-not-noted",
    "a branch that is ended with TMFAIL while it is suspended can be committed",
    "11.3.5-14",
    noticed=False,
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    suspended = branch is not None and resource in branch.suspended
    original(resource, xid, XAResource.TMSUCCESS if suspended and flags == XAResource.TMFAIL else flags)


@of_round(10)(
    "format-identifier-does-not-tell-branches-apart",
    "two branches whose identifiers differ in the format identifier alone are taken for one",
    "11.3.5-7",
    "11.3.5-1",
    noticed=False,
    around=(Branches, "find"),
)
def _(original, branches, xid):
    found = original(branches, xid)
    if found is None:
        parts = (xid.global_transaction_id, xid.branch_qualifier)
        for other, branch in branches._branches.items():
            if (other.global_transaction_id, other.branch_qualifier) == parts:
                return branch
    return found


@of_round(10)(
    "forgotten-branch-returns-with-a-restart",
    "a heuristically completed branch that was forgotten is listed again after a restart",
    "11.3.5-16",
    "11.3.5-5",
)
def _returns(patch):
    def forget(original, resource, xid):
        branch = branch_behind(resource, xid)
        if branch is None or branch.state in {State.WORKING, State.PREPARED}:
            original(resource, xid)
            return
        with resource.broker.lock:
            resource.broker.branches.forget(branch)

    patch.at(fault_points.XA_FORGET, forget)


@of_round(10)(
    "receipts-of-a-joined-session-come-back",
    "commit of a branch in which two sessions have received returns what the session of the other resource has received",
    "11.3.3-6",
    "11.3.5-9",
)
def _come_back(patch):
    def session_of(delivery):
        return getattr(delivery.consumer, "session", None)

    def give_back(resource, branch):
        own = session_behind(resource)
        acks = branch.work.acks
        foreign = [one for one in acks if session_of(one) not in {None, own}]
        if foreign and any(session_of(one) is own for one in acks):
            resource.broker.redelivery.redeliver(take_out(branch, foreign))

    before_commit_of_branch(patch, give_back)


@of_round(10)(
    "rollback-after-the-close-consumes-receipts",
    "the messages of a branch that is rolled back are gone if the session that received them was closed before",
    "11.3.3-7",
    "11.3.5-4",
    by=before_rollback_of_branch,
)
def _(resource, branch):
    if branch.state is State.WORKING and not branch.rollback_code:
        closed = [one for one in branch.work.acks if getattr(getattr(one.consumer, "session", None), "closed", False)]
        consume(resource, take_out(branch, closed))


@of_round(10)(
    "producer-stays-with-its-first-branch",
    "a producer that has sent in a branch which is now suspended sends in that branch, whichever is active",
    "11.3.5-7",
    "11.3.5-8",
    "11.3.3-4",
    noticed=False,
)
def _first_branch(patch):
    homes = {}  # producers by identity: the branch of the first send

    def send_now(original, producer, message, target, options):
        session = producer.session
        state = session.state
        if not isinstance(session, ReferenceXASession) or state.mode != Session.SESSION_TRANSACTED:
            original(producer, message, target, options)
            return
        work = state.work
        _, home = homes.setdefault(id(producer), (producer, work))
        suspended = [one.work for one in session.broker.branches._branches.values() if one.suspended]
        state.work = home if any(one is home for one in suspended) else work
        try:
            original(producer, message, target, options)
        finally:
            state.work = work

    around(patch, ReferenceProducer, "send_now", send_now)


@of_round(10)(
    "asynchronous-sends-leave-the-branch",
    "a message that an XA session sends with a completion listener within a branch is available at once",
    "11.3.3-4",
    "11.3.3-5",
    "11.3.4-3",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, *arguments):
    session = producer.session
    mode = session.state.mode
    if isinstance(session, ReferenceXASession):
        session.state.mode = session.resource.outside_mode
    try:
        original(producer, *arguments)
    finally:
        session.state.mode = mode
