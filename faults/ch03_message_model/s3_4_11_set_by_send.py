"""Faults in 3.4.11: the header fields that a send sets."""

from faults.kit import *


@saboteur(
    "3.4.11-1",
    "a synchronous send leaves JMSTimestamp of the sender's message at 0",
    around=(ReferenceProducer, "send_now"),
)
def _(original, self, message, destination, options):
    original(self, message, destination, options)
    if isinstance(message, ReferenceMessage):
        message.jms_timestamp = 0


@saboteur(
    "3.4.11-2", "the sender's message gets its id only after the completion callback", at=fault_points.COMPLETION_CALLED
)
def _(original, completions, completion):
    message_id, completion.message.jms_message_id = completion.message.jms_message_id, None
    original(completions, completion)
    completion.message.jms_message_id = message_id


@saboteur(
    "3.4.11-9", "send sets no header fields on a message of another implementation", at=fault_points.HEADERS_WRITTEN
)
def _(original, message, stamp):
    if isinstance(message, ReferenceMessage):
        original(message, stamp)


@saboteur("3.4.11-3", "a JMSExpiration in the past, set by the client, takes effect")
def _(patch):
    def fault(sender, message, entry, preset):
        entry.expiration = message.jms_expiration = preset

    def when(sender, message, options):
        return never_sent(message) and 0 < message.jms_expiration < sender.session.broker.clock.now()

    with_preset(patch, "jms_expiration", fault, when=when)


@saboteur(
    "3.4.11-4",
    "a JMSDeliveryTime set by the client delays delivery",
    collateral={"3.4.11-8": "it demands the same of all four options, delivery time among them"},
)
def _(patch):
    def fault(sender, message, entry, preset):
        entry.delivery_time = message.jms_delivery_time = preset

    def when(sender, message, options):
        return never_sent(message) and message.jms_delivery_time != 0

    with_preset(patch, "jms_delivery_time", fault, when=when)


@saboteur("3.4.11-5", "JMSRedelivered set by the sender arrives at the receiver")
def _(patch):
    flagged = Marked()

    def fault(sender, message, entry, options):
        if message.jms_redelivered:
            flagged.add(entry)

    after_send(patch, fault)
    received(patch, "redelivered", lambda delivery: delivery.count > 1 or delivery.entry in flagged)


@saboteur("3.4.11-6", "send clears JMSReplyTo on the sender's message", by=after_send)
def _(sender, message, entry, options):
    message.jms_reply_to = None


@saboteur("3.4.11-7", "the priority of a JMSProducer is ignored")
def _(patch):
    def set_priority(self, priority):
        return self

    patch.replace(ReferenceJMSProducer, "set_priority", set_priority)


@saboteur("3.4.11-8", "a JMSDeliveryMode set on the message replaces the producer's default")
def _(patch):
    def fault(sender, message, entry, preset):
        entry.delivery_mode = message.jms_delivery_mode = preset

    def when(sender, message, options):
        return never_sent(message) and options.delivery_mode == Message.DEFAULT_DELIVERY_MODE

    with_preset(patch, "jms_delivery_mode", fault, when=when)
