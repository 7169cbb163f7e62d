"""Faults in 11.3.3 and 11.3.4: the receipts of a branch."""

from __future__ import annotations

from faults.kit.branches import (
    Chosen,
    before_commit_of_branch,
    before_rollback_of_branch,
    consume,
    contexts,
    places_of_receipts,
    session_behind,
    sessions_of_connections,
    take_out,
)
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.xa_branches import Branch
from reference_provider.client.xa.resource import ReferenceXAResource


def _of_second_place(branch: Branch) -> list[Delivery]:
    """Take out of a branch what it has received from a second destination."""
    places = places_of_receipts(branch)
    second = places[1] if len(places) == 2 else None
    return take_out(branch, [one for one in branch.work.acks if one.source.physical is second])


def _second_returned(patch: Patch, chosen: Chosen) -> None:
    """Return at the commit in one phase what a branch has received from a second destination."""

    def fault(resource: ReferenceXAResource, branch: Branch) -> None:
        if chosen(session_behind(resource)) and not branch.row:
            resource.broker.redelivery.redeliver(_of_second_place(branch))

    before_commit_of_branch(patch, fault)


@saboteur("11.3.3-6", "the commit of a branch returns what an XASession has received from a second destination")
def _(patch: Patch) -> None:
    _second_returned(patch, sessions_of_connections(patch))


@saboteur("11.3.4-3", "the commit of a branch returns what an XAJMSContext has received from a second destination")
def _(patch: Patch) -> None:
    _second_returned(patch, contexts(patch))


@saboteur("11.3.3-7", "the rollback of a branch consumes what it has received from a second destination")
def _(patch: Patch) -> None:
    chosen = sessions_of_connections(patch)

    def fault(resource: ReferenceXAResource, branch: Branch) -> None:
        if chosen(session_behind(resource)) and not branch.row:
            consume(resource, _of_second_place(branch))

    before_rollback_of_branch(patch, fault)
