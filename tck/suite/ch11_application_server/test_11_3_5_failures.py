"""11.3.5 The XAResource contract: branches that failed, or took too long, take no effect."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial

from tck import api
from tck.api import XAException, XAResource, Xid
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching
from tck.suite.support.xa.manager import branch, in_one_phase, in_two_phases
from tck.suite.support.xa.refusals import ROLLED_BACK, UNKNOWN, UNKNOWN_OR_OUT_OF_PLACE, refused
from tck.suite.support.xa.shared import came, just

TRANSACTED = ("transacted",)
MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
FAIL, SUSPEND, RESUME = XAResource.TMFAIL, XAResource.TMSUSPEND, XAResource.TMRESUME
SECOND = 1000

Decision = Callable[[XAResource, Xid], object]
DECISIONS: Mapping[str, Decision] = {
    "commit() in one phase": in_one_phase,
    "prepare()": lambda resource, xid: resource.prepare(xid),
}


class _Ends:
    """A side that works on branches, the source that it receives from, and the target that it sends to."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.side, self.target = branching(case), case.link("auto")
        self.source = case.link(client=self.side.client)
        self.filler = case.link("auto", destination=self.source.destination, consumes=False)

    def work(self, mode: int = api.DeliveryMode.PERSISTENT) -> Xid:
        """Begin a branch that receives a message and sends one; it goes on."""
        self.filler.put("received", mode=mode)
        xid = self.side.begin()
        expect.arrives(self.source, ["received"], settle=False)
        self.side.send(self.target.destination, "never sent", mode=mode)
        return xid

    def refuses(self, xid: Xid, words: str, decide: Decision) -> None:
        """Demand that a decision for the commit is refused, and that all of the branch is undone by then or by a rollback."""
        codes = ROLLED_BACK | UNKNOWN | {XAException.XAER_PROTO}
        with expect.all_of():
            refused(f"{words} of the branch", partial(decide, self.side.resource, xid), codes)
            with contextlib.suppress(
                XAException
            ):  # it is gone, or was committed in spite of all, which the target shows
                self.side.resource.rollback(xid)
            self.is_undone()

    def is_undone(self) -> None:
        """Demand that no send has arrived, and that the receipt is redelivered."""
        expect.only(self.target)
        self.filler.put("next")
        with branch(self.side) as after:
            expect.equal("what came after the branch", came(self.source, 2), ["next", "received"])
        in_one_phase(self.side.resource, after)


@asserts("11.3.5-14", ack=TRANSACTED)
def test_a_failed_branch_is_only_rolled_back(case: Case) -> None:
    """After end(TMFAIL) prepare() and a commit in one phase are refused; no send arrives, and each receipt is redelivered."""
    with expect.all_of():
        for mode in MODES:
            for words, decide in DECISIONS.items():
                ends = _Ends(case)
                xid = ends.work(mode)
                ends.side.resource.end(xid, FAIL)
                ends.refuses(xid, words, decide)


@asserts("11.3.5-14", ack=TRANSACTED, variant="parts")
def test_a_branch_with_a_failed_part_is_only_rolled_back(case: Case) -> None:
    """A branch that was suspended, and resumed, and then fails is only rolled back: with its first part, which did not fail."""
    with expect.all_of():
        for words, decide in DECISIONS.items():
            ends = _Ends(case)
            xid = ends.work()
            ends.side.resource.end(xid, SUSPEND)
            ends.side.resource.start(xid, RESUME)
            ends.side.send(ends.target.destination, "second part")
            ends.side.resource.end(xid, FAIL)
            ends.refuses(xid, words, decide)


@asserts("11.3.5-14", ack=TRANSACTED, variant="rollback")
def test_a_failed_branch_is_rolled_back(case: Case) -> None:
    """rollback() after end(TMFAIL) works, or finds the branch rolled back; then nothing of it is left, and the next branch commits."""
    with expect.all_of():
        for mode in MODES:
            ends = _Ends(case)
            xid = ends.work(mode)
            ends.side.resource.end(xid, FAIL)
            _rolls_back(ends.side, xid)
            ends.is_undone()
            with branch(ends.side) as after:
                ends.side.send(ends.target.destination, "of the next branch")
            in_two_phases(ends.side.resource, after)
            just(ends.target, ["of the next branch"])


def _rolls_back(side: Branching, xid: Xid) -> None:
    """Demand that a branch is rolled back, now or before."""
    try:
        side.resource.rollback(xid)
    except XAException as error:
        fits = error.error_code in ROLLED_BACK | UNKNOWN
        expect.true("rollback() works, or the branch is gone", fits, f"rollback() raised {error}")


