"""Faults in 11.3.5: branches that failed, or took too long."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.branches import branch_behind
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import Xid


@saboteur("11.3.5-14", "end() with TMFAIL is end() with TMSUCCESS")
def _(patch: Patch) -> None:
    def end(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        original(resource, xid, resource.TMSUCCESS if flags == resource.TMFAIL else flags)

    patch.at(fault_points.XA_END, end)


@saboteur("11.3.5-15", "a transaction timeout is accepted and has no effect")
def _(patch: Patch) -> None:
    def start(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, flags: int) -> None:
        original(resource, xid, flags)
        branch = branch_behind(resource, xid)
        if branch is not None:
            branch.stop_timer()

    patch.at(fault_points.XA_START, start)
