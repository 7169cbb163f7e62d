"""Faults in 3.4.2: JMSDeliveryMode."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import never_sent, received, with_preset
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from tck.api import DeliveryMode, Message


@saboteur("3.4.2-1", "a JMSDeliveryMode set on the message overrides the producer's")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.delivery_mode = message.jms_delivery_mode = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and message.jms_delivery_mode != Message.DEFAULT_DELIVERY_MODE

    with_preset(patch, "jms_delivery_mode", fault, when=when)


@saboteur("3.4.2-2", "the producer's delivery mode overrides the argument of send")
def _(patch: Patch) -> None:
    def stamp_for(
        original: Callable[..., Stamp], producer: ReferenceProducer, physical: PhysicalDestination, options: Options
    ) -> Stamp:
        return original(producer, physical, options)._replace(delivery_mode=producer.delivery_mode)

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@saboteur(
    "3.4.2-3",
    "JMSDeliveryMode of every received message is PERSISTENT",
    collateral={"3.4.2-1": "the case reads the mode at the receiver too"},
)
def _(patch: Patch) -> None:
    received(patch, "delivery_mode", lambda delivery: DeliveryMode.PERSISTENT)
