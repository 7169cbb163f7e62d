"""Faults in 3.4.13: JMSDeliveryTime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send, before_commit, received, zone_offset
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message

SAME_HEADER = "the case reads the same header on the sender's message"


@saboteur(
    "3.4.13-1",
    "JMSDeliveryTime is the delay instead of a time",
    collateral=dict.fromkeys(("3.4.13-3", "3.4.13-4", "3.4.13-5"), SAME_HEADER),
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if options.delivery_delay:
            message.jms_delivery_time = options.delivery_delay

    after_send(patch, fault)


@saboteur("3.4.13-2", "JMSDeliveryTime is 0 if no delay is set")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if not options.delivery_delay:
            message.jms_delivery_time = 0

    after_send(patch, fault)


@saboteur("3.4.13-3", "the delivery delay starts at the commit")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for _, entry in session.state.work.sends:
            if entry.delivery_time > entry.timestamp:
                entry.delivery_time += session.broker.clock.now() - entry.timestamp

    before_commit(patch, fault)


@saboteur("3.4.13-4", "the local time zone is added to JMSDeliveryTime")
def _(patch: Patch) -> None:
    at_home = zone_offset()

    def write_headers(original: Callable[..., None], message: Message, stamp: Stamp) -> None:
        shifted = stamp.delivery_time + zone_offset() - at_home
        original(message, stamp._replace(delivery_time=shifted))

    patch.at(fault_points.HEADERS_WRITTEN, write_headers)


@saboteur("3.4.13-5", "JMSDeliveryTime of a delayed message is 0 at the receiver")
def _(patch: Patch) -> None:
    def delivery_time(delivery: Delivery) -> int:
        entry = delivery.entry
        return 0 if entry.delivery_time > entry.timestamp else entry.delivery_time

    received(patch, "delivery_time", delivery_time)


@saboteur(
    "3.4.13-6",
    "the delivery delay is ignored on topics",
    collateral={"3.4.13-3": "the case demands that the message does not come before its time"},
)
def _(patch: Patch) -> None:
    def admit(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        if isinstance(delivery_queue.physical, PhysicalTopic) and not delivery_queue.gone:
            broker.offer(delivery_queue, entry)
        else:
            original(broker, delivery_queue, entry)

    patch.at(fault_points.ARRIVED, admit)


@saboteur("3.4.13-7", "a browser shows delayed messages at once")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: ReferenceBrowser) -> Any:  # an iterator of messages
        broker = self.session.broker
        with broker.lock:
            waiting = list(broker.schedule.waiting_for(self._physical.delivery_queue))
            early = [self.session.message_of(self._view(entry)) for entry in waiting]
        return iter([*original(self), *early])

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)
