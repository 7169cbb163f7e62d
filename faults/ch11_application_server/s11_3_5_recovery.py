"""Faults in 11.3.5: branches in doubt."""

from faults.kit import *


@saboteur(
    "11.3.5-5",
    "recover() leaves out branches whose format is 0",
    collateral={"11.3.5-10": "a case of it meets the fault under a condition that varies"},
    at=fault_points.XA_RECOVER,
)
def _(original, resource, flags):
    return [xid for xid in original(resource, flags) if xid.format_id]


@saboteur("11.3.5-6", "the prepared branches of a connection whose link is lost are rolled back")
def _(patch):
    prepared = []

    def prepare(original, resource, xid):
        vote = original(resource, xid)
        prepared.append((resource, xid))
        return vote

    def sever(original, connection, why):
        original(connection, why)
        for resource, xid in prepared:
            branch = branch_behind(resource, xid)
            mine = session_behind(resource).connection is connection
            if mine and branch is not None and branch.state is State.PREPARED:
                resource.rollback(xid)

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.LINK_LOST, sever)
