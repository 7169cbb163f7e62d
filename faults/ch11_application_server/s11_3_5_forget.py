"""Faults in 11.3.5: heuristic outcomes and forget()."""

from __future__ import annotations

from faults.kit.branches import known_branches, unknown_accepted
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points


@saboteur("11.3.5-16", "forget() of a branch that has been decided returns normally")
def _(patch: Patch) -> None:
    known = known_branches(patch)
    unknown_accepted(patch, fault_points.XA_FORGET, lambda xid: xid in known)
