"""The nine JMSX properties: their types, and those that are set on send."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api

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
"""The names, with the class of a value in the form of `comparable`."""

SET_ON_SEND = ("JMSXUserID", "JMSXAppID", "JMSXProducerTXID")
"""The properties that the provider sets on send."""

SET_ON_RECEIPT = ("JMSXDeliveryCount", "JMSXConsumerTXID", "JMSXRcvTimestamp")
"""The properties that the provider sets on receipt."""

SET_BY_PROVIDER = (*SET_ON_SEND, *SET_ON_RECEIPT)
"""All that a provider may add. The others are the client's, or of a message warehouse."""
