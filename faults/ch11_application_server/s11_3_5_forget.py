"""Faults in 11.3.5: heuristic outcomes and forget()."""

from faults.kit import *


@saboteur("11.3.5-16", "forget() of a branch that has been decided returns normally")
def _(patch):
    known = known_branches(patch)
    unknown_accepted(patch, fault_points.XA_FORGET, lambda xid: xid in known)
