"""Red round 2, part A1: faults in foreign messages, bodies and what a received message is made of.

Written without sight of the suite. Comments name the real bugs that served as models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from reference_provider.messages import snapshots
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import Int, JMSException, MessageFormatException, Queue, TemporaryQueue, Topic


def _on_receipt(patch: Patch, change: Callable[[Any, Any], None]) -> None:
    original = ReferenceMessage.restore

    def restore(self: ReferenceMessage, snapshot: Any, delivery: Any, model: Any) -> None:
        original(self, snapshot, delivery, model)
        change(self, delivery)

    patch.replace(ReferenceMessage, "restore", restore)


# rabbitmq-jms-client #146: the mapping of property types forgot Boolean.
@nearly_right(
    "boolean-properties-of-foreign-messages-lost", "boolean properties of a foreign message do not arrive", "3.12-3"
)
def _foreign_booleans(patch: Patch) -> None:
    original = snapshots.foreign_properties

    def foreign_properties(message: Any, model: Any) -> dict[str, Any]:
        return {name: value for name, value in original(message, model).items() if type(value) is not bool}

    patch.replace(snapshots, "foreign_properties", foreign_properties)


# rabbitmq-jms-client #24, #27: a foreign bytes message without bytes could not be copied.
@nearly_right("empty-foreign-bytes-message-refused", "a foreign bytes message without bytes cannot be sent", "3.12-1")
def _empty_foreign_bytes(patch: Patch) -> None:
    original = snapshots.foreign_bytes

    def foreign_bytes(message: Any) -> bytes:
        copied = original(message)
        if not copied:
            raise JMSException("cannot read the body of the message")
        return copied

    patch.replace(snapshots, "foreign_bytes", foreign_bytes)


# OpenLiberty #2977: written as modified UTF-8, read as strict UTF-8.
@nearly_right(
    "read-utf-mangles-supplementary-characters",
    "readUTF returns replacement characters for what lies beyond U+FFFF",
    "3.11-15",
)
def _supplementary(patch: Patch) -> None:
    original = ReferenceBytesMessage.read_utf

    def read_utf(self: ReferenceBytesMessage) -> str:
        return "".join(each if each <= "\uffff" else "\ufffd\ufffd" for each in original(self))

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)


# Seen in Qpid JMS: without the annotation of its type a reply destination is taken for one of the consumer's kind.
@nearly_right(
    "reply-queue-of-a-published-message-becomes-a-topic",
    "a queue as JMSReplyTo of a message published to a topic arrives as topic of that name",
    "3.4.6-2",
    "3.4.6-1",
)
def _reply_queue(patch: Patch) -> None:
    def change(message: Any, _: Any) -> None:
        reply_to = message.jms_reply_to
        lasting = isinstance(reply_to, Queue) and not isinstance(reply_to, TemporaryQueue)
        if lasting and isinstance(message.jms_destination, Topic):
            message.jms_reply_to = ReferenceTopic(reply_to.queue_name)

    _on_receipt(patch, change)


# Seen in ActiveMQ, vm transport without copies: client and broker share the content of a message.
@nearly_right(
    "clear-body-of-a-received-map-empties-the-broker-s",
    "clearBody of a received map message also empties the message that the broker will redeliver",
    "3.10-4",
)
def _shared_map(patch: Patch) -> None:
    original = ReferenceMapMessage.clear_body

    def clear_body(self: ReferenceMapMessage) -> None:
        self._entries.clear()
        original(self)

    patch.replace(ReferenceMapMessage, "clear_body", clear_body)


class _Deferred:
    """An object that is not serialised yet."""

    def __init__(self, message: ReferenceObjectMessage, value: object) -> None:
        self.message = message
        self.value = value

    def encoded(self) -> Any:
        return self.message._encode(self.value)


# Seen in ActiveMQ with objectMessageSerializationDefered: serialised by the send, not when it is set.
@nearly_right(
    "lists-are-serialised-by-the-send",
    "a list set as the body of an object message is copied at the send only",
    "3.12-8",
)
def _deferred(patch: Patch) -> None:
    plain: Any = ReferenceObjectMessage.object
    read, write = plain.fget, plain.fset
    freeze = ReferenceObjectMessage._frozen_body

    def settle(self: Any) -> None:
        if isinstance(self._encoded, _Deferred):
            self._encoded = self._encoded.encoded()

    def get(self: Any) -> Any:
        kept = self._encoded
        settle(self)
        value = read(self)
        self._encoded = kept
        return value

    def put(self: Any, value: Any) -> None:
        write(self, value)
        if isinstance(value, list):
            self._encoded = _Deferred(self, value)

    def frozen(self: Any) -> Any:
        settle(self)
        return freeze(self)

    patch.replace(ReferenceObjectMessage, "object", property(get, put))
    patch.replace(ReferenceObjectMessage, "_frozen_body", frozen)


# Seen in clients that keep the count of bytes left in the current array and reset it on any failed read.
@nearly_right(
    "failed-read-restarts-a-byte-array",
    "a refused read amid a byte array of a stream message makes readBytes begin with that array again",
    "3.11.3-15",
    "3.11-24",
)
def _restarted_array(patch: Patch) -> None:
    original = ReferenceStreamMessage._check_no_open_array

    def check(self: ReferenceStreamMessage) -> None:
        try:
            original(self)
        except MessageFormatException:
            self._offset = 0
            raise

    patch.replace(ReferenceStreamMessage, "_check_no_open_array", check)


# Seen in Qpid and Azure clients: the address of a durable subscription is the queue behind it.
@nearly_right(
    "redelivery-of-a-durable-subscription-names-its-queue",
    "JMSDestination of a message redelivered by a durable subscription is the queue behind the subscription",
    "3.4.1-3",
    "3.10-6",
)
def _internal_queue(patch: Patch) -> None:
    def change(message: Any, delivery: Any) -> None:
        row = getattr(getattr(delivery, "source", None), "subscription", None)
        if message.jms_redelivered and row is not None:
            message.jms_destination = ReferenceQueue(f"subscription.{row}")

    _on_receipt(patch, change)


# Seen in ActiveMQ 5: group id and sequence are fields beside the map of properties, and clearProperties forgets them.
@nearly_right(
    "group-id-survives-clear-properties",
    "clearProperties of a received message keeps JMSXGroupID",
    "3.5.7-1",
)
def _group_survives(patch: Patch) -> None:
    original = ReferenceMessage.clear_properties

    def clear_properties(self: ReferenceMessage) -> None:
        kept = {} if self._properties_writable else {"JMSXGroupID": self._properties.get("JMSXGroupID")}
        original(self)
        self._properties.update({name: value for name, value in kept.items() if value is not None})

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


# Seen in ActiveMQ: the sequence is an int field that counts as unset at 0, and -1 has a meaning of its own.
@nearly_right(
    "group-sequence-below-one-not-sent",
    "JMSXGroupSeq does not arrive if it is 0 or negative",
    "3.5.9-5",
)
def _group_sequence(patch: Patch) -> None:
    original = ReferenceMessage._frozen_properties

    def frozen(self: ReferenceMessage) -> dict[str, Any]:
        properties = original(self)
        sequence = properties.get("JMSXGroupSeq")
        if isinstance(sequence, Int) and sequence.value < 1:
            del properties["JMSXGroupSeq"]
        return properties

    patch.replace(ReferenceMessage, "_frozen_properties", frozen)
