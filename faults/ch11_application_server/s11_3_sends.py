"""Faults in 11.3.3: the sends of a branch."""

from __future__ import annotations

from faults.kit.branches import (
    before_commit_of_branch,
    before_rollback_of_branch,
    drop_sends,
    places_of_sends,
    send_now,
    session_behind,
    sessions_of_connections,
)
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.xa_branches import Branch
from reference_provider.client.xa.resource import ReferenceXAResource


@saboteur("11.3.3-4", "the commit of a branch loses what an XASession has sent to a third destination")
def _(patch: Patch) -> None:
    chosen = sessions_of_connections(patch)

    def fault(resource: ReferenceXAResource, branch: Branch) -> None:
        places = places_of_sends(branch)
        if len(places) == 3 and chosen(session_behind(resource)):
            drop_sends(branch, places[2])

    before_commit_of_branch(patch, fault)


@saboteur("11.3.3-5", "the rollback of a branch sends what it has sent to a third destination")
def _(patch: Patch) -> None:
    chosen = sessions_of_connections(patch)

    def fault(resource: ReferenceXAResource, branch: Branch) -> None:
        places = places_of_sends(branch)
        if len(places) == 3 and chosen(session_behind(resource)):
            send_now(resource, branch, places[2])

    before_rollback_of_branch(patch, fault)
