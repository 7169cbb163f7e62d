"""The stored form of a message: headers as one JSON object, the body as bytes.

SQL tools can read the JSON too: booleans, strings, longs and finite doubles are plain JSON values; every other type is
an object with the Java type as its only key, `{"int": 5}`. Bodies: text in UTF-8, bytes unchanged, map and stream as
JSON with the same forms of values, an object in its safe encoding (`objects`).
"""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring_ascii
from typing import Any, Final, TypeAlias

import orjson

from reference_provider.messages.model import Body, BodyValue, Kind, Snapshot
from tck.api import Byte, Char, Destination, Float, Int, Queue, Short, TemporaryQueue, TemporaryTopic, Topic

DestinationMaker: TypeAlias = Callable[[str, str], Destination]

Form: TypeAlias = Any
"""What stands in JSON for a value, or for a body."""


def encode(snapshot: Snapshot, envelope: str) -> tuple[str, bytes | None]:
    """Return the stored form: headers as one JSON object, body as bytes (None if there is none).

    `envelope` holds the broker's own fields (id, timestamp, mode ...) as members of a JSON object, under any names
    except `kind`, `correlation`, `reply_to`, `type` and `properties`: `"id":"ID:1","mode":2`.
    """
    kind, body, properties, correlation, reply_to, message_type = snapshot
    headers = f'{{"kind":"{kind}",{envelope}' if envelope else f'{{"kind":"{kind}"'
    if correlation is not None:
        headers += f',"correlation":{json_text(correlation)}'
    if reply_to is not None:
        headers += f',"reply_to":{json_text(destination_form(reply_to))}'
    if message_type is not None:
        headers += f',"type":{json_text(message_type)}'
    if properties:
        headers += f',"properties":{json_text(properties)}'
    return headers + "}", BODY_WRITERS[kind](body)


def decode(headers: str, body: bytes | None, destination_of: DestinationMaker) -> tuple[Snapshot, dict[str, Any]]:
    """Return the snapshot and the envelope; `destination_of(kind, name)` creates destinations.

    Kinds of destination: `queue`, `topic`, `temporary-queue`, `temporary-topic`.
    """
    fields: dict[str, Any] = json.loads(headers)
    kind: Kind = fields.pop("kind")
    correlation = fields.pop("correlation", None)
    reply_to = fields.pop("reply_to", None)
    snapshot = Snapshot(
        kind,
        BODY_READERS[kind](body),
        {name: value_of(form) for name, form in fields.pop("properties", {}).items()},
        None if correlation is None else value_of(correlation),
        None if reply_to is None else destination_of(reply_to["kind"], reply_to["name"]),
        fields.pop("type", None),
    )
    return snapshot, fields


def json_text(value: object) -> str:
    """Write JSON with readable characters; half a surrogate pair, which a file cannot hold, makes the whole text ASCII.

    Typed values may occur anywhere in it. The encoder asks for the forms of values it does not know, which is cheaper
    than passing forms only. It would write null for a double without a JSON number, so then all forms are passed.
    """
    if type(value) is str and value.isascii():
        return encode_basestring_ascii(value)
    try:
        text = orjson.dumps(value, _encodable, _OPTIONS)
        if b"null" in text:  # a null, or a double without a JSON number
            text = orjson.dumps(_forms(value), None, _OPTIONS)
    except TypeError:  # half a surrogate pair
        return _exact(_forms(value))
    return text.decode()


def _forms(value: Form) -> Form:
    """Return a copy with each typed value replaced by its form."""
    if isinstance(value, Mapping):
        return {name: _forms(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_forms(each) for each in value]
    return value_form(value)


def value_form(value: BodyValue) -> Form:
    """Return the JSON form of a typed value."""
    form = VALUE_FORMS.get(type(value))
    return value if form is None else form(value)


def value_of(form: Form) -> Form:
    """Return the typed value of a JSON form."""
    if type(form) is not dict:
        return form
    ((name, content),) = form.items()
    return VALUE_READERS[name](content)


def destination_form(destination: Destination) -> dict[str, str]:
    """Return the JSON form of a destination."""
    match destination:
        case TemporaryQueue():
            return {"kind": "temporary-queue", "name": destination.queue_name}
        case Queue():
            return {"kind": "queue", "name": destination.queue_name}
        case TemporaryTopic():
            return {"kind": "temporary-topic", "name": destination.topic_name}
        case Topic():
            return {"kind": "topic", "name": destination.topic_name}
    raise TypeError(f"{destination!r} is neither a queue nor a topic")


def _double_form(value: float) -> Form:
    return value if math.isfinite(value) else {"double": repr(value)}


def _float_form(value: Float) -> Form:
    number = value.value
    return {"float": number if math.isfinite(number) else repr(number)}


VALUE_FORMS: Final[dict[type, Callable[[Any], Any]]] = {
    Byte: lambda value: {"byte": value.value},
    Short: lambda value: {"short": value.value},
    Int: lambda value: {"int": value.value},
    Float: _float_form,
    float: _double_form,
    Char: lambda value: {"char": value.value},
    bytes: lambda value: {"bytes": b64encode(value).decode("ascii")},
}
"""The types that do not stand for themselves in JSON."""


def _encodable(value: object) -> Form:
    """Return the form of a value that the encoder does not know."""
    form = VALUE_FORMS.get(type(value))
    return dict(value) if form is None else form(value)  # type: ignore[call-overload] # a mapping that is no dict


_OPTIONS: Final = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATACLASS
"""Nothing stands for itself but what `encode` says, no subclass of it either."""
_exact: Final = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"), default=_encodable
).encode

VALUE_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "byte": Byte,
    "short": Short,
    "int": Int,
    "float": lambda content: Float(float(content)),
    "double": float,
    "char": Char,
    "bytes": b64decode,
}


def _no_body(_: Form) -> None:
    return None


def _write_text(body: Form) -> bytes | None:
    return None if body is None else body.encode("utf-8", "surrogatepass")


def _read_text(stored: bytes | None) -> Body:
    return None if stored is None else stored.decode("utf-8", "surrogatepass")


def _same(body: Form) -> Form:
    return body


def _write_map(body: Form) -> bytes:
    return json_text(body).encode()


def _read_map(stored: bytes | None) -> Body:
    return {name: value_of(form) for name, form in json.loads(stored or b"{}").items()}


def _write_stream(body: Form) -> bytes:
    return json_text(body).encode()


def _read_stream(stored: bytes | None) -> Body:
    return tuple([value_of(form) for form in json.loads(stored or b"[]")])


BODY_WRITERS: Final[Mapping[Kind, Callable[[Body], bytes | None]]] = {
    "message": _no_body,
    "text": _write_text,
    "bytes": _same,
    "map": _write_map,
    "stream": _write_stream,
    "object": _same,
}

BODY_READERS: Final[Mapping[Kind, Callable[[bytes | None], Body]]] = {
    "message": _no_body,
    "text": _read_text,
    "bytes": _same,
    "map": _read_map,
    "stream": _read_stream,
    "object": _same,
}
