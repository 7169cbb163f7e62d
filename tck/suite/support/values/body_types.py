"""Types for getBody, isBodyAssignableTo and receiveBody, and the bodies they are asked of."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support.values.object_types import Container, Parcel, Stranger

ENTRIES: Mapping[str, object] = {"text": "x", "number": api.Int(7), "bytes": b"abc"}
"""The entries of the map message of `filled`."""
PARCEL = Parcel("brown", 7)
"""The object of the object message of `filled`."""

ASKED: Mapping[str, api.BodyType] = {
    "String": str,
    "CharSequence": api.CHAR_SEQUENCE,
    "Comparable": api.COMPARABLE,
    "Serializable": api.SERIALIZABLE,
    "Number": api.NUMBER,
    "Integer": api.Int,
    "Long": api.Long,
    "Double": api.Double,
    "Boolean": bool,
    "Character": api.Char,
    "Map": dict,
    "byte[]": bytes,
    "List": list,
    "Parcel": Parcel,
    "Container": Container,
    "Stranger": Stranger,
    "Object": api.OBJECT,
}
"""Types to ask for, by their Java names."""
