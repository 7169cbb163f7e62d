"""Faults in 3.10: received messages that the client changes."""

from __future__ import annotations

from typing import Any

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.messages import ReferenceMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import Message, MessageNotWriteableException


@saboteur("3.10-1", "JMSType of a received message cannot be set")
def _(patch: Patch) -> None:
    slot = vars(ReferenceMessage)["jms_type"]

    def store(self: ReferenceMessage, value: Any) -> None:
        if getattr(self, "_acknowledge", None) is not None:
            raise MessageNotWriteableException("JMSType of a received message is read-only")
        slot.__set__(self, value)

    patch.replace(ReferenceMessage, "jms_type", property(slot.__get__, store))


@saboteur("3.10-2", "clearBody makes the properties writable too")
def _(patch: Patch) -> None:
    def clear_body(self: ReferenceMessage) -> None:
        self._empty_body()
        self._properties_writable = True

    patch.replace(ReferenceMessage, "clear_body", clear_body)


@saboteur("3.10-3", "clearProperties makes a text writable too")
def _(patch: Patch) -> None:
    original = ReferenceMessage.clear_properties

    def clear_properties(self: ReferenceMessage) -> None:
        original(self)
        if isinstance(self, ReferenceTextMessage):
            self._writable = True

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


@saboteur("3.10-4", "a redelivered message has the text that the consumer wrote")
def _(patch: Patch) -> None:
    given: dict[int, tuple[StoredMessage, Any]] = {}

    def fault(message: Any, delivery: Delivery) -> None:
        first = given.setdefault(id(delivery.entry), (delivery.entry, message))[1]
        if isinstance(message, ReferenceTextMessage):
            message._text = first.text

    as_received(patch, fault)


@saboteur("3.10-5", "a redelivered message has lost its properties")
def _(patch: Patch) -> None:
    def fault(message: Any, delivery: Delivery) -> None:
        if delivery.redelivered:
            message._properties = {}

    as_received(patch, fault)


@saboteur("3.10-6", "a redelivered message has lost its JMSCorrelationID")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if delivery.redelivered:
            message.jms_correlation_id = None

    as_received(patch, fault)
