"""Faults in 11.3.5: calls out of place."""

from faults.kit import *


@saboteur("11.3.5-10", "rollback() of a branch that never was returns normally")
def _(patch):
    known = known_branches(patch)
    unknown_accepted(patch, fault_points.XA_ROLLBACK, lambda xid: xid not in known)
