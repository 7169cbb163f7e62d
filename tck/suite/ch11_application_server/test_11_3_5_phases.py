"""11.3.5 The XAResource contract: commits in one and two phases, rollbacks after prepare, and all of it over several resources."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.api import XAException, XAResource
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching, new_xid
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.xa.manager import GlobalTransaction, branch, in_one_phase, scan, vote
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)
MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


@asserts("11.3.5-1", ack=TRANSACTED)
def test_every_call_of_a_resource_is_implemented(case: Case) -> None:
    """Each call of XAResource does its work in an order that the contract allows; forget() at most raises XAException."""
    side, watcher = branching(case), case.link("auto")
    resource, xid = side.resource, new_xid(case)
    calls: dict[str, Callable[[], object]] = {
        "getTransactionTimeout()": resource.get_transaction_timeout,
        "setTransactionTimeout(60)": partial(resource.set_transaction_timeout, 60),
        "isSameRM()": partial(resource.is_same_rm, branching(case).resource),
        "start(TMNOFLAGS)": partial(resource.start, xid, XAResource.TMNOFLAGS),
        "a send in the branch": partial(side.send, watcher.destination, "sent"),
        "end(TMSUSPEND)": partial(resource.end, xid, XAResource.TMSUSPEND),
        "start(TMRESUME)": partial(resource.start, xid, XAResource.TMRESUME),
        "end(TMSUCCESS)": partial(resource.end, xid, XAResource.TMSUCCESS),
        "prepare()": partial(resource.prepare, xid),
        "recover()": partial(scan, resource),
        "commit()": partial(resource.commit, xid, False),
    }
    for what, call in calls.items():
        expect.works(what, call)
    just(watcher, ["sent"])
    expect.works_or(XAException, partial(resource.forget, new_xid(case)))


def _transfer(sources: list[Link], sides: list[Branching], targets: list[Link], text: str) -> None:
    """Receive a message from each source and send one to each target, in the open branches of the sides."""
    for source, side, target in zip(sources, sides, targets, strict=True):
        expect.arrives(source, ["account"], settle=False)
        side.send(target.destination, text)


def _over_several(case: Case, *, commit: bool) -> None:
    """Demand that three resources with a branch each agree: all sends arrive and no receipt is redelivered, or the reverse."""
    sides, targets = [branching(case) for _ in range(3)], [case.link("auto") for _ in range(3)]
    sources = [case.link(client=side.client) for side in sides]
    for source in sources:
        case.link("auto", destination=source.destination, consumes=False).send("account")
    transaction = GlobalTransaction(case)
    transaction.enlist(*sides)
    _transfer(sources, sides, targets, "transferred")
    transaction.prepare()
    for target in targets:
        expect.nothing_before(target, "in doubt", partial(target.put, "in doubt"))
    listed = scan(branching(case).resource)
    expect.true("all its branches are in doubt", {*transaction.xids} <= {*listed}, f"recover() returned {listed!r}")
    transaction.finish(commit=commit)
    with expect.all_of():
        for target in targets:
            just(target, ["transferred"] if commit else [])
        for source, side in zip(sources, sides, strict=True):
            case.link("auto", destination=source.destination, consumes=False).send("next")
            with branch(side) as xid:
                expect.arrives(source, ["next"] if commit else ["account", "next"], ordered=False, settle=False)
            in_one_phase(side.resource, xid)


@asserts("11.3.5-1", ack=TRANSACTED, variant="global-commit")
def test_a_transaction_over_three_resources_commits_as_a_whole(case: Case) -> None:
    """Three resources with branches of one transaction receive and send; after prepare and commit all of it has taken effect."""
    _over_several(case, commit=True)


@asserts("11.3.5-1", ack=TRANSACTED, variant="global-rollback")
def test_a_transaction_over_three_resources_rolls_back_as_a_whole(case: Case) -> None:
    """Three resources with prepared branches of one transaction are rolled back: no send arrives, and all receipts are redelivered."""
    _over_several(case, commit=False)


@asserts("11.3.5-1", ack=TRANSACTED, variant="many")
def test_a_resource_works_on_many_branches(case: Case) -> None:
    """Thirty branches of a session, prepared one after the other and committed in the reverse order, all take effect."""
    side, watcher = branching(case), case.link("auto")
    xids = []
    for text in numbered(30):
        with branch(side) as xid:
            side.send(watcher.destination, text)
        side.resource.prepare(xid)
        xids.append(xid)
    listed = scan(side.resource)
    expect.equal("branches in doubt", len({*xids} & {*listed}), 30)
    for xid in reversed(xids):
        expect.works("commit()", partial(side.resource.commit, xid, False))
    just(watcher, numbered(30), ordered=False)


@asserts("11.3.5-2", ack=TRANSACTED)
def test_a_branch_commits_in_two_phases(case: Case) -> None:
    """prepare() of a branch votes XA_OK, whether it has sent, received, or both, persistent or not; commit() makes it final."""
    side, target = branching(case), case.link("auto")
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    with expect.all_of():
        for mode in MODES:
            for sends, receives in ((1, 0), (0, 1), (1, 1)):
                with branch(side) as xid:
                    for _ in range(receives):
                        sender.put("received", mode=mode)
                        expect.arrives(source, ["received"], settle=False)
                    side.send(target.destination, *["sent"] * sends, mode=mode)
                words = f"{sends} sends, {receives} receipts, delivery mode {mode}"
                expect.equal(f"the vote on {words}", vote(side.resource, xid), "XA_OK")
                expect.works(f"commit() of {words}", partial(side.resource.commit, xid, False))
                just(target, ["sent"] * sends)
    _nothing_left(side, source, sender)


def _nothing_left(side: Branching, source: Link, sender: Link) -> None:
    """Demand that the next message of a source is one that is sent now."""
    sender.send("next")
    with branch(side) as xid:
        expect.arrives(source, ["next"], settle=False)
    in_one_phase(side.resource, xid)


@asserts("11.3.5-2", ack=TRANSACTED, variant="in-doubt", domain=("queue",))
def test_nobody_gets_what_a_prepared_branch_received(case: Case) -> None:
    """Messages that a prepared branch has received come to no other consumer before the decision, nor after the commit."""
    side, other = branching(case), branching(case)
    source = case.link(client=side.client)
    case.link("auto", destination=source.destination, consumes=False).send_all(["1", "2"])
    with branch(side) as xid:
        expect.arrives(source, ["1", "2"], ordered=False, settle=False)
    expect.equal("the vote", vote(side.resource, xid), "XA_OK")
    source.consumer.close()
    watcher = case.link("auto", destination=source.destination)
    expect.nothing_before(watcher, "in doubt", partial(watcher.put, "in doubt"))
    side.client.close()
    expect.nothing_before(watcher, "closed", partial(watcher.put, "closed"))
    expect.works("commit() by another resource", partial(other.resource.commit, xid, False))
    expect.only(watcher)


@asserts("11.3.5-2", ack=TRANSACTED, variant="read-only")
def test_a_branch_without_work_is_prepared(case: Case) -> None:
    """prepare() of a branch without work votes XA_RDONLY, and the branch is gone, or XA_OK, and it can be committed."""
    side, watcher = branching(case), case.link("auto")
    with branch(side) as xid:
        side.client.text("never sent")
    given = expect.works("prepare()", partial(vote, side.resource, xid))
    if given == "XA_OK":
        expect.works("commit() of a branch without work", partial(side.resource.commit, xid, False))
    with branch(side) as after:
        side.send(watcher.destination, "in the next branch")
    in_one_phase(side.resource, after)
    just(watcher, ["in the next branch"])
    expect.true("a branch without work is not in doubt", xid not in scan(side.resource), "recover() lists it")
    expect.one_of("the vote", given, {"XA_RDONLY": "votes for read-only", "XA_OK": "votes for the commit"})


@asserts("11.3.5-3", ack=TRANSACTED)
def test_a_branch_commits_in_one_phase(case: Case) -> None:
    """commit() with the flag for one phase makes sends, receipts and both final, persistent or not, and a branch without work works too."""
    side, target = branching(case), case.link("auto")
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    with expect.all_of():
        for mode in MODES:
            for sends, receives in ((1, 0), (0, 1), (1, 1), (0, 0)):
                with branch(side) as xid:
                    for _ in range(receives):
                        sender.put("received", mode=mode)
                        expect.arrives(source, ["received"], settle=False)
                    side.send(target.destination, *["sent"] * sends, mode=mode)
                words = f"{sends} sends, {receives} receipts, delivery mode {mode}"
                expect.works(f"commit() of {words}", partial(side.resource.commit, xid, True))
                just(target, ["sent"] * sends)
    _nothing_left(side, source, sender)


@asserts("11.3.5-3", ack=TRANSACTED, variant="elsewhere")
def test_another_resource_commits_in_one_phase(case: Case) -> None:
    """A branch whose work has ended is committed in one phase by the resource of another connection."""
    side, other, target = branching(case), branching(case), case.link("auto")
    for text in ("1", "2"):
        with branch(side) as xid:
            side.send(target.destination, text)
        expect.works("commit() by another resource", partial(other.resource.commit, xid, True))
    just(target, ["1", "2"])


@asserts("11.3.5-4", ack=TRANSACTED)
def test_a_prepared_branch_is_rolled_back(case: Case) -> None:
    """rollback() of a prepared branch drops what it sent and returns what it received, by the same resource and by another."""
    side, other, target = branching(case), branching(case), case.link("auto")
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    with expect.all_of():
        for mode in MODES:
            for by in (side, other):
                sender.put("received", mode=mode)
                with branch(side) as xid:
                    expect.arrives(source, ["received"], settle=False)
                    side.send(target.destination, "never sent", mode=mode)
                expect.equal("the vote", vote(side.resource, xid), "XA_OK")
                expect.works("rollback()", partial(by.resource.rollback, xid))
                expect.only(target)
                with branch(side) as xid:
                    expect.arrives(source, ["received"], settle=False)
                in_one_phase(side.resource, xid)


@asserts("11.3.5-4", ack=TRANSACTED, variant="others")
def test_other_branches_outlive_the_rollback_of_a_prepared_one(case: Case) -> None:
    """Of three prepared branches of one session the second is rolled back, and the others are committed afterwards."""
    side, watcher = branching(case), case.link("auto")
    xids = []
    for text in numbered(3):
        with branch(side) as xid:
            side.send(watcher.destination, text)
        side.resource.prepare(xid)
        xids.append(xid)
    expect.works("rollback()", partial(side.resource.rollback, xids[1]))
    expect.only(watcher)
    for xid in (xids[0], xids[2]):
        expect.works("commit()", partial(side.resource.commit, xid, False))
    just(watcher, ["001", "003"])
