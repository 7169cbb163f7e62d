"""The nine JMSX properties: their types, who sets them, and which of them a message has or a connection announces."""

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
"""Each name with the class that `comparable` gives a value of its type."""

SET_ON_SEND = ("JMSXUserID", "JMSXAppID", "JMSXProducerTXID")
