"""Faults in 11.3.5: calls out of place."""

from __future__ import annotations

from faults.kit.branches import known_branches, unknown_accepted
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points


@saboteur("11.3.5-10", "rollback() of a branch that never was returns normally")
def _(patch: Patch) -> None:
    known = known_branches(patch)
    unknown_accepted(patch, fault_points.XA_ROLLBACK, lambda xid: xid not in known)
