"""Faults in 3.4.12: header fields that an administrator overrides."""

from __future__ import annotations

from faults.kit.common import after_send
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from tck.api import Message


@saboteur("3.4.12-2", "JMSPriority shows the client's priority although it is overridden")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_priority = options.priority

    after_send(patch, fault)


@saboteur("3.4.12-3", "JMSDeliveryTime shows the client's delay although it is overridden")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_delivery_time = entry.timestamp + options.delivery_delay

    after_send(patch, fault)
