"""Faults in 11.3.5: branches in turn, suspended branches, and joined ones."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.branches import (
    before_rollback_of_branch,
    branch_behind,
    consume,
    session_behind,
    take_out,
)
from faults.kit.common import connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.xa_branches import Branch, State
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import XAException, Xid


@saboteur("11.3.5-7", "the rollback of a branch returns what the next branch has received by the same consumer")
def _(patch: Patch) -> None:
    ended: list[Branch] = []

    def end(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        branch = branch_behind(resource, xid)
        original(resource, xid, flags)
        if branch is not None and branch.work.acks:
            ended.append(branch)

    def fault(resource: ReferenceXAResource, branch: Branch) -> None:
        consumers = [one.consumer for one in branch.work.acks]
        for other in ended:
            if other is not branch and other.state is State.WORKING and branch_behind(resource, other.xid) is other:
                taken = [one for one in other.work.acks if any(one.consumer is each for each in consumers)]
                resource.broker.redelivery.redeliver(take_out(other, taken))

    patch.at(fault_points.XA_END, end)
    before_rollback_of_branch(patch, fault)


@saboteur("11.3.5-8", "what a branch has received is consumed when it is resumed for the second time")
def _(patch: Patch) -> None:
    def start(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        original(resource, xid, flags)
        branch = branch_behind(resource, xid)
        if flags == resource.TMRESUME and branch is not None and len(branch.work.acks) > 1:
            consume(resource, take_out(branch, branch.work.acks))

    patch.at(fault_points.XA_START, start)


@saboteur("11.3.5-9", "a resource of another connection cannot join a branch, though isSameRM() is true")
def _(patch: Patch) -> None:
    begun: dict[Xid, ReferenceXAResource] = {}

    def start(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        if flags == resource.TMJOIN and xid in begun:
            mine, other = (connection_of(session_behind(one)) for one in (resource, begun[xid]))
            if mine is not other:
                raise XAException(XAException.XAER_PROTO, f"another connection has begun {xid}")
        original(resource, xid, flags)
        begun.setdefault(xid, resource)

    patch.at(fault_points.XA_START, start)
