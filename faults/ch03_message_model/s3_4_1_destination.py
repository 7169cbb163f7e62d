"""Faults in 3.4.1: JMSDestination."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send, never_sent, received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from tck.api import Destination, Message

SENDERS_DESTINATION = "the case reads JMSDestination on the sender's message"


@saboteur("3.4.1-1", "a JMSDestination set on the message decides where it is sent")
def _(patch: Patch) -> None:
    def prepare(
        original: Callable[..., Any],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> Any:
        preset = message.jms_destination if never_sent(message) else None
        return original(producer, message, preset or destination, options)

    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("3.4.1-2", "JMSDestination stays null on the sender's message", collateral={"3.4.1-1": SENDERS_DESTINATION})
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_destination = None

    after_send(patch, fault)


@saboteur("3.4.1-3", "JMSDestination of a message received from a topic is a queue of the same name")
def _(patch: Patch) -> None:
    def destination(delivery: Delivery) -> Destination:
        sent_to = delivery.entry.destination
        return ReferenceQueue(sent_to.name) if isinstance(sent_to, ReferenceTopic) else sent_to

    received(patch, "destination", destination)
