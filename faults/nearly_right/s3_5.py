"""Narrow faults of section 3.5."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(3)(
    "topic-copies-share-their-properties",
    "clearProperties of a message received from a topic empties the properties of all other copies",
    "3.5.3-1 3.10-5",
)
def _(patch):
    """Seen in ActiveMQ with the vm transport, where all consumers of a topic share one unmarshalled message."""

    def share(restore, self, snapshot, delivery, model):
        restore(self, snapshot, delivery, model)
        if isinstance(delivery.destination, Topic):
            self._properties = snapshot.properties

    def clear(clear_properties, self):
        self._properties.clear()
        clear_properties(self)

    patch.around(ReferenceMessage, "restore", share)
    patch.around(ReferenceMessage, "clear_properties", clear)


@of_round(5)(
    "sending-on-opens-the-properties",
    "once a received message has been sent on, its properties can be set without clearProperties",
    "3.5.3-2",
    by=after_send,
)
def _(_, message, __, ___):
    if isinstance(message, ReferenceMessage):
        message._properties_writable = True


@of_round(14)(
    "a14-byte-widened-from-file",
    "a byte property of a message with a correlation id is a short once the message was read back from the file",
    "3.5.4-9 3.5.5-3 3.5.2-2",
    around=(Broker, "load_numbers"),
)
def _(original, broker, numbers):
    entries = original(broker, numbers)
    for entry in entries:
        frozen = entry.snapshot
        if frozen.correlation is not None:
            widened = {
                name: Short(value.value) if type(value) is Byte else value for name, value in frozen.properties.items()
            }
            entry.snapshot = frozen._replace(properties=widened)
    return entries


@of_round(14)(
    "fourteen-b-negative-short-widened",
    "A negative short read from the file after a restart has become an int.",
    "3.5.4-9 3.5.4-2 3.5.5-3 3.5.2-3",
)
def _(patch):
    def read(content):
        return Int(content) if content < 0 else Short(content)

    patch.replace(codec, "VALUE_READERS", {**codec.VALUE_READERS, "short": read})


# Seen in stores and bridges with one kind of small number, such as those over JSON or JDBC.
# Likely in stores that keep properties as JSON, which has one kind of integer.
@of_round(3)(
    "small-integers-widened-at-restart",
    "byte and short properties of a message that is read from the file after a restart are int",
    "3.5.4-9 3.5.5-3",
    around=(message_rows, "decode"),
)
@of_round(2)(
    "small-numbers-come-back-from-the-file-as-int",
    "byte and short properties are int properties after a restart",
    "3.5.4-9 3.5.5-3",
    around=(message_rows, "decode"),
)
def _(original, *arguments):
    snapshot, envelope = original(*arguments)
    properties = {
        name: Int(value.value) if isinstance(value, (Byte, Short)) else value
        for name, value in snapshot.properties.items()
    }
    return snapshot._replace(properties=properties), envelope


@of_round(5)(
    "float-property-is-a-double-after-a-restart",
    "a float property of a message that was stored before a restart is a double afterwards",
    "3.5.4-9 3.5.2-6",
    by=read_from_the_file,
)
def _(_, entry):
    properties = {
        name: float(value.value) if isinstance(value, Float) else value
        for name, value in entry.snapshot.properties.items()
    }
    entry.snapshot = entry.snapshot._replace(properties=properties)


# Seen in ActiveMQ 5: group id and sequence are fields beside the map of properties, and clearProperties forgets them.
@of_round(2)(
    "group-id-survives-clear-properties",
    "clearProperties of a received message keeps JMSXGroupID",
    "3.5.7-1",
    around=(ReferenceMessage, "clear_properties"),
)
def _(original, self):
    kept = {} if self._properties_writable else {"JMSXGroupID": self._properties.get("JMSXGroupID")}
    original(self)
    self._properties.update({name: value for name, value in kept.items() if value is not None})


@of_round(7)(
    "group-without-sequence-gets-one",
    "a message with a JMSXGroupID and no JMSXGroupSeq arrives with JMSXGroupSeq 0",
    "3.5.8-3 3.5.9-5 3.5.6-1",
    by=as_received,
)
def _(message, _):
    assert isinstance(message, ReferenceMessage)  # there are no others on receipt
    if message.property_exists("JMSXGroupID") and not message.property_exists("JMSXGroupSeq"):
        message._properties["JMSXGroupSeq"] = Int(0)


@of_round(14)(
    "a14-group-seq-lost-asynchronously",
    "JMSXGroupSeq set on a JMSProducer is lost when the producer sends asynchronously",
    "3.5.9-5 3.5.3-1",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, message, destination, options, listener, sender):
    if isinstance(sender, ReferenceJMSProducer) and isinstance(message, ReferenceMessage):
        message._properties = {name: one for name, one in message._properties.items() if name != "JMSXGroupSeq"}
    original(producer, message, destination, options, listener, sender)


# Seen in ActiveMQ: the sequence is an int field that counts as unset at 0, and -1 has a meaning of its own.
@of_round(2)(
    "group-sequence-below-one-not-sent",
    "JMSXGroupSeq does not arrive if it is 0 or negative",
    "3.5.9-5",
    around=(ReferenceMessage, "_frozen_properties"),
)
def _(original, self):
    properties = original(self)
    sequence = properties.get("JMSXGroupSeq")
    if isinstance(sequence, Int) and sequence.value < 1:
        del properties["JMSXGroupSeq"]
    return properties


@of_round(3)(
    "group-sequence-zero-is-none",
    "a JMSXGroupSeq of 0 does not arrive",
    "3.5.9-5",
    around=(ReferenceMessage, "restore"),
)
def _(original, self, snapshot, delivery, model):
    """Around ARTEMIS-2142 (apache/artemis #2387, #2418): converters confuse group sequence 0 with none."""
    original(self, snapshot, delivery, model)
    if self._properties.get("JMSXGroupSeq") == Int(0):
        del self._properties["JMSXGroupSeq"]


@of_round(5)(
    "sent-on-message-keeps-the-first-application",
    "a received message that is sent on keeps the JMSXAppID of its first sender",
    "3.5.9-10",
    around=(ReferenceMessage, "assign_send_properties"),
)
def _(original, self, properties):
    if is_received(self) and "JMSXAppID" in self._properties:
        properties = {**properties, "JMSXAppID": self._properties["JMSXAppID"]}
    original(self, properties)


@of_round(3)(
    "producer-transaction-of-first-send",
    "a message sent again in a later transaction keeps the JMSXProducerTXID of the first",
    "3.5.9-11",
)
def _(patch):
    name = "JMSXProducerTXID"

    def assign(original, message, properties):
        if isinstance(message, ReferenceMessage) and name in properties and name in message._provider_properties:
            properties = {**properties, name: message._provider_properties[name]}
        original(message, properties)

    patch.around(producers, "assign_send_properties", assign)


@of_round(11)(
    "consumer-transaction-id-outlives-the-rollback",
    "a message that comes again after rollback has JMSXConsumerTXID of the transaction that was rolled back",
    "3.5.9-12",
)
def _(patch):
    first = Notes()

    def open_delivery(original, state, consumer, queue, entry):
        delivery = original(state, consumer, queue, entry)
        if delivery.transaction is not None:
            if entry not in first:
                first.put(entry, delivery.transaction)
            delivery.transaction = first.get(entry)
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


# Seen in ActiveMQ: the redelivery counter is part of the message and went along when it was sent on.
@of_round(2)(
    "redelivered-message-sent-on-keeps-its-count",
    "a redelivered message that is sent on is first received with its old JMSXDeliveryCount",
    "3.5.11-1",
)
def _(patch):
    carried = {}

    def prepare(original, producer, message, *arguments):
        received = isinstance(message, ReferenceMessage) and message.property_exists("JMSXDeliveryCount")
        count = message.get_int_property("JMSXDeliveryCount") if received else 1
        physical, entry = original(producer, message, *arguments)
        if count > 1:
            carried[id(entry)] = (entry, count)
        return physical, entry

    def open_delivery(original, state, consumer, source, entry):
        delivery = original(state, consumer, source, entry)
        if id(entry) in carried and delivery.count == 1:
            delivery.count = carried[id(entry)][1]
        return delivery

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.HANDED_OVER, open_delivery)


