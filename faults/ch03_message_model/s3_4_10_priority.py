"""Faults in 3.4.10: JMSPriority."""

from __future__ import annotations

from faults.kit.common import after_send, never_sent, received, with_preset
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery_queue import DeliveryQueue, PriorityLevel
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from tck.api import Message

SAME_HEADER = "the case reads the same header on the sender's message"


@saboteur("3.4.10-1", "a JMSPriority set on the message overrides the producer's")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.priority = message.jms_priority = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and message.jms_priority != Message.DEFAULT_PRIORITY

    with_preset(patch, "jms_priority", fault, when=when)


@saboteur("3.4.10-2", "JMSPriority is always 4 on the sender's message", collateral={"3.4.10-3": SAME_HEADER})
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_priority = Message.DEFAULT_PRIORITY

    after_send(patch, fault)


@saboteur("3.4.10-3", "priority 6 arrives as 5")
def _(patch: Patch) -> None:
    received(patch, "priority", lambda delivery: 5 if delivery.entry.priority == 6 else delivery.entry.priority)


@saboteur("3.4.10-4", "delivery ignores priority")
def _(patch: Patch) -> None:
    original = DeliveryQueue.level

    def level(self: DeliveryQueue, priority: int) -> PriorityLevel:
        return original(self, Message.DEFAULT_PRIORITY)

    patch.replace(DeliveryQueue, "level", level)
