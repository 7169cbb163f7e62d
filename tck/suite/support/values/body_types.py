"""Which types a body may be asked for as: a message of each kind with a body, and a matrix of types to ask for."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.suite.support.values.object_types import Container, Parcel, Stranger

ENTRIES: Mapping[str, object] = {"text": "x", "number": api.Int(7), "bytes": b"abc", "null": None}
PARCEL = Parcel("brown", 7)

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
"""Types to ask for, by the names they have in Java."""
