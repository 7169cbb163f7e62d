"""11.3.5 The XAResource contract: several branches in turn, suspended and resumed ones, and branches that a resource joins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product

from tck import api
from tck.api import XAResource, Xid
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching, neighbour
from tck.suite.support.clients.link import Link
from tck.suite.support.values.seen import body
from tck.suite.support.xa.manager import (
    COMMITS,
    ROLLBACKS,
    Finish,
    GlobalTransaction,
    branch,
    in_one_phase,
    in_two_phases,
    unprepared,
)
from tck.suite.support.xa.shared import came, just

TRANSACTED = ("transacted",)
MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


@asserts("11.3.5-7", ack=TRANSACTED)
def test_the_branches_of_a_resource_are_kept_apart(case: Case) -> None:
    """Two branches of one session send, in turn; one is committed and the other rolled back, in each order and in each way."""
    side, watcher = branching(case), case.link("auto")
    with expect.all_of():
        for finish, undo, mode, reverse in product(COMMITS.values(), ROLLBACKS.values(), MODES, (False, True)):
            with branch(side) as first:
                side.send(watcher.destination, "first", mode=mode)
            with branch(side) as second:
                side.send(watcher.destination, "second", mode=mode)
            decisions = [partial(undo, side.resource, first), partial(finish, side.resource, second)]
            for decide in reversed(decisions) if reverse else decisions:
                decide()
            with expect.all_of():
                just(watcher, ["second"])


@asserts("11.3.5-7", ack=TRANSACTED, variant="suspended")
def test_a_suspended_branch_is_kept_apart_from_the_next(case: Case) -> None:
    """While one branch is suspended another sends and is committed, or rolled back; the suspended one ends the other way."""
    side, watcher = branching(case), case.link("auto")
    with expect.all_of():
        for kept in (True, False):
            first = side.begin()
            side.send(watcher.destination, "before")
            side.resource.end(first, XAResource.TMSUSPEND)
            with branch(side) as second:
                side.send(watcher.destination, "between")
            _decide(side, second, commit=not kept)
            just(watcher, [] if kept else ["between"])
            side.resource.start(first, XAResource.TMRESUME)
            side.send(watcher.destination, "after")
            side.end(first)
            _decide(side, first, commit=kept)
            with expect.all_of():
                just(watcher, ["before", "after"] if kept else [])


def _decide(side: Branching, xid: Xid, *, commit: bool) -> None:
    (in_two_phases if commit else unprepared)(side.resource, xid)


@asserts("11.3.5-7", ack=TRANSACTED, variant="receipts")
def test_the_receipts_of_two_branches_are_kept_apart(case: Case) -> None:
    """Two branches of one session receive from one consumer, in turn; the first is rolled back and the second committed, and the reverse."""
    with expect.all_of():
        for which in (0, 1):
            side = branching(case)
            source = case.link(client=side.client)
            sender = case.link("auto", destination=source.destination, consumes=False)
            sender.send_all(["1", "2"])
            xids = []
            for text in ("1", "2"):
                with branch(side) as xid:
                    expect.arrives(source, [text], settle=False)
                xids.append(xid)
            side.resource.rollback(xids[which])
            in_two_phases(side.resource, xids[1 - which])
            sender.send("3")
            with branch(side) as xid:
                expect.equal("what came after both branches", came(source, 2), ["12"[which], "3"])


@asserts("11.3.5-7", ack=TRANSACTED, variant="suspended-receipts")
def test_the_receipts_behind_a_suspended_branch_are_kept_apart(case: Case) -> None:
    """A branch receives and is suspended, another one receives; either is rolled back, and the other committed, each with its own."""
    with expect.all_of():
        for kept in (True, False):
            side = branching(case)
            source = case.link(client=side.client)
            sender = case.link("auto", destination=source.destination, consumes=False)
            sender.send_all(["first", "second"])
            first = side.begin()
            expect.arrives(source, ["first"], settle=False)
            side.resource.end(first, XAResource.TMSUSPEND)
            with branch(side) as second:
                expect.arrives(source, ["second"], settle=False)
            _decide(side, second, commit=not kept)
            side.resource.start(first, XAResource.TMRESUME)
            side.end(first)
            _decide(side, first, commit=kept)
            sender.send("next")
            with branch(side) as xid:
                wanted = ["next", "second" if kept else "first"]
                expect.equal("what came after both branches", came(source, 2), sorted(wanted))
            in_one_phase(side.resource, xid)


@asserts("11.3.5-7", ack=TRANSACTED, variant="three")
def test_a_prepared_branch_is_kept_apart_from_later_work(case: Case) -> None:
    """Behind a prepared branch the session works on two more; the prepared one is committed last, and has just its own message."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as first:
        side.send(watcher.destination, "first")
    side.resource.prepare(first)
    with branch(side) as second:
        side.send(watcher.destination, "second")
    with branch(side) as third:
        side.send(watcher.destination, "third")
    side.resource.rollback(second)
    in_one_phase(side.resource, third)
    just(watcher, ["third"])
    side.resource.commit(first, False)
    just(watcher, ["first"])


