"""Interworking 2.7.1 to 2.7.5: routing transactions between channel, bridge and JMS, and 2.6 where they meet acknowledgment."""

from __future__ import annotations

from typing import Any

from tck.api import DeliveryMode, Hook
from tck.interworking import EVENT_RELIABILITY, Any_, Kind, event
from tck.interworking.bridge import FlowStyle, InvalidExternalEndPoints, StyleNotOffered
from tck.interworking.qos import MAX_QUEUE_LENGTH, REJECT_NEW_EVENTS, ImpLimit, PropertiesRefused
from tck.interworking.transactions import TransactionManagement, UnsupportedTransaction
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.coordinator import Did, Point
from tck.suite.support.interworking.crossing import PULL, PUSH, SEQUENCE, SINK, SOURCE, STRUCTURED, numbered
from tck.suite.support.interworking.transacting import BRIDGE, CHANNEL, ON, Route, Routing, accepted, names, seen


def there(case: Case, type_: Any = STRUCTURED) -> tuple[Routing, Any]:
    """Return a crossing whose channel pushes within transactions, and a supplier."""
    routing = Routing(case)
    routing.routed(routing.to_jms(type_))
    return routing, routing.lasting_supplier()


def back(case: Case) -> tuple[Routing, Any]:
    """Return a crossing whose channel pulls within transactions, and a consumer."""
    routing = Routing(case)
    consumer = routing.lasting_consumer()
    routing.routed(routing.back())
    return routing, consumer


def crossed(case: Case) -> list[Route]:
    """Carry an item in each direction; return the transactions that carried them."""
    found = []
    routing, supplier = there(case)
    supplier.push_structured_event(event("d", "t", "there"))
    routing.arrive(["there"])
    found += routing.committed()
    routing, consumer = back(case)
    routing.sender.send("back")
    routing.come(consumer, ["back"])
    found += routing.committed()
    expect.equal("transactions that carried an item", len(found), 2)
    return found


def at_fault(route: Route, kinds: tuple[Did, ...], party: str) -> list[str]:
    """Return the steps of some kinds that another party than the one named has done."""
    return [f"{each.party}: {each.did.value}" for each in route.did(*kinds) if each.party != party]


@asserts("iw-2.7.2-3", "iw-2.7.4-1", "iw-2.7.5-1", plain=True)
def test_the_channel_begins_and_commits(case: Case) -> None:
    """Each route is begun by the channel, which asks for its commit; neither bridge nor provider begins or commits one."""
    for route in crossed(case):
        with expect.all_of():
            expect.equal(
                "who begins and commits", at_fault(route, (Did.BEGIN, Did.ASK_COMMIT, Did.ASK_ROLLBACK), CHANNEL), []
            )
            expect.equal("how often it is begun", len(route.did(Did.BEGIN)), 1)
            expect.equal("how often its commit is asked for", len(route.did(Did.ASK_COMMIT)), 1)


@asserts("iw-2.7.2-3", "iw-2.7.4-1", "iw-2.7.5-1", plain=True, variant="parties")
def test_bridge_and_provider_begin_nothing(case: Case) -> None:
    """In the log of all transactions nobody but the channel begins or ends one, also where routes are rolled back."""
    routing, supplier = there(case)
    routing.fail(2)
    for each in numbered(2):
        supplier.push_structured_event(each)
    routing.ended_well(2)
    routing.arrive(["0", "1"])
    ends = routing.service.log(Did.BEGIN, Did.ASK_COMMIT, Did.ASK_ROLLBACK)
    expect.equal("who begins and ends transactions", {each.party for each in ends}, {CHANNEL})


@asserts("iw-2.7.4-2", "iw-2.7.4-3", plain=True)
def test_the_bridge_is_no_resource(case: Case) -> None:
    """The bridge enlists nothing of its own, so that it is asked for no vote and told of no end."""
    for route in crossed(case):
        own = route.did(Did.ENLIST, Did.PREPARE, Did.COMMIT, Did.ROLLBACK, party=BRIDGE, xa=False)
        expect.equal("resources of the bridge", [each.did.value for each in own], [])


