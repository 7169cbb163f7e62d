"""`python -m benchmarks corba`: events through the kit's bridges and JacORB's notification service, one way and then the other.

Where no side is killed, nothing may be lost, come twice, or be reordered. The rate is that of the whole way, from the first send to the last receive, over real sockets.
With `--kills` the service is killed in the middle, again and again. It keeps nothing, so what it had taken and not given is gone, as best effort allows; what
the bridge had taken, or had not been able to give, must be at the queue.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Final

from reference_interworking.bridge.factory import ReferenceFactory
from tck.adapters.corba import jacorb
from tck.adapters.corba.jacorb import open_channels
from tck.adapters.opening import open_provider
from tck.api import JMSContext, Provider
from tck.cli.bridging.counting import counted
from tck.cli.bridging.keeping import Ends, Keeper
from tck.interworking import event
from tck.interworking.bridge import DestinationType, FlowStyle, JMSDestination, MessageType
from tck.interworking.channel import ClientType
from tck.interworking.qos import FIFO_ORDER, ORDER_POLICY, ChannelError
from tck.profile import load_profile

_PATIENCE_MS: Final = 10_000
"""How long a receiver waits for the next event before it takes the rest for lost, in ms."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """The events that came out, of those numbered from 0.

    Attributes:
        way: From where to where.
        sent: How many went in.
        came: The numbers, in the order in which they came.
        seconds: From the first send to the last receive.
    """

    way: str
    sent: int
    came: tuple[int, ...]
    seconds: float

    @property
    def lost(self) -> int:
        """How many did not come."""
        return len(set(range(self.sent)) - set(self.came))

    @property
    def twice(self) -> int:
        """How many came more than once."""
        return sum(count > 1 for count in Counter(self.came).values())

    @property
    def reordered(self) -> int:
        """How many came, for the first time, after a later one."""
        first = list(dict.fromkeys(self.came))
        return sum(number < highest for number, highest in zip(first, accumulate(first, max), strict=True))

    def __str__(self) -> str:
        rate = len(self.came) / self.seconds
        return (
            f"{self.way}: {self.sent:,} events, {self.lost} lost, {self.twice} came twice, {self.reordered} reordered, "
            f"{self.seconds:.1f} s, {rate:,.0f} events/s"
        )


@contextmanager
def _bridged(provider: Provider, direction: str, turn: str = "") -> Iterator[tuple[Any, JMSDestination]]:
    """Run a bridge between a new channel of JacORB and a queue of its own."""
    channels = open_channels(provider.clock)
    place = JMSDestination(DestinationType.QUEUE, f"corba.{direction}{turn}")
    ends = Ends(None, {direction: place}, FlowStyle.PUSH, MessageType.STRUCTURED_EVENT)
    keeper = Keeper(ends, lambda: channels, lambda made: ReferenceFactory(made, provider), print)
    keeper.open()
    try:
        yield channels.get_channel(keeper.channel_id), place
    finally:
        keeper.close()


def _timed(way: str, events: int, send: Callable[[int], object], receive: Callable[[], int | None]) -> Crossed:
    """Send in a thread, and receive until all have come or nothing comes any more."""
    came: list[int] = []
    began = ended = time.perf_counter()
    sender = threading.Thread(target=lambda: [send(number) for number in range(events)], name="sender", daemon=True)
    sender.start()
    while len(came) < events and (number := receive()) is not None:
        came.append(number)
        ended = time.perf_counter()
    sender.join()
    while (number := receive()) is not None:  # one that comes twice
        came.append(number)
    return Crossed(way, events, tuple(came), ended - began)


def to_jms(provider: Provider, events: int) -> Crossed:
    """Push events into a channel, and receive them from the queue."""
    with _bridged(provider, "jms") as (channel, place), provider.connection_factory().create_connection() as connection:
        admin = channel.default_supplier_admin
        pusher = admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        pusher.connect_structured_push_supplier(None)
        session = connection.create_session(transacted=False, session_mode=JMSContext.AUTO_ACKNOWLEDGE)
        consumer = session.create_consumer(session.create_queue(place.name))
        connection.start()

        def receive() -> int | None:
            found = consumer.receive(_PATIENCE_MS)
            return None if found is None else int(found.get_string_property("$event_name") or -1)

        def send(number: int) -> None:
            pusher.push_structured_event(event("d", "t", str(number)))

        return _timed("channel to JMS", events, send, receive)


def to_channel(provider: Provider, events: int) -> Crossed:
    """Send messages to the queue, and pull their events from a channel."""
    with (
        _bridged(provider, "channel") as (channel, place),
        provider.connection_factory().create_connection() as connection,
    ):
        admin = channel.default_consumer_admin
        puller = admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
        puller.set_qos({ORDER_POLICY: FIFO_ORDER})  # JacORB's default mixes events of one priority
        puller.connect_structured_pull_consumer(None)
        session = connection.create_session(transacted=False, session_mode=JMSContext.AUTO_ACKNOWLEDGE)
        producer = session.create_producer(session.create_queue(place.name))
        pause = threading.Event()

        def receive() -> int | None:
            until = time.monotonic() + _PATIENCE_MS / 1000
            while (found := puller.try_pull_structured_event()) is None:
                if time.monotonic() > until:
                    return None
                pause.wait(0.001)
            return int(found.remainder_of_body.value)

        return _timed(
            "JMS to channel", events, lambda number: producer.send(session.create_text_message(str(number))), receive
        )


@dataclass(frozen=True, slots=True)
class Killed:
    """What became of events between which the service was killed.

    Attributes:
        in_service: How many it had taken, and not given.
        by_bridge: How many the bridge lost.
        twice: How many came twice, or were kept though they had crossed.
    """

    in_service: int
    by_bridge: int
    twice: int


def killed_to_jms(provider: Provider, turn: int, after: int) -> Killed:
    """Push events until the service is killed, which it is when a number of them have come."""
    counts: Counter[str] = Counter()
    pushed, came = 0, list[int]()
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session(transacted=False, session_mode=JMSContext.AUTO_ACKNOWLEDGE)
        with _bridged(counted(provider, counts), "jms", f".{turn}") as (channel, place):
            pusher = channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
            pusher.connect_structured_push_supplier(None)
            consumer = session.create_consumer(session.create_queue(place.name))
            connection.start()
            killing = threading.Thread(target=lambda: _kill_after(lambda: counts["jms"] >= after), daemon=True)
            killing.start()
            with contextlib.suppress(ChannelError):
                while True:
                    pusher.push_structured_event(event("d", "t", str(pushed)))
                    pushed += 1
            killing.join()
        while (found := consumer.receive_no_wait() or consumer.receive(100)) is not None:
            came.append(int(found.get_string_property("$event_name") or -1))
    lost = max(0, pushed - len(set(came)))
    return Killed(lost, counts["jms"] - len(set(came)), len(came) - len(set(came)))


def killed_to_channel(provider: Provider, turn: int, after: int, events: int) -> Killed:
    """Send messages, kill the service when a number of them have come, and look what the queue has kept."""
    counts: Counter[str] = Counter()
    pulled = 0
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session(transacted=False, session_mode=JMSContext.AUTO_ACKNOWLEDGE)
        with _bridged(counted(provider, counts), "channel", f".{turn}") as (channel, place):
            puller = channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
            puller.connect_structured_pull_consumer(None)
            queue = session.create_queue(place.name)
            producer = session.create_producer(queue)
            for number in range(events):
                producer.send(session.create_text_message(str(number)))
            killing = threading.Thread(target=lambda: _kill_after(lambda: counts["channel"] >= after), daemon=True)
            killing.start()
            with contextlib.suppress(ChannelError):
                while True:
                    pulled += puller.try_pull_structured_event() is not None
            killing.join()
        consumer = session.create_consumer(queue)
        connection.start()
        kept = list[int]()
        while (found := consumer.receive_no_wait() or consumer.receive(100)) is not None:
            kept.append(int(getattr(found, "text", None) or -1))
    taken = counts["channel"]
    lost = set(range(taken, events)) - set(kept)
    return Killed(max(0, taken - pulled), len(lost), sum(number < taken for number in kept))


def _kill_after(reached: Callable[[], bool]) -> None:
    pause, until = threading.Event(), time.monotonic() + 30
    while not reached() and time.monotonic() < until:  # the bridge may have stopped
        pause.wait(0.001)
    jacorb.kill_service()


def _kills(provider: Provider, name: str, kills: int) -> bool:
    """Kill the service so often, in both ways by turns; return whether the bridge lost anything."""
    chance = Random(kills)
    found = [
        killed_to_channel(provider, turn, chance.randrange(1, 400), 500)
        if turn % 2
        else killed_to_jms(provider, turn, chance.randrange(1, 400))
        for turn in range(kills)
    ]
    in_service, by_bridge, twice = (sum(getattr(each, key) for each in found) for key in Killed.__slots__)
    print(
        f"{name}, {kills} kills: {in_service} gone with the service, {by_bridge} lost by the bridge, {twice} in doubt and kept"
    )
    return bool(by_bridge)


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code: 0, or 1 if something was lost, came twice, or was reordered."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks corba", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="how many go each way")
    parser.add_argument(
        "--kills", type=int, default=0, metavar="N", help="kill the service so often, and carry nothing else"
    )
    parser.add_argument("-p", "--profile", default="reference-realtime", help="the provider on the side of JMS")
    given = parser.parse_args(arguments)
    profile = load_profile(given.profile)
    with tempfile.TemporaryDirectory() as folder, open_provider(profile, Path(folder)) as provider:
        if given.kills:
            return int(_kills(provider, profile.name, given.kills))
        crossed = [way(provider, given.events) for way in (to_jms, to_channel)]
    for each in crossed:
        print(f"{profile.name}, {each}")
    return int(any(each.lost or each.twice or each.reordered for each in crossed))
