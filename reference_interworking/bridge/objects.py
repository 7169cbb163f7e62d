"""Objects of object messages as octets: JSON with a mark where JSON has no form for a value. No code runs when they are read."""

from __future__ import annotations

import base64
import json

from tck import api as jms
from tck.interworking import BridgeError

_MARK = "$"
_BOXES = {box.__name__: box for box in (jms.Byte, jms.Short, jms.Int, jms.Long, jms.Float, jms.Double, jms.Char)}


def serialized(value: object) -> bytes:
    """Return an object as octets.

    Raises:
        BridgeError: It is, or holds, something else than texts, numbers, booleans, nulls, bytes, lists, tuples, mappings with
            texts as keys, and the boxes of Java's types.
    """
    return json.dumps(_form(value), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def deserialized(octets: bytes) -> object:
    """Return the object of the octets.

    Raises:
        BridgeError: They hold none.
    """
    try:
        return _value(json.loads(octets.decode("utf-8", "surrogatepass")))
    except (ValueError, KeyError, TypeError) as error:
        raise BridgeError(f"the octets hold no object: {error}") from error


def _form(value: object) -> object:
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if isinstance(value, bytes | bytearray):
        return {_MARK: "bytes", "value": base64.b64encode(value).decode()}
    if isinstance(value, jms.Box):
        return {_MARK: type(value).__name__, "value": value.value}
    if isinstance(value, list):
        return [_form(each) for each in value]
    if isinstance(value, tuple):
        return {_MARK: "tuple", "value": [_form(each) for each in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {_MARK: "dict", "value": {key: _form(each) for key, each in value.items()}}
    raise BridgeError(f"a {type(value).__name__} cannot be serialised")


def _value(form: object) -> object:
    if isinstance(form, list):
        return [_value(each) for each in form]
    if not isinstance(form, dict):
        return form
    held = form["value"]
    match form[_MARK]:
        case "bytes":
            return base64.b64decode(held, validate=True)
        case "tuple":
            return tuple(_value(each) for each in held)
        case "dict":
            return {key: _value(each) for key, each in held.items()}
        case box:
            return _BOXES[box](held)
