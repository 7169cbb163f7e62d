"""11.3.5 The XAResource contract: calls out of place are refused with a fitting code, and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck.api import XAResource, Xid
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching, new_xid
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import tried
from tck.suite.support.xa.manager import branch, in_one_phase, in_two_phases, prepared, unprepared
from tck.suite.support.xa.refusals import ALREADY_THERE, BUSY, OUT_OF_PLACE, UNKNOWN, UNKNOWN_OR_OUT_OF_PLACE, refused
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)
OK, JOIN, RESUME = XAResource.TMNOFLAGS, XAResource.TMJOIN, XAResource.TMRESUME
SUCCESS = XAResource.TMSUCCESS


def _still_commits(case: Case, side: Branching, xid: Xid, watcher: Link, *texts: str) -> None:
    """Demand that a branch whose work has ended, and which sent these texts, is committed after all."""
    expect.works("commit() of the branch", partial(in_two_phases, side.resource, xid))
    just(watcher, list(texts))
    case.witness("the branch took effect once")


@asserts("11.3.5-10", ack=TRANSACTED)
def test_an_unknown_branch_is_refused(case: Case) -> None:
    """commit() in one phase and in two, rollback() and prepare() of a branch that never was raise XAException with XAER_NOTA."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    unknown = new_xid(case)
    nearly = Xid(xid.format_id, xid.global_transaction_id, b"other")
    with expect.all_of():
        for words, each in (("of an unknown branch", unknown), ("of another branch of the transaction", nearly)):
            refused(f"commit() in two phases {words}", partial(side.resource.commit, each, False), UNKNOWN)
            refused(f"commit() in one phase {words}", partial(side.resource.commit, each, True), UNKNOWN)
            refused(f"rollback() {words}", partial(side.resource.rollback, each), UNKNOWN)
            refused(f"prepare() {words}", partial(side.resource.prepare, each), UNKNOWN)
        _still_commits(case, side, xid, watcher, "sent")


@asserts("11.3.5-7", ack=TRANSACTED, variant="refusals")
def test_calls_about_unknown_branches_leave_the_one_at_work_alone(case: Case) -> None:
    """While a branch sends and receives, calls about unknown and decided branches fail; it goes on, and is committed whole."""
    side, watcher = branching(case), case.link("auto")
    source = case.link(client=side.client)
    case.link("auto", destination=source.destination, consumes=False).send_all(["first", "second"])
    with branch(side) as decided:
        side.send(watcher.destination, "decided")
    in_two_phases(side.resource, decided)
    xid = side.begin()
    expect.arrives(source, ["first"], settle=False)
    for at, each in enumerate((new_xid(case), decided)):
        for call in (side.resource.rollback, side.resource.prepare, side.resource.forget):
            tried(partial(call, each))
        tried(partial(side.resource.commit, each, False))
        side.send(watcher.destination, f"sent {at}")
    expect.arrives(source, ["second"], settle=False)
    side.end(xid)
    _still_commits(case, side, xid, watcher, "decided", "sent 0", "sent 1")
    case.link("auto", destination=source.destination, consumes=False).send("third")
    with branch(side) as xid:
        expect.arrives(source, ["third"], settle=False)
    in_one_phase(side.resource, xid)


@asserts("11.3.5-10", ack=TRANSACTED, variant="decided")
def test_a_decided_branch_is_unknown(case: Case) -> None:
    """A branch that was committed, or rolled back, before prepare or after it, is refused with XAER_NOTA when it is decided again."""
    side, watcher = branching(case), case.link("auto")
    texts = []
    with expect.all_of():
        for finish in (in_one_phase, in_two_phases, unprepared, prepared):
            text = finish.__name__
            with branch(side) as xid:
                side.send(watcher.destination, text)
            finish(side.resource, xid)
            texts += [text] if finish in (in_one_phase, in_two_phases) else []
            refused(f"commit() after {text}", partial(side.resource.commit, xid, False), UNKNOWN)
            refused(f"rollback() after {text}", partial(side.resource.rollback, xid), UNKNOWN)
        just(watcher, texts)


@asserts("11.3.5-10", ack=TRANSACTED, variant="second-start")
def test_a_branch_does_not_begin_twice(case: Case) -> None:
    """start() without TMJOIN, by another resource, of a branch at work, ended or prepared raises XAException with XAER_DUPID."""
    side, other, watcher = branching(case), branching(case), case.link("auto")
    xid = side.begin()
    side.send(watcher.destination, "sent")
    again = partial(other.resource.start, xid, OK)
    with expect.all_of():
        refused("start() of a branch at work", again, ALREADY_THERE)
        side.end(xid)
        refused("start() of a branch whose work has ended", again, ALREADY_THERE)
        refused("start() by the resource of the branch", partial(side.resource.start, xid, OK), ALREADY_THERE)
        expect.works("prepare() after the refused calls", partial(side.resource.prepare, xid))
        refused("start() of a prepared branch", again, ALREADY_THERE)
        expect.works("commit() after the refused calls", partial(side.resource.commit, xid, False))
        just(watcher, ["sent"])


