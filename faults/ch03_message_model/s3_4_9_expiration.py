"""Faults in 3.4.9: JMSExpiration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import (
    Marked,
    after_send,
    before_commit,
    received,
    sent_outside_transactions,
    zone_offset,
)
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message

SAME_HEADER = "the case reads the same header on the sender's message"


@saboteur(
    "3.4.9-1",
    "JMSExpiration is the producer's time to live instead of a time",
    collateral=dict.fromkeys(("3.4.9-2", "3.4.9-3", "3.4.9-4"), f"{SAME_HEADER}, in the interface without arguments"),
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if options.time_to_live and options.time_to_live == sender.time_to_live:
            message.jms_expiration = options.time_to_live

    after_send(patch, fault)


@saboteur("3.4.9-2", "commit computes JMSExpiration again")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for _, entry in session.state.work.sends:
            if entry.expiration:
                entry.expiration += session.broker.clock.now() - entry.timestamp

    before_commit(patch, fault)


@saboteur("3.4.9-3", "the local time zone is added to JMSExpiration")
def _(patch: Patch) -> None:
    at_home = zone_offset()

    def stamp_for(original: Callable[..., Stamp], *arguments: Any) -> Stamp:
        stamp = original(*arguments)
        shifted = stamp.expiration + zone_offset() - at_home
        return stamp._replace(expiration=shifted) if stamp.expiration else stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@saboteur("3.4.9-4", "the receiver sees an expiration computed from the time of receipt")
def _(patch: Patch) -> None:
    plain = sent_outside_transactions(patch)

    def expiration(delivery: Delivery) -> int:
        sent = delivery.entry
        if not sent.expiration or sent not in plain:
            return sent.expiration
        return delivery.received_at + sent.expiration - sent.timestamp

    received(patch, "expiration", expiration)


@saboteur("3.4.9-5", "JMSExpiration equals JMSTimestamp where the time to live is 0")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if not options.time_to_live:
            message.jms_expiration = entry.timestamp

    after_send(patch, fault)


def _expiry_ignored(patch: Patch, *, with_consumer: bool) -> None:
    """Ignore expiry of messages that arrived where a consumer was open already, or of those that did not."""
    waited_for, others = Marked(), Marked()

    def note(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        (waited_for if delivery_queue.physical.consumers else others).add(entry)
        original(broker, delivery_queue, entry)

    def ignore(original: Callable[..., bool], broker: Broker, entry: StoredMessage) -> bool:
        return original(broker, entry) and entry not in (waited_for if with_consumer else others)

    patch.at(fault_points.ARRIVED, note)
    patch.at(fault_points.EXPIRY_CHECKED, ignore)


@saboteur("3.4.9-6", "a message that arrives where no consumer is open never expires")
def _(patch: Patch) -> None:
    _expiry_ignored(patch, with_consumer=False)


@saboteur("3.4.9-7", "an expired message is delivered to a consumer that was open when it arrived")
def _(patch: Patch) -> None:
    _expiry_ignored(patch, with_consumer=True)
