"""Faults in 3.5.9: the JMSX properties that a provider sets."""

from __future__ import annotations

from typing import Any

from faults.kit.common import after_send, as_received
from faults.kit.declaring import saboteur
from faults.kit.messages import provider_property
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages import ReferenceMessage
from tck.api import Int, Message


@saboteur("3.5.9-9", "JMSXUserID names the receiving user")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if "JMSXUserID" in message._properties:
            session: Any = getattr(delivery.consumer, "session", None)
            message._properties["JMSXUserID"] = session.connection.user

    as_received(patch, fault)


@saboteur("3.5.9-10", "the receiver replaces JMSXAppID by its own")
def _(patch: Patch) -> None:
    provider_property(patch, "JMSXAppID", lambda delivery: "the receiver")


@saboteur("3.5.9-11", "JMSXProducerTXID is the same in all transactions")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Any, entry: StoredMessage, options: Options) -> None:
        if "JMSXProducerTXID" in entry.snapshot.properties:
            one: Any = {"JMSXProducerTXID": "one"}
            message._provider_properties = {**message._provider_properties, **one}
            entry.snapshot = entry.snapshot._replace(properties={**entry.snapshot.properties, **one})

    after_send(patch, fault)


@saboteur("3.5.9-12", "JMSXConsumerTXID is the same in all transactions")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if delivery.transaction is not None:
            message._provider_properties = {**message._provider_properties, "JMSXConsumerTXID": "one"}

    as_received(patch, fault)


@saboteur("3.5.9-13", "JMSXRcvTimestamp equals JMSTimestamp")
def _(patch: Patch) -> None:
    provider_property(patch, "JMSXRcvTimestamp", lambda delivery: delivery.timestamp)


@saboteur("3.5.9-15", "JMSXProducerTXID is missing on the sender's message")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Any, entry: StoredMessage, options: Options) -> None:
        own = message._provider_properties
        message._provider_properties = {name: own[name] for name in own if name != "JMSXProducerTXID"}

    after_send(patch, fault)


@saboteur("3.5.9-16", "a delivery sets JMSXDeliveryCount on the sender's message")
def _(patch: Patch) -> None:
    sent: dict[int, tuple[StoredMessage, Any]] = {}

    def remember(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        sent[id(entry)] = (entry, message)

    def fault(message: Any, delivery: Delivery) -> None:
        _, senders = sent.get(id(delivery.entry), (None, None))
        if isinstance(senders, ReferenceMessage):
            count = {"JMSXDeliveryCount": Int(delivery.count)}
            senders._provider_properties = {**senders._provider_properties, **count}

    after_send(patch, remember)
    as_received(patch, fault)
