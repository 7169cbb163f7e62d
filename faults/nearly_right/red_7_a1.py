"""Red round 7, first part: faults in headers, properties and bodies, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from faults.kit.common import Marked, after_send, as_received
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import snapshots
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import Int, Message, MessageFormatException

_LONGEST = 65_535
"""What a length of two bytes can say."""


@nearly_right(
    "delivery-time-is-lost-in-the-file",
    "a delayed message that was stored before a restart arrives in time, but with JMSDeliveryTime 0",
    "3.4.13-5",
    "3.4-1",
)
def _delivery_time(patch: Patch) -> None:
    read_back = Marked()
    original = Broker.load_numbers

    def load_numbers(self: Broker, numbers: Iterable[int]) -> list[StoredMessage]:
        entries = original(self, numbers)
        for entry in entries:
            if 0 < entry.timestamp < entry.delivery_time:
                read_back.add(entry)
        return entries

    def forget(message: Message, delivery: Delivery) -> None:
        if delivery.entry in read_back:
            message.jms_delivery_time = 0

    patch.replace(Broker, "load_numbers", load_numbers)
    as_received(patch, forget)


@nearly_right(
    "group-without-sequence-gets-one",
    "a message with a JMSXGroupID and no JMSXGroupSeq arrives with JMSXGroupSeq 0",
    "3.5.8-3",
    "3.5.9-5",
    "3.5.6-1",
)
def _group_sequence(patch: Patch) -> None:
    def add(message: Message, _: Delivery) -> None:
        assert isinstance(message, ReferenceMessage)  # there are no others on receipt
        if message.property_exists("JMSXGroupID") and not message.property_exists("JMSXGroupSeq"):
            message._properties["JMSXGroupSeq"] = Int(0)

    as_received(patch, add)


@nearly_right(
    "foreign-message-keeps-its-delivery-time",
    "a send does not set JMSDeliveryTime on a message of another provider, only the headers of JMS 1.1",
    "3.4.11-9",
    "3.4.13-1",
)
def _foreign_delivery_time(patch: Patch) -> None:
    def write(original: Callable[[Message, Stamp], None], message: Message, stamp: Stamp) -> None:
        kept = message.jms_delivery_time
        original(message, stamp)
        if not isinstance(message, ReferenceMessage):
            message.jms_delivery_time = kept

    patch.at(fault_points.HEADERS_WRITTEN, write)


@nearly_right(
    "null-properties-of-foreign-messages-are-lost",
    "properties that are set to null do not arrive if the message was made by another provider",
    "3.12-3",
    "3.12-12",
)
def _foreign_nulls(patch: Patch) -> None:
    original = snapshots.foreign_properties

    def foreign_properties(message: Message, model: Any) -> dict[str, Any]:
        return {name: value for name, value in original(message, model).items() if value is not None}

    patch.replace(snapshots, "foreign_properties", foreign_properties)


@nearly_right(
    "message-without-its-properties-acknowledges-nothing",
    "acknowledge has no effect on a received message whose properties the client has cleared",
    "3.6-1",
    "6.2.10-7",
)
def _cleared(patch: Patch) -> None:
    original = ReferenceMessage.clear_properties

    def clear_properties(self: ReferenceMessage) -> None:
        original(self)
        self._acknowledge = None

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


@nearly_right(
    "failed-listener-meets-its-own-changes",
    "a listener that changed its message and raised gets it again at once with these changes",
    "3.10-4",
    "3.10-5",
    "3.10-6",
)
def _same_object(patch: Patch) -> None:
    last: dict[int, tuple[Delivery, Message]] = {}

    def message_of(
        original: Callable[[ReferenceSession, Delivery], Message], session: ReferenceSession, delivery: Delivery
    ) -> Message:
        before, message = last.get(id(session), (None, None))
        if before is not delivery or not isinstance(message, ReferenceMessage):
            message = original(session, delivery)
        else:
            message.jms_redelivered = delivery.redelivered
            message._provider_properties = delivery.properties
        last[id(session)] = (delivery, message)
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


@nearly_right(
    "get-body-of-bytes-being-written-is-null",
    "getBody of a bytes message that is still being written resets it, but returns null",
    "3.11-33",
    "3.11-32",
    "3.11-40",
)
def _written_bytes(patch: Patch) -> None:
    original = ReferenceBytesMessage.get_body

    def get_body(self: ReferenceBytesMessage, body_type: Any) -> object:
        writing = self._written is not None
        body = original(self, body_type)
        return None if writing else body

    patch.replace(ReferenceBytesMessage, "get_body", get_body)


@nearly_right(
    "body-map-is-the-one-of-the-queue",
    "the Map that getBody of a received map message returns is no copy: what the client changes in it reaches the"
    " other subscribers of the topic, and the next delivery",
    "4.2.2-7",
    "3.10-4",
    "3.12-14",
)
def _body_map(patch: Patch) -> None:
    original = ReferenceMapMessage._body_value

    def body_value(self: ReferenceMapMessage) -> object:
        return original(self) if self._writable else self._entries

    patch.replace(ReferenceMapMessage, "_body_value", body_value)


@nearly_right(
    "long-strings-of-maps-are-refused",
    "a map message with a String of more than 65535 bytes cannot be sent",
    "3.11.4-2",
    "3.11.3-1",
)
def _long_strings(patch: Patch) -> None:
    original = ReferenceMapMessage._frozen_body

    def frozen_body(self: ReferenceMapMessage) -> Any:
        for name, value in self._entries.items():
            if isinstance(value, str) and len(value.encode("utf-8", "surrogatepass")) > _LONGEST:
                raise MessageFormatException(f"the entry {name!r} is too long")
        return original(self)

    patch.replace(ReferenceMapMessage, "_frozen_body", frozen_body)


@nearly_right(
    "sent-stream-message-is-read-only",
    "a stream message cannot be written any more once it has been sent, until its body is cleared",
    "3.9-3",
    "3.9-1",
)
def _sent_stream(patch: Patch) -> None:
    def close(_: Any, message: Message, __: StoredMessage, ___: Any) -> None:
        if isinstance(message, ReferenceStreamMessage):
            message.reset()

    after_send(patch, close)
