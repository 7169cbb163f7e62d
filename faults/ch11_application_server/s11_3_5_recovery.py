"""Faults in 11.3.5: branches in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from faults.kit.branches import branch_behind, session_behind
from faults.kit.common import connection_of
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.xa_branches import State
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import Xid


@saboteur(
    "11.3.5-5",
    "recover() leaves out branches whose format is 0",
    collateral={"11.3.5-10": "a case of it meets the fault under a condition that varies"},
)
def _(patch: Patch) -> None:
    def recover(original: Callable[..., Sequence[Xid]], resource: ReferenceXAResource, flags: int) -> Sequence[Xid]:
        return [xid for xid in original(resource, flags) if xid.format_id]

    patch.at(fault_points.XA_RECOVER, recover)


@saboteur("11.3.5-6", "the prepared branches of a connection whose link is lost are rolled back")
def _(patch: Patch) -> None:
    prepared: list[tuple[ReferenceXAResource, Xid]] = []

    def prepare(original: Callable[..., int], resource: ReferenceXAResource, xid: Xid) -> int:
        vote = original(resource, xid)
        prepared.append((resource, xid))
        return vote

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        original(connection, why)
        for resource, xid in prepared:
            branch = branch_behind(resource, xid)
            mine = connection_of(session_behind(resource)) is connection
            if mine and branch is not None and branch.state is State.PREPARED:
                resource.rollback(xid)

    patch.at(fault_points.XA_PREPARE, prepare)
    patch.at(fault_points.LINK_LOST, sever)
