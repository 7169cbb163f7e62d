"""The event vocabulary: calls, returns, exceptions and deliveries, with actor and time.

An event is a plain JSON object; schemas/event.schema.json is its definition, `Phase` and `render` its words. Keys:

    case, seq, t_ns, thread   which case; number within it (from 1); epoch nanoseconds on the provider's clock; thread name
    actor, on                 label of the session, context or connection at work ("suite" for neither); label of the object called
    op, phase, call           "MessageProducer.send"; see `Phase`; number of the event that opened the call
    args                      arguments given, rendered (invoke, delivered)
    value                     result, rendered (ok); `end` true where an iterator ended
    error                     {"type", "text", "code", "linked"} (fail, unknown)
    message                   facts of the message concerned, as read at that moment
    created                   label, type, parent and settings of an object seen for the first time (ok)
    destination, subscription, message_id    where known: "queue:NAME", label of the consumer or browser, JMSMessageID

A property read is a call without arguments, a property write a call with the argument "value". Imports value types of
`tck.api` and nothing else of ours.
"""

from __future__ import annotations

import builtins
import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from hashlib import blake2b
from typing import TypeAlias

from tck import api
from tck.api.values import Box, Double, Long

INLINE = 256
"""Bodies, strings and byte arrays above this many bytes are rendered as length and digest."""

Event: TypeAlias = Mapping[str, object]
Label: TypeAlias = Callable[[object], str | None]
"""Returns the label of an API object, None for any other value."""


class Phase(StrEnum):
    """The phase of a call that an event records."""

    INVOKE = "invoke"
    """Recorded before the call, with the arguments as they are at that moment."""
    OK = "ok"
    FAIL = "fail"
    UNKNOWN = "unknown"
    """The call was cut: whether it took effect is not known."""
    DELIVERED = "delivered"
    """The provider called the suite: a listener, a completion listener, a session pool. Its ok or fail follows."""


def _no_label(_value: object) -> None:
    return None


def digest(content: bytes) -> str:
    """Return the digest of bytes that replaces them in evidence: 16 hexadecimal digits."""
    return blake2b(content, digest_size=8).hexdigest()


