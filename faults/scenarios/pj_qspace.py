"""Faults of the tuple space on a queue."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import islice
from typing import Any

from faults.kit.arrivals import arriving, changed
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalQueue, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import JMSException


def _selecting(patch: Patch, fault: Callable[[PhysicalQueue, str, StoredMessage, bool], bool]) -> None:
    """Let `fault` decide whether a selector chooses a message of a queue: the queue, the selector, the message, the truth."""

    def open_receiver(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        physical: PhysicalDestination,
        text: str | None,
        matches: Any,
        subscription: object,
    ) -> Receiver:
        wanted = matches
        if matches is not None and isinstance(physical, PhysicalQueue):
            wanted = lambda entry: fault(physical, str(text), entry, matches(entry))  # noqa: E731 - a predicate
        return original(factory, physical, text, wanted, subscription)

    patch.at(fault_points.SUBSCRIPTION_OPENED, open_receiver)


def _closed_after(patch: Patch, fault: Callable[[StoredDeliveryQueue, int, int], None]) -> None:
    """Run `fault` after the close of a selecting consumer of a queue: how many such closes after messages, how many without."""
    handed: set[object] = set()
    full: Counter[StoredDeliveryQueue] = Counter()
    empty: Counter[StoredDeliveryQueue] = Counter()

    def opened(original: Callable[..., Delivery], state: Any, consumer: object, *arguments: Any) -> Delivery:
        handed.add(consumer)
        return original(state, consumer, *arguments)

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        receiver = consumer.receiver
        was_open = not receiver.closed
        original(consumer)
        if was_open and receiver.matches is not None and isinstance(receiver.physical, PhysicalQueue):
            (full if consumer in handed else empty)[receiver.delivery_queue] += 1
            fault(receiver.delivery_queue, full[receiver.delivery_queue], empty[receiver.delivery_queue])

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _drop_first(delivery_queue: StoredDeliveryQueue) -> None:
    for entry in list(delivery_queue.free_entries())[:1]:
        delivery_queue.take_number(entry.number, entry.priority)


@saboteur("pj-qspace-1", "a selector finds only messages among the first eight of a queue")
def _(patch: Patch) -> None:
    def fault(physical: PhysicalQueue, _: str, entry: StoredMessage, wanted: bool) -> bool:
        reached = islice(physical.delivery_queue.free_entries(), 8)
        return wanted and (not entry.snapshot.properties.get("manufacturer") or entry in list(reached))

    _selecting(patch, fault)


@saboteur("pj-qspace-3", "receiveNoWait with a selector takes another message once two of a queue have matched")
def _(patch: Patch) -> None:
    matched: defaultdict[tuple[object, str | None], int] = defaultdict(int)

    def next_delivery(original: Callable[..., Any], consumer: ReferenceConsumer, timeout: int | None) -> Any:
        delivery = original(consumer, timeout)
        receiver = consumer.receiver
        key = (receiver.physical, receiver.selector)
        if receiver.matches is None or not isinstance(receiver.physical, PhysicalQueue):
            return delivery
        if delivery is None and timeout == 0 and matched[key] == 2:
            with consumer.session.broker.lock:
                receiver.matches = None
                return receiver.take()
        matched[key] += delivery is not None
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("pj-qspace-5", "the third selecting consumer of a queue that got a message loses another at its close")
def _(patch: Patch) -> None:
    dropped: set[StoredDeliveryQueue] = set()

    def fault(delivery_queue: StoredDeliveryQueue, full: int, _: int) -> None:
        if full == 3 and delivery_queue not in dropped:
            dropped.add(delivery_queue)
            _drop_first(delivery_queue)

    _closed_after(patch, fault)


@saboteur("pj-qspace-6", "the fiftieth selecting consumer of a queue that got no message loses one at its close")
def _(patch: Patch) -> None:
    def fault(delivery_queue: StoredDeliveryQueue, _: int, empty: int) -> None:
        if empty == 50:
            _drop_first(delivery_queue)

    _closed_after(patch, fault)


@saboteur("pj-qspace-7", "a selector without text takes a String with digits for a number")
def _(patch: Patch) -> None:
    def fault(_: PhysicalQueue, text: str, entry: StoredMessage, wanted: bool) -> bool:
        digits = any(isinstance(value, str) and value.isdigit() for value in entry.snapshot.properties.values())
        return wanted or ("'" not in text and digits)

    _selecting(patch, fault)


@saboteur("pj-qspace-8", "a selector with keywords in mixed case chooses nothing")
def _(patch: Patch) -> None:
    _selecting(patch, lambda _, text, entry, wanted: wanted and not re.search(r"\b(aNd|oR)\b", text))


@saboteur("pj-qspace-9", "the last byte of a body between 256 bytes and a kibibyte arrives as zero")
def _(patch: Patch) -> None:
    def fault(_: StoredDeliveryQueue, entry: StoredMessage, ordinal: int) -> list[StoredMessage]:
        del ordinal
        body = entry.snapshot.body
        return [changed(entry, body=body[:-1] + b"\0") if isinstance(body, bytes) and 256 < len(body) < 1024 else entry]

    arriving(patch, fault)


@saboteur("pj-qspace-10", "calls on the session of a closed connection raise a plain JMSException")
def _(patch: Patch) -> None:
    def check_open(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if session.closed:
            raise JMSException("the session is closed", "SESSION_CLOSED")
        original(session)

    patch.at(fault_points.SESSION_CHECKED, check_open)
