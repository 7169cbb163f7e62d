"""The nine JMSX properties: their types, who sets them, and which of them a message has or a connection announces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tck import api
from tck.suite.support.properties import comparable, names_of

if TYPE_CHECKING:
    from tck.suite.support.client import Client

TYPES: Mapping[str, type] = {
    "JMSXUserID": str,
    "JMSXAppID": str,
    "JMSXDeliveryCount": api.Int,
    "JMSXGroupID": str,
    "JMSXGroupSeq": api.Int,
    "JMSXProducerTXID": str,
    "JMSXConsumerTXID": str,
    "JMSXRcvTimestamp": api.Long,
    "JMSXState": api.Int,
}
"""Each name with the class that `comparable` gives a value of its type."""

SET_ON_SEND = ("JMSXUserID", "JMSXAppID", "JMSXProducerTXID")
SET_ON_RECEIPT = ("JMSXDeliveryCount", "JMSXConsumerTXID", "JMSXRcvTimestamp")


def present(message: api.Message) -> list[str]:
    """Give the names of the JMSX properties of a message, whatever the case they are written in."""
    return [name for name in names_of(message) if name.upper().startswith("JMSX")]


def announced(client: Client) -> list[str]:
    """Give the names of the JMSX properties that the client's connection announces."""
    return sorted(str(name) for name in client.connection.meta_data.get_jmsx_property_names())


def unknown(names: Iterable[str]) -> list[str]:
    """Give those names that are none of the nine, whatever their case."""
    known = {name.upper() for name in TYPES}
    return [name for name in names if name.upper() not in known]


def misspelt(names: Iterable[str]) -> list[str]:
    """Give those names that are one of the nine but for their case."""
    return [name for name in names if name not in TYPES and not unknown([name])]


def misfits(message: api.Message) -> list[str]:
    """Give the JMSX properties of another class than their type says, each with its class."""
    classes = {name: type(comparable(message.get_object_property(name))) for name in present(message)}
    return [f"{name} {kind.__name__}" for name, kind in classes.items() if TYPES.get(name, kind) is not kind]


def of(message: api.Message, names: Iterable[str]) -> list[str]:
    """Give those of the names that a message has."""
    return [name for name in names if message.property_exists(name)]