@asserts("iw-2.7.1-10", "iw-2.7.5-2", "iw-2.7.5-3", plain=True)
def test_queue_and_provider_are_branches_of_one_transaction(case: Case) -> None:
    """The queue of the channel and the provider take part in one transaction, and both are prepared and committed."""
    for route in crossed(case):
        with expect.all_of():
            with expect.for_row("iw-2.7.1-10"):
                parties = {each.party for each in route.did(Did.ENLIST)}
                expect.equal("whose resources take part", parties, {CHANNEL, BRIDGE})
            with expect.for_row("iw-2.7.5-2"):
                expect.true("the provider takes part", bool(route.did(Did.ENLIST, xa=True)), "it was not enlisted")
            with expect.for_row("iw-2.7.5-3"):
                done = {each.did for each in route.did(Did.PREPARE, Did.COMMIT, xa=True)}
                expect.equal("what the provider was told", done, {Did.PREPARE, Did.COMMIT})


@asserts("iw-2.7.3-1", "iw-2.7.3.1-2", "iw-2.7.3.2-2", plain=True)
def test_the_queue_takes_part_and_the_commit_comes_last(case: Case) -> None:
    """The channel has enlisted its queue by the time it asks for the commit, and asks once all calls have returned."""
    forth, home = crossed(case)
    routes = (("iw-2.7.3.1-2", forth), ("iw-2.7.3.2-2", home), ("iw-2.7.3-1", forth), ("iw-2.7.3-1", home))
    with expect.all_of():
        for row, route in routes:
            with expect.for_row(row):
                asked = route.did(Did.ASK_COMMIT, party=CHANNEL)[0].at_ns
                before = [each for each in route.did(Did.ENLIST, party=CHANNEL) if each.at_ns < asked]
                expect.true("the queue takes part before the commit", bool(before), "it was not enlisted")
                late = [each.operation for each in route.calls if each.ended_ns is None or each.ended_ns > asked]
                expect.equal("calls that end after the commit", late, [])


@asserts("iw-2.7.3.1-1", "iw-2.7.3.2-1", "iw-2.7.5.2-1", plain=True)
def test_the_transaction_goes_along_with_the_call(case: Case) -> None:
    """The bridge, as it is called, finds the transaction of its caller: it enlists the provider in it."""
    forth, home = crossed(case)
    with expect.all_of():
        for row, route in (("iw-2.7.3.1-1", forth), ("iw-2.7.3.2-1", home), ("iw-2.7.5.2-1", home)):
            with expect.for_row(row):
                enlisted = route.did(Did.ENLIST, party=BRIDGE, xa=True)
                expect.true("the bridge enlists the provider", bool(enlisted), "it did not")


@asserts("iw-2.7.1-1", plain=True)
def test_routing_follows_the_transaction_of_the_supplier(case: Case) -> None:
    """An event pushed in a transaction is overtaken by one pushed later without, and is routed after the commit."""
    routing, supplier = there(case)
    within = routing.supplier()
    accepted(within, ON)
    routing.current.begin()
    within.push_structured_event(event("d", "t", "within"))
    coordinator = routing.current.suspend()
    supplier.push_structured_event(event("d", "t", "free"))
    routing.arrive(["free"])
    routing.current.resume(coordinator)
    routing.calls("commit of the supplier", routing.current.commit)
    routing.arrive(["within"])
    ended = next(each for each in routing.service.log(Did.COMMITTED) if each.party == "client")
    begun = routing.committed()[-1].did(Did.BEGIN)[0]
    expect.true("the route begins after the commit of the supplier", begun.at_ns > ended.at_ns, "it began before")


@asserts("iw-2.7.1-2", plain=True)
def test_receiving_follows_routing(case: Case) -> None:
    """While a route has not committed no receiver gets its message; afterwards it comes."""
    routing, supplier = there(case)
    hold = routing.hold()
    supplier.push_structured_event(numbered(1)[0])
    hold.reached()
    routing.nothing_there()
    hold.release()
    routing.arrive(["0"])


