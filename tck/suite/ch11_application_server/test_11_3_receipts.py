"""11.3.3 and 11.3.4: what is received in a branch is consumed with its commit, and is redelivered after its rollback."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching, neighbour
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import send_coloured
from tck.suite.support.values.colours import BLUE, RED
from tck.suite.support.values.seen import body
from tck.suite.support.xa.manager import Finish, branch, in_one_phase
from tck.suite.support.xa.outcomes import RECEIPTS, commits, finishes, if_committed, outcomes
from tck.suite.support.xa.places import Place, lasting, places
from tck.suite.support.xa.shared import just

MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
FIVE = numbered(5)


def _fill(place: Place, texts: list[str], mode: int) -> None:
    sender = place.sender()
    for text in texts:
        sender.put(text, mode=mode)


def _rounds(case: Case) -> list[tuple[Finish, int]]:
    """Return each way to end a branch with each delivery mode."""
    return list(product(finishes(case).values(), MODES))


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "places"))
def test_receipts_follow_their_branch(case: Case) -> None:
    """Of five messages three are received in a branch: after a commit the other two come next, after a rollback all five do."""
    with expect.all_of():
        for place in places(case):
            with expect.all_of():
                side = place.side()
                link = place.open(side.client)
                for finish, mode in _rounds(case):
                    _fill(place, FIVE, mode)
                    with branch(side) as xid:
                        expect.arrives(link, FIVE[:3], ordered=False, settle=False)
                    finish(side.resource, xid)
                    with branch(side) as xid:
                        wanted = FIVE[3:] if commits(case) else FIVE
                        expect.arrives(link, wanted, ordered=False, settle=False)
                        expect.nothing_before(link, "marker", partial(_fill, place, ["marker"], mode), settle=False)
                    in_one_phase(side.resource, xid)


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "elsewhere"))
def test_receipts_follow_their_branch_to_another_client(case: Case) -> None:
    """After the branch and the close of its connection another client gets what a rollback returned, and nothing that was committed."""
    with expect.all_of():
        for place in lasting(case):
            for finish, mode in _rounds(case):
                side = place.side()
                link = place.open(side.client)
                _fill(place, FIVE, mode)
                with branch(side) as xid:
                    expect.arrives(link, FIVE[:3], ordered=False, settle=False)
                finish(side.resource, xid)
                side.client.close()
                again = place.open()
                with expect.all_of():
                    just(again, FIVE[3:] if commits(case) else FIVE, ordered=False)
                again.client.close()


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "closed-consumer"))
def test_receipts_of_a_closed_consumer_follow_their_branch(case: Case) -> None:
    """A consumer is closed within the branch, after three of five messages: the branch decides on the three all the same."""
    with expect.all_of():
        for place in lasting(case):
            with expect.all_of():
                side = place.side()
                for finish, mode in _rounds(case):
                    link = place.open(side.client)
                    _fill(place, FIVE, mode)
                    with branch(side) as xid:
                        expect.arrives(link, FIVE[:3], ordered=False, settle=False)
                        link.consumer.close()
                    finish(side.resource, xid)
                    link = place.open(side.client)
                    with branch(side) as xid:
                        wanted = FIVE[3:] if commits(case) else FIVE
                        expect.arrives(link, wanted, ordered=False, settle=False)
                        expect.nothing_before(link, "marker", partial(_fill, place, ["marker"], mode), settle=False)
                    in_one_phase(side.resource, xid)
                    link.consumer.close()


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "selected"))
def test_receipts_by_a_selector_follow_their_branch(case: Case) -> None:
    """A consumer with a selector receives in a branch: after a rollback it gets the same messages again, after a commit the next ones."""
    with expect.all_of():
        for place in places(case, RED):
            with expect.all_of():
                side = place.side()
                link = place.open(side.client)
                for finish in finishes(case).values():
                    send_coloured(place.sender(), ["red 1", "blue 2", "red 3"])
                    with branch(side) as xid:
                        expect.arrives(link, ["red 1"], settle=False)
                    finish(side.resource, xid)
                    with branch(side) as xid:
                        wanted = ["red 3"] if commits(case) else ["red 1", "red 3"]
                        expect.arrives(link, wanted, ordered=False, settle=False)
                    in_one_phase(side.resource, xid)


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "several"))
def test_receipts_and_sends_follow_their_branch_together(case: Case) -> None:
    """A branch receives from two destinations and sends to two others: all of it takes effect, or none of it."""
    side, watchers = branching(case), [case.link("auto") for _ in range(2)]
    sources = [case.link(client=side.client) for _ in range(2)]
    senders = [case.link("auto", destination=source.destination, consumes=False) for source in sources]
    for way, finish in finishes(case).items():
        for sender in senders:
            sender.send_all(FIVE)
        with branch(side) as xid:
            for source, watcher in zip(sources, watchers, strict=True):
                expect.arrives(source, FIVE[:3], settle=False)
                side.send(watcher.destination, way)
        finish(side.resource, xid)
        for watcher in watchers:
            just(watcher, if_committed(case, [way]))
        with branch(side) as xid:
            for source in sources:
                expect.arrives(source, FIVE[3:] if commits(case) else FIVE, ordered=False, settle=False)
        in_one_phase(side.resource, xid)


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "no-wait"))
def test_receipts_without_waiting_follow_their_branch(case: Case) -> None:
    """What receiveNoWait() found in a branch follows it, as what receive() returned does."""
    side = branching(case)
    link = case.link(client=side.client)
    sender = case.link("auto", destination=link.destination, consumes=False)
    for finish in finishes(case).values():
        sender.send_all(FIVE[:2])
        with branch(side) as xid:
            expect.equal("what receiveNoWait() found", _found(case, link), FIVE[0])
        finish(side.resource, xid)
        with branch(side) as xid:
            expect.arrives(link, FIVE[1:2] if commits(case) else FIVE[:2], ordered=False, settle=False)
        in_one_phase(side.resource, xid)


@asserts(
    "11.3.4-3",
    variants=outcomes(RECEIPTS, "bodies", apis=("simplified",)),
)
def test_bodies_that_a_context_received_follow_their_branch(case: Case) -> None:
    """What receiveBody() returned in a branch is redelivered after its rollback, and not after its commit."""
    side = branching(case)
    link = case.link(client=side.client)
    consumer: Any = link.consumer
    sender = case.link("auto", destination=link.destination, consumes=False)
    for finish in finishes(case).values():
        sender.send_all(FIVE[:3])
        with branch(side) as xid:
            bodies = [consumer.receive_body(str, int(case.timing.deadline)) for _ in range(2)]
            expect.equal("the bodies", bodies, FIVE[:2])
        finish(side.resource, xid)
        with branch(side) as xid:
            expect.arrives(link, FIVE[2:3] if commits(case) else FIVE[:3], ordered=False, settle=False)
        in_one_phase(side.resource, xid)


def _found(case: Case, link: Link) -> object:
    """Call receiveNoWait() until it finds a message, at most until the profile's deadline; return the body."""
    until = case.now() + case.timing.deadline
    while (message := link.consumer.receive_no_wait()) is None and case.now() < until:
        case.provider.clock.event().wait(case.timing.deadline / 200)
    return body(message)


