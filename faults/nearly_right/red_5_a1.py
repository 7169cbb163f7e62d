"""Red round 5, first group: faults in headers and properties, written without sight of the suite.

Most of them concern a message that is used again: sent twice, sent on after its receipt, delivered again, or read from the
file after a restart.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from faults.kit.common import Prepare, after_send, as_received
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.redelivery import Redelivery
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.destinations import ReferenceTopic
from reference_provider.messages import PropertyValue, ReferenceMessage
from tck.api import Destination, Float, Message, Queue, TemporaryQueue, Topic


def _is_received(message: object) -> bool:
    """Return whether a message is as a consumer got it, its properties not cleared."""
    return isinstance(message, ReferenceMessage) and not message._properties_writable


def _read_from_the_file(patch: Patch, change: Callable[[Broker, StoredMessage], None]) -> None:
    """Change each message that is read from the file: those of before a restart."""
    original = Broker.load_numbers

    def load_numbers(self: Broker, numbers: Iterable[int]) -> list[StoredMessage]:
        entries = original(self, numbers)
        for entry in entries:
            change(self, entry)
        return entries

    patch.replace(Broker, "load_numbers", load_numbers)


@nearly_right(
    "message-sent-twice-in-a-transaction-keeps-its-id",
    "a message object that is sent twice in one transaction has the same JMSMessageID both times",
    "3.4.3-4",
    "3.4.3-1",
)
def _same_id(patch: Patch) -> None:
    def prepare(
        original: Prepare, producer: ReferenceProducer, message: Any, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        earlier = message.jms_message_id if isinstance(message, Message) else None
        physical, entry = original(producer, message, destination, options)
        if earlier is not None and any(sent.message_id == earlier for _, sent in producer.session.state.work.sends):
            entry.message_id = message.jms_message_id = earlier
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


@nearly_right(
    "expiration-of-a-delayed-message-counts-from-its-delivery-time",
    "with a delivery delay and a time to live, JMSExpiration is delivery time plus time to live",
    "3.4.9-1",
)
def _expiration_after_delay(patch: Patch) -> None:
    def stamp_for(
        original: Callable[..., Stamp], producer: ReferenceProducer, physical: PhysicalDestination, options: Options
    ) -> Stamp:
        stamp = original(producer, physical, options)
        if stamp.expiration and options.delivery_delay:
            return stamp._replace(expiration=stamp.expiration + options.delivery_delay)
        return stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@nearly_right(
    "time-to-live-begins-anew-after-a-restart",
    "a message that was stored before a restart expires a whole time to live after it was read again",
    "3.4.9-4",
    "3.4.9-6",
)
def _lives_longer(patch: Patch) -> None:
    def change(broker: Broker, entry: StoredMessage) -> None:
        if entry.expiration and entry.timestamp:
            entry.expiration = broker.clock.now() + entry.expiration - entry.timestamp

    _read_from_the_file(patch, change)


@nearly_right(
    "reply-queue-of-a-topic-message-is-a-topic",
    "JMSReplyTo names a queue, but arrives as the topic of that name if the message was sent to a topic",
    "3.4.6-2",
    "3.4.6-1",
)
def _reply_in_the_same_domain(patch: Patch) -> None:
    def change(message: Message, _: Delivery) -> None:
        reply = message.jms_reply_to
        if (
            isinstance(message.jms_destination, Topic)
            and isinstance(reply, Queue)
            and not isinstance(reply, TemporaryQueue)
        ):
            message.jms_reply_to = ReferenceTopic(reply.queue_name)

    as_received(patch, change)


@nearly_right(
    "sent-on-message-keeps-the-first-application",
    "a received message that is sent on keeps the JMSXAppID of its first sender",
    "3.5.9-10",
)
def _first_application(patch: Patch) -> None:
    original = ReferenceMessage.assign_send_properties

    def assign(self: ReferenceMessage, properties: Mapping[str, PropertyValue]) -> None:
        if _is_received(self) and "JMSXAppID" in self._properties:
            properties = {**properties, "JMSXAppID": self._properties["JMSXAppID"]}
        original(self, properties)

    patch.replace(ReferenceMessage, "assign_send_properties", assign)


@nearly_right(
    "sending-on-opens-the-properties",
    "once a received message has been sent on, its properties can be set without clearProperties",
    "3.5.3-2",
)
def _opened(patch: Patch) -> None:
    def fault(_: ReferenceProducer, message: Message, __: StoredMessage, ___: Options) -> None:
        if isinstance(message, ReferenceMessage):
            message._properties_writable = True

    after_send(patch, fault)


@nearly_right(
    "sent-on-message-keeps-its-priority",
    "a received message that is sent on with the default priority keeps the priority it came with",
    "3.4.10-1",
    "3.4.11-8",
)
def _kept_priority(patch: Patch) -> None:
    def prepare(
        original: Prepare, producer: ReferenceProducer, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        if _is_received(message) and options.priority == Message.DEFAULT_PRIORITY:
            options = replace(options, priority=message.jms_priority)
        return original(producer, message, destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)


@nearly_right(
    "rollback-marks-only-its-first-message",
    "of several messages that a rollback gives back only the first is marked as redelivered and counted",
    "3.4.7-1",
    "3.5.11-2",
)
def _first_marked(patch: Patch) -> None:
    def redeliver(original: Callable[..., None], redelivery: Redelivery, deliveries: Sequence[Delivery]) -> None:
        for one in [each for each in deliveries if each.transaction is not None][1:]:
            one.count -= 1
        original(redelivery, deliveries)

    patch.at(fault_points.REDELIVERED, redeliver)


@nearly_right(
    "float-property-is-a-double-after-a-restart",
    "a float property of a message that was stored before a restart is a double afterwards",
    "3.5.4-9",
    "3.5.2-6",
)
def _wider_float(patch: Patch) -> None:
    def change(_: Broker, entry: StoredMessage) -> None:
        properties = {
            name: float(value.value) if isinstance(value, Float) else value
            for name, value in entry.snapshot.properties.items()
        }
        entry.snapshot = entry.snapshot._replace(properties=properties)

    _read_from_the_file(patch, change)


@nearly_right(
    "delayed-message-shows-later-properties",
    "properties that the sender changes after the send reach the receiver if the message has a delivery delay",
    "3.9-2",
    "3.9-3",
)
def _later_properties(patch: Patch) -> None:
    def fault(_: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if isinstance(message, ReferenceMessage) and options.delivery_delay:
            live: Any = ChainMap(message._properties, dict(entry.snapshot.properties))
            entry.snapshot = entry.snapshot._replace(properties=live)

    after_send(patch, fault)
