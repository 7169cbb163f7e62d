"""The JMSX properties that the provider sets, on send and on receipt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import PropertyValue
from tck.api import Int, Message

FIRST: Final = Int(1)


def send_properties(
    *, user: str | None = None, application: str | None = None, transaction: str | None = None
) -> dict[str, PropertyValue]:
    """Give JMSXUserID, JMSXAppID and JMSXProducerTXID, each if it is not None."""
    return _present({"JMSXUserID": user, "JMSXAppID": application, "JMSXProducerTXID": transaction})


def receipt_properties(
    count: int | None, *, timestamp: int | None = None, transaction: str | None = None
) -> dict[str, PropertyValue]:
    """Give JMSXDeliveryCount, JMSXRcvTimestamp and JMSXConsumerTXID, each if it is not None."""
    return _present(
        {"JMSXDeliveryCount": _count(count), "JMSXRcvTimestamp": timestamp, "JMSXConsumerTXID": transaction}
    )


def assign_send_properties(message: Message, properties: Mapping[str, PropertyValue]) -> None:
    """Put the properties of the send on the sender's own object, in place of those of an earlier send; foreign ones are left alone.

    Call it before `snapshot`, so that sender and receivers see the same values (3.5.9-15). Works on read-only messages too.
    """
    if isinstance(message, ReferenceMessage):
        message.assign_send_properties(properties)


def _count(count: int | None) -> Int | None:
    """Box a delivery count; the usual one is at hand, since every delivery needs it."""
    return FIRST if count == 1 else None if count is None else Int(count)


def _present(properties: Mapping[str, PropertyValue]) -> dict[str, PropertyValue]:
    return {name: value for name, value in properties.items() if value is not None}
