"""Red round 5, first group: faults in headers and properties, written without sight of the suite.

Most of them concern a message that is used again: sent twice, sent on after its receipt, delivered again, or read from the
file after a restart.
"""

from collections import ChainMap
from dataclasses import replace

from faults.kit import *


def _is_received(message):
    """Return whether a message is as a consumer got it, its properties not cleared."""
    return isinstance(message, ReferenceMessage) and not message._properties_writable


def _read_from_the_file(patch, change):
    """Change each message that is read from the file: those of before a restart."""
    original = Broker.load_numbers

    def load_numbers(self, numbers):
        entries = original(self, numbers)
        for entry in entries:
            change(self, entry)
        return entries

    patch.replace(Broker, "load_numbers", load_numbers)


@of_round(5)(
    "message-sent-twice-in-a-transaction-keeps-its-id",
    "a message object that is sent twice in one transaction has the same JMSMessageID both times",
    "3.4.3-4",
    "3.4.3-1",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, destination, options):
    earlier = message.jms_message_id if isinstance(message, Message) else None
    physical, entry = original(producer, message, destination, options)
    if earlier is not None and any(sent.message_id == earlier for _, sent in producer.session.state.work.sends):
        entry.message_id = message.jms_message_id = earlier
    return physical, entry


@of_round(5)(
    "expiration-of-a-delayed-message-counts-from-its-delivery-time",
    "with a delivery delay and a time to live, JMSExpiration is delivery time plus time to live",
    "3.4.9-1",
    at=fault_points.HEADERS_COMPUTED,
)
def _(original, producer, physical, options):
    stamp = original(producer, physical, options)
    if stamp.expiration and options.delivery_delay:
        return stamp._replace(expiration=stamp.expiration + options.delivery_delay)
    return stamp


@of_round(5)(
    "time-to-live-begins-anew-after-a-restart",
    "a message that was stored before a restart expires a whole time to live after it was read again",
    "3.4.9-4",
    "3.4.9-6",
    by=_read_from_the_file,
)
def _(broker, entry):
    if entry.expiration and entry.timestamp:
        entry.expiration = broker.clock.now() + entry.expiration - entry.timestamp


@of_round(5)(
    "reply-queue-of-a-topic-message-is-a-topic",
    "JMSReplyTo names a queue, but arrives as the topic of that name if the message was sent to a topic",
    "3.4.6-2",
    "3.4.6-1",
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


@of_round(5)(
    "sent-on-message-keeps-the-first-application",
    "a received message that is sent on keeps the JMSXAppID of its first sender",
    "3.5.9-10",
)
def _first_application(patch):
    original = ReferenceMessage.assign_send_properties

    def assign(self, properties):
        if _is_received(self) and "JMSXAppID" in self._properties:
            properties = {**properties, "JMSXAppID": self._properties["JMSXAppID"]}
        original(self, properties)

    patch.replace(ReferenceMessage, "assign_send_properties", assign)


@of_round(5)(
    "sending-on-opens-the-properties",
    "once a received message has been sent on, its properties can be set without clearProperties",
    "3.5.3-2",
    by=after_send,
)
def _(_, message, __, ___):
    if isinstance(message, ReferenceMessage):
        message._properties_writable = True


@of_round(5)(
    "sent-on-message-keeps-its-priority",
    "a received message that is sent on with the default priority keeps the priority it came with",
    "3.4.10-1",
    "3.4.11-8",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, destination, options):
    if _is_received(message) and options.priority == Message.DEFAULT_PRIORITY:
        options = replace(options, priority=message.jms_priority)
    return original(producer, message, destination, options)


@of_round(5)(
    "rollback-marks-only-its-first-message",
    "of several messages that a rollback gives back only the first is marked as redelivered and counted",
    "3.4.7-1",
    "3.5.11-2",
    at=fault_points.REDELIVERED,
)
def _(original, redelivery, deliveries):
    for one in [each for each in deliveries if each.transaction is not None][1:]:
        one.count -= 1
    original(redelivery, deliveries)


@of_round(5)(
    "float-property-is-a-double-after-a-restart",
    "a float property of a message that was stored before a restart is a double afterwards",
    "3.5.4-9",
    "3.5.2-6",
    by=_read_from_the_file,
)
def _(_, entry):
    properties = {
        name: float(value.value) if isinstance(value, Float) else value
        for name, value in entry.snapshot.properties.items()
    }
    entry.snapshot = entry.snapshot._replace(properties=properties)


@of_round(5)(
    "delayed-message-shows-later-properties",
    "properties that the sender changes after the send reach the receiver if the message has a delivery delay",
    "3.9-2",
    "3.9-3",
    by=after_send,
)
def _(_, message, entry, options):
    if isinstance(message, ReferenceMessage) and options.delivery_delay:
        live = ChainMap(message._properties, dict(entry.snapshot.properties))
        entry.snapshot = entry.snapshot._replace(properties=live)
