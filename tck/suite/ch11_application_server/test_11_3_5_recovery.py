"""11.3.5 The XAResource contract: branches in doubt are listed, and outlive their connection and the provider."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.api import XAResource, Xid
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import Branching, branching, new_xid
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.xa.losses import Loss, closed, killed, restarted, severed
from tck.suite.support.xa.manager import branch, scan, scan_in_steps
from tck.suite.support.xa.places import Place, lasting
from tck.suite.support.xa.shared import just

TRANSACTED = ("transacted",)


def _prepared(side: Branching, watcher: Link, xid: Xid) -> Xid:
    """Begin a branch of this identifier, send its qualifier in it, and prepare it."""
    side.resource.start(xid, XAResource.TMNOFLAGS)
    side.send(watcher.destination, xid.branch_qualifier.hex())
    side.end(xid)
    side.resource.prepare(xid)
    return xid


def _identifiers(case: Case) -> list[Xid]:
    """Return identifiers of extreme forms, the first two of one transaction."""
    base = new_xid(case, b"1")
    full = (base.global_transaction_id + bytes(range(256)))[: Xid.MAXGTRIDSIZE]
    return [
        base,
        Xid(base.format_id, base.global_transaction_id, b"2"),
        Xid(0, base.global_transaction_id, b"\x00"),
        Xid(0x7FFFFFFF, full, bytes(range(192, 256))),
        Xid(1, base.global_transaction_id, b"\xff\x00\x80'\""),
    ]


@asserts("11.3.5-5", ack=TRANSACTED)
def test_recover_lists_prepared_branches_alone(case: Case) -> None:
    """Another resource lists a prepared branch, with its identifier intact, and none that works, has ended, or was decided."""
    side, other, watcher = branching(case), branching(case), case.link("auto")
    wanted = [_prepared(side, watcher, xid) for xid in _identifiers(case)]
    committed, rolled_back = (_prepared(side, watcher, new_xid(case)) for _ in range(2))
    side.resource.commit(committed, False)
    side.resource.rollback(rolled_back)
    with branch(side) as ended:
        side.send(watcher.destination, "ended")
    working = side.begin()
    side.send(watcher.destination, "working")
    with expect.all_of():
        for each in (other, side):
            listed = scan(each.resource)
            expect.equal("the branches in doubt", [xid for xid in wanted if xid in listed], wanted)
            expect.equal("others", [xid for xid in (committed, rolled_back, ended, working) if xid in listed], [])
            expect.equal("entries", sum(listed.count(xid) for xid in wanted), len(wanted))
    side.end(working)
    for xid in (ended, working, *wanted):
        side.resource.rollback(xid)
    listed = scan(other.resource)
    expect.equal("the branches in doubt after their rollback", [xid for xid in wanted if xid in listed], [])
    just(watcher, [b"b".hex()])


@asserts("11.3.5-5", ack=TRANSACTED, variant="scans")
def test_a_scan_over_several_calls_lists_every_prepared_branch(case: Case) -> None:
    """TMSTARTRSCAN, TMNOFLAGS and TMENDRSCAN together list each prepared branch, and a new scan lists all of them again."""
    side, other, watcher = branching(case), branching(case), case.link("auto")
    wanted = [_prepared(side, watcher, xid) for xid in _identifiers(case)]
    with expect.all_of():
        for number in range(2):
            for middle in (0, 2):
                listed = scan_in_steps(other.resource, middle)
                words = f"scan {number} with {middle} calls in the middle"
                expect.equal(words, [xid for xid in wanted if xid in listed], wanted)
        listed = scan(other.resource)
        expect.equal("a scan in one call", [xid for xid in wanted if xid in listed], wanted)
    for xid in wanted:
        other.resource.commit(xid, False)
    just(watcher, [xid.branch_qualifier.hex() for xid in wanted], ordered=False)


@asserts("11.3.5-5", ack=TRANSACTED, variant="receipts")
def test_recover_lists_a_branch_that_has_only_received(case: Case) -> None:
    """A prepared branch without sends, whose messages are not persistent, is listed until it is committed."""
    side, other = branching(case), branching(case)
    source = case.link(client=side.client)
    sender = case.link("auto", destination=source.destination, consumes=False)
    for finish in (partial(other.resource.rollback), partial(other.resource.commit, one_phase=False)):
        sender.put("received", mode=api.DeliveryMode.NON_PERSISTENT)
        with branch(side) as xid:
            source.take()
        side.resource.prepare(xid)
        expect.true("it is in doubt", xid in scan(other.resource), "recover() does not list it")
        finish(xid)
        expect.true("it is decided", xid not in scan(other.resource), "recover() lists it")


def _survives(case: Case, *ways: Loss, commit: bool) -> None:
    """Prepare a branch with sends and receipts, lose its connection or the provider, and demand that it can be decided."""
    for place, target in zip(lasting(case), lasting(case), strict=True):
        target.open().client.close()
        side = place.side()
        source = place.open(side.client)
        place.sender().send_all(["received", "left"])
        with branch(side) as xid:
            expect.arrives(source, ["received"], settle=False)
            side.send(target.destination, "sent 1", "sent 2")
        side.resource.prepare(xid)
        for lose in ways:
            lose(case, side)
            side = branching(case)
            listed = scan(side.resource)
            expect.true("the branch is in doubt", xid in listed, f"recover() returned {listed!r}")
            _is_hidden(target)
        decide = partial(side.resource.commit, one_phase=False) if commit else side.resource.rollback
        expect.works("the decision", partial(decide, xid))
        with expect.all_of():
            _holds(target, ["sent 1", "sent 2"] if commit else [])
            _holds(place, ["left"] if commit else ["received", "left"])
        expect.true("the branch is decided", xid not in scan(side.resource), "recover() lists it")


def _is_hidden(target: Place) -> None:
    """Demand that nothing of the branch has arrived."""
    link = target.reopened()
    expect.nothing_before(link, "in doubt", partial(link.put, "in doubt"))
    link.client.close()


def _holds(place: Place, texts: list[str]) -> None:
    """Demand that just these messages come from a place, in any order: what was returned may come late."""
    with expect.all_of():
        just(place.reopened(), texts, ordered=False)


@asserts("11.3.5-6", ack=TRANSACTED)
def test_a_prepared_branch_is_committed_after_a_restart(case: Case) -> None:
    """After a restart of the provider a prepared branch is in doubt, and its commit makes sends and receipts final."""
    _survives(case, restarted, commit=True)


@asserts("11.3.5-6", ack=TRANSACTED, variant="rollback")
def test_a_prepared_branch_is_rolled_back_after_a_restart(case: Case) -> None:
    """After a restart of the provider a prepared branch is in doubt, and its rollback undoes sends and receipts."""
    _survives(case, restarted, commit=False)


@asserts("11.3.5-6", ack=TRANSACTED, variant="restarts")
def test_a_prepared_branch_outlives_several_restarts(case: Case) -> None:
    """A prepared branch is in doubt after each of three restarts, the first behind the close of its connection."""
    _survives(case, closed, restarted, restarted, restarted, commit=True)


@asserts("11.3.5-6", ack=TRANSACTED, variant="kill-commit")
def test_a_prepared_branch_is_committed_after_a_kill(case: Case) -> None:
    """After a kill of the provider, and another one, a prepared branch is in doubt, and its commit makes its work final."""
    _survives(case, killed, killed, commit=True)


@asserts("11.3.5-6", ack=TRANSACTED, variant="kill-rollback")
def test_a_prepared_branch_is_rolled_back_after_a_kill(case: Case) -> None:
    """After a kill of the provider a prepared branch is in doubt, and its rollback undoes its work."""
    _survives(case, killed, commit=False)


@asserts("11.3.5-6", ack=TRANSACTED, variant="sever-commit")
def test_a_prepared_branch_is_committed_after_a_lost_link(case: Case) -> None:
    """After the loss of its link, and a close of the next resource, a prepared branch is committed by a third one."""
    _survives(case, severed, closed, commit=True)


@asserts("11.3.5-6", ack=TRANSACTED, variant="sever-rollback")
def test_a_prepared_branch_is_rolled_back_after_a_lost_link(case: Case) -> None:
    """After the loss of its link a prepared branch is rolled back by another resource."""
    _survives(case, severed, commit=False)


@asserts("11.3.5-6", ack=TRANSACTED, variant="several")
def test_several_prepared_branches_are_decided_apart_after_a_restart(case: Case) -> None:
    """Of five prepared branches of two sessions, with a message each, every second one is committed after the restart."""
    place = lasting(case)[0]
    place.open().client.close()
    sides = [branching(case), branching(case)]
    xids = []
    for number in range(5):
        side = sides[number % 2]
        with branch(side) as xid:
            side.send(place.destination, f"branch {number}")
        side.resource.prepare(xid)
        xids.append(xid)
    case.provider.restart()
    resource = branching(case).resource
    listed = scan(resource)
    expect.equal("the branches in doubt", [xid for xid in xids if xid in listed], xids)
    for number, xid in enumerate(xids):
        decide = partial(resource.commit, one_phase=False) if number % 2 == 0 else resource.rollback
        expect.works(f"the decision on branch {number}", partial(decide, xid))
    just(place.reopened(), [f"branch {number}" for number in (0, 2, 4)], ordered=False)


@asserts("11.3.5-6", ack=TRANSACTED, variant="decided")
def test_a_decided_branch_outlives_a_restart(case: Case) -> None:
    """A branch that was committed before the restart has its effect after it, one that was rolled back has none; neither is in doubt."""
    place = lasting(case)[0]
    place.open().client.close()
    side, xids = branching(case), []
    for text in ("committed", "rolled back"):
        with branch(side) as xid:
            side.send(place.destination, text)
        side.resource.prepare(xid)
        xids.append(xid)
    side.resource.commit(xids[0], False)
    side.resource.rollback(xids[1])
    case.provider.restart()
    just(place.reopened(), ["committed"])
    listed = scan(branching(case).resource)
    expect.equal("decided branches that are in doubt", [xid for xid in xids if xid in listed], [])


@asserts("11.3.5-6", ack=TRANSACTED, domain=("topic",), variant="subscriptions")
def test_a_branch_committed_after_a_restart_reaches_every_subscription(case: Case) -> None:
    """What a branch published and prepared reaches each of three durable subscriptions when it is committed after a restart."""
    case.needs(api.Hook.RESTART)
    names = [case.name("s") for _ in range(3)]
    topic = case.topic()
    for name in names:
        case.link("auto", destination=topic, durable=name).client.close()
    side = branching(case)
    with branch(side) as xid:
        for text in ("first", "second"):
            side.send(topic, text)
    side.resource.prepare(xid)
    case.provider.restart()
    branching(case).resource.commit(xid, False)
    with expect.all_of():
        for name in names:
            expect.only(reconnected(case, topic, durable=name), ["first", "second"])
