"""Faults in 3.4.1: JMSDestination."""

from __future__ import annotations

from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from reference_provider.saboteurs.faults import after_send, never_sent, received
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Destination, Message

SENDERS_DESTINATION = "the case reads JMSDestination on the sender's message"


@saboteur("3.4.1-1", "a JMSDestination set on the message decides where it is sent")
def _(patch: Patch) -> None:
    original = ReferenceProducer.prepare

    def prepare(self: ReferenceProducer, message: Message, destination: Destination, options: Options) -> Any:
        preset = message.jms_destination if never_sent(message) else None
        return original(self, message, preset or destination, options)

    patch.replace(ReferenceProducer, "prepare", prepare)


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
