"""`python -m benchmarks corba`: events through the kit's bridges and JacORB's notification service, one way and then the other.

No side is killed, so nothing may be lost, come twice, or be reordered. The rate is that of the whole way, from the first send to the last receive, over real sockets.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from reference_interworking.bridge.factory import ReferenceFactory
from tck.adapters.corba.jacorb import open_channels
from tck.adapters.opening import open_provider
from tck.api import JMSContext, Provider
from tck.cli.bridging.keeping import Ends, Keeper
from tck.interworking import event
from tck.interworking.bridge import DestinationType, FlowStyle, JMSDestination, MessageType
from tck.interworking.channel import ClientType
from tck.interworking.qos import FIFO_ORDER, ORDER_POLICY
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
def _bridged(provider: Provider, direction: str) -> Iterator[tuple[Any, JMSDestination]]:
    """Run a bridge between a new channel of JacORB and a queue of its own."""
    channels = open_channels(provider.clock)
    place = JMSDestination(DestinationType.QUEUE, f"corba.{direction}")
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


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code: 0, or 1 if something was lost, came twice, or was reordered."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks corba", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="how many go each way")
    parser.add_argument("-p", "--profile", default="reference-realtime", help="the provider on the side of JMS")
    given = parser.parse_args(arguments)
    profile = load_profile(given.profile)
    with tempfile.TemporaryDirectory() as folder, open_provider(profile, Path(folder)) as provider:
        crossed = [way(provider, given.events) for way in (to_jms, to_channel)]
    for each in crossed:
        print(f"{profile.name}, {each}")
    return int(any(each.lost or each.twice or each.reordered for each in crossed))
