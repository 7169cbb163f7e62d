"""`python -m benchmarks bridges`: events through two bridges and back, while either side is killed.

Events are pushed into one channel, a bridge sends them to a queue, a second bridge reads there and pushes into another channel, where
they are pulled. Both sides lose their connections at random moments: a channel crashes and is restarted, the provider is killed. Events and
connections are persistent and event acknowledgment is on, so nothing may be lost and nothing reordered. A message that was not acknowledged when its connection was lost
may come twice, marked as redelivered, and so may an event whose send failed: a lost connection does not tell whether the message was stored.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reference_interworking.bridge.factory import ReferenceFactory
from reference_interworking.channel import StandInFactory
from reference_interworking.channel.core import Options
from reference_provider.adapter import open_provider
from tck.interworking import EVENT_RELIABILITY, PERSISTENT, StructuredEvent, event
from tck.interworking.acknowledgment import ACKNOWLEDGMENT, DELIVERY_RELIABILITY, RETRIES, SEQUENCE_NUMBER
from tck.interworking.bridge import (
    Bridge,
    BridgeStatus,
    DestinationType,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import ClientType
from tck.interworking.qos import CONNECTION_RELIABILITY, FIFO_ORDER, ORDER_POLICY
from tck.suite.support.interworking.recorded import recorded

_QUEUE: Final = JMSDestination(DestinationType.QUEUE, "through.bridges")
_RETRIED: Final = 2_500
"""After how many ms the channel has tried a failed call again."""
_QOS: Final = {
    CONNECTION_RELIABILITY: PERSISTENT,
    EVENT_RELIABILITY: PERSISTENT,
    ORDER_POLICY: FIFO_ORDER,
    DELIVERY_RELIABILITY: ACKNOWLEDGMENT,
    RETRIES: 1_000_000,
}


@dataclass(frozen=True, slots=True)
class Crossed:
    """What came out.

    Attributes:
        sent: Number of events that were pushed.
        missing: Those that did not come.
        reordered: Those that came, for the first time, after a later one.
        twice: Those that came more than once as they may: marked as redelivered, or after a failed send.
        unannounced: Those that came more than once without either.
        kills: How often a side was killed.
        seconds: How long it took.
    """

    sent: int
    missing: tuple[int, ...]
    reordered: tuple[int, ...]
    twice: tuple[int, ...]
    unannounced: tuple[int, ...]
    kills: int
    seconds: float

    @property
    def good(self) -> bool:
        """Whether nothing was lost or reordered, and nothing came twice without a reason."""
        return not (self.missing or self.reordered or self.unannounced)

    def __str__(self) -> str:
        return (
            f"{self.sent:,} events through two bridges, {self.kills} kills, {self.seconds:.1f} s "
            f"({self.sent / self.seconds:,.0f} events/s): {len(self.missing)} lost, {len(self.reordered)} reordered, "
            f"{len(self.twice)} came twice as they may, {len(self.unannounced)} without a reason"
        )


def _name(found: StructuredEvent) -> str:
    return found.header.fixed_header.event_name


class _Trap:
    """A filter of the last channel, which passes every event; the provider is killed while it is asked, once for each time it is set."""

    def __init__(self, kill: Callable[[], None]) -> None:
        self._kill = kill
        self.set = False

    def matches(self, event: StructuredEvent) -> bool:  # noqa: ARG002 - whichever it is
        """Kill the provider: the event has been taken, and its message is not acknowledged yet."""
        if self.set:
            self.set = False
            self._kill()
        return True


class _Journey:
    """Two channels, a queue, and the bridges between them; of each thing one."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.provider: Any = open_provider({"clock": "virtual"}, folder)
        channels = StandInFactory(self.provider.clock, Options(tries=1_000_000))
        self._channels = recorded(channels)
        self.first, self.last = (channels.create_channel(_QOS, {})[0] for _ in range(2))
        factory = ReferenceFactory(self._channels, self.provider)
        source, sink = EndpointRole.SOURCE, EndpointRole.SINK
        out = ExternalEndpoint(source, self.first.id, FlowStyle.PUSH, MessageType.STRUCTURED_EVENT)
        into = ExternalEndpoint(sink, _QUEUE, FlowStyle.PUSH, MessageType.JMS_MESSAGE)
        from_ = ExternalEndpoint(source, _QUEUE, FlowStyle.PUSH, MessageType.JMS_MESSAGE)
        back = ExternalEndpoint(sink, self.last.id, FlowStyle.PUSH, MessageType.STRUCTURED_EVENT)
        self.bridges: list[Bridge] = [factory.create_bridge(out, into)[0], factory.create_bridge(from_, back)[0]]
        suppliers: Any = self.first.default_supplier_admin
        self.taking: Any = suppliers.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        self.taking.connect_structured_push_supplier(None)
        admin: Any = self.last.default_consumer_admin
        self.giving: Any = admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
        self.giving.connect_structured_pull_consumer(None)
        self.trap = _Trap(self.provider.kill)
        self.giving.add_filter(self.trap)
        self.came: list[tuple[int, bool]] = []
        for bridge in self.bridges:
            bridge.start_bridge()

    def push(self, number: int) -> None:
        """Push an event whose name is its number."""
        self.taking.push_structured_event(event("d", "t", str(number)))

    def pull(self) -> int:
        """Pull and acknowledge what is there, and return how many events that was."""
        before = len(self.came)
        while (found := self.giving.try_pull_structured_event()) is not None:
            self.came.append((_number(found), _redelivered(found)))
            given = found.field(SEQUENCE_NUMBER)
            self.giving.acknowledge((given.value,) if given else ())
        return len(self.came) - before

    def kill(self) -> None:
        """Kill one side; a channel is brought back at once, or after a moment in which calls fail."""
        side = self.random.choice([self.first, self.last, self.provider])
        if side is self.provider:
            if self.random.random() < 0.5:
                self.trap.set = True
            else:
                side.kill()
            return
        side.crash()
        if self.random.random() < 0.5:
            self.wait(1)
        side.restart()

    def mend(self) -> bool:
        """Start the bridges that have lost a side, as an operator would; return whether there was one."""
        stopped = [bridge for bridge in self.bridges if bridge.get_status() is BridgeStatus.STOPPED]
        for bridge in stopped:
            bridge.start_bridge()
        return bool(stopped)

    def failed(self) -> frozenset[int]:
        """Return the events whose push to the first bridge raised: their messages may have been sent all the same."""
        pushed = self._channels.calls("push_structured_event")
        return frozenset(int(_name(each.events[0])) for each in pushed if each.by_channel and each.error is not None)

    def wait(self, ms: int) -> None:
        """Let time pass, and all that is due happen."""
        self.provider.clock.event().wait(ms)


