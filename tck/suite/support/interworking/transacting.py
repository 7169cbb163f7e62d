"""Bridges and channels that route by transactions: the case runs the transaction service, and so sees who did what, and may act at
the steps of a commit.

A *route* is a routing transaction that carries something between the channel and its client.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tck import api
from tck.interworking import StructuredEvent
from tck.interworking.bridge import Bridge, ExternalEndpoint
from tck.interworking.channel import ClientType, Suspendable
from tck.interworking.qos import CONNECTION_RELIABILITY, Properties, PropertiesRefused
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    Restartable,
    Transactional,
    TransactionManagement,
)
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import Broken, Unsupported
from tck.suite.support.interworking.coordinator import Did, Entry, Point, TransactionService
from tck.suite.support.interworking.crossing import PULL, STRUCTURED, WAY, Crossing, body
from tck.suite.support.interworking.recorded import Call

CHANNEL, BRIDGE, CLIENT = "channel", "bridge", "client"
"""The parties of transactions, as the log names them."""
EVENTS, BATCHES = ClientType.STRUCTURED_EVENT, ClientType.SEQUENCE_EVENT
"""What a client of a proxy sends or gets."""
ON, OFF = {ENABLE_TRANSACTION: True}, {ENABLE_TRANSACTION: False}
"""EnableTransaction, as quality of service."""
PERSISTENT: Final = {CONNECTION_RELIABILITY: 1}
"""Quality of service of a connection that outlives a crash of the channel."""
CARRYING: Final = (
    "push_structured_event",
    "push_structured_events",
    "pull_structured_event",
    "pull_structured_events",
    "try_pull_structured_event",
    "try_pull_structured_events",
)
"""The calls that carry events."""
_STEP: Final = 50
"""How long a case waits before it looks again, in ms."""


@dataclass(frozen=True, slots=True)
class Route:
    """A routing transaction that carried something.

    Attributes:
        number: Of the transaction.
        committed: Whether it was committed; None while it has not ended.
        calls: The calls of the channel that carried events in it.
        log: What the parties did in it.
    """

    number: int
    committed: bool | None
    calls: tuple[Call, ...]
    log: tuple[Entry, ...]

    @property
    def events(self) -> list[StructuredEvent]:
        """The events that it carried."""
        return [event for call in self.calls for event in call.events]

    def did(self, *kinds: Did, party: str = "", xa: bool | None = None) -> list[Entry]:
        """Return the steps of some kinds, of one party, or of resources of JMS."""
        return [
            each
            for each in self.log
            if each.did in kinds and party in ("", each.party) and (xa is None or each.xa == xa)
        ]


class Hold:
    """A routing transaction that is stopped when its commit is asked for, after everything in it was done."""

    def __init__(self, case: Case) -> None:
        self._reached, self._go = case.provider.clock.event(), case.provider.clock.event()

    def stop(self, number: int) -> None:
        """Stop the calling thread, which asks for the commit."""
        del number
        self._reached.set()
        self._go.wait(WAY)

    def reached(self) -> None:
        """Wait until a transaction is stopped; none breaks the row."""
        if not self._reached.wait(WAY):
            raise Broken("no routing transaction asked for its commit", expected="a transaction that carries the item")

    def release(self) -> None:
        """Let the transaction go on."""
        self._go.set()


class Routing(Crossing):
    """A crossing with a transaction service of the case.

    Args:
        case: The case.
        xa: Whether the provider takes part.
        channels: Whether the channels get the service.
    """

    def __init__(self, case: Case, *, xa: bool = True, channels: bool = True) -> None:
        self._serves_channels = channels
        self.service = TransactionService(case.provider.clock, case.name("tx"))
        self.current = self.service.current(CLIENT)
        if xa:
            case.presumes("xa")
        super().__init__(case)
        if xa:
            self._hand(self.factory, BRIDGE)

    def prepare_channels(self) -> None:
        """Hand the service to the channels."""
        self.claimed("transactions")
        if self._serves_channels:
            self._hand(self.channels.inner, CHANNEL)

    def _hand(self, factory: object, party: str) -> None:
        if not isinstance(factory, Transactional):
            raise Broken(f"the factory of the {party} has no use_transactions", expected="transactions, as claimed")
        factory.use_transactions(self.service.current(party))

    # -- bridges ---------------------------------------------------------------------------------------------------

    def back(self, type_: Any = STRUCTURED) -> tuple[ExternalEndpoint, ExternalEndpoint]:  # noqa: ANN401 - a MessageType
        """Return the end points of a bridge that the channel pulls."""
        return self.to_channel(type_, PULL)

    def routed(self, points: tuple[ExternalEndpoint, ExternalEndpoint], events: int = 1, timeout: int = 0) -> Any:  # noqa: ANN401 - both a Bridge and a TransactionManagement
        """Make and start a bridge that routes by transactions."""
        made = self.managed(self.offered(points))
        self.calls("enable_transaction", lambda: made.enable_transaction(events, timeout))
        return made

    def managed(self, bridge: Bridge) -> Any:  # noqa: ANN401 - both a Bridge and a TransactionManagement
        """Return a bridge that is a TransactionManagement, as it may be; the case is unsupported otherwise."""
        if not isinstance(bridge, TransactionManagement):
            raise Unsupported("the bridge is no TransactionManagement, as it need not be")
        return bridge

    @contextlib.contextmanager
    def gathered(self) -> Iterator[None]:
        """Let events that are pushed within the block wait for the bridge together."""
        proxies = [each for each in self.own_proxies() if isinstance(each, Suspendable)]
        for each in proxies:
            each.suspend_connection()
        yield
        for each in proxies:
            each.resume_connection()

    def own_proxies(self) -> list[Any]:
        """Return the proxies that bridges are connected to."""
        wanted = {
            id(each.proxy)
            for each in self.recorded(by_channel=False)
            if each.operation.startswith("connect_") and _foreign(each.arguments[0])
        }
        return [each for each in (*self.proxy_suppliers(), *self.proxy_consumers()) if id(each) in wanted]

    def object_of_bridge(self) -> Any:  # noqa: ANN401 - one of four interfaces
        """Return the object that the newest bridge has connected to the channel."""
        found = [
            each.arguments[0]
            for each in self.recorded(by_channel=False)
            if each.operation.startswith("connect_") and _foreign(each.arguments[0])
        ]
        return found[-1]

    # -- what happened ---------------------------------------------------------------------------------------------

    def _carried(self, since_ns: int, until_ns: int | None) -> tuple[Call, ...]:
        found = self.recorded(*CARRYING, by_channel=True)
        return tuple(
            each
            for each in found
            if each.events
            and since_ns <= each.began_ns
            and (until_ns is None or each.began_ns <= until_ns)
            and _foreign(each.target)
        )

    def routes(self) -> list[Route]:
        """Return the routes so far, in order."""
        found = []
        log = self.service.log()
        for begin in (each for each in log if each.did == Did.BEGIN and each.party != CLIENT):
            steps = tuple(each for each in log if each.transaction == begin.transaction)
            ends = [each for each in steps if each.did in (Did.COMMITTED, Did.ROLLED_BACK)]
            calls = self._carried(begin.at_ns, ends[0].at_ns if ends else None)
            if calls:
                committed = ends[0].did == Did.COMMITTED if ends else None
                found.append(Route(begin.transaction, committed, calls, steps))
        return found

    def timeouts(self) -> dict[int, int]:
        """Return for each transaction that the channel has begun the timeout that its thread had set before, in seconds; 0 for none."""
        held: dict[int, int] = {}
        found = {}
        for each in self.service.log(Did.SET_TIMEOUT, Did.BEGIN):
            if each.party == CHANNEL and each.did == Did.SET_TIMEOUT:
                held[each.thread] = each.value
            elif each.party == CHANNEL:
                found[each.transaction] = held.get(each.thread, 0)
        return found

    def committed(self) -> list[Route]:
        """Return the routes that were committed, once those that run have ended."""
        self.until(lambda: all(each.committed is not None for each in self.routes()), "a routing transaction ends")
        return [each for each in self.routes() if each.committed]

    def ended_well(self, count: int = 1) -> None:
        """Wait until so many routes have been committed: a channel tries again when it likes."""
        self.until(
            lambda: sum(bool(each.committed) for each in self.routes()) >= count, f"{count} routes are committed"
        )

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds; a minute without it breaks the row."""
        deadline = self.case.now() + WAY
        while not holds():
            if self.case.now() >= deadline:
                raise Broken(f"it did not happen that {what}", expected=what)
            self.case.pass_time(_STEP, f"until {what}")

    # -- acting at a commit ----------------------------------------------------------------------------------------

    def at(self, point: Point, act: Callable[[int], object], times: int = 1) -> None:
        """Act at a point of the next routes; False at ASKED makes one roll back."""
        left = [times]

        def hook(where: Point, number: int) -> bool:
            begin = next(each for each in self.service.log(Did.BEGIN) if each.transaction == number)
            if where is not point or not left[0] or begin.party == CLIENT or not self._carried(begin.at_ns, None):
                return True
            left[0] -= 1
            return act(number) is not False

        self.service.hooks.append(hook)

    def fail(self, times: int = 1) -> None:
        """Make the next routes roll back when their commit is asked for."""
        self.at(Point.ASKED, lambda _: False, times)

    def hold(self) -> Hold:
        """Stop the next route when its commit is asked for."""
        hold = Hold(self.case)
        self.at(Point.ASKED, hold.stop)
        return hold

    def crash(self) -> None:
        """Crash the channel."""
        self._restartable().crash_channel(self.channel_id)

    def crash_at(self, point: Point, send: Callable[[], object]) -> None:
        """Send an item, crash the channel at a point of the route that carries it, and start it again once the route has ended."""
        before, crashed = len(self.routes()), self.case.provider.clock.event()

        def crash(number: int) -> None:
            del number
            self.crash()
            crashed.set()

        self.at(point, crash)
        send()
        self.until(crashed.is_set, "a routing transaction comes to its commit")
        self.until(lambda: self.routes()[before].committed is not None, "the transaction ends")
        self.restart()

    def restart(self) -> None:
        """Start the channel again."""
        self._restartable().restart_channel(self.channel_id)

    def _restartable(self) -> Restartable:
        inner = self.channels.inner
        if not isinstance(inner, Restartable):
            raise Unsupported("the channels cannot be crashed: their factory has no crash_channel")
        return inner

    # -- ends ------------------------------------------------------------------------------------------------------

    def lasting_supplier(self) -> Any:  # noqa: ANN401 - the proxy of a client that pushes
        """Return a proxy to push events to, which outlives a crash of the channel."""
        proxy = self.supplier()
        proxy.set_qos(PERSISTENT)
        return proxy

    def lasting_consumer(self) -> Any:  # noqa: ANN401 - the proxy of a client that pulls
        """Return a proxy to pull events from, which outlives a crash of the channel with its events."""
        proxy = self.consumer()
        proxy.set_qos(PERSISTENT)
        return proxy

    def arrive(self, wanted: Sequence[object]) -> list[api.Message]:
        """Demand that these come at the destination, by name of the event or by text of the message, and nothing else before a marker."""
        found = self.received(len(wanted))
        self.sender.send("marker")
        found += self.received(1)
        expect.equal("what came at the destination", [seen(each) for each in found], [*wanted, "marker"])
        return found[:-1]

    def nothing_there(self) -> None:
        """Demand that the destination has nothing that a receiver may have."""
        self.arrive([])

    def come(self, consumer: Any, wanted: Sequence[object]) -> None:  # noqa: ANN401 - of `consumer`
        """Demand that events with these bodies, and no others, come at the channel."""
        found = self.pulled(consumer, len(wanted))
        expect.equal("the bodies of the events", [each.remainder_of_body.value for each in found], list(wanted))
        self.none_there(consumer)

    def none_there(self, consumer: Any) -> None:  # noqa: ANN401 - of `consumer`
        """Demand that a proxy has no event now."""
        expect.equal("what else the channel has", consumer.try_pull_structured_event(), None)


def _foreign(client: object) -> bool:
    """Return whether an object is one of a bridge or a noting probe, and no fence."""
    of_suite = type(client).__module__.startswith("tck.suite")
    return client is not None and (not of_suite or hasattr(client, "probe"))


def seen(message: api.Message) -> object:
    """Return the name of the event that a message was, or its body."""
    if message.property_exists("$event_name"):
        return message.get_string_property("$event_name")
    return body(message)


def names(events: Iterable[StructuredEvent]) -> list[str]:
    """Return the names of events."""
    return [each.header.fixed_header.event_name for each in events]


def accepted(target: Any, qos: Properties) -> None:  # noqa: ANN401 - whatever has set_qos
    """Set quality of service; a refusal breaks the row."""
    try:
        target.set_qos(qos)
    except PropertiesRefused as error:
        raise Broken(f"set_qos raised {type(error).__name__}: {error}", expected=f"{qos} is accepted") from error


def administered(routing: Routing, admin: Properties) -> None:
    """Set administrative properties of the channel; a refusal breaks the row."""
    try:
        routing.channel.set_admin(admin)
    except PropertiesRefused as error:
        raise Broken(f"set_admin raised {type(error).__name__}: {error}", expected=f"{admin} is accepted") from error
