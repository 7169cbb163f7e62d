"""The types that a body is asked for, by the names that programs have for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck import api

BODY_CLASSES: Final[Mapping[str, Any]] = {
    "string": str,
    "bytes": bytes,
    "dict": dict,
    "object": api.OBJECT,
    "serializable": api.SERIALIZABLE,
    "char_sequence": api.CHAR_SEQUENCE,
    "comparable": api.COMPARABLE,
    "number": api.NUMBER,
    "int": api.Int,
    "long": api.Long,
    "boolean": bool,
}
