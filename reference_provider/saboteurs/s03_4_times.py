"""Faults in 3.4.4 and 3.4.9 to 3.4.13: timestamp, expiration, priority, what a send sets, overrides, delivery time."""

from __future__ import annotations

import time
from typing import Any

from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.delivery_queue import DeliveryQueue, PriorityLevel
from reference_provider.broker.physical_destinations import PhysicalDestination, PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client import producers
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from reference_provider.saboteurs.faults import (
    Marked,
    after_send,
    before_commit,
    never_sent,
    received,
    sent_outside_transactions,
    with_preset,
)
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import JMSProducer, Message

SAME_HEADER = "the case reads the same header on the sender's message"


# --- 3.4.4 JMSTimestamp ------------------------------------------------------------------------------------------------


@saboteur("3.4.4-1", "a timestamp set by the client is kept")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.timestamp = message.jms_timestamp = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return message.jms_timestamp != 0 and message.jms_message_id is None

    with_preset(patch, "jms_timestamp", fault, when=when)


@saboteur(
    "3.4.4-2",
    "timestamps are in seconds",
    collateral=dict.fromkeys(("3.4.4-1", "3.4.4-3"), "the case demands a time of the send"),
)
def _(patch: Patch) -> None:
    original = ReferenceProducer.timestamp
    patch.replace(ReferenceProducer, "timestamp", lambda self, now: original(self, now) // 1000)


@saboteur("3.4.4-3", "the timestamp is written anew at the commit")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for _, entry in session.state.work.sends:
            entry.timestamp = session.broker.clock.now()

    before_commit(patch, fault)


@saboteur("3.4.4-4", "the receiver sees a timestamp of the broker's clock")
def _(patch: Patch) -> None:
    plain = sent_outside_transactions(patch)

    def timestamp(delivery: Delivery) -> int:
        sent = delivery.entry.timestamp
        return delivery.received_at if sent and delivery.entry in plain else sent

    received(patch, "timestamp", timestamp)


@saboteur("3.4.4-5", "disabled timestamps come out as -1")
def _(patch: Patch) -> None:
    original = ReferenceProducer.timestamp
    patch.replace(ReferenceProducer, "timestamp", lambda self, now: original(self, now) or -1)


@saboteur("3.4.4-6", "with the hint on, the timestamp of the message before is repeated")
def _(patch: Patch) -> None:
    last: dict[int, int] = {}
    honest = ReferenceProducer.timestamp

    def timestamp(self: ReferenceProducer, now: int) -> int:
        return honest(self, now) or last.setdefault(id(self), now)

    patch.replace(ReferenceProducer, "timestamp", timestamp)


@saboteur("3.4.4-8", "a timestamp that is not there counts as 0 in selectors", version="1.0")
def _(patch: Patch) -> None:
    original = StoredMessage.selection

    def selection(self: StoredMessage) -> dict[str, Any]:
        values = original(self)
        if values.get("JMSTimestamp") is None:
            values["JMSTimestamp"] = 0
        return values

    patch.replace(StoredMessage, "selection", selection)


# --- 3.4.9 JMSExpiration -----------------------------------------------------------------------------------------------


@saboteur(
    "3.4.9-1",
    "JMSExpiration is the bare time to live, where it is the producer's own",
    collateral=dict.fromkeys(("3.4.9-2", "3.4.9-3", "3.4.9-4"), f"{SAME_HEADER}, in the interface without arguments"),
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if options.time_to_live and options.time_to_live == sender.time_to_live:
            message.jms_expiration = options.time_to_live

    after_send(patch, fault)


@saboteur("3.4.9-2", "JMSExpiration is computed at the commit")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for _, entry in session.state.work.sends:
            if entry.expiration:
                entry.expiration += session.broker.clock.now() - entry.timestamp

    before_commit(patch, fault)


def _zone_offset() -> int:
    return time.localtime().tm_gmtoff * 1000


@saboteur("3.4.9-3", "the local time zone is added to JMSExpiration")
def _(patch: Patch) -> None:
    at_home = _zone_offset()
    original = ReferenceProducer.expiration

    def expiration(self: ReferenceProducer, now: int, time_to_live: int) -> int:
        honest = original(self, now, time_to_live)
        return honest + _zone_offset() - at_home if honest else 0

    patch.replace(ReferenceProducer, "expiration", expiration)


@saboteur("3.4.9-4", "the receiver sees an expiration computed from the time of arrival")
def _(patch: Patch) -> None:
    plain = sent_outside_transactions(patch)

    def expiration(delivery: Delivery) -> int:
        sent = delivery.entry
        if not sent.expiration or sent not in plain:
            return sent.expiration
        return delivery.received_at + sent.expiration - sent.timestamp

    received(patch, "expiration", expiration)


@saboteur("3.4.9-5", "time to live zero shows an expiration equal to the timestamp")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if not options.time_to_live:
            message.jms_expiration = entry.timestamp

    after_send(patch, fault)


def _expiry_ignored(patch: Patch, *, with_consumer: bool) -> None:
    """Ignore expiry of messages that arrived where a consumer was open already, or of those that did not."""
    waited_for, others = Marked(), Marked()
    arrive = Broker.arrive

    def note(
        self: Broker, physical: PhysicalDestination, entry: StoredMessage, delivery_queues: list[StoredDeliveryQueue]
    ) -> None:
        (waited_for if physical.consumers else others).add(entry)
        arrive(self, physical, entry, delivery_queues)

    is_expired = Broker.is_expired

    def ignore(self: Broker, entry: StoredMessage) -> bool:
        return is_expired(self, entry) and entry not in (waited_for if with_consumer else others)

    patch.replace(Broker, "arrive", note)
    patch.replace(Broker, "is_expired", ignore)


@saboteur("3.4.9-6", "a message without a consumer never expires")
def _(patch: Patch) -> None:
    _expiry_ignored(patch, with_consumer=False)


@saboteur("3.4.9-7", "a message that waits for a consumer already open is handed out although it has expired")
def _(patch: Patch) -> None:
    _expiry_ignored(patch, with_consumer=True)


# --- 3.4.10 JMSPriority ------------------------------------------------------------------------------------------------


@saboteur("3.4.10-1", "a priority set on the message wins over the producer's")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.priority = message.jms_priority = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and message.jms_priority != Message.DEFAULT_PRIORITY

    with_preset(patch, "jms_priority", fault, when=when)


@saboteur(
    "3.4.10-2", "JMSPriority is 4 on the sender's message, whatever was asked", collateral={"3.4.10-3": SAME_HEADER}
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_priority = Message.DEFAULT_PRIORITY

    after_send(patch, fault)


@saboteur("3.4.10-3", "level 6 is folded into level 5")
def _(patch: Patch) -> None:
    received(patch, "priority", lambda delivery: 5 if delivery.entry.priority == 6 else delivery.entry.priority)


@saboteur("3.4.10-4", "priority is never looked at")
def _(patch: Patch) -> None:
    original = DeliveryQueue.level

    def level(self: DeliveryQueue, priority: int) -> PriorityLevel:
        return original(self, Message.DEFAULT_PRIORITY)

    patch.replace(DeliveryQueue, "level", level)


# --- 3.4.11 What a send sets -------------------------------------------------------------------------------------------


@saboteur("3.4.11-3", "an expiration in the past, set by the client, is kept and acted upon")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.expiration = message.jms_expiration = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and 0 < message.jms_expiration < sender.session.broker.clock.now()

    with_preset(patch, "jms_expiration", fault, when=when)


@saboteur(
    "3.4.11-4",
    "delivery is put off to a delivery time set on the message",
    collateral={"3.4.11-8": "it demands the same of all four options, delivery time among them"},
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.delivery_time = message.jms_delivery_time = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and message.jms_delivery_time != 0

    with_preset(patch, "jms_delivery_time", fault, when=when)


@saboteur("3.4.11-5", "the redelivered flag travels with the message from the sender")
def _(patch: Patch) -> None:
    flagged = Marked()

    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if message.jms_redelivered:
            flagged.add(entry)

    after_send(patch, fault)
    received(patch, "redelivered", lambda delivery: delivery.count > 1 or delivery.entry in flagged)


@saboteur("3.4.11-6", "send clears JMSReplyTo on the sender's message")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_reply_to = None

    after_send(patch, fault)


@saboteur("3.4.11-7", "the priority of a JMSProducer is ignored")
def _(patch: Patch) -> None:
    def set_priority(self: ReferenceJMSProducer, priority: int) -> JMSProducer:
        return self

    patch.replace(ReferenceJMSProducer, "set_priority", set_priority)


@saboteur("3.4.11-8", "an option that the producer does not set falls back to the message's: the delivery mode")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.delivery_mode = message.jms_delivery_mode = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and options.delivery_mode == Message.DEFAULT_DELIVERY_MODE

    with_preset(patch, "jms_delivery_mode", fault, when=when)


# --- 3.4.12 Overrides --------------------------------------------------------------------------------------------------


@saboteur("3.4.12-2", "an override is applied, and the header still shows what the client asked for")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_priority = options.priority

    after_send(patch, fault)


@saboteur("3.4.12-3", "an overridden delay is applied, and JMSDeliveryTime still shows what the client asked for")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_delivery_time = entry.timestamp + options.delivery_delay

    after_send(patch, fault)


# --- 3.4.13 JMSDeliveryTime --------------------------------------------------------------------------------------------


@saboteur(
    "3.4.13-1",
    "JMSDeliveryTime is the bare delay",
    collateral=dict.fromkeys(("3.4.13-3", "3.4.13-4", "3.4.13-5"), SAME_HEADER),
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if options.delivery_delay:
            message.jms_delivery_time = options.delivery_delay

    after_send(patch, fault)


@saboteur("3.4.13-2", "JMSDeliveryTime is 0 where no delay is set")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if not options.delivery_delay:
            message.jms_delivery_time = 0

    after_send(patch, fault)


@saboteur("3.4.13-3", "the delay starts to run at the commit")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        for _, entry in session.state.work.sends:
            if entry.delivery_time > entry.timestamp:
                entry.delivery_time += session.broker.clock.now() - entry.timestamp

    before_commit(patch, fault)


@saboteur("3.4.13-4", "the local time zone is added to JMSDeliveryTime")
def _(patch: Patch) -> None:
    at_home = _zone_offset()
    original = producers.write_headers

    def write_headers(message: Message, stamp: Stamp) -> None:
        shifted = stamp.delivery_time + _zone_offset() - at_home
        original(message, stamp._replace(delivery_time=shifted))

    patch.replace(producers, "write_headers", write_headers)


@saboteur("3.4.13-5", "the receiver of a delayed message sees 0")
def _(patch: Patch) -> None:
    def delivery_time(delivery: Delivery) -> int:
        entry = delivery.entry
        return 0 if entry.delivery_time > entry.timestamp else entry.delivery_time

    received(patch, "delivery_time", delivery_time)


@saboteur(
    "3.4.13-6",
    "the delay is honoured on queues and ignored on topics",
    collateral={"3.4.13-3": "the case demands that the message does not come before its time"},
)
def _(patch: Patch) -> None:
    original = Broker.admit

    def admit(self: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage) -> None:
        if isinstance(delivery_queue.physical, PhysicalTopic) and not delivery_queue.gone:
            self.offer(delivery_queue, entry)
        else:
            original(self, delivery_queue, entry)

    patch.replace(Broker, "admit", admit)


@saboteur("3.4.13-7", "delayed messages can be browsed at once")
def _(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: ReferenceBrowser) -> Any:  # an iterator of messages
        broker = self.session.broker
        with broker.lock:
            waiting = list(broker.schedule.waiting_for(self._physical.delivery_queue))
            early = [self.session.message_of(self._view(entry)) for entry in waiting]
        return iter([*original(self), *early])

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)
