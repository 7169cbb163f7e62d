"""11.3.3 and 11.3.4: a branch that was never prepared, after its connection or the provider was lost.

The provider may have rolled it back by itself, or may leave it to the transaction manager.
"""

from __future__ import annotations

from itertools import product

from tck.api import XAException, Xid
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching
from tck.suite.support.xa.losses import losses
from tck.suite.support.xa.manager import code_of
from tck.suite.support.xa.outcomes import RECEIPTS, SENDS, commits, outcomes
from tck.suite.support.xa.places import Place, lasting
from tck.suite.support.xa.shared import just

FIVE = ["1", "2", "3", "4", "5"]


def _committed(case: Case, xid: Xid, seen: set[str]) -> bool:
    """Let the manager commit, or roll back, through a new connection; return whether the branch is committed."""
    resource = branching(case).resource
    try:
        if commits(case):
            resource.commit(xid, True)
        else:
            resource.rollback(xid)
    except XAException as error:
        seen.add(f"refused with {code_of(error)}")
        return False
    seen.add("accepted")
    return commits(case)


def _work(side: Branching, place: Place, *, sends: bool) -> None:
    """Send two messages in the open branch, or receive three of five."""
    if sends:
        side.send(place.destination, "sent 1", "sent 2")
        return
    source = place.open(side.client)
    place.sender().send_all(FIVE)
    expect.arrives(source, FIVE[:3], ordered=False, settle=False)


def _follows(case: Case, *, sends: bool) -> None:
    """Lose branches in each way, while their work goes on and after its end: all of a branch takes effect, or nothing."""
    seen = set[str]()
    with expect.all_of():
        for (words, lose), ended in product(losses(case).items(), (False, True)):
            place = lasting(case)[0]
            place.open().client.close()
            side = place.side()
            xid = side.begin()
            _work(side, place, sends=sends)
            if ended:
                side.end(xid)
            lose(case, side)
            committed = _committed(case, xid, seen)
            _holds(place, committed=committed, sends=sends)
            case.witness(f"lost by {words}: {sorted(seen)}")
    expect.record(f"the decision on a lost branch is {', '.join(sorted(seen))}")


def _holds(place: Place, *, committed: bool, sends: bool) -> None:
    """Demand that a place holds the messages of a branch that was committed, or was not."""
    sent = ["sent 1", "sent 2"] if committed else []
    left = FIVE[3:] if committed else FIVE
    with expect.all_of():
        just(place.reopened(), sent if sends else left, ordered=False)


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "lost"))
def test_the_sends_of_a_lost_branch_are_all_or_nothing(case: Case) -> None:
    """A branch that was not prepared loses its connection or provider: its sends arrive if its commit is accepted, and else never."""
    _follows(case, sends=True)


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "lost"))
def test_the_receipts_of_a_lost_branch_are_all_or_nothing(case: Case) -> None:
    """A branch that was not prepared loses its connection or provider: what it received is redelivered unless its commit is accepted."""
    _follows(case, sends=False)
