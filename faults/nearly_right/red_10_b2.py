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
