"""11.3.3 and 11.3.4: what is sent in a branch becomes available with its commit, and vanishes with its rollback."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async
from tck.suite.support.clients.branches import branching, neighbour
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import coloured
from tck.suite.support.values.colours import RED
from tck.suite.support.values.seen import body
from tck.suite.support.xa.manager import branch, scan, vote
from tck.suite.support.xa.outcomes import SENDS, commits, finishes, if_committed, outcomes
from tck.suite.support.xa.places import lasting, places
from tck.suite.support.xa.shared import just

MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
THREE = numbered(3)


def _nothing_yet(watcher: Link, moment: str, mode: int | None = None) -> None:
    """Demand that a marker, sent now, is the first to arrive."""
    expect.nothing_before(watcher, moment, partial(watcher.put, moment, mode=mode))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "places"))
def test_sends_follow_their_branch(case: Case) -> None:
    """Messages of each mode, to a queue and to each kind of subscription, are hidden before the end of the branch, and then follow it."""
    with expect.all_of():
        for place in places(case):
            watcher, side = place.open(), branching(case)
            for mode in MODES:
                for way, finish in finishes(case).items():
                    with expect.all_of():
                        with branch(side) as xid:
                            side.send(place.destination, *THREE, mode=mode)
                            _nothing_yet(watcher, f"within the branch, {way}", mode)
                        _nothing_yet(watcher, f"after the end, {way}", mode)
                        finish(side.resource, xid)
                        just(watcher, if_committed(case, THREE))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "prepared"))
def test_prepared_sends_are_hidden(case: Case) -> None:
    """Messages of a prepared branch are hidden from consumers and browsers; another resource decides, and then they follow."""
    watcher, side, other = case.link("auto"), branching(case), branching(case)
    for mode in MODES:
        with branch(side) as xid:
            side.send(watcher.destination, *THREE, mode=mode)
        expect.equal("the vote", vote(side.resource, xid), "XA_OK")
        _nothing_yet(watcher, "while the branch is prepared", mode)
        with branch(side) as next_one:
            side.send(watcher.destination, "of the next branch", mode=mode)
        side.resource.commit(next_one, True)
        just(watcher, ["of the next branch"])
        if commits(case):
            other.resource.commit(xid, False)
        else:
            other.resource.rollback(xid)
        just(watcher, if_committed(case, THREE))
        expect.true("the branch is no longer in doubt", xid not in scan(other.resource), "recover() lists it")


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "browsed", domains=("queue",)))
def test_a_browser_sees_sends_after_their_branch(case: Case) -> None:
    """A browser shows messages of a branch after its commit and not before, and those outside of it all the time."""
    side, sender = branching(case), case.link("auto", consumes=False)
    sender.send("outside")
    seen = ["outside"]  # compared without order, since a NON_PERSISTENT message may overtake (6.2.9.2-7)

    def shows(when: str, bodies: Sequence[object]) -> None:
        expect.equal(f"what a browser shows {when}", sorted(map(str, bodies)), sorted(seen))

    for (words, finish), mode in product(finishes(case).items(), MODES):
        way = f"{words}, delivery mode {mode}"
        with branch(side) as xid:
            side.send(sender.destination, way, mode=mode)
            shows(f"within the branch, {way}", sender.client.browse(sender.destination))
        shows(f"after its end, {way}", sender.client.browse(sender.destination))
        finish(side.resource, xid)
        seen += map(str, if_committed(case, [way]))
        shows(way, sender.client.browse_until(sender.destination, len(seen)))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "destinations"))
def test_sends_to_several_destinations_follow_their_branch(case: Case) -> None:
    """Twenty messages to each of three destinations, by producers that are closed and by one without a destination, follow the branch."""
    watchers, side = [case.link("auto") for _ in range(3)], branching(case)
    anonymous = side.client.sender()
    for finish in finishes(case).values():
        with branch(side) as xid:
            for text in numbered(20):
                side.send(watchers[0].destination, text)
                anonymous.send(side.client.text(text), to=watchers[1].destination)
                sender = side.client.sender(watchers[2].destination)
                sender.send(side.client.text(text))
                sender.close()
        finish(side.resource, xid)
        with expect.all_of():
            for watcher in watchers:
                with expect.all_of():
                    just(watcher, if_committed(case, numbered(20)))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "no-consumer"))
def test_sends_without_a_consumer_follow_their_branch(case: Case) -> None:
    """What a branch sends to a queue or a durable subscription without a consumer is there for a later one, or is not."""
    with expect.all_of():
        for place in lasting(case):
            place.open().client.close()
            side = branching(case)
            for finish in finishes(case).values():
                with branch(side) as xid:
                    for mode in MODES:
                        side.send(place.destination, *THREE, mode=mode)
                finish(side.resource, xid)
                later = place.open()
                with expect.all_of():
                    just(later, if_committed(case, [*THREE, *THREE]), ordered=False)
                later.client.close()


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "selected"))
def test_sends_that_a_selector_chooses_follow_their_branch(case: Case) -> None:
    """Consumers with a selector get the messages of a branch that it chooses, in order, after the commit only."""
    with expect.all_of():
        for place in places(case, RED):
            watcher, side = place.open(), branching(case)
            for finish in finishes(case).values():
                with branch(side) as xid:
                    within = Link(side.client, place.destination, consumes=False)
                    for text in ("red 1", "blue 2", "red 3"):
                        within.put(coloured(within, text))
                finish(side.resource, xid)
                with expect.all_of():
                    expect.arrives(watcher, if_committed(case, ["red 1", "red 3"]))
                    marker = coloured(watcher, "red marker")
                    expect.nothing_before(watcher, "red marker", partial(watcher.put, marker))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "options"))
def test_sends_of_each_priority_follow_their_branch(case: Case) -> None:
    """Messages of each priority and mode, with a time to live and without, are hidden before the end of the branch, and then follow it."""
    watcher, side = case.link("auto"), branching(case)
    sender = side.client.sender(watcher.destination)
    for (way, finish), ttl in product(finishes(case).items(), (0, 3_600_000)):
        texts = []
        with branch(side) as xid:
            for priority, mode in product(range(10), MODES):
                texts.append(f"{priority} {mode}")
                sender.send(side.client.text(texts[-1]), mode=mode, priority=priority, ttl=ttl)
            marker = f"within the branch, {way}"
            expect.nothing_before(watcher, marker, partial(watcher.put, marker, priority=9))
        finish(side.resource, xid)
        just(watcher, if_committed(case, texts), ordered=False)


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "series"))
def test_each_branch_of_a_series_is_decided_by_itself(case: Case) -> None:
    """Every second branch of a session has the outcome that the case is about, the others the contrary; both sorts are kept apart."""
    watcher, side = case.link("auto"), branching(case)
    for number, text in enumerate(numbered(12)):
        with branch(side) as xid:
            side.send(watcher.destination, text)
        decided = side.resource.commit if (number % 2 == 0) is commits(case) else None
        if decided is not None:
            decided(xid, True)
        else:
            side.resource.rollback(xid)
    just(watcher, numbered(12)[0 if commits(case) else 1 :: 2])


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "neighbours"))
def test_branches_of_two_sessions_are_decided_apart(case: Case) -> None:
    """Two sessions work on branches at a time; the first is decided as the case says, the second the other way, which changes neither."""
    watcher, side = case.link("auto"), branching(case)
    other = neighbour(side)
    for way, finish in finishes(case).items():
        with branch(side) as xid, branch(other) as contrary:
            side.send(watcher.destination, f"first {way}")
            other.send(watcher.destination, f"second {way}")
        if commits(case):
            other.resource.rollback(contrary)
        else:
            other.resource.commit(contrary, True)
        just(watcher, [] if commits(case) else [f"second {way}"])
        finish(side.resource, xid)
        just(watcher, if_committed(case, [f"first {way}"]))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "asynchronous", needs="asynchronous sends"))
def test_asynchronous_sends_follow_their_branch(case: Case) -> None:
    """Messages that are sent asynchronously in a branch, and completed in it, are hidden until the commit, and then follow it."""
    watcher, side = case.link("auto"), branching(case)
    sender = side.client.sender(watcher.destination)
    for way, finish in finishes(case).items():
        done = Callbacks(case)
        with branch(side) as xid:
            for text in numbered(10):
                send_async(sender, side.client.text(text), done)
            expect.equal(f"the completions {way}", [call.text for call in done.after(10)], numbered(10))
            _nothing_yet(watcher, f"within the branch, {way}")
        finish(side.resource, xid)
        just(watcher, if_committed(case, numbered(10)))


@asserts("11.3.3-4", "11.3.3-5", "11.3.4-3", variants=outcomes(SENDS, "delayed", needs="delivery delays"))
def test_delayed_sends_follow_their_branch(case: Case) -> None:
    """Messages with a delivery delay come from a committed branch when they are due, and never from one that was rolled back."""
    watcher, side = case.link("auto"), branching(case)
    sender = side.client.sender(watcher.destination).set(delay=case.timing.delay)
    for finish in finishes(case).values():
        for mode in MODES:
            with branch(side) as xid:
                sender.send(side.client.text("delayed"), mode=mode)
            finish(side.resource, xid)
            for _ in if_committed(case, [mode]):
                received = watcher.take()
                expect.true("it comes when it is due", case.now() >= received.jms_delivery_time, "it came too early")
                expect.equal("what came", body(received), "delayed")
            case.pass_time(case.timing.delay, "a delayed message is due by now")
            expect.only(watcher)
