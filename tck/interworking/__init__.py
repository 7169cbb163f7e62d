"""What a bridge between a notification channel and JMS handles: CORBA values, structured events, and the converter under test.

Values and contracts only. A bridge of our own, `reference_interworking.bridge`, and any other one are written against them; the suite reads
them. Imports `tck.api` and nothing else of ours.
"""

from tck.interworking.anys import (
    ANY_SEQ,
    NULL,
    OCTET_SEQ,
    PROPERTY,
    PROPERTY_SEQ,
    Any_,
    Kind,
    TypeCode,
    array_of,
    enum_of,
    sequence_of,
    struct_of,
    union_of,
)
from tck.interworking.cdr import CdrError, decode, encode
from tck.interworking.converter import BridgeError, Converted, Converter
from tck.interworking.events import (
    BEST_EFFORT,
    EVENT_RELIABILITY,
    PERSISTENT,
    PRIORITY,
    STOP_TIME,
    TIMEOUT,
    EventHeader,
    EventType,
    FixedEventHeader,
    Property,
    StructuredEvent,
    event,
)

__all__ = [
    "ANY_SEQ",
    "BEST_EFFORT",
    "EVENT_RELIABILITY",
    "NULL",
    "OCTET_SEQ",
    "PERSISTENT",
    "PRIORITY",
    "PROPERTY",
    "PROPERTY_SEQ",
    "STOP_TIME",
    "TIMEOUT",
    "Any_",
    "BridgeError",
    "CdrError",
    "Converted",
    "Converter",
    "EventHeader",
    "EventType",
    "FixedEventHeader",
    "Kind",
    "Property",
    "StructuredEvent",
    "TypeCode",
    "array_of",
    "decode",
    "encode",
    "enum_of",
    "event",
    "sequence_of",
    "struct_of",
    "union_of",
]
