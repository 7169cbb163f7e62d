"""Narrow faults of section 11.3.5."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(8)(
    "xa-prepare-of-non-persistent-receipts-consumes-them",
    "prepare of a branch that has received NON_PERSISTENT messages and done nothing else consumes them and votes XA_RDONLY",
    "11.3.5-2 11.3.3-7",
    at=fault_points.XA_PREPARE,
)
def _(original, resource, xid):
    branch = None if xid is None else resource.broker.branches.find(xid)
    if branch is None or branch.active or branch.rollback_code or branch.state is not State.WORKING:
        return original(resource, xid)
    work = branch.work
    modes = {one.entry.delivery_mode for one in work.acks}
    if work.sends or modes != {DeliveryMode.NON_PERSISTENT}:
        return original(resource, xid)
    work.perform()
    with resource.broker.lock:
        resource.broker.branches.forget(branch)
    return ReferenceXAResource.XA_RDONLY


@of_round(8)(
    "xa-timeout-rolls-prepared-branches-back",
    "a branch that was prepared in time is rolled back when its transaction timeout is over",
    "11.3.5-2 11.3.5-15 11.3.5-5",
)
def _(patch):
    def prepare(original, resource, xid):
        broker = resource.broker
        branch = None if xid is None else broker.branches.find(xid)
        vote = original(resource, xid)
        if branch is not None and branch.timer is not None and vote == ReferenceXAResource.XA_OK:
            branch.timer = broker.clock.call_at(branch.timer.when, lambda: time_out(broker.branches, branch))
        return vote

    def time_out(branches, branch):
        if branches.find(branch.xid) is branch and branch.state is State.PREPARED:
            branches.rollback_prepared(branch)

    patch.at(fault_points.XA_PREPARE, prepare)


@nearly_right(
    "xa-scan-stops", "a scan in several calls lists the first two branches only", "11.3.5-5", at=fault_points.XA_RECOVER
)
def _(original, resource, flags):
    found = original(resource, flags)
    return found[:2] if flags == resource.TMSTARTRSCAN else found


def _all_branches(broker):
    return list(broker.branches._branches.values())


@nearly_right(
    "xa-restart-frees-receipts",
    "after a restart the messages that a prepared branch received are free",
    "11.3.5-6",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    for branch in _all_branches(server.broker):
        server.broker.redelivery.redeliver(take_out(branch, branch.work.acks))


@nearly_right(
    "xa-close-hides-doubt", "recover() leaves out a branch once the connection that prepared it is closed", "11.3.5-6"
)
def _(patch):
    prepared = {}

    def prepare(original, resource, xid):
        vote = original(resource, xid)
        prepared[xid] = session_behind(resource).connection
        return vote

    def recover(original, resource, flags):
        return [xid for xid in original(resource, flags) if xid not in prepared or not prepared[xid].closed]

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.XA_RECOVER, recover)


@nearly_right(
    "xa-decided-again", "a branch that was committed in two phases is in doubt again after a restart", "11.3.5-6"
)
def _(patch):
    committed = []

    def commit(original, resource, xid, one_phase):
        original(resource, xid, one_phase)
        if not one_phase:
            committed.append(xid)

    def restart(original, server):
        original(server)
        for xid in committed:
            server.broker.branches.begin(xid).state = State.PREPARED

    patch.at(fault_points.XA_COMMIT, commit)
    patch.at(fault_points.PROVIDER_RESTARTED, restart)


@of_round(10)(
    "rolled-back-branch-of-before-a-restart-keeps-its-receipts",
    "rollback of a branch that was prepared before a restart does not return the messages it has received",
    "11.3.5-6 11.3.5-4 11.3.3-7",
    by=before_rollback_of_branch,
)
def _(_, branch):
    take_out(branch, [one for one in branch.work.acks if isinstance(one.consumer, Branches)])


@of_round(8)(
    "xa-restart-spares-the-first-subscription-only",
    "after a restart the commit of a prepared branch brings what it published to one durable subscription, not to all",
    "11.3.5-6 11.3.3-4",
    around=(Branches, "_recover_sends"),
)
def _(original, self, branch, *tables):
    original(self, branch, *tables)
    branch.work.routed_sends = [(physical, entry, to[:1]) for physical, entry, to in branch.work.routed_sends]


@nearly_right(
    "xa-receipts-stay-with-suspended",
    "what a session receives while another of its branches is suspended belongs to that one",
    "11.3.5-7",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    original(resource, xid, flags)
    suspended = [one for one in _all_branches(resource.broker) if resource in one.suspended and one is not branch]
    if branch is not None and suspended:
        suspended[0].work.acks += take_out(branch, branch.work.acks)


@nearly_right(
    "rollback-of-an-unknown-branch-empties-the-current-one",
    "rollback() of a branch that was never begun is refused, and what the current branch has sent is gone",
    "11.3.5-7",
    origin="reported",
    at=fault_points.XA_ROLLBACK,
)
def _(original, resource, xid):
    """As ARTEMIS-5806."""
    try:
        original(resource, xid)
    except XAException:
        session_behind(resource).state.work.sends.clear()
        raise


@of_round(8)(
    "xa-rollback-of-an-unknown-branch-dooms-the-present-one",
    "rollback of an unknown xid raises XAER_NOTA, and the branch that its resource works on can only be rolled back",
    "11.3.5-7 11.3.5-3",
    at=fault_points.XA_ROLLBACK,
)
def _(original, resource, xid):
    try:
        original(resource, xid)
    except XAException as error:
        if error.error_code == XAException.XAER_NOTA and resource._branch is not None:
            with resource.broker.lock:
                resource.fail(resource._branch)
        raise


@nearly_right("xa-resumed-sends-at-once", "what a resumed branch sends without persistence arrives at once", "11.3.5-8")
def _(patch):
    resumed = set()

    def start(original, resource, xid, flags):
        original(resource, xid, flags)
        if flags == resource.TMRESUME:
            resumed.add(xid)

    def when(session, physical, entry):
        branch = session.resource._branch
        return branch is not None and branch.xid in resumed and entry.delivery_mode == DeliveryMode.NON_PERSISTENT

    patch.at(fault_points.XA_START, start)
    sent_at_once(patch, when)


@of_round(10)(
    "commit-of-another-branch-empties-a-suspended-one",
    "what a branch has sent before its suspension is dropped when its resource commits another branch meanwhile",
    "11.3.5-8 11.3.5-7",
    at=fault_points.XA_COMMIT,
)
def _(original, resource, xid, one_phase):
    original(resource, xid, one_phase)
    for branch in resource.broker.branches._branches.values():
        if resource in branch.suspended:
            branch.work.sends.clear()


@nearly_right(
    "xa-joined-receipts-consumed",
    "what a resource received that has joined a branch is consumed in any case",
    "11.3.5-9",
)
def _(patch):
    joined = {}

    def start(original, resource, xid, flags):
        original(resource, xid, flags)
        if flags == resource.TMJOIN:
            joined[id(resource)] = resource

    def end(original, resource, xid, flags):
        branch = branch_behind(resource, xid)
        original(resource, xid, flags)
        if joined.pop(id(resource), None) is resource and branch is not None:
            mine = [
                one for one in branch.work.acks if getattr(one.consumer, "session", None) is session_behind(resource)
            ]
            consume(resource, take_out(branch, mine))

    patch.at(fault_points.XA_START, start)
    patch.at(fault_points.XA_END, end)


@nearly_right(
    "xa-fail-keeps-receipts",
    "a branch that ends with TMFAIL has consumed what it received without persistence",
    "11.3.5-14",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    original(resource, xid, flags)
    if flags == resource.TMFAIL and branch is not None:
        consume(resource, take_out(branch, [one for one in branch.work.acks if not is_persistent(one)]))


@nearly_right(
    "xa-timeout-consumes",
    "the messages that a branch received are consumed when its timeout is over",
    "11.3.5-15",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    original(resource, xid, flags)
    branch = branch_behind(resource, xid)
    if resource._timeout_seconds == 1 and branch is not None and branch.work.acks:
        consume(resource, take_out(branch, branch.work.acks))


@nearly_right(
    "xa-timeout-spares-work",
    "a timeout that is over while a branch is at work is forgotten",
    "11.3.5-15",
    at=fault_points.XA_END,
)
def _(original, resource, xid, flags):
    branch = branch_behind(resource, xid)
    if branch is not None and branch.rollback_code == XAException.XA_RBTIMEOUT:
        branch.rollback_code = 0
    original(resource, xid, flags)


@nearly_right(
    "xa-heuristic-restart",
    "a heuristic outcome is forgotten by a restart",
    "11.3.5-16",
    at=fault_points.PROVIDER_RESTARTED,
)
def _(original, server):
    original(server)
    for branch in _all_branches(server.broker):
        if branch.state not in {State.WORKING, State.PREPARED}:
            server.broker.branches.forget(branch)


@of_round(10)(
    "forgotten-branch-returns-with-a-restart",
    "a heuristically completed branch that was forgotten is listed again after a restart",
    "11.3.5-16 11.3.5-5",
    at=fault_points.XA_FORGET,
)
def _(original, resource, xid):
    branch = branch_behind(resource, xid)
    if branch is None or branch.state in {State.WORKING, State.PREPARED}:
        original(resource, xid)
        return
    with resource.broker.lock:
        resource.broker.branches.forget(branch)
