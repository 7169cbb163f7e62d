"""Names of properties and map entries, and the JMSX properties with their types.

A property name is an identifier of the selector language and not a reserved word (3.5.1-1 to 3.5.1-3). Names beginning
with `JMS` are not the client's: `JMSX` names are the nine of the specification (3.5.9-1), `JMS_` names are a provider's
(3.5.10-1), others do not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reference_provider.java.identifiers import is_identifier, reserved_word
from reference_provider.java.numbers import shown
from reference_provider.messages.model import PropertyValue
from reference_provider.messages.values import JAVA_NAMES
from tck.api import IllegalArgumentException, Int, MessageFormatException

JMSX_TYPES: Final[Mapping[str, type]] = {
    "JMSXUserID": str,
    "JMSXAppID": str,
    "JMSXDeliveryCount": Int,
    "JMSXGroupID": str,
    "JMSXGroupSeq": Int,
    "JMSXProducerTXID": str,
    "JMSXConsumerTXID": str,
    "JMSXRcvTimestamp": int,
    "JMSXState": Int,
}
"""The nine JMSX names and the type of each (3.5.9-2)."""

SET_BY_CLIENT: Final = frozenset({"JMSXGroupID", "JMSXGroupSeq"})
SET_ON_SEND: Final = frozenset({"JMSXUserID", "JMSXAppID", "JMSXProducerTXID"})
SET_ON_RECEIPT: Final = frozenset({"JMSXDeliveryCount", "JMSXConsumerTXID", "JMSXRcvTimestamp"})
SET_BY_PROVIDER: Final = frozenset(JMSX_TYPES) - SET_BY_CLIENT
"""What a client sets under these names does not travel: it is the provider's to say (3.5.9-9)."""

JMSX_PROPERTIES: Final = (
    "JMSXUserID",
    "JMSXAppID",
    "JMSXDeliveryCount",
    "JMSXGroupID",
    "JMSXGroupSeq",
    "JMSXProducerTXID",
    "JMSXConsumerTXID",
    "JMSXRcvTimestamp",
)
"""The JMSX properties this provider supports; JMSXState is for a message warehouse only (3.5.9-14)."""


def check_property_name(name: str, version: str = "3.1") -> None:
    """Refuse an illegal property name.

    Raises:
        IllegalArgumentException: null or empty (3.5.1-4), no identifier, a reserved word, or a `JMS` name that does not
            exist.
    """
    if not name:
        raise IllegalArgumentException("a property needs a name: neither null nor empty")
    if not is_identifier(name):
        raise IllegalArgumentException(f"{shown(name)} is not an identifier and cannot name a property")
    if reserved_word(name, version):
        raise IllegalArgumentException(f"{shown(name)} is a reserved word of selectors and cannot name a property")
    if name.startswith("JMS") and not _exists(name):
        raise IllegalArgumentException(f"{shown(name)} cannot name a property: names beginning with JMS are reserved")


def _exists(name: str) -> bool:
    return name in JMSX_TYPES or name.startswith("JMS_")


def check_jmsx_type(name: str, value: PropertyValue) -> None:
    """Refuse a JMSX property whose type differs from the specification's.

    Raises:
        MessageFormatException: wrong type; null is allowed.
    """
    wanted = JMSX_TYPES.get(name)
    if wanted is not None and value is not None and type(value) is not wanted:
        raise MessageFormatException(f"{name} is of type {JAVA_NAMES[wanted]}, not {JAVA_NAMES[type(value)]}")


def check_entry_name(name: str) -> None:
    """Refuse an illegal name of a map entry.

    Raises:
        IllegalArgumentException: null or empty (3.11-25).
    """
    if not name:
        raise IllegalArgumentException("a map entry needs a name: neither null nor empty")
