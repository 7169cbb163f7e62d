"""Faults in 11.3.3: the sends of a branch."""

from faults.kit import *


@saboteur("11.3.3-4", "the commit of a branch loses what an XASession has sent to a third destination")
def _(patch):
    chosen = sessions_of_connections(patch)

    def fault(resource, branch):
        places = places_of_sends(branch)
        if len(places) == 3 and chosen(session_behind(resource)):
            drop_sends(branch, places[2])

    before_commit_of_branch(patch, fault)


@saboteur("11.3.3-5", "the rollback of a branch sends what it has sent to a third destination")
def _(patch):
    chosen = sessions_of_connections(patch)

    def fault(resource, branch):
        places = places_of_sends(branch)
        if len(places) == 3 and chosen(session_behind(resource)):
            send_now(resource, branch, places[2])

    before_rollback_of_branch(patch, fault)
