"""Faults in 11.3.5: commits in one phase and two, and rollbacks after prepare."""

from faults.kit import *


@saboteur(
    "11.3.5-1",
    "getTransactionTimeout() fails until a timeout is set",
    around=(ReferenceXAResource, "get_transaction_timeout"),
)
def _(original, resource):
    if not resource._timeout_seconds:
        raise XAException(XAException.XAER_RMERR, "not implemented")
    return original(resource)


@saboteur(
    "11.3.5-2",
    "prepare() commits a branch that has received and not sent, and votes XA_RDONLY",
    collateral={
        "11.3.5-4": "it rolls back a prepared branch that has received",
        "11.3.5-5": "it prepares a branch that has only received",
        "11.3.5-12": "it rolls back a prepared branch that has received",
    },
    at=fault_points.XA_PREPARE,
)
def _(original, resource, xid):
    branch = branch_behind(resource, xid)
    if branch is not None and branch.work.acks and not branch.work.sends and not branch.active:
        resource.commit(xid, True)
        return ReferenceXAResource.XA_RDONLY
    return original(resource, xid)


@saboteur("11.3.5-3", "a branch is committed in one phase only by a resource that has worked on it")
def _(patch):
    workers = {}

    def end(original, resource, xid, flags):
        original(resource, xid, flags)
        workers.setdefault(xid, []).append(resource)

    def commit(original, resource, xid, one_phase):
        if one_phase and not any(one is resource for one in workers.get(xid, [resource])):
            raise XAException(XAException.XAER_PROTO, f"another resource has worked on {xid}")
        original(resource, xid, one_phase)

    patch.at(fault_points.XA_END, end)
    patch.at(fault_points.XA_COMMIT, commit)


@saboteur(
    "11.3.5-4",
    "the rollback of a prepared branch that has sent loses the one NON_PERSISTENT message it has received",
    collateral={"11.3.5-9": "a case of it meets the fault under a condition that varies"},
    by=before_rollback_of_branch,
)
def _(resource, branch):
    if branch.row and branch.work.sends and len(branch.work.acks) == 1 and not is_persistent(branch.work.acks[0]):
        consume(resource, take_out(branch, branch.work.acks))
