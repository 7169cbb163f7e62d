"""11.3.5 The XAResource contract: a branch that an administrator has completed is in doubt until it is forgotten."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching, new_xid
from tck.suite.support.xa.losses import losses
from tck.suite.support.xa.manager import branch, in_one_phase, in_two_phases, prepared, scan, unprepared
from tck.suite.support.xa.places import lasting
from tck.suite.support.xa.refusals import HEURISTIC, OUT_OF_PLACE, UNKNOWN, refused
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)


@asserts("11.3.5-16", ack=TRANSACTED)
def test_forget_refuses_an_unknown_branch(case: Case) -> None:
    """forget() of a branch that never was, or was committed or rolled back, raises XAException with XAER_NOTA."""
    side, watcher = branching(case), case.link("auto")
    with expect.all_of():
        for finish in (in_one_phase, in_two_phases, unprepared, prepared):
            with branch(side) as xid:
                side.send(watcher.destination, finish.__name__)
            finish(side.resource, xid)
            refused(f"forget() after {finish.__name__}", partial(side.resource.forget, xid), UNKNOWN)
        just(watcher, ["in_one_phase", "in_two_phases"])
        refused("forget() of an unknown branch", partial(side.resource.forget, new_xid(case)), UNKNOWN)


@asserts("11.3.5-16", ack=TRANSACTED, variant="others")
def test_forget_leaves_other_branches_alone(case: Case) -> None:
    """A refused forget() of another branch leaves a prepared branch in doubt, and it is committed afterwards."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    side.resource.prepare(xid)
    with expect.all_of():
        refused("forget() of an unknown branch", partial(side.resource.forget, new_xid(case)), UNKNOWN)
        expect.true("the prepared branch is in doubt", xid in scan(side.resource), "recover() does not list it")
        expect.works("its commit()", partial(side.resource.commit, xid, False))
        just(watcher, ["sent"])


def _completed(case: Case, xid: api.Xid, outcome: str) -> None:
    """Let an administrator complete a prepared branch."""
    case.needs(api.Hook.ADMINISTER)
    case.administer("heuristic", xid=xid, outcome=outcome)


@asserts("11.3.5-16", ack=TRANSACTED, variant="heuristic")
def test_a_heuristic_outcome_is_known_until_it_is_forgotten(case: Case) -> None:
    """A branch that an administrator committed, or rolled back, is listed, and its decision refused by that; forget() ends both."""
    side, other = branching(case), branching(case)
    with expect.all_of():
        for outcome, codes in HEURISTIC.items():
            watcher = case.link("auto")
            with branch(side) as xid:
                side.send(watcher.destination, "sent")
            side.resource.prepare(xid)
            _completed(case, xid, outcome)
            just(watcher, ["sent"] if outcome == "commit" else [])
            for words, decide in _decisions(other.resource, xid).items():
                refused(f"{words} after a heuristic {outcome}", decide, codes)
                expect.true("it is in doubt", xid in scan(other.resource), "recover() does not list it")
            expect.works("forget()", partial(other.resource.forget, xid))
            expect.true("it is forgotten", xid not in scan(side.resource), "recover() lists it after forget()")
            for words, decide in _decisions(other.resource, xid).items():
                refused(f"{words} after forget()", decide, UNKNOWN)
            refused("a second forget()", partial(side.resource.forget, xid), UNKNOWN)
            expect.only(watcher)


def _decisions(resource: api.XAResource, xid: api.Xid) -> dict[str, partial[None]]:
    return {"commit()": partial(resource.commit, xid, False), "rollback()": partial(resource.rollback, xid)}


@asserts("11.3.5-16", ack=TRANSACTED, variant="heuristic-loss")
def test_a_heuristic_outcome_outlives_failures(case: Case) -> None:
    """A heuristic outcome is known after each failure of a connection or of the provider; what was forgotten stays forgotten."""
    for lose in losses(case).values():
        place = lasting(case)[0]
        place.open().client.close()
        side, xids = branching(case), []
        for outcome in HEURISTIC:
            with branch(side) as xid:
                side.send(place.destination, outcome)
            side.resource.prepare(xid)
            _completed(case, xid, outcome)
            xids.append(xid)
        lose(case, side)
        resource = branching(case).resource
        listed = scan(resource)
        expect.equal("heuristic outcomes in doubt", [xid for xid in xids if xid in listed], xids)
        for xid in xids:
            expect.works("forget()", partial(resource.forget, xid))
        lose(case, branching(case))
        listed = scan(branching(case).resource)
        expect.equal("forgotten branches in doubt", [xid for xid in xids if xid in listed], [])
        just(place.reopened(), ["commit"])


@asserts("11.3.5-10", ack=TRANSACTED, variant="forget")
def test_forget_does_not_end_a_branch_in_doubt(case: Case) -> None:
    """forget() of a branch that is prepared and not completed is refused, and the branch is committed afterwards."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    side.resource.prepare(xid)
    with expect.all_of():
        refused("forget() of a prepared branch", partial(side.resource.forget, xid), OUT_OF_PLACE | UNKNOWN)
        expect.works("its commit()", partial(side.resource.commit, xid, False))
        just(watcher, ["sent"])
