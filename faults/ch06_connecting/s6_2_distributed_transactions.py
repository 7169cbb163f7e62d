"""Faults in 6.2.8: distributed transactions, and 6.2.7 of a session that takes part in one."""

from faults.kit import *

saboteur(
    "6.2.7-21",
    "rollback() of a session in a branch does nothing",
    lambda patch: patch.replace(ReferenceXASession, "rollback", lambda self: self.check_open()),
)


@saboteur("6.2.8-2", "a branch that is committed in one phase is rolled back", at=fault_points.XA_COMMIT)
def _(original, resource, xid, one_phase):
    if one_phase:
        resource.rollback(xid)
    else:
        original(resource, xid, one_phase)