@asserts("11.3.5-10", ack=TRANSACTED, variant="busy")
def test_a_resource_works_on_one_branch_at_a_time(case: Case) -> None:
    """start() on a resource that is at work, of a new branch and of the same, is refused; the branch goes on, and the new one never was."""
    side, watcher = branching(case), case.link("auto")
    xid, unborn = side.begin(), new_xid(case)
    side.send(watcher.destination, "1")
    with expect.all_of():
        refused("start() of a new branch", partial(side.resource.start, unborn, OK), BUSY)
        refused("start() of the same branch", partial(side.resource.start, xid, OK), BUSY | ALREADY_THERE)
        side.send(watcher.destination, "2")
        side.end(xid)
        _still_commits(case, side, xid, watcher, "1", "2")
        refused("commit() of the new branch", partial(side.resource.commit, unborn, True), UNKNOWN)


@asserts("11.3.5-10", ack=TRANSACTED, variant="end")
def test_an_end_needs_a_start(case: Case) -> None:
    """end() of an unknown branch, of another one than that at work, and a second end() are refused; the branch is unharmed."""
    side, watcher = branching(case), case.link("auto")
    wrong = UNKNOWN_OR_OUT_OF_PLACE
    with expect.all_of():
        refused("end() before any start()", partial(side.resource.end, new_xid(case), SUCCESS), wrong)
        xid = side.begin()
        side.send(watcher.destination, "1")
        refused("end() of another branch", partial(side.resource.end, new_xid(case), SUCCESS), wrong)
        side.send(watcher.destination, "2")
        side.end(xid)
        _still_commits(case, side, xid, watcher, "1", "2")
        refused("end() of a committed branch", partial(side.resource.end, xid, SUCCESS), wrong)


@asserts("11.3.5-10", ack=TRANSACTED, variant="at-work")
def test_a_branch_at_work_is_not_decided(case: Case) -> None:
    """prepare() and commit() of a branch before its end() are refused; it goes on, and takes effect when it is committed in order."""
    side, watcher = branching(case), case.link("auto")
    xid = side.begin()
    side.send(watcher.destination, "1")
    with expect.all_of():
        refused("prepare() before end()", partial(side.resource.prepare, xid), OUT_OF_PLACE)
        refused("commit() in one phase before end()", partial(side.resource.commit, xid, True), OUT_OF_PLACE)
        refused("commit() in two phases before end()", partial(side.resource.commit, xid, False), OUT_OF_PLACE)
        expect.nothing_before(watcher, "marker", partial(watcher.put, "marker"))
        side.send(watcher.destination, "2")
        expect.works("end() after the refused calls", partial(side.end, xid))
        _still_commits(case, side, xid, watcher, "1", "2")


@asserts("11.3.5-10", ack=TRANSACTED, variant="unprepared")
def test_the_second_phase_needs_the_first(case: Case) -> None:
    """commit() in two phases of a branch that is not prepared is refused, and nothing arrives; then it is committed in order."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    with expect.all_of():
        refused("commit() without prepare()", partial(side.resource.commit, xid, False), OUT_OF_PLACE)
        expect.nothing_before(watcher, "marker", partial(watcher.put, "marker"))
        _still_commits(case, side, xid, watcher, "sent")


@asserts("11.3.5-10", ack=TRANSACTED, variant="join")
def test_only_a_branch_that_is_there_is_joined(case: Case) -> None:
    """start() with TMJOIN or TMRESUME of an unknown or a decided branch is refused; a new branch begins and commits afterwards."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as decided:
        side.send(watcher.destination, "decided")
    in_one_phase(side.resource, decided)
    with expect.all_of():
        just(watcher, ["decided"])
        for words, xid in (("an unknown branch", new_xid(case)), ("a decided branch", decided)):
            for flag, name in ((JOIN, "TMJOIN"), (RESUME, "TMRESUME")):
                call: Callable[[], object] = partial(branching(case).resource.start, xid, flag)
                refused(f"start({name}) of {words}", call, UNKNOWN_OR_OUT_OF_PLACE)
        with branch(side) as xid:
            side.send(watcher.destination, "next")
        _still_commits(case, side, xid, watcher, "next")