@asserts("iw-2.7.1-5", plain=True)
def test_from_jms_each_step_waits_for_the_commit_before_it(case: Case) -> None:
    """A message of an open transaction is not routed, and an event of an open route reaches no consumer."""
    routing, consumer = back(case)
    within = case.link("transacted", destination=routing.place, consumes=False)
    within.put("within")
    routing.sender.send("free")
    routing.come(consumer, ["free"])
    hold = routing.hold()
    within.client.commit()
    hold.reached()
    routing.none_there(consumer)
    hold.release()
    routing.come(consumer, ["within"])


@asserts("iw-2.7.1-3", plain=True)
def test_a_commit_moves_the_data_one_step(case: Case) -> None:
    """After the commit an event is at the destination, and the channel sends it no second time."""
    for type_ in (STRUCTURED, SEQUENCE):
        routing, supplier = there(case, type_)
        for each in numbered(3):
            supplier.push_structured_event(each)
        routing.received(3)
        supplier.push_structured_event(event("d", "t", "last"))
        routing.arrive(["last"])
        carried = [name for each in routing.committed() for name in names(each.events)]
        expect.equal("what committed routes carried", carried, ["0", "1", "2", "last"])


@asserts("iw-2.7.1-4", "iw-2.6-1", "iw-2.7.3.1-4", "iw-2.7.5.1-2", "iw-2.7.5.1-3", plain=True)
def test_a_rollback_puts_events_back(case: Case) -> None:
    """A route that is rolled back leaves nothing at the destination; the event is routed again, once, and never acknowledged."""
    routing, supplier = there(case)
    routing.fail()
    supplier.push_structured_event(numbered(1)[0])
    routing.ended_well()
    supplier.push_structured_event(event("d", "t", "last"))
    routing.ended_well(2)
    routing.arrive(["0", "last"])
    outcomes = [(each.committed, names(each.events)) for each in routing.routes()]
    expect.equal("how routes ended", outcomes, [(False, ["0"]), (True, ["0"]), (True, ["last"])])
    expect.equal("acknowledgments to the channel", len(routing.recorded("acknowledge")), 0)


@asserts("iw-2.7.5.1-3", "iw-2.7.1-4", "iw-2.7.1-7", plain=True, variant="alone")
def test_sending_is_tried_again_without_a_new_event(case: Case) -> None:
    """An event whose route was rolled back three times comes although nothing else is published, between plain clients."""
    routing, supplier = there(case)
    routing.fail(3)
    supplier.push_structured_event(numbered(1)[0])
    routing.ended_well()
    routing.arrive(["0"])
    expect.equal("how routes ended", [each.committed for each in routing.routes()], [False, False, False, True])


@asserts("iw-2.7.3.1-3", plain=True)
def test_events_leave_the_queue_at_the_commit(case: Case) -> None:
    """A queue with room for one event is full while the event's route has not committed, and has room afterwards."""
    routing, supplier = there(case)
    try:
        routing.channel.set_admin({MAX_QUEUE_LENGTH: 1, REJECT_NEW_EVENTS: True})
    except PropertiesRefused as error:
        raise Unsupported(f"the channel has no bounded queue: {error}") from error
    hold = routing.hold()
    supplier.push_structured_event(numbered(1)[0])
    hold.reached()
    expect.raises(
        ImpLimit, lambda: supplier.push_structured_event(event("d", "t", "too much")), what="a push to a full channel"
    )
    hold.release()
    routing.ended_well()
    routing.arrive(["0"])
    routing.calls("a push", lambda: supplier.push_structured_event(event("d", "t", "next")))
    routing.arrive(["next"])


@asserts("iw-2.7.1-8", "iw-2.7.3.2-3", plain=True)
def test_events_outlive_a_crash(case: Case) -> None:
    """What has not been routed is there after a crash of the channel, and what has been routed to the channel is too."""
    routing, supplier = there(case)
    routing.crash_at(Point.ASKED, lambda: supplier.push_structured_event(numbered(1)[0]))
    routing.arrive(["0"])
    routing, consumer = back(case)
    routing.crash_at(Point.ENDED, lambda: routing.sender.send("0"))
    routing.come(consumer, ["0"])


