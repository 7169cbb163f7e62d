"""Faults in 3.4.11: the header fields that a send sets."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import Marked, after_send, never_sent, received, with_preset
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.simplified import ReferenceJMSProducer
from reference_provider.messages import ReferenceMessage
from tck.api import Destination, JMSProducer, Message


@saboteur("3.4.11-1", "a synchronous send leaves JMSTimestamp of the sender's message at 0")
def _(patch: Patch) -> None:
    original = ReferenceProducer.send_now

    def send_now(self: ReferenceProducer, message: Message, destination: Destination, options: Options) -> None:
        original(self, message, destination, options)
        if isinstance(message, ReferenceMessage):
            message.jms_timestamp = 0

    patch.replace(ReferenceProducer, "send_now", send_now)


@saboteur("3.4.11-2", "the sender's message gets its id only after the completion callback")
def _(patch: Patch) -> None:
    def call_listener(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        message_id, completion.message.jms_message_id = completion.message.jms_message_id, None
        original(completions, completion)
        completion.message.jms_message_id = message_id

    patch.at(fault_points.COMPLETION_CALLED, call_listener)


@saboteur("3.4.11-9", "send sets no header fields on a message of another implementation")
def _(patch: Patch) -> None:
    def write_headers(original: Callable[..., None], message: Message, stamp: Stamp) -> None:
        if isinstance(message, ReferenceMessage):
            original(message, stamp)

    patch.at(fault_points.HEADERS_WRITTEN, write_headers)


@saboteur("3.4.11-3", "a JMSExpiration in the past, set by the client, takes effect")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.expiration = message.jms_expiration = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and 0 < message.jms_expiration < sender.session.broker.clock.now()

    with_preset(patch, "jms_expiration", fault, when=when)


@saboteur(
    "3.4.11-4",
    "a JMSDeliveryTime set by the client delays delivery",
    collateral={"3.4.11-8": "it demands the same of all four options, delivery time among them"},
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.delivery_time = message.jms_delivery_time = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and message.jms_delivery_time != 0

    with_preset(patch, "jms_delivery_time", fault, when=when)


@saboteur("3.4.11-5", "JMSRedelivered set by the sender arrives at the receiver")
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


@saboteur("3.4.11-8", "a JMSDeliveryMode set on the message replaces the producer's default")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.delivery_mode = message.jms_delivery_mode = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and options.delivery_mode == Message.DEFAULT_DELIVERY_MODE

    with_preset(patch, "jms_delivery_mode", fault, when=when)
