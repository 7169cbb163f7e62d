"""Red round 8, second half: faults of connection consumers and of distributed transactions, written without sight of the suite.

Declared by `nearly_right`.
"""

from faults.kit import *

# --- 11.2 Connection consumers and server sessions --------------------------------------------------------------------


@of_round(8)(
    "failing-own-listener-ends-the-run",
    "run() returns when the session's own listener raises, and leaves the rest of the batch to the next run()",
    "11.2.1-4",
)
def _ends_the_run(patch):
    failing = set()

    def call_listener(original, runner, listener, delivery):
        failed = original(runner, listener, delivery)
        if failed:
            failing.add(runner)
        return failed

    def next_delivery(original, runner):
        if runner in failing:
            failing.discard(runner)
            return None
        return original(runner)

    patch.at(asf_points.OWN_LISTENER_CALLED, call_listener)
    patch.at(asf_points.RUN_CONTINUED, next_delivery)


@of_round(8)(
    "acknowledge-after-the-run-is-ignored",
    "acknowledge() of a message of a connection consumer has no effect once run() has returned",
    "11.2.7-2",
    at=fault_points.MESSAGE_ACKNOWLEDGED,
)
def _(original, session):
    session.check_open()
    fed = any(isinstance(one.consumer, ReferenceConnectionConsumer) for one in session.state.unacknowledged)
    if not fed or session.runner._current is not None:
        original(session)


# --- 11.3 Distributed transactions ------------------------------------------------------------------------------------


@of_round(8)(
    "xa-rollback-of-an-unknown-branch-dooms-the-present-one",
    "rollback of an unknown xid raises XAER_NOTA, and the branch that its resource works on can only be rolled back",
    "11.3.5-7",
    "11.3.5-3",
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


@of_round(8)(
    "xa-severed-link-rolls-prepared-branches-back",
    "a branch that is prepared is rolled back when the link of the connection that prepared it breaks",
    "11.3.5-6",
)
def _severed(patch):
    prepared = {}

    def prepare(original, resource, xid):
        vote = original(resource, xid)
        branch = None if xid is None else resource.broker.branches.find(xid)
        if branch is not None:
            prepared.setdefault(resource._session.connection, []).append(branch)
        return vote

    def sever(original, connection, why):
        original(connection, why)
        branches = connection.broker.branches
        for branch in prepared.pop(connection, []):
            if branches.find(branch.xid) is branch and branch.state is State.PREPARED:
                branches.rollback_prepared(branch)

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.LINK_LOST, sever)


@of_round(8)(
    "xa-prepare-of-non-persistent-receipts-consumes-them",
    "prepare of a branch that has received NON_PERSISTENT messages and done nothing else consumes them and votes XA_RDONLY",
    "11.3.5-2",
    "11.3.3-7",
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
    "11.3.5-2",
    "11.3.5-15",
    "11.3.5-5",
)
def _timed_out(patch):
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


@of_round(8)(
    "xa-restart-spares-the-first-subscription-only",
    "after a restart the commit of a prepared branch brings what it published to one durable subscription, not to all",
    "11.3.5-6",
    "11.3.3-4",
)
def _first_subscription(patch):
    original = Branches._recover_sends

    def recover_sends(self, branch, *tables):
        original(self, branch, *tables)
        branch.work.routed_sends = [(physical, entry, to[:1]) for physical, entry, to in branch.work.routed_sends]

    patch.replace(Branches, "_recover_sends", recover_sends)