def _timed(case: Case, seconds: int = 1) -> tuple[_Ends, bool]:
    """Open a side with a transaction timeout; return whether its resource has accepted that."""
    ends = _Ends(case)
    accepted = ends.side.resource.set_transaction_timeout(seconds)
    with branch(ends.side) as xid:
        ends.side.send(ends.target.destination, "in time")
    in_two_phases(ends.side.resource, xid)
    just(ends.target, ["in time"])
    expect.record("the resource has a timeout" if accepted else "the resource takes no timeout")
    return ends, accepted


def _pass(case: Case) -> None:
    case.pass_time(case.latest(SECOND + 1), "the timeout of a branch is over")


@asserts("11.3.5-15", ack=TRANSACTED)
def test_a_branch_that_takes_too_long_is_rolled_back(case: Case) -> None:
    """A branch that ended within its timeout and is decided after it takes no effect, in one phase or in two."""
    with expect.all_of():
        ends, accepted = _timed(case)
        for words, decide in DECISIONS.items() if accepted else ():
            ends.side.resource.set_transaction_timeout(1)
            xid = ends.work()
            ends.side.end(xid)
            _pass(case)
            ends.side.resource.set_transaction_timeout(60)
            ends.refuses(xid, words, decide)


@asserts("11.3.5-15", ack=TRANSACTED, variant="at-work")
def test_a_branch_that_works_too_long_is_rolled_back(case: Case) -> None:
    """A branch that is at work when its timeout is over takes no effect; its end() may be refused already."""
    with expect.all_of():
        ends, accepted = _timed(case)
        for words, decide in list(DECISIONS.items())[:1] if accepted else ():
            xid = ends.work()
            _pass(case)
            ends.side.resource.set_transaction_timeout(60)
            _end(ends.side, xid)
            ends.refuses(xid, words, decide)


def _end(side: Branching, xid: Xid) -> None:
    """End the work on a branch that may have been rolled back."""
    try:
        side.end(xid)
    except XAException as error:
        fits = error.error_code in ROLLED_BACK | UNKNOWN_OR_OUT_OF_PLACE
        expect.true("end() works, or is refused since the branch is gone", fits, f"end() raised {error}")


def _outlives(case: Case, timeout: int) -> None:
    """Demand of a branch that begins after a change of the timeout that it is committed when more than a second has passed."""
    with expect.all_of():
        ends, accepted = _timed(case)
        ends.side.resource.set_transaction_timeout(timeout)
        with branch(ends.side) as xid:
            ends.side.send(ends.target.destination, "later")
        for _ in [accepted] if accepted else []:
            _pass(case)
        expect.works("commit() of the branch", partial(in_two_phases, ends.side.resource, xid))
        just(ends.target, ["later"])


@asserts("11.3.5-1", ack=TRANSACTED, variant="timeout-told")
def test_a_timeout_that_was_accepted_is_read_back(case: Case) -> None:
    """getTransactionTimeout() returns the seconds that setTransactionTimeout() has accepted, each time."""
    with expect.all_of():
        ends, accepted = _timed(case, 60)
        for seconds in (60, 1, 300) if accepted else ():
            ends.side.resource.set_transaction_timeout(seconds)
            seen = ends.side.resource.get_transaction_timeout()
            expect.equal("getTransactionTimeout()", seen, seconds)


@asserts("11.3.5-1", ack=TRANSACTED, variant="timeout-longer")
def test_a_longer_timeout_holds_for_the_next_branch(case: Case) -> None:
    """After the timeout was a second, and then a minute, a branch of more than a second is committed."""
    _outlives(case, 60)


@asserts("11.3.5-1", ack=TRANSACTED, variant="timeout-default")
def test_zero_restores_the_default_timeout(case: Case) -> None:
    """After the timeout was a second, and then zero, which stands for the default, a branch of more than a second is committed."""
    _outlives(case, 0)


@asserts("11.3.5-15", ack=TRANSACTED, variant="prepared")
def test_a_branch_that_is_prepared_in_time_is_committed_later(case: Case) -> None:
    """The timeout does not end a branch that was prepared within it."""
    with expect.all_of():
        ends, accepted = _timed(case)
        with branch(ends.side) as xid:
            ends.side.send(ends.target.destination, "prepared in time")
        ends.side.resource.prepare(xid)
        for _ in [accepted] if accepted else []:
            _pass(case)
        expect.works("commit() of the prepared branch", partial(ends.side.resource.commit, xid, False))
        just(ends.target, ["prepared in time"])