@asserts("11.3.3-6", "11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "neighbours", domains=("queue",)))
def test_receipts_of_two_sessions_are_decided_apart(case: Case) -> None:
    """Two sessions receive from one queue in branches at a time; one is committed and the other rolled back."""
    side = branching(case)
    other = neighbour(side)
    red = case.link(client=side.client, selector=RED)
    blue = case.link(client=other.client, destination=red.destination, selector=BLUE)
    sender = case.link("auto", destination=red.destination, consumes=False)
    for finish in finishes(case).values():
        send_coloured(sender, ["red", "blue"])
        with branch(side) as xid, branch(other) as contrary:
            expect.arrives(red, ["red"], settle=False)
            expect.arrives(blue, ["blue"], settle=False)
        if commits(case):
            other.resource.rollback(contrary)
        else:
            other.resource.commit(contrary, True)
        finish(side.resource, xid)
        send_coloured(sender, ["red marker", "blue marker"])
        with branch(side) as xid, branch(other) as contrary:
            expect.arrives(red, [*_unless(commits(case), "red"), "red marker"], ordered=False, settle=False)
            expect.arrives(blue, [*_unless(not commits(case), "blue"), "blue marker"], ordered=False, settle=False)
        in_one_phase(side.resource, xid)
        in_one_phase(other.resource, contrary)


def _unless(gone: bool, text: str) -> list[str]:
    return [] if gone else [text]


@asserts("11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "redelivered", endings=("rollback",)))
def test_what_a_rollback_returned_is_marked(case: Case) -> None:
    """After each of four rollbacks, before and after prepare, a message comes with JMSRedelivered; at first it came without."""
    with expect.all_of():
        for place, mode in product(places(case), MODES):
            with expect.all_of():
                side = place.side()
                link = place.open(side.client)
                _fill(place, ["again"], mode)
                for number, finish in enumerate([*finishes(case).values()] * 2):
                    with branch(side) as xid:
                        received: Any = expect.arrival(link)
                        what = f"JMSRedelivered after {number} rollbacks, {place.name}"
                        expect.equal(what, received.jms_redelivered, number > 0)
                    finish(side.resource, xid)
                with branch(side) as xid:
                    expect.true(
                        "it is marked at last", expect.arrival(link).jms_redelivered, "JMSRedelivered was false"
                    )
                in_one_phase(side.resource, xid)
            side.client.close()


@asserts("11.3.3-7", "11.3.4-3", variants=outcomes(RECEIPTS, "order", endings=("rollback",)))
def test_what_a_rollback_returned_comes_completely(case: Case) -> None:
    """Of five messages a branch received three, twice, and was rolled back: all five are redelivered; their order is recorded."""
    orders = set[bool]()
    with expect.all_of():
        for place in places(case):
            with expect.all_of():
                side = place.side()
                link = place.open(side.client)
                place.sender().send_all(FIVE)
                for finish in finishes(case).values():
                    with branch(side) as xid:
                        link.take_all(3)
                    finish(side.resource, xid)
                with branch(side) as xid:
                    came = expect.arrives(link, FIVE, ordered=False, settle=False)
                    orders.add([body(message) for message in came] == FIVE)
                in_one_phase(side.resource, xid)
    expect.record("redelivered in order" if orders == {True} else "redelivered in another order")
