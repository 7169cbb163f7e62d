"""Faults in 11.3.5: branches that failed, or took too long."""

from faults.kit import *


@saboteur("11.3.5-14", "end() with TMFAIL is end() with TMSUCCESS", at=fault_points.XA_END)
def _(original, resource, xid, flags):
    original(resource, xid, resource.TMSUCCESS if flags == resource.TMFAIL else flags)


@saboteur("11.3.5-15", "a transaction timeout is accepted and has no effect", at=fault_points.XA_START)
def _(original, resource, xid, flags):
    original(resource, xid, flags)
    branch = branch_behind(resource, xid)
    if branch is not None:
        branch.stop_timer()
