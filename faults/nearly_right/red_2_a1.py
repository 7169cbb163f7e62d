"""Red round 2, part A1: faults in foreign messages, bodies and what a received message is made of.

Written without sight of the suite. Comments name the real bugs that served as models.
"""

from faults.kit import *


def _on_receipt(patch, change):
    original = ReferenceMessage.restore

    def restore(self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        change(self, delivery)

    patch.replace(ReferenceMessage, "restore", restore)


# rabbitmq-jms-client #146: the mapping of property types forgot Boolean.
@of_round(2)(
    "boolean-properties-of-foreign-messages-lost", "boolean properties of a foreign message do not arrive", "3.12-3"
)
def _foreign_booleans(patch):
    original = snapshots.foreign_properties

    def foreign_properties(message, model):
        return {name: value for name, value in original(message, model).items() if type(value) is not bool}

    patch.replace(snapshots, "foreign_properties", foreign_properties)


# rabbitmq-jms-client #24, #27: a foreign bytes message without bytes could not be copied.
@of_round(2)("empty-foreign-bytes-message-refused", "a foreign bytes message without bytes cannot be sent", "3.12-1")
def _empty_foreign_bytes(patch):
    original = snapshots.foreign_bytes

    def foreign_bytes(message):
        copied = original(message)
        if not copied:
            raise JMSException("cannot read the body of the message")
        return copied

    patch.replace(snapshots, "foreign_bytes", foreign_bytes)


# OpenLiberty #2977: written as modified UTF-8, read as strict UTF-8.
@of_round(2)(
    "read-utf-mangles-supplementary-characters",
    "readUTF returns replacement characters for what lies beyond U+FFFF",
    "3.11-15",
)
def _supplementary(patch):
    original = ReferenceBytesMessage.read_utf

    def read_utf(self):
        return "".join(each if each <= "\uffff" else "\ufffd\ufffd" for each in original(self))

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)


# Seen in Qpid JMS: without the annotation of its type a reply destination is taken for one of the consumer's kind.
@of_round(2)(
    "reply-queue-of-a-published-message-becomes-a-topic",
    "a queue as JMSReplyTo of a message published to a topic arrives as topic of that name",
    "3.4.6-2",
    "3.4.6-1",
    by=_on_receipt,
)
def _(message, _):
    reply_to = message.jms_reply_to
    lasting = isinstance(reply_to, Queue) and not isinstance(reply_to, TemporaryQueue)
    if lasting and isinstance(message.jms_destination, Topic):
        message.jms_reply_to = ReferenceTopic(reply_to.queue_name)


# Seen in ActiveMQ, vm transport without copies: client and broker share the content of a message.
@of_round(2)(
    "clear-body-of-a-received-map-empties-the-broker-s",
    "clearBody of a received map message also empties the message that the broker will redeliver",
    "3.10-4",
)
def _shared_map(patch):
    original = ReferenceMapMessage.clear_body

    def clear_body(self):
        self._entries.clear()
        original(self)

    patch.replace(ReferenceMapMessage, "clear_body", clear_body)


class _Deferred:
    """An object that is not serialised yet."""

    def __init__(self, message, value):
        self.message = message
        self.value = value

    def encoded(self):
        return self.message._encode(self.value)


# Seen in ActiveMQ with objectMessageSerializationDefered: serialised by the send, not when it is set.
@of_round(2)(
    "lists-are-serialised-by-the-send",
    "a list set as the body of an object message is copied at the send only",
    "3.12-8",
)
def _deferred(patch):
    plain = ReferenceObjectMessage.object
    read, write = plain.fget, plain.fset
    freeze = ReferenceObjectMessage._frozen_body

    def settle(self):
        if isinstance(self._encoded, _Deferred):
            self._encoded = self._encoded.encoded()

    def get(self):
        kept = self._encoded
        settle(self)
        value = read(self)
        self._encoded = kept
        return value

    def put(self, value):
        write(self, value)
        if isinstance(value, list):
            self._encoded = _Deferred(self, value)

    def frozen(self):
        settle(self)
        return freeze(self)

    patch.replace(ReferenceObjectMessage, "object", property(get, put))
    patch.replace(ReferenceObjectMessage, "_frozen_body", frozen)


# Seen in clients that keep the count of bytes left in the current array and reset it on any failed read.
@of_round(2)(
    "failed-read-restarts-a-byte-array",
    "a refused read amid a byte array of a stream message makes readBytes begin with that array again",
    "3.11.3-15",
    "3.11-24",
)
def _restarted_array(patch):
    original = ReferenceStreamMessage._check_no_open_array

    def check(self):
        try:
            original(self)
        except MessageFormatException:
            self._offset = 0
            raise

    patch.replace(ReferenceStreamMessage, "_check_no_open_array", check)


# Seen in Qpid and Azure clients: the address of a durable subscription is the queue behind it.
@of_round(2)(
    "redelivery-of-a-durable-subscription-names-its-queue",
    "JMSDestination of a message redelivered by a durable subscription is the queue behind the subscription",
    "3.4.1-3",
    "3.10-6",
    by=_on_receipt,
)
def _(message, delivery):
    row = getattr(getattr(delivery, "source", None), "subscription", None)
    if message.jms_redelivered and row is not None:
        message.jms_destination = ReferenceQueue(f"subscription.{row}")


# Seen in ActiveMQ 5: group id and sequence are fields beside the map of properties, and clearProperties forgets them.
@of_round(2)("group-id-survives-clear-properties", "clearProperties of a received message keeps JMSXGroupID", "3.5.7-1")
def _group_survives(patch):
    original = ReferenceMessage.clear_properties

    def clear_properties(self):
        kept = {} if self._properties_writable else {"JMSXGroupID": self._properties.get("JMSXGroupID")}
        original(self)
        self._properties.update({name: value for name, value in kept.items() if value is not None})

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


# Seen in ActiveMQ: the sequence is an int field that counts as unset at 0, and -1 has a meaning of its own.
@of_round(2)("group-sequence-below-one-not-sent", "JMSXGroupSeq does not arrive if it is 0 or negative", "3.5.9-5")
def _group_sequence(patch):
    original = ReferenceMessage._frozen_properties

    def frozen(self):
        properties = original(self)
        sequence = properties.get("JMSXGroupSeq")
        if isinstance(sequence, Int) and sequence.value < 1:
            del properties["JMSXGroupSeq"]
        return properties

    patch.replace(ReferenceMessage, "_frozen_properties", frozen)
