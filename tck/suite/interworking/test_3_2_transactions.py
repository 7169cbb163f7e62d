"""Interworking 3.2.1 and 2.7.6.2: the interface by which a bridge switches routing transactions on and off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck.interworking import event
from tck.interworking.bridge import Bridge
from tck.interworking.qos import MAXIMUM_BATCH_SIZE, PropertiesRefused
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    InvalidTransaction,
    TransactionActive,
    TransactionAlreadyActive,
    TransactionManagement,
    TransactionRequired,
    UnsupportedTransaction,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.coordinator import Did
from tck.suite.support.interworking.crossing import SEQUENCE, STRUCTURED, numbered
from tck.suite.support.interworking.transacting import CHANNEL, ON, Routing


def managed(case: Case, type_: Any = STRUCTURED) -> tuple[Routing, Any, Any]:
    """Return a crossing to JMS, its bridge without transactions, and a supplier."""
    routing = Routing(case)
    bridge = routing.managed(routing.offered(routing.to_jms(type_)))
    return routing, bridge, routing.supplier()


def enabled(routing: Routing, bridge: Any, events: int = 1, timeout: int = 0) -> None:
    """Switch routing transactions on."""
    routing.calls("enable_transaction", lambda: bridge.enable_transaction(events, timeout))


def crosses(routing: Routing, supplier: Any, name: str) -> None:
    """Carry an event."""
    supplier.push_structured_event(event("d", "t", name))
    routing.arrive([name])


def begun(routing: Routing) -> int:
    """Return how many transactions the channel has begun."""
    return sum(each.party == CHANNEL for each in routing.service.log(Did.BEGIN))


def held(routing: Routing, supplier: Any, name: str) -> Any:
    """Carry an event in a route that does not go on to its commit."""
    hold = routing.hold()
    supplier.push_structured_event(event("d", "t", name))
    hold.reached()
    routing.case.witness("a routing transaction is active")
    return hold


def shown(routing: Routing, what: str) -> set[object]:
    """Return a property of the proxies of the bridge."""
    return {each.get_qos().get(what) for each in routing.own_proxies()}


@asserts("iw-2.7.6.2-1", "iw-3.2.1-1", plain=True)
def test_a_bridge_may_manage_transactions(case: Case) -> None:
    """A bridge is a TransactionManagement or is none; one that is has its operations."""
    routing = Routing(case)
    bridge: Bridge = routing.offered(routing.to_jms())
    routing.supplier().push_structured_event(numbered(1)[0])
    routing.arrive(["0"])
    if isinstance(bridge, TransactionManagement):
        enabled(routing, bridge)
        routing.calls("disable_transaction", bridge.disable_transaction)
        expect.record("the bridge is a TransactionManagement")
    else:
        expect.record("the bridge is no TransactionManagement")


@asserts("iw-2.7.6.2-2", "iw-3.2.1.1-1", plain=True)
def test_enabling_lets_the_channel_route_by_transactions(case: Case) -> None:
    """Before there is no transaction; afterwards each event has one, and one that is rolled back leaves it in the queue."""
    routing, bridge, supplier = managed(case)
    crosses(routing, supplier, "before")
    expect.equal("transactions before", begun(routing), 0)
    enabled(routing, bridge)
    routing.fail()
    supplier.push_structured_event(event("d", "t", "after"))
    routing.ended_well()
    routing.arrive(["after"])
    expect.equal("how routes ended", [each.committed for each in routing.routes()], [False, True])


@asserts("iw-2.7.6.2-3", "iw-3.2.1.1-3", plain=True)
def test_an_enabled_bridge_requires_a_transaction(case: Case) -> None:
    """A call of the bridge's object without a transaction is refused with TRANSACTION_REQUIRED, after calls in one worked."""
    routing, bridge, supplier = managed(case)
    enabled(routing, bridge)
    crosses(routing, supplier, "within")
    pushed = routing.object_of_bridge()
    without = event("d", "t", "without")
    expect.raises(TransactionRequired, lambda: pushed.push_structured_event(without), what="a push to the bridge")
    routing.nothing_there()


@asserts("iw-2.7.6.2-3", "iw-3.2.1.1-3", plain=True, variant="pulled")
def test_an_enabled_bridge_that_is_pulled_requires_a_transaction(case: Case) -> None:
    """A pull from the bridge's object without a transaction is refused with TRANSACTION_REQUIRED."""
    routing = Routing(case)
    consumer = routing.consumer()
    routing.routed(routing.back())
    routing.sender.send("within")
    routing.come(consumer, ["within"])
    pulled = routing.object_of_bridge()
    expect.raises(TransactionRequired, pulled.try_pull_structured_event, what="a pull from the bridge")


@asserts("iw-3.2.1.1-2", plain=True)
def test_enabling_sets_the_property(case: Case) -> None:
    """EnableTransaction of the bridge's proxy is true afterwards, in both directions."""
    for to_jms in (True, False):
        routing = Routing(case)
        routing.routed(routing.to_jms() if to_jms else routing.back())
        expect.equal("EnableTransaction of the proxy", shown(routing, ENABLE_TRANSACTION), {True})


