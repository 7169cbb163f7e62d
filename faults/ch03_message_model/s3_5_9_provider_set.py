"""Faults in 3.5.9: the JMSX properties that a provider sets."""

from faults.kit import *


@saboteur("3.5.9-9", "JMSXUserID names the receiving user", by=as_received)
def _(message, delivery):
    if "JMSXUserID" in message._properties:
        session = getattr(delivery.consumer, "session", None)
        message._properties["JMSXUserID"] = session.connection.user


saboteur(
    "3.5.9-10",
    "the receiver replaces JMSXAppID by its own",
    lambda patch: provider_property(patch, "JMSXAppID", lambda delivery: "the receiver"),
)


@saboteur("3.5.9-11", "JMSXProducerTXID is the same in all transactions", by=after_send)
def _(sender, message, entry, options):
    if "JMSXProducerTXID" in entry.snapshot.properties:
        one = {"JMSXProducerTXID": "one"}
        message._provider_properties = {**message._provider_properties, **one}
        entry.snapshot = entry.snapshot._replace(properties={**entry.snapshot.properties, **one})


@saboteur("3.5.9-12", "JMSXConsumerTXID is the same in all transactions", by=as_received)
def _(message, delivery):
    if delivery.transaction is not None:
        message._provider_properties = {**message._provider_properties, "JMSXConsumerTXID": "one"}


saboteur(
    "3.5.9-13",
    "JMSXRcvTimestamp equals JMSTimestamp",
    lambda patch: provider_property(patch, "JMSXRcvTimestamp", lambda delivery: delivery.timestamp),
)


@saboteur("3.5.9-15", "JMSXProducerTXID is missing on the sender's message", by=after_send)
def _(sender, message, entry, options):
    own = message._provider_properties
    message._provider_properties = {name: own[name] for name in own if name != "JMSXProducerTXID"}


@saboteur("3.5.9-16", "a delivery sets JMSXDeliveryCount on the sender's message")
def _(patch):
    sent = {}

    def remember(sender, message, entry, options):
        sent[id(entry)] = (entry, message)

    def fault(message, delivery):
        _, senders = sent.get(id(delivery.entry), (None, None))
        if isinstance(senders, ReferenceMessage):
            count = {"JMSXDeliveryCount": Int(delivery.count)}
            senders._provider_properties = {**senders._provider_properties, **count}

    after_send(patch, remember)
    as_received(patch, fault)