def render(value: object, label: Label = _no_label) -> object:
    """Return a value as JSON, such that values of different Java types differ.

    None, bool, int (long), float (double) and str (up to `INLINE` bytes) are themselves. Boxes, bytes, floats
    without a form in JSON, long texts and everything else become objects: `{"type": "Int", "value": 5}`, `{"type":
    "bytes", "hex": "00ff"}`, `{"type": "str", "len": 5000, "digest": "..."}`. API objects become their labels.
    """
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return value
    if isinstance(value, str):
        return _text(str(value))
    if isinstance(value, float):
        return _real("Double", value) if not math.isfinite(value) else float(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _binary(bytes(value))
    if isinstance(value, Box):
        inner: object = value.value
        return _real(kind.__name__, inner) if isinstance(inner, float) else {"type": kind.__name__, "value": inner}
    return _compound(value, label)


def _text(text: str) -> object:
    if len(text) * 3 <= INLINE:
        return text
    content = text.encode("utf-8", "surrogatepass")
    return text if len(content) <= INLINE else {"type": "str", "len": len(text), "digest": digest(content)}


def _binary(content: bytes) -> object:
    if len(content) <= INLINE:
        return {"type": "bytes", "hex": content.hex()}
    return {"type": "bytes", "len": len(content), "digest": digest(content)}


def _real(kind: str, value: float) -> object:
    return {"type": kind, "value": value if math.isfinite(value) else repr(value)}


def _compound(value: object, label: Label) -> object:
    name = label(value)
    if name is not None:
        return name
    if isinstance(value, type):
        return {"type": "type", "value": value.__name__}
    if isinstance(value, Enum):
        return {"type": type(value).__name__, "value": value.name}
    try:
        return _parts(value, label)
    except Exception as error:  # noqa: BLE001 - foreign code; evidence must be written all the same
        return {"type": type(value).__name__, "text": f"<unreadable: {type(error).__name__}>"}


def _parts(value: object, label: Label) -> object:
    if isinstance(value, Mapping):
        return {"type": "map", "value": {str(key): render(item, label) for key, item in value.items()}}
    if isinstance(value, (list, tuple)):
        return {"type": "list", "value": [render(item, label) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"type": "set", "value": sorted((render(item, label) for item in value), key=repr)}
    if dataclasses.is_dataclass(value):
        fields = {field.name: render(getattr(value, field.name), label) for field in dataclasses.fields(value)}
        return {"type": type(value).__name__, "value": fields}
    if isinstance(value, Exception):
        return exception_facts(value)
    return {"type": type(value).__name__, "text": safe_repr(value)}


def exception_facts(error: BaseException) -> dict[str, object]:
    """Return what an exception carries: type, text, error code, and the exception linked to it or its cause."""
    linked = getattr(error, "linked_exception", None) or error.__cause__
    code = getattr(error, "error_code", None)
    return {
        "type": class_name(type(error)),
        "text": _exception_text(error),
        "code": None if code is None else str(code),
        "linked": None if linked is None else f"{class_name(type(linked))}: {_exception_text(linked)}",
    }


def class_name(kind: type) -> str:
    """Return the full name of a class: Java's of a class that JPype made; of `tck.api` and Python's own ones without the module."""
    java = getattr(kind, "class_", None)
    if java is not None:
        return str(java.getName())  # to Python, JPype's classes have their package both as module and in their name
    ours = kind.__module__.startswith(api.__name__) or kind.__module__ == builtins.__name__
    return kind.__name__ if ours else f"{kind.__module__}.{kind.__qualname__}"


def _exception_text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as other:  # noqa: BLE001 - foreign code; evidence must be written all the same
        return f"<str raised {type(other).__name__}>"


def safe_repr(value: object) -> str:
    """Return `repr(value)` in at most `INLINE` characters, also where the value's own code raises."""
    try:
        return repr(value)[:INLINE]
    except Exception as error:  # noqa: BLE001 - foreign code; evidence must be written all the same
        return f"<repr raised {type(error).__name__}>"


def body_facts(kind: str, body: object) -> dict[str, object]:
    """Return `{"body", "digest"}` of a message body: equal bodies of one kind have equal digests, on any provider.

    Args:
        kind: "text", "bytes", "map", "stream", "object" or "message".
        body: str, bytes, mapping, list of values, or any object; None where there is no body. The digest of an object that
            only its `repr` describes is None: it could differ without a difference.
    """
    body = _plain(body)
    rendered = render(body)
    if isinstance(body, str):
        content = body.encode("utf-8", "surrogatepass")
    elif isinstance(body, bytes):
        content = body
    else:
        text = canonical(rendered)
        content = text.encode("ascii")
        if _opaque(rendered):
            return {"body": short(rendered, text), "digest": None}
        rendered = short(rendered, text)
    return {"body": rendered, "digest": digest(kind.encode() + b"\0" + content)}


def _plain(body: object) -> object:
    """Return a body with Long and Double as plain numbers: a provider may return either."""
    if isinstance(body, (Long, Double)):
        return body.value
    if isinstance(body, list):
        return [_plain(item) for item in body]
    if isinstance(body, Mapping):
        return {key: _plain(item) for key, item in body.items()}
    return body


def _opaque(rendered: object) -> bool:
    """Return whether a rendered value contains a part that only a `repr` describes."""
    if not isinstance(rendered, dict):
        return False
    inner = rendered.get("value")
    if isinstance(inner, dict):
        return any(map(_opaque, inner.values()))
    return any(map(_opaque, inner)) if isinstance(inner, list) else "text" in rendered


def canonical(rendered: object) -> str:
    """Return rendered JSON in its canonical form: sorted keys, no spaces, ASCII."""
    return json.dumps(rendered, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def short(rendered: object, text: str) -> object:
    """Return a rendered compound, or its length and digest if its canonical text is long."""
    if len(text) <= INLINE:
        return rendered
    return {"type": "json", "len": len(text), "digest": digest(text.encode("ascii"))}
