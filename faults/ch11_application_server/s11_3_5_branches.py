"""Faults in 11.3.5: branches in turn, suspended branches, and joined ones."""

from faults.kit import *


@saboteur("11.3.5-7", "the rollback of a branch returns what the next branch has received by the same consumer")
def _(patch):
    ended = []

    def end(original, resource, xid, flags):
        branch = branch_behind(resource, xid)
        original(resource, xid, flags)
        if branch is not None and branch.work.acks:
            ended.append(branch)

    def fault(resource, branch):
        consumers = [one.consumer for one in branch.work.acks]
        for other in ended:
            if other is not branch and other.state is State.WORKING and branch_behind(resource, other.xid) is other:
                taken = [one for one in other.work.acks if any(one.consumer is each for each in consumers)]
                resource.broker.redelivery.redeliver(take_out(other, taken))

    patch.at(fault_points.XA_END, end)
    before_rollback_of_branch(patch, fault)


@saboteur(
    "11.3.5-8",
    "what a branch has received is consumed when it is resumed for the second time",
    at=fault_points.XA_START,
)
def _(original, resource, xid, flags):
    original(resource, xid, flags)
    branch = branch_behind(resource, xid)
    if flags == resource.TMRESUME and branch is not None and len(branch.work.acks) > 1:
        consume(resource, take_out(branch, branch.work.acks))


@saboteur("11.3.5-9", "a resource of another connection cannot join a branch, though isSameRM() is true")
def _(patch):
    begun = {}

    def start(original, resource, xid, flags):
        if flags == resource.TMJOIN and xid in begun:
            mine, other = (session_behind(one).connection for one in (resource, begun[xid]))
            if mine is not other:
                raise XAException(XAException.XAER_PROTO, f"another connection has begun {xid}")
        original(resource, xid, flags)
        begun.setdefault(xid, resource)

    patch.at(fault_points.XA_START, start)
