"""Interworking 2.7.6.1 and 4.3: the properties of transactions, on a channel whose clients are probes of the case."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from tck.interworking import EVENT_RELIABILITY, StructuredEvent, event
from tck.interworking.channel import ClientType
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    MAXIMUM_BATCH_SIZE,
    Properties,
    PropertiesRefused,
)
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    InvalidTransaction,
    TransactionRequired,
)
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.coordinator import Did, Entry
from tck.suite.support.interworking.crossing import PULL, PUSH, numbered
from tck.suite.support.interworking.probing import Probe, of_client
from tck.suite.support.interworking.transacting import (
    BATCHES,
    CHANNEL,
    EVENTS,
    OFF,
    ON,
    Routing,
    accepted,
    administered,
    names,
)

KINDS = (EVENTS, BATCHES)
STYLES = (PUSH, PULL)
RELIABLE = (EVENT_RELIABILITY, CONNECTION_RELIABILITY)
SHORT = 100
"""How long a call of a probe takes, in ms: more than no time, and far below any timeout in seconds."""


class Bare:
    """A channel without a bridge, and a supplier on it.

    Args:
        case: The case.
        admin: The administrative properties that are not 1, or 0 for the timeout; None for a channel as it was made.
    """

    def __init__(self, case: Case, admin: Properties | None = None) -> None:
        self.routing = Routing(case, xa=False)
        if admin is not None:
            single = {TRANSACTION_EVENTS: 1, TRANSACTION_EVENT_SEQUENCES: 1, TRANSACTION_TIMEOUT: 0}
            administered(self.routing, {**single, **admin})
        self.supplier = self.routing.supplier()

    def carry(
        self, kind: ClientType, style: Any, count: int, qos: Properties | None = None, *, delay: int = 0
    ) -> Probe:
        """Let a channel carry numbered events to or from a probe; return it once all have been carried."""
        events = numbered(count)
        probe = Probe(self.routing, events if style == PULL else (), delay=delay)
        proxy = of_client(self.routing, probe, kind, style, qos)
        if style == PUSH:
            proxy.suspend_connection()
            for each in events:
                self.push(self.supplier, each)
            proxy.resume_connection()
        self.routing.until(lambda: len(probe.names) >= count, f"the channel carries {count} events")
        self.routing.case.witness(f"{count} events were carried")
        return probe

    def push(self, proxy: Any, item: StructuredEvent) -> None:
        """Push an event; a refusal breaks the row."""
        self.routing.calls("a push", lambda: proxy.push_structured_event(item))

    def steps(self, *kinds: Did) -> list[Entry]:
        """Return what the channel did with transactions."""
        return [each for each in self.routing.service.log(*kinds) if each.party == CHANNEL]


def sizes(probe: Probe) -> list[int]:
    """Return how many events each committed transaction carried."""
    return [len(group) for within, group in probe.groups if within]


def plain(probe: Probe) -> list[str]:
    """Return the events that were carried without a transaction."""
    return [name for within, group in probe.groups if not within for name in group]


@asserts("iw-2.7.6.1-3", "iw-4.3-1", plain=True)
def test_proxies_that_call_are_clients_of_transactions(case: Case) -> None:
    """With EnableTransaction each event is pushed or pulled within a transaction that the channel begins and commits."""
    for kind, style in product(KINDS, STYLES):
        bare = Bare(case, {})
        probe = bare.carry(kind, style, 2, ON)
        expect.equal("events that were carried without a transaction", plain(probe), [])
        expect.equal("events that were carried within one", sum(sizes(probe)), 2)
        expect.true("the channel begins and commits", bool(bare.steps(Did.BEGIN, Did.ASK_COMMIT)), "it does not")


@asserts("iw-2.7.6.1-4", plain=True)
def test_sequence_proxies_are_recorded(case: Case) -> None:
    """Whether proxies for batches take the property is recorded: text and tables of the document differ."""
    bare = Bare(case)
    bare.carry(EVENTS, PUSH, 1)
    found = []
    for style in STYLES:
        try:
            of_client(bare.routing, Probe(bare.routing), BATCHES, style).set_qos(ON)
        except PropertiesRefused:
            found.append(f"{style.name}: refused")
        else:
            found.append(f"{style.name}: taken")
    expect.record(", ".join(found))


@asserts("iw-2.7.6.1-5", plain=True)
def test_by_default_no_transaction_is_begun(case: Case) -> None:
    """The channel of a new proxy pushes and pulls without transactions."""
    for kind, style in product(KINDS, STYLES):
        bare = Bare(case)
        probe = bare.carry(kind, style, 2)
        expect.equal("events that were carried without a transaction", plain(probe), ["0", "1"])
        expect.equal("transactions that the channel began", len(bare.steps(Did.BEGIN)), 0)


def _taking(bare: Bare, qos: Properties) -> Any:
    proxy = bare.routing.supplier()
    accepted(proxy, qos)
    return proxy


@asserts("iw-2.7.6.1-6", "iw-2.7.6.1-2", plain=True)
def test_an_enabled_proxy_that_is_called_requires_a_transaction(case: Case) -> None:
    """A push or a pull without a transaction is refused with TRANSACTION_REQUIRED; within one it takes effect at the commit."""
    bare = Bare(case)
    current, consumer = bare.routing.current, bare.routing.consumer()
    proxy = _taking(bare, ON)
    current.begin()
    bare.push(proxy, event("d", "t", "within"))
    bare.routing.calls("commit of the supplier", current.commit)
    expect.equal("events", names(bare.routing.pulled(consumer, 1)), ["within"])
    expect.raises(TransactionRequired, lambda: proxy.push_structured_event(event("d", "t", "without")), what="a push")
    accepted(consumer, ON)
    expect.raises(TransactionRequired, consumer.try_pull_structured_event, what="a pull")


@asserts("iw-2.7.6.1-7", "iw-2.7.6.1-2", plain=True)
def test_a_default_proxy_that_is_called_has_no_transaction(case: Case) -> None:
    """A push without a transaction is taken; within one it is refused, or is done outside of it whatever its end."""
    bare = Bare(case)
    current, consumer = bare.routing.current, bare.routing.consumer()
    bare.push(bare.supplier, event("d", "t", "without"))
    expect.equal("events", names(bare.routing.pulled(consumer, 1)), ["without"])
    current.begin()
    try:
        bare.supplier.push_structured_event(event("d", "t", "within"))
    except InvalidTransaction:
        refused = True
    else:
        refused = False
    current.rollback()
    if not refused:
        expect.equal("what was pushed", names(bare.routing.pulled(consumer, 1)), ["within"])


def _all_proxies(admin: Any, *, consumers: bool) -> list[Any]:
    if consumers:
        made = [(admin.obtain_notification_push_supplier, admin.obtain_notification_pull_supplier)[at] for at in (0, 1)]
    else:
        made = [(admin.obtain_notification_push_consumer, admin.obtain_notification_pull_consumer)[at] for at in (0, 1)]
    return [make(kind)[0] for make in made for kind in KINDS]


def _enabled(targets: Iterable[Any]) -> list[object]:
    return [each.get_qos().get(ENABLE_TRANSACTION) for each in targets]


@asserts("iw-2.7.6.1-9", plain=True)
def test_a_channel_enables_its_admins_and_their_proxies(case: Case) -> None:
    """Set on the channel, the property shows on all admins and proxies, made before or after."""
    channel: Any = Bare(case).routing.channel
    admins = [(channel.default_consumer_admin, True), (channel.default_supplier_admin, False)]
    admins += [(channel.new_for_consumers()[0], True), (channel.new_for_suppliers()[0], False)]
    targets = [proxy for admin, consumers in admins for proxy in _all_proxies(admin, consumers=consumers)]
    accepted(channel, ON)
    targets += [admin for admin, _ in admins]
    expect.equal("EnableTransaction", _enabled([channel, *targets]), [True] * (1 + len(targets)))


def _reliabilities(proxy: Any) -> list[object]:
    return [proxy.get_qos().get(each) for each in RELIABLE]


@asserts("iw-2.7.6.1-11", plain=True)
def test_enabling_makes_reliable(case: Case) -> None:
    """With EnableTransaction both EventReliability and ConnectionReliability are Persistent."""
    for kind, style in product(KINDS, STYLES):
        routing = Bare(case).routing
        proxy = of_client(routing, Probe(routing), kind, style, ON)
        expect.equal("EventReliability and ConnectionReliability", _reliabilities(proxy), [1, 1])


@asserts("iw-2.7.6.1-12", plain=True)
def test_disabling_makes_best_effort(case: Case) -> None:
    """Once EnableTransaction is disabled again both are BestEffort."""
    routing = Bare(case).routing
    proxy = of_client(routing, Probe(routing), EVENTS, PUSH, ON)
    expect.equal("EnableTransaction", _enabled([proxy]), [True])
    accepted(proxy, OFF)
    expect.equal("EventReliability and ConnectionReliability", _reliabilities(proxy), [0, 0])


@asserts("iw-2.7.6.1-13", plain=True)
def test_the_reliability_of_a_bridge_that_was_enabled_is_recorded(case: Case) -> None:
    """Enabling and disabling leaves a connection with a queue that needs a persistent one; which rule wins is recorded."""
    routing = Routing(case)
    bridge = routing.routed(routing.to_jms())
    routing.supplier().push_structured_event(numbered(1)[0])
    routing.arrive(["0"])
    routing.until(lambda: all(each.committed for each in routing.routes()), "the transaction ends")
    routing.calls("disable_transaction", bridge.disable_transaction)
    found = routing.own_proxies()[0].get_qos().get(CONNECTION_RELIABILITY)
    expect.record(f"ConnectionReliability is {found} afterwards")


@asserts("iw-2.7.6.1-15", plain=True)
def test_the_number_of_events_is_for_single_events(case: Case) -> None:
    """TransactionEvents groups what is pushed and pulled one by one, and leaves batches as they are."""
    for style in STYLES:
        expect.equal("single events", sizes(Bare(case, {TRANSACTION_EVENTS: 2}).carry(EVENTS, style, 4, ON)), [2, 2])
        bare = Bare(case, {TRANSACTION_EVENTS: 2})
        expect.equal("batches", sizes(bare.carry(BATCHES, style, 4, {**ON, MAXIMUM_BATCH_SIZE: 1})), [1, 1, 1, 1])


@asserts("iw-2.7.6.1-16", plain=True)
def test_a_transaction_carries_a_number_of_batches(case: Case) -> None:
    """With TransactionEventSequences 2 and batches of three a transaction carries six events."""
    bare = Bare(case, {TRANSACTION_EVENT_SEQUENCES: 2})
    expect.equal("events in transactions", sizes(bare.carry(BATCHES, PUSH, 12, {**ON, MAXIMUM_BATCH_SIZE: 3})), [6, 6])


@asserts("iw-2.7.6.1-17", plain=True)
def test_the_number_of_batches_is_for_batches(case: Case) -> None:
    """TransactionEventSequences groups batches that are pushed and pulled, and leaves single events as they are."""
    for style in STYLES:
        bare = Bare(case, {TRANSACTION_EVENT_SEQUENCES: 2})
        expect.equal("single events", sizes(bare.carry(EVENTS, style, 4, ON)), [1, 1, 1, 1])
        bare = Bare(case, {TRANSACTION_EVENT_SEQUENCES: 2})
        expect.equal("batches", sizes(bare.carry(BATCHES, style, 4, {**ON, MAXIMUM_BATCH_SIZE: 1})), [2, 2])


@asserts("iw-2.7.6.1-18", plain=True)
def test_the_timeout_is_in_seconds(case: Case) -> None:
    """A transaction that takes a tenth of a second is not ended by a timeout of some seconds."""
    for kind in KINDS:
        bare = Bare(case, {TRANSACTION_TIMEOUT: 20})
        bare.carry(kind, PUSH, 1, ON, delay=SHORT)
        expect.equal("transactions that were rolled back", len(bare.steps(Did.ROLLED_BACK)), 0)


@asserts("iw-2.7.6.1-22", plain=True)
def test_proxies_that_are_called_heed_no_number_and_no_timeout(case: Case) -> None:
    """With all three set, suppliers push and consumers pull as before, also in a transaction that lasts longer."""
    bare = Bare(case, {TRANSACTION_TIMEOUT: 1, TRANSACTION_EVENTS: 3, TRANSACTION_EVENT_SEQUENCES: 3})
    current, consumer = bare.routing.current, bare.routing.consumer()
    proxy = _taking(bare, ON)
    current.begin()
    bare.push(proxy, event("d", "t", "0"))
    case.pass_time(1_000 + SHORT, "a timeout of a second that is not for suppliers passes")
    bare.push(proxy, event("d", "t", "1"))
    bare.routing.calls("commit of the supplier", current.commit)
    bare.push(bare.supplier, event("d", "t", "2"))
    expect.equal("events", sorted(names(bare.routing.pulled(consumer, 3))), ["0", "1", "2"])


@asserts("iw-2.7.6.1-23", plain=True)
def test_set_qos_and_set_admin_are_enough(case: Case) -> None:
    """All four properties are set with the operations that channels have, and told by them."""
    channel = Bare(case).routing.channel
    accepted(channel, ON)
    wanted = {TRANSACTION_EVENTS: 3, TRANSACTION_EVENT_SEQUENCES: 4, TRANSACTION_TIMEOUT: 5}
    routing = Routing(case, xa=False)
    administered(routing, wanted)
    expect.equal("EnableTransaction", _enabled([channel]), [True])
    admin = routing.channel.get_admin()
    expect.equal("properties of administration", {each: admin.get(each) for each in wanted}, wanted)
