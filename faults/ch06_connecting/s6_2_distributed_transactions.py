"""Faults in 6.2.8: distributed transactions, and 6.2.7 of a session that takes part in one."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.xa.objects import ReferenceXASession
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import Xid


@saboteur("6.2.7-21", "rollback() of a session in a branch does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceXASession, "rollback", lambda self: self.check_open())


@saboteur("6.2.8-2", "a branch that is committed in one phase is rolled back")
def _(patch: Patch) -> None:
    def commit(original: Callable[..., None], resource: ReferenceXAResource, xid: Xid, one_phase: bool) -> None:
        if one_phase:
            resource.rollback(xid)
        else:
            original(resource, xid, one_phase)

    patch.at(fault_points.XA_COMMIT, commit)