@asserts("iw-2.7.5.1-1", plain=True)
def test_messages_of_a_route_are_durable(case: Case) -> None:
    """Three events of a route are persistent messages; they are there after a restart, where the provider can be restarted."""
    routing = Routing(case)
    routing.routed(routing.to_jms(), events=3)
    supplier = routing.supplier()
    with routing.gathered():
        for each in range(3):
            supplier.push_structured_event(
                event("d", "t", str(each), header={EVENT_RELIABILITY: Any_.of(Kind.SHORT, 1)})
            )
    routing.ended_well()
    if case.domain == "queue" and case.has(Hook.RESTART):
        case.provider.restart()
        kept = case.link(destination=routing.place).take_all(3)
        expect.equal("messages after the restart", [seen(each) for each in kept], ["0", "1", "2"])
        modes = [each.jms_delivery_mode for each in kept]
    else:
        modes = [each.jms_delivery_mode for each in routing.arrive(["0", "1", "2"])]
    expect.equal("their delivery modes", modes, [DeliveryMode.PERSISTENT] * 3)


@asserts("iw-2.7.2-1", plain=True)
def test_transactions_to_jms_are_those_of_a_channel_that_pushes(case: Case) -> None:
    """A bridge that is pushed routes by transactions; one that pulls the channel refuses them, or they have no effect."""
    routing, supplier = there(case)
    supplier.push_structured_event(numbered(1)[0])
    routing.arrive(["0"])
    expect.equal("routes", [each.committed for each in routing.committed()], [True])
    _refused_or_without_effect(Routing(case), FlowStyle.PULL)


def _refused_or_without_effect(routing: Routing, style: FlowStyle) -> str:
    """Enable transactions on a bridge whose channel is pulled; return what came of it."""
    try:
        bridge = routing.factory.create_bridge(routing.channel_end(SOURCE, style), routing.destination(SINK))[0]
    except (StyleNotOffered, InvalidExternalEndPoints):
        return "such bridges are not made"
    if not isinstance(bridge, TransactionManagement):
        return "the bridge is no TransactionManagement"
    try:
        bridge.enable_transaction(1, 0)
    except UnsupportedTransaction:
        return "UnsupportedTransaction"
    except Exception as error:  # noqa: BLE001 - whatever it raises is a refusal
        return f"refused with {type(error).__name__}"
    return "accepted"


@asserts("iw-2.7.2-2", plain=True)
def test_transactions_from_jms_receive_while_the_channel_pulls(case: Case) -> None:
    """In each pull that carries an event the bridge receives it: of two messages none is taken before its own pull."""
    routing, consumer = back(case)
    for text in ("0", "1"):
        routing.sender.send(text)
    routing.come(consumer, ["0", "1"])
    for route in routing.committed():
        expect.true("a route has a branch of JMS with work", bool(route.did(Did.COMMIT, xa=True)), "it has none")


@asserts("iw-2.7.2-4", plain=True)
def test_transactions_of_other_configurations_are_recorded(case: Case) -> None:
    """What enable_transaction does on a bridge that pushes into the channel, or that pulls it, is left open."""
    routing = Routing(case)
    found = {"channel pulled": _refused_or_without_effect(routing, PULL)}
    bridge = routing.bridge(routing.to_channel(STRUCTURED, PUSH))
    consumer = routing.consumer()
    routing.sender.send("0")
    routing.come(consumer, ["0"])
    if isinstance(bridge, TransactionManagement):
        try:
            bridge.enable_transaction(1, 0)
        except Exception as error:  # noqa: BLE001 - whatever it raises is recorded
            found["channel pushed to"] = type(error).__name__
        else:
            found["channel pushed to"] = "accepted"
    else:
        found["channel pushed to"] = "the bridge is no TransactionManagement"
    expect.record("; ".join(f"{key}: {value}" for key, value in found.items()))
