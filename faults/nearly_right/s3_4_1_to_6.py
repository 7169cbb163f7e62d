"""Narrow faults of sections 3.4.1 to 3.4.6."""

from faults.kit import *
from faults.nearly_right.shared import *


# Seen in Qpid and Azure clients: the address of a durable subscription is the queue behind it.
@of_round(2)(
    "redelivery-of-a-durable-subscription-names-its-queue",
    "JMSDestination of a message redelivered by a durable subscription is the queue behind the subscription",
    "3.4.1-3 3.10-6",
    by=on_receipt,
)
def _(message, delivery):
    row = getattr(getattr(delivery, "source", None), "subscription", None)
    if message.jms_redelivered and row is not None:
        message.jms_destination = ReferenceQueue(f"subscription.{row}")


# Artemis, in its own names: the address and the queue of the subscription as "address::queue".
@of_round(2)(
    "shared-subscription-in-destination",
    "JMSDestination of a message from a shared subscription names the subscription too",
    "3.4.1-3",
    around=(ReferenceMessage, "restore"),
)
def _(original, self, snapshot, delivery, model):
    original(self, snapshot, delivery, model)
    physical = delivery.source.physical
    if isinstance(physical, PhysicalTopic) and not physical.temporary:
        for one in physical.subscriptions:
            if one.delivery_queue is delivery.source and one.shared and one.key is not None:
                self.jms_destination = ReferenceTopic(f"{physical.destination.name}::{one.key[1]}")


@of_round(3)(
    "shared-durable-shows-its-own-queue",
    "JMSDestination of what a shared durable subscription delivers is a queue with the subscription's name",
    "3.4.1-3",
)
def _(patch):
    """Likely where subscriptions are queues; KxSystems/solace #45 asks which of the two names is shown."""
    original = Delivery.destination.fget

    def destination(self):
        physical = self.source.physical
        subscriptions = physical.subscriptions if isinstance(physical, PhysicalTopic) else ()
        for one in subscriptions:
            if one.delivery_queue is self.source and one.shared and one.durable:
                return ReferenceQueue(one.key[1])
        return original(self)

    patch.replace(Delivery, "destination", property(destination))


# Seen in bridges between brokers: a received message counts as identified already.
@of_round(2)(
    "received-message-sent-on-keeps-its-id",
    "a received message that is sent on keeps its JMSMessageID",
    "3.4.3-4 3.4.3-1",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, *arguments):
    received = isinstance(message, ReferenceMessage) and message._acknowledge is not None
    identifier = message.jms_message_id if received else None
    physical, entry = original(producer, message, *arguments)
    if identifier is not None:
        message.jms_message_id = entry.message_id = identifier
    return physical, entry


@of_round(5)(
    "message-sent-twice-in-a-transaction-keeps-its-id",
    "a message object that is sent twice in one transaction has the same JMSMessageID both times",
    "3.4.3-4 3.4.3-1",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, destination, options):
    earlier = message.jms_message_id if isinstance(message, Message) else None
    physical, entry = original(producer, message, destination, options)
    if earlier is not None and any(sent.message_id == earlier for _, sent in producer.session.state.work.sends):
        entry.message_id = message.jms_message_id = earlier
    return physical, entry


# Seen in ActiveMQ with the TimeStampingBrokerPlugin: the broker stamps what arrives, and so the commit counts.
@of_round(2)(
    "commit-stamps-the-messages",
    "the receiver sees the time of the commit as JMSTimestamp of a message sent in a transaction",
    "3.4.4-4 3.4.4-3",
    at=fault_points.COMMIT,
)
def _(original, session):
    for _, entry in session.state.work.sends:
        if entry.timestamp:
            entry.timestamp = session.broker.clock.now()
    original(session)


@of_round(1)(
    "empty-correlation-id-is-null", "an empty String as JMSCorrelationID arrives as null", "3.4.5-2", by=on_receipt
)
def _(message, _):
    if message.jms_correlation_id == "":
        message.jms_correlation_id = None


@of_round(11)(
    "header-set-on-a-browsed-copy-reaches-the-receiver",
    "JMSCorrelationID set on a message that a browser returned is on the message that a consumer receives later",
    "3.4.5-2 4.1.6-1 3.10-6",
)
def _(patch):
    shown = Notes()
    original = ReferenceMessage.jms_correlation_id

    def message_of(made, session, delivery):
        message = made(session, delivery)
        if isinstance(delivery.consumer, ReferenceBrowser):
            shown.put(message, delivery.entry)
        return message

    def change(message, value):
        original.fset(message, value)
        entry = shown.get(message)
        if entry is not None:
            entry.snapshot = entry.snapshot._replace(correlation=value)

    patch.at(fault_points.MESSAGE_MADE, message_of)
    patch.replace(ReferenceMessage, "jms_correlation_id", property(original.fget, change))


@of_round(14)(
    "fourteen-b-correlation-latin",
    "NON_PERSISTENT messages carry a JMSCorrelationID set as text in Latin-1: other characters become question marks.",
    "3.4.5-2",
    by=after_send,
)
def _(sender, message, entry, options):
    text = entry.snapshot.correlation
    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(text, str):
        entry.snapshot = entry.snapshot._replace(correlation=text.encode("latin-1", "replace").decode("latin-1"))


@of_round(1)(
    "reply-to-lost-on-redelivery", "the second delivery of a message has no JMSReplyTo", "3.4.6-1 3.10-6", by=on_receipt
)
def _(message, _):
    if message.jms_redelivered:
        message.jms_reply_to = None


@of_round(1)(
    "non-persistent-temporary-topic-reply-to-lost",
    "a NON_PERSISTENT message whose JMSReplyTo is a temporary topic arrives without it",
    "3.4.6-1",
    by=on_receipt,
)
def _(message, _):
    if message.jms_delivery_mode == DeliveryMode.NON_PERSISTENT and isinstance(message.jms_reply_to, TemporaryTopic):
        message.jms_reply_to = None


@of_round(14)(
    "fourteen-b-reply-gone-in-repeat",
    "A message of a subscription that is delivered again has lost its JMSReplyTo.",
    "3.4.6-1 3.4.6-2 3.4-1",
    by=as_received,
)
def _(message, delivery):
    if delivery.count > 1 and isinstance(delivery.source.physical, PhysicalTopic):
        message.jms_reply_to = None


# Seen in Qpid JMS: without the annotation of its type a reply destination is taken for one of the consumer's kind.
@of_round(2)(
    "reply-queue-of-a-published-message-becomes-a-topic",
    "a queue as JMSReplyTo of a message published to a topic arrives as topic of that name",
    "3.4.6-2 3.4.6-1",
    by=as_received,
)
@of_round(5)(
    "reply-queue-of-a-topic-message-is-a-topic",
    "JMSReplyTo names a queue, but arrives as the topic of that name if the message was sent to a topic",
    "3.4.6-2 3.4.6-1",
    by=as_received,
)
def _(message, _):
    reply = message.jms_reply_to
    if (
        isinstance(message.jms_destination, Topic)
        and isinstance(reply, Queue)
        and not isinstance(reply, TemporaryQueue)
    ):
        message.jms_reply_to = ReferenceTopic(reply.queue_name)
