"""The JMSX properties that the provider sets on send and on receipt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.model import PropertyValue
from reference_provider.messages.snapshots import OWN
from tck.api import Int, Message

FIRST: Final = Int(1)
"""The usual delivery count, at hand since every delivery needs one."""


def send_properties(
    *, user: str | None = None, application: str | None = None, transaction: str | None = None
) -> dict[str, PropertyValue]:
    """Return JMSXUserID, JMSXAppID and JMSXProducerTXID, each if it is not None."""
    properties: dict[str, PropertyValue] = {}
    if user is not None:
        properties["JMSXUserID"] = user
    if application is not None:
        properties["JMSXAppID"] = application
    if transaction is not None:
        properties["JMSXProducerTXID"] = transaction
    return properties


def receipt_properties(
    count: int | None, *, timestamp: int | None = None, transaction: str | None = None
) -> dict[str, PropertyValue]:
    """Return JMSXDeliveryCount, JMSXRcvTimestamp and JMSXConsumerTXID, each if it is not None."""
    properties: dict[str, PropertyValue] = {}
    if count is not None:
        properties["JMSXDeliveryCount"] = FIRST if count == 1 else Int(count)
    if timestamp is not None:
        properties["JMSXRcvTimestamp"] = timestamp
    if transaction is not None:
        properties["JMSXConsumerTXID"] = transaction
    return properties


def assign_send_properties(message: Message, properties: Mapping[str, PropertyValue]) -> None:
    """Set the properties of the send on the sender's message, replacing those of an earlier send; skip foreign ones.

    Call it before `snapshot`, so that sender and receivers see the same values (3.5.9-15). Works on read-only messages
    too.
    """
    if type(message) in OWN or isinstance(message, ReferenceMessage):
        message.assign_send_properties(properties)  # type: ignore[attr-defined] # all types of OWN have it
