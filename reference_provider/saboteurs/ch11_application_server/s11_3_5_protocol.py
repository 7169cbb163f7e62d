"""Faults in 11.3.5: calls out of place."""

from __future__ import annotations

from reference_provider import fault_points
from reference_provider.saboteurs.branch_faults import known_branches, unknown_accepted
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("11.3.5-10", "rollback() of a branch that never was returns normally")
def _(patch: Patch) -> None:
    known = known_branches(patch)
    unknown_accepted(patch, fault_points.XA_ROLLBACK, lambda xid: xid not in known)
