"""Faults of chat rooms on topics."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.arrivals import Exchange, Owners, again, arriving
from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession


def _by_sender(
    patch: Patch, fault: Callable[[StoredDeliveryQueue, StoredMessage, int, bool], list[StoredMessage]]
) -> None:
    """Run `fault` on the arrivals at subscriptions, with the ordinal of each sender's message and whether it is one's own."""
    owners = Owners(patch)
    counted: Counter[tuple[StoredDeliveryQueue, str]] = Counter()

    def arrival(delivery_queue: StoredDeliveryQueue, entry: StoredMessage, _: int) -> list[StoredMessage]:
        counted[delivery_queue, entry.sender] += 1
        ordinal = counted[delivery_queue, entry.sender]
        return fault(delivery_queue, entry, ordinal, owners.sent(delivery_queue, entry))

    arriving(patch, arrival)


@saboteur("pj-chat-1", "the eleventh message of another connection reaches a subscriber after the twelfth")
def _(patch: Patch) -> None:
    exchanges: defaultdict[str, Exchange] = defaultdict(Exchange)

    def fault(
        delivery_queue: StoredDeliveryQueue, entry: StoredMessage, ordinal: int, own: bool
    ) -> list[StoredMessage]:
        if ordinal == 11 and not own:
            return exchanges[entry.sender].hold(delivery_queue, entry)
        return exchanges[entry.sender].release(delivery_queue, entry)

    _by_sender(patch, fault)


@saboteur("pj-chat-2", "a connection does not get the tenth message that it publishes itself")
def _(patch: Patch) -> None:
    _by_sender(patch, lambda _, entry, ordinal, own: [] if own and ordinal == 10 else [entry])


@saboteur("pj-chat-3", "the twenty-second message of a connection reaches no other")
def _(patch: Patch) -> None:
    _by_sender(patch, lambda _, entry, ordinal, own: [] if not own and ordinal == 22 else [entry])


@saboteur("pj-chat-4", "a new subscriber gets the last of more than sixty messages of a topic")
def _(patch: Patch) -> None:
    sent: defaultdict[PhysicalDestination, list[StoredMessage]] = defaultdict(list)

    def route(original: Callable[..., Any], broker: Broker, physical: PhysicalDestination, entry: StoredMessage) -> Any:
        sent[physical].append(entry)
        return original(broker, physical, entry)

    def open_plain(original: Callable[..., Receiver], session: ReferenceSession, *arguments: Any) -> Receiver:
        receiver = original(session, *arguments)
        last = sent[receiver.physical]
        if isinstance(receiver.physical, PhysicalTopic) and len(last) > 60:
            with session.broker.lock:
                receiver.delivery_queue.put(again(last[-1], session.broker.next_number()))
        return receiver

    patch.at(fault_points.ROUTED, route)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


@saboteur("pj-chat-5", "the 75th message of a topic reaches the subscribers of the other topics too")
def _(patch: Patch) -> None:
    counted: Counter[PhysicalDestination] = Counter()

    def route(
        original: Callable[..., list[StoredDeliveryQueue]],
        broker: Broker,
        physical: PhysicalDestination,
        entry: StoredMessage,
    ) -> list[StoredDeliveryQueue]:
        found = original(broker, physical, entry)
        counted[physical] += 1
        if counted[physical] == 75 and isinstance(physical, PhysicalTopic):
            others = [one for one in broker.physical_destinations() if isinstance(one, PhysicalTopic)]
            found += [stream for one in others if one is not physical for stream in one.delivery_queues()]
        return found

    patch.at(fault_points.ROUTED, route)


@saboteur("pj-chat-6", "the close of a subscriber leaves its listener on a topic with more than one subscriber")
def _(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        physical = consumer.receiver.physical
        shared_room = isinstance(physical, PhysicalTopic) and len(physical.subscriptions) > 1
        if consumer.listener is None or not shared_room:
            original(consumer)

    around(patch, ReferenceConsumer, "close", close)