@asserts("iw-3.2.1.1-6", plain=True)
def test_batches_times_their_size_are_the_events(case: Case) -> None:
    """With batches of three and the argument 2 one transaction moves six events."""
    routing, bridge, supplier = managed(case, SEQUENCE)
    for each in routing.own_proxies():
        each.set_qos({MAXIMUM_BATCH_SIZE: 3})
    enabled(routing, bridge, 2)
    with routing.gathered():
        for each in numbered(6):
            supplier.push_structured_event(each)
    routing.ended_well()
    routing.received(6)
    expect.equal("events of transactions", [len(each.events) for each in routing.committed()], [6])


def _without_transactions(case: Case) -> Any:
    """Return a bridge whose channel has no transactions."""
    routing = Routing(case, channels=False)
    bridge = routing.managed(routing.offered(routing.to_jms()))
    try:
        routing.consumer().set_qos(ON)
    except PropertiesRefused:
        case.witness("a channel has no transactions")
        return bridge
    raise Unsupported("the channel has transactions of its own, whatever service it is handed")


@asserts("iw-3.2.1.1-8", plain=True)
def test_a_channel_without_transactions_is_told(case: Case) -> None:
    """enable_transaction raises UnsupportedTransaction if the channel has none."""
    bridge = _without_transactions(case)
    expect.raises(UnsupportedTransaction, lambda: bridge.enable_transaction(1, 0), what="enable_transaction")


@asserts("iw-3.2.1-2", plain=True)
def test_signatures_and_exceptions(case: Case) -> None:
    """Two numbers enable, nothing disables, and each of the three exceptions is raised where it belongs."""
    routing, bridge, supplier = managed(case)
    enabled(routing, bridge, 1, 0)
    hold = held(routing, supplier, "0")
    expect.raises(TransactionAlreadyActive, lambda: bridge.enable_transaction(1, 0), what="enable_transaction")
    expect.raises(TransactionActive, bridge.disable_transaction, what="disable_transaction")
    hold.release()
    routing.arrive(["0"])
    bare = _without_transactions(case)
    expect.raises(UnsupportedTransaction, lambda: bare.enable_transaction(1, 0), what="enable_transaction")


@asserts("iw-3.2.1.1-9", plain=True)
def test_a_transaction_that_is_active_is_not_disturbed(case: Case) -> None:
    """enable_transaction in a routing transaction raises TransactionAlreadyActive, and the transaction commits all the same."""
    routing, bridge, supplier = managed(case)
    enabled(routing, bridge)
    hold = held(routing, supplier, "0")
    expect.raises(TransactionAlreadyActive, lambda: bridge.enable_transaction(2, 9), what="enable_transaction")
    hold.release()
    routing.arrive(["0"])
    expect.equal("how routes ended", [each.committed for each in routing.committed()], [True])


def _disabled(case: Case, then: Callable[[Routing, Any], None]) -> None:
    """Carry an event in a transaction, disable, and look."""
    routing, bridge, supplier = managed(case)
    enabled(routing, bridge)
    crosses(routing, supplier, "within")
    expect.equal("transactions of the first event", [each.committed for each in routing.committed()], [True])
    routing.calls("disable_transaction", bridge.disable_transaction)
    then(routing, supplier)


@asserts("iw-3.2.1.2-5", plain=True)
def test_disabling_sets_the_property(case: Case) -> None:
    """EnableTransaction of the bridge's proxy is false after disable_transaction."""

    def look(routing: Routing, supplier: Any) -> None:
        del supplier
        expect.equal("EnableTransaction of the proxy", shown(routing, ENABLE_TRANSACTION), {False})

    _disabled(case, look)


@asserts("iw-3.2.1.2-4", plain=True)
def test_a_disabled_bridge_has_no_transaction(case: Case) -> None:
    """A push without a transaction is taken again; one within is refused, or is done whatever becomes of the transaction."""

    def look(routing: Routing, supplier: Any) -> None:
        crosses(routing, supplier, "without")
        pushed = routing.object_of_bridge()
        routing.current.begin()
        try:
            pushed.push_structured_event(event("d", "t", "in vain"))
        except InvalidTransaction:
            came: list[object] = []
        else:
            came = ["in vain"]
        routing.current.rollback()
        routing.arrive(came)

    _disabled(case, look)


@asserts("iw-3.2.1.2-2", plain=True)
def test_disabling_during_a_transaction_is_told(case: Case) -> None:
    """disable_transaction in a routing transaction raises TransactionActive, and the transaction commits all the same."""
    routing, bridge, supplier = managed(case)
    enabled(routing, bridge)
    hold = held(routing, supplier, "0")
    expect.raises(TransactionActive, bridge.disable_transaction, what="disable_transaction")
    hold.release()
    routing.arrive(["0"])
    expect.equal("how routes ended", [each.committed for each in routing.committed()], [True])


@asserts("iw-3.2.1.2-3", plain=True)
def test_disabling_during_a_transaction_holds_for_the_next(case: Case) -> None:
    """After TransactionActive the active transaction is the last: the next event crosses without one."""
    routing, bridge, supplier = managed(case)
    enabled(routing, bridge)
    hold = held(routing, supplier, "0")
    try:
        bridge.disable_transaction()
    except TransactionActive:
        case.witness("disable_transaction raised TransactionActive")
    hold.release()
    routing.arrive(["0"])
    routing.until(lambda: all(each.committed is not None for each in routing.routes()), "the transaction ends")
    before = begun(routing)
    crosses(routing, supplier, "next")
    expect.equal("transactions afterwards", begun(routing) - before, 0)
