"""Faults in 11.3.3 and 11.3.4: the receipts of a branch."""

from faults.kit import *


def _of_second_place(branch):
    """Take out of a branch what it has received from a second destination."""
    places = places_of_receipts(branch)
    second = places[1] if len(places) == 2 else None
    return take_out(branch, [one for one in branch.work.acks if one.source.physical is second])


def _second_returned(patch, chosen):
    """Return at the commit in one phase what a branch has received from a second destination."""

    def fault(resource, branch):
        if chosen(session_behind(resource)) and not branch.row:
            resource.broker.redelivery.redeliver(_of_second_place(branch))

    before_commit_of_branch(patch, fault)


saboteur(
    "11.3.3-6",
    "the commit of a branch returns what an XASession has received from a second destination",
    lambda patch: _second_returned(patch, sessions_of_connections(patch)),
)
saboteur(
    "11.3.4-3",
    "the commit of a branch returns what an XAJMSContext has received from a second destination",
    lambda patch: _second_returned(patch, contexts(patch)),
)


@saboteur("11.3.3-7", "the rollback of a branch consumes what it has received from a second destination")
def _(patch):
    chosen = sessions_of_connections(patch)

    def fault(resource, branch):
        if chosen(session_behind(resource)) and not branch.row:
            consume(resource, _of_second_place(branch))

    before_rollback_of_branch(patch, fault)