@asserts("11.3.5-8", ack=TRANSACTED)
def test_a_resumed_branch_keeps_its_earlier_work(case: Case) -> None:
    """A branch that is suspended and resumed, twice, sends and receives each time; a commit makes all of it final, a rollback undoes it."""
    with expect.all_of():
        for (words, finish), mode in product({**ROLLBACKS, **COMMITS}.items(), MODES):
            with expect.all_of():
                _in_three_parts(case, finish, mode, committed=words in COMMITS)


def _in_three_parts(case: Case, finish: Finish, mode: int, *, committed: bool) -> None:
    side, watcher = branching(case), case.link("auto")
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    for text in ("1", "2", "3"):
        sender.put(text, mode=mode)
    xid = side.begin()
    for text in ("1", "2", "3"):
        received = _suspended_between(case, side, xid, source)
        side.send(watcher.destination, text, mode=mode)
        case.witness(f"{received} came in a part of a branch")
    side.end(xid)
    finish(side.resource, xid)
    with expect.all_of():
        just(watcher, ["1", "2", "3"] if committed else [])
    sender.send("next")
    wanted = ["next"] if committed else ["1", "2", "3", "next"]
    with branch(side) as xid:
        expect.equal("what came after the branch", came(source, len(wanted)), wanted)
    in_one_phase(side.resource, xid)


def _suspended_between(case: Case, side: Branching, xid: Xid, source: Link) -> object:
    """Receive a message, suspend the branch, let a while pass, and resume it; return the body."""
    received = body(source.take())
    side.resource.end(xid, XAResource.TMSUSPEND)
    case.pass_time(1, "the branch is suspended")
    side.resource.start(xid, XAResource.TMRESUME)
    return received


@asserts("11.3.5-8", ack=TRANSACTED, variant="ended")
def test_a_suspended_branch_is_ended_without_being_resumed(case: Case) -> None:
    """end(TMSUCCESS) of a suspended branch ends it; a commit makes its work final, while another branch is at work."""
    side, watcher = branching(case), case.link("auto")
    xid = side.begin()
    side.send(watcher.destination, "suspended")
    side.resource.end(xid, XAResource.TMSUSPEND)
    other = side.begin()
    side.send(watcher.destination, "of the other branch")
    side.end(other)
    side.end(xid)
    in_two_phases(side.resource, xid)
    just(watcher, ["suspended"])
    side.resource.rollback(other)
    expect.only(watcher)


@asserts("11.3.5-8", ack=TRANSACTED, variant="hidden")
def test_the_work_of_a_suspended_branch_is_hidden(case: Case) -> None:
    """What a suspended branch has sent is not available, over other branches of the session, until the resumed branch is committed."""
    side, watcher = branching(case), case.link("auto")
    for mode in MODES:
        xid = side.begin()
        side.send(watcher.destination, "suspended", mode=mode)
        side.resource.end(xid, XAResource.TMSUSPEND)
        expect.nothing_before(watcher, "marker", partial(watcher.put, "marker", mode=mode))
        for finish in (*ROLLBACKS.values(), *COMMITS.values()):
            with branch(side) as other:
                side.client.text("no work")
            finish(side.resource, other)
        expect.only(watcher)
        side.resource.start(xid, XAResource.TMRESUME)
        side.send(watcher.destination, "resumed", mode=mode)
        expect.nothing_before(watcher, "marker", partial(watcher.put, "marker", mode=mode))
        side.end(xid)
        in_two_phases(side.resource, xid)
        just(watcher, ["suspended", "resumed"])