@nearly_right("count-begins-again", "JMSXDeliveryCount begins with 1 in each further session", "3.5.11-2")
def _(patch):
    before = {}

    def count(delivery):
        consumer = delivery.consumer
        if consumer is None or delivery.count < 3:
            return delivery.count
        missed = before.setdefault((delivery.entry.number, consumer.session), delivery.count - 1)
        return delivery.count - missed

    provider_property(patch, "JMSXDeliveryCount", lambda delivery: Int(count(delivery)))


@of_round(3)(
    "severed-link-redelivers-with-count-one-less",
    "what a severed link has given back is redelivered with a JMSXDeliveryCount that leaves that delivery out",
    "3.5.11-3 3.5.11-2",
)
def _(patch):
    """Likely with AMQP 1.0: a detached link ends as 'released', which does not raise delivery-count."""
    released = set()

    def abandon(original, self):
        for delivery in [*self.state.unacknowledged, *self.state.work.acks]:
            released.add((delivery.source, delivery.entry.number))
        original(self)

    def properties(self):
        less = (self.source, self.entry.number) in released and self.count > 1
        return receipt_properties(
            self.count - 1 if less else self.count, timestamp=self.received_at, transaction=self.transaction
        )

    patch.around(ReferenceSession, "abandon", abandon)
    patch.replace(Delivery, "properties", property(properties))
