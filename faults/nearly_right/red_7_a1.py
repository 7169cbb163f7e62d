"""Red round 7, first part: faults in headers, properties and bodies, written without sight of the suite."""

from faults.kit import *

_LONGEST = 65_535
"""What a length of two bytes can say."""


@of_round(7)(
    "delivery-time-is-lost-in-the-file",
    "a delayed message that was stored before a restart arrives in time, but with JMSDeliveryTime 0",
    "3.4.13-5",
    "3.4-1",
)
def _delivery_time(patch):
    read_back = Marked()
    original = Broker.load_numbers

    def load_numbers(self, numbers):
        entries = original(self, numbers)
        for entry in entries:
            if 0 < entry.timestamp < entry.delivery_time:
                read_back.add(entry)
        return entries

    def forget(message, delivery):
        if delivery.entry in read_back:
            message.jms_delivery_time = 0

    patch.replace(Broker, "load_numbers", load_numbers)
    as_received(patch, forget)


@of_round(7)(
    "group-without-sequence-gets-one",
    "a message with a JMSXGroupID and no JMSXGroupSeq arrives with JMSXGroupSeq 0",
    "3.5.8-3",
    "3.5.9-5",
    "3.5.6-1",
    by=as_received,
)
def _(message, _):
    assert isinstance(message, ReferenceMessage)  # there are no others on receipt
    if message.property_exists("JMSXGroupID") and not message.property_exists("JMSXGroupSeq"):
        message._properties["JMSXGroupSeq"] = Int(0)


@of_round(7)(
    "foreign-message-keeps-its-delivery-time",
    "a send does not set JMSDeliveryTime on a message of another provider, only the headers of JMS 1.1",
    "3.4.11-9",
    "3.4.13-1",
    at=fault_points.HEADERS_WRITTEN,
)
def _(original, message, stamp):
    kept = message.jms_delivery_time
    original(message, stamp)
    if not isinstance(message, ReferenceMessage):
        message.jms_delivery_time = kept


@of_round(7)(
    "null-properties-of-foreign-messages-are-lost",
    "properties that are set to null do not arrive if the message was made by another provider",
    "3.12-3",
    "3.12-12",
)
def _foreign_nulls(patch):
    original = snapshots.foreign_properties

    def foreign_properties(message, model):
        return {name: value for name, value in original(message, model).items() if value is not None}

    patch.replace(snapshots, "foreign_properties", foreign_properties)


@of_round(7)(
    "message-without-its-properties-acknowledges-nothing",
    "acknowledge has no effect on a received message whose properties the client has cleared",
    "3.6-1",
    "6.2.10-7",
)
def _cleared(patch):
    original = ReferenceMessage.clear_properties

    def clear_properties(self):
        original(self)
        self._acknowledge = None

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


@of_round(7)(
    "failed-listener-meets-its-own-changes",
    "a listener that changed its message and raised gets it again at once with these changes",
    "3.10-4",
    "3.10-5",
    "3.10-6",
)
def _same_object(patch):
    last = {}

    def message_of(original, session, delivery):
        before, message = last.get(id(session), (None, None))
        if before is not delivery or not isinstance(message, ReferenceMessage):
            message = original(session, delivery)
        else:
            message.jms_redelivered = delivery.redelivered
            message._provider_properties = delivery.properties
        last[id(session)] = (delivery, message)
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


@of_round(7)(
    "get-body-of-bytes-being-written-is-null",
    "getBody of a bytes message that is still being written resets it, but returns null",
    "3.11-33",
    "3.11-32",
    "3.11-40",
)
def _written_bytes(patch):
    original = ReferenceBytesMessage.get_body

    def get_body(self, body_type):
        writing = self._written is not None
        body = original(self, body_type)
        return None if writing else body

    patch.replace(ReferenceBytesMessage, "get_body", get_body)


@of_round(7)(
    "body-map-is-the-one-of-the-queue",
    "the Map that getBody of a received map message returns is no copy: what the client changes in it reaches the"
    " other subscribers of the topic, and the next delivery",
    "4.2.2-7",
    "3.10-4",
    "3.12-14",
)
def _body_map(patch):
    original = ReferenceMapMessage._body_value

    def body_value(self):
        return original(self) if self._writable else self._entries

    patch.replace(ReferenceMapMessage, "_body_value", body_value)


@of_round(7)(
    "long-strings-of-maps-are-refused",
    "a map message with a String of more than 65535 bytes cannot be sent",
    "3.11.4-2",
    "3.11.3-1",
)
def _long_strings(patch):
    original = ReferenceMapMessage._frozen_body

    def frozen_body(self):
        for name, value in self._entries.items():
            if isinstance(value, str) and len(value.encode("utf-8", "surrogatepass")) > _LONGEST:
                raise MessageFormatException(f"the entry {name!r} is too long")
        return original(self)

    patch.replace(ReferenceMapMessage, "_frozen_body", frozen_body)


@of_round(7)(
    "sent-stream-message-is-read-only",
    "a stream message cannot be written any more once it has been sent, until its body is cleared",
    "3.9-3",
    "3.9-1",
    by=after_send,
)
def _(_, message, __, ___):
    if isinstance(message, ReferenceStreamMessage):
        message.reset()