def carry(events: int, kills: int, seed: int, folder: Path) -> Crossed:
    """Push events, kill sides in between, and say what came out.

    Args:
        events: How many, at least 1.
        kills: How many, spread at random over the events.
        seed: Chooses moments and sides.
        folder: Where the provider keeps its data.
    """
    journey = _Journey(folder, seed)
    moments = set(journey.random.sample(range(events), kills))
    began = time.perf_counter()
    noticed = 0
    with journey.provider.clock.actor():
        for number in range(events):
            journey.push(number)
            if number in moments:
                noticed = number + journey.random.randrange(30)  # the operator comes that many events later
                journey.kill()
            if number >= noticed and journey.mend():
                journey.wait(_RETRIED)
            if number % 50 == 0 or number < noticed:
                journey.wait(1)
                journey.pull()
        idle = 0
        while idle < 3:  # longer than any retry: nothing is on its way
            journey.wait(10_000)
            idle = 0 if journey.mend() or journey.pull() else idle + 1
    seconds = time.perf_counter() - began
    journey.provider.close()
    return _judged(events, kills, journey.came, journey.failed(), seconds)


def _judged(events: int, kills: int, came: list[tuple[int, bool]], failed: Collection[int], seconds: float) -> Crossed:
    seen: set[int] = set()
    reordered, twice, unannounced = list[int](), list[int](), list[int]()
    highest = -1
    for number, redelivered in came:
        if number in seen:
            (twice if redelivered or number in failed else unannounced).append(number)
            continue
        if number < highest:
            reordered.append(number)
        highest = max(highest, number)
        seen.add(number)
    missing = tuple(sorted(set(range(events)) - seen))
    return Crossed(events, missing, tuple(reordered), tuple(twice), tuple(unannounced), kills, seconds)


def _number(found: StructuredEvent) -> int:
    """Return the number of an event: its name, which is a property of the message and a field of the event after that."""
    return next(int(str(each.value.value)) for each in found.filterable_data if each.name == "$event_name")


def _redelivered(found: StructuredEvent) -> bool:
    return any(each.name == "JMSRedelivered" and each.value.value is True for each in found.filterable_data)


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code: 0, or 1 if something was lost, reordered, or came twice without a reason."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks bridges", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="how many events are pushed")
    parser.add_argument("--kills", type=int, default=40, help="how often a side is killed")
    parser.add_argument("--seed", type=int, default=1, help="chooses the moments and the sides")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        crossed = carry(given.events, given.kills, given.seed, Path(folder))
    print(crossed)
    for name in ("missing", "reordered", "unannounced"):
        numbers = getattr(crossed, name)
        if numbers:
            print(f"{name}: {', '.join(map(str, numbers[:20]))}")
    return 0 if crossed.good else 1