def _partners(case: Case) -> list[tuple[str, Branching, Branching]]:
    """Return pairs of sides: two sessions of a connection, and of two connections."""
    first, second = branching(case), branching(case)
    return [("of one connection", first, neighbour(first)), ("of two connections", second, branching(case))]


@asserts("11.3.5-9", ack=TRANSACTED)
def test_a_resource_is_of_the_same_manager_as_itself(case: Case) -> None:
    """isSameRM() is true of the resource itself, and one answer both ways for resources of one connection and of two."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.send(watcher.destination, "sent")
    in_one_phase(side.resource, xid)
    just(watcher, ["sent"])
    answers = {}
    with expect.all_of():
        expect.equal("isSameRM() of the resource itself", side.resource.is_same_rm(side.resource), True)
        for words, one, other in _partners(case):
            answers[words] = one.resource.is_same_rm(other.resource)
            expect.equal(f"isSameRM() the other way, {words}", other.resource.is_same_rm(one.resource), answers[words])
    expect.record(f"isSameRM() is {', '.join(f'{answer} {words}' for words, answer in answers.items())}")


def _joined(case: Case, finish: Finish) -> list[str]:
    """Let a second resource join a branch, where isSameRM() allows that; return the pairs for which it does not."""
    watcher, apart = case.link("auto"), []
    for words, one, other in _partners(case):
        if not one.resource.is_same_rm(other.resource):
            apart.append(words)
            continue
        committed = finish in COMMITS.values()
        source = case.link(client=other.client)
        sender = case.link("auto", destination=source.destination, consumes=False)
        sender.send("received")
        with branch(one) as xid:
            one.send(watcher.destination, "first")
        expect.works(f"start(TMJOIN) {words}", partial(other.resource.start, xid, XAResource.TMJOIN))
        expect.arrives(source, ["received"], settle=False)
        other.send(watcher.destination, "joined")
        other.end(xid)
        expect.nothing_before(watcher, "marker", partial(watcher.put, "marker"))
        finish(one.resource, xid)
        with expect.all_of():
            just(watcher, ["first", "joined"] if committed else [], ordered=False)
        sender.send("next")
        wanted = ["next"] if committed else ["next", "received"]
        with branch(other) as after:
            expect.equal(f"what came to the resource {words}", came(source, len(wanted)), wanted)
        in_one_phase(other.resource, after)
    expect.only(watcher)
    return apart


def _join_ways(case: Case, ways: Mapping[str, Finish]) -> None:
    apart = set[str]()
    with expect.all_of():
        for finish in ways.values():
            with expect.all_of():
                apart.update(_joined(case, finish))
    expect.record(f"resources {' and '.join(sorted(apart))} do not join" if apart else "all resources join")


@asserts("11.3.5-9", ack=TRANSACTED, variant="join-commit")
def test_a_second_resource_joins_a_branch(case: Case) -> None:
    """A resource for which isSameRM() is true joins a branch whose work has ended: the work of both is committed together."""
    _join_ways(case, COMMITS)


@asserts("11.3.5-9", ack=TRANSACTED, variant="join-rollback")
def test_the_work_of_a_joined_resource_is_rolled_back(case: Case) -> None:
    """A resource for which isSameRM() is true joins a branch whose work has ended: the work of both is rolled back together."""
    _join_ways(case, ROLLBACKS)


@asserts("11.3.5-9", ack=TRANSACTED, variant="join-global")
def test_a_transaction_joins_branches_where_it_can(case: Case) -> None:
    """A manager that joins branches by isSameRM() lets three sides take part in one transaction; all receive and send, and it commits."""
    sides, watcher = [branching(case) for _ in range(3)], case.link("auto")
    sources = [case.link(client=side.client) for side in sides]
    transaction = GlobalTransaction(case, joins=True)
    for number, (side, source) in enumerate(zip(sides, sources, strict=True)):
        case.link("auto", destination=source.destination, consumes=False).send_all([f"1.{number}", f"2.{number}"])
        transaction.enlist(side)
        expect.arrives(source, [f"1.{number}"], settle=False)
        side.send(watcher.destination, f"sent {number}")
        transaction.delist()
    transaction.commit()
    with expect.all_of():
        just(watcher, ["sent 0", "sent 1", "sent 2"], ordered=False)
        for number, (side, source) in enumerate(zip(sides, sources, strict=True)):
            with branch(side) as xid:
                expect.arrives(source, [f"2.{number}"], settle=False)
            in_one_phase(side.resource, xid)
