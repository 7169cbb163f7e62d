"""How a message is shown so that two providers can be compared: a value of the provider's choice by what it equals.

An identifier is shown as ``sent`` where it is the one that the sender got, a time by the call that it was counted from,
a destination by its name in the program. Reading a body of items leaves it reset.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

from tck import api
from tck.programs.observing.environment import AS_BYTES, Environment, Sent, exception_name, quietly
from tck.programs.program import Json
from tck.programs.values import typed

Gathered: TypeAlias = "tuple[dict[str, Json], dict[str, Any], Any]"
"""What was read of a message, the headers to be shown later, and the number that the program put on it."""

KINDS: Final[tuple[tuple[type, str], ...]] = (
    (api.TextMessage, "text"),
    (api.BytesMessage, "bytes"),
    (api.MapMessage, "map"),
    (api.StreamMessage, "stream"),
    (api.ObjectMessage, "object"),
)
_TOLD: Final = ("jms_message_id", "jms_correlation_id", "jms_timestamp", "jms_expiration", "jms_delivery_time")
_AS_BYTES: Final = "jms_correlation_id_as_bytes"
_NEAR_MS: Final = 10**10
_ITEMS: Final = 300
"""At most so many items of a stream are read, in case its end never comes."""


def kind_of(message: object) -> str:
    """Name the kind of a message."""
    return next((name for kind, name in KINDS if isinstance(message, kind)), "message")


def tried(call: Callable[[], Json]) -> Json:
    """Call; tell what it raised where it raised."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever a getter raises is what was seen
        return {"raises": exception_name(error)}


def received(env: Environment, message: Any, *, body: bool = True) -> Json:
    """Return all of a message that was received or browsed."""
    return view(env, gathered(env, message, body=body))


def gathered(env: Environment, message: Any, *, body: bool = True) -> Gathered:
    """Read all of a message; what it means can be shown later, once the send that it came of has returned."""
    message = env.bare(message)
    read: dict[str, Json] = {
        "kind": kind_of(message),
        "send": None,
        "headers": _common(env, message),
        "properties": properties(env, message),
    }
    if body:
        read["body"] = tried(partial(body_of, message))
    values = {name: _value(message, name) for name in (*_TOLD, *((_AS_BYTES,) if env.native else ()))}
    return read, values, quietly(lambda: message.get_object_property("n"))


def view(env: Environment, found: Gathered) -> Json:
    """Return a message that was read: by the send that it came of."""
    read, values, tag = found
    sent = env.sent_of(values["jms_message_id"], getattr(tag, "value", tag), texts(read["properties"]))
    read["send"] = None if sent is None else sent.number
    read["headers"] |= _relative(env, values, sent)
    if sent is not None and sent.native:
        _native(read["headers"], values.get(_AS_BYTES))
    read["properties"] = _shown_properties(env, read["properties"], sent)
    return read


def texts(shown: Json) -> list[str]:
    """Return the values of properties that are strings."""
    return [each[1] for each in shown.values() if isinstance(each, list) and each[0] == "string"]


def own(env: Environment, message: Any) -> Json:
    """Return all of a message that the program made; headers set by a send included."""
    message = env.bare(message)
    sent = next((each for each in reversed(env.sent) if each.message is message), None)
    found: dict[str, Json] = {
        "kind": kind_of(message),
        "headers": _common(env, message),
        "properties": properties(env, message),
    }
    found["properties"] = _shown_properties(env, found["properties"], sent)
    if sent is not None:
        found["headers"] |= _relative(env, {name: _value(message, name) for name in _TOLD}, sent)
        if sent.given in env.native:
            _native(found["headers"], _value(message, _AS_BYTES))
    if kind_of(message) in {"text", "map", "object"}:
        found["body"] = tried(partial(body_of, message))
    return found


def _value(message: Any, name: str) -> Any:
    try:
        return getattr(message, name)
    except Exception as error:  # noqa: BLE001 - what it raises is what was seen
        return error


def _common(env: Environment, message: Any) -> dict[str, Json]:
    return {
        "JMSDestination": tried(lambda: env.name_of(message.jms_destination)),
        "JMSReplyTo": tried(lambda: env.name_of(message.jms_reply_to)),
        "JMSDeliveryMode": tried(lambda: message.jms_delivery_mode),
        "JMSPriority": tried(lambda: message.jms_priority),
        "JMSRedelivered": tried(lambda: message.jms_redelivered),
        "JMSType": tried(lambda: typed(message.jms_type)),
    }


def _correlation(env: Environment, value: object) -> Json:
    found = next((each for each in env.sent if each.seen and each.id is not None and each.id == value), None)
    return typed(value) if found is None else f"the id of send {found.number}"


def _native(headers: dict[str, Json], value: object) -> None:
    """Put a correlation identifier that is bytes in the place of its text, which is the provider's own affair (3.4.5-5)."""
    headers.pop("JMSCorrelationID", None)
    headers[AS_BYTES] = {"raises": exception_name(value)} if isinstance(value, Exception) else typed(value)


def _relative(env: Environment, values: dict[str, Any], sent: Sent | None) -> dict[str, Json]:
    """Return the headers that mean something only beside those that the sender got."""
    tells: dict[str, Callable[[Any], Json]] = {
        "JMSMessageID": lambda value: _identifier(value, sent),
        "JMSCorrelationID": lambda value: _correlation(env, value),
        "JMSTimestamp": lambda value: _time(env, value, sent, "timestamp"),
        "JMSExpiration": lambda value: _time(env, value, sent, "expiration"),
        "JMSDeliveryTime": lambda value: _time(env, value, sent, "delivery_time"),
    }
    found: dict[str, Json] = {}
    for (header, tell), value in zip(tells.items(), (values[name] for name in _TOLD), strict=True):
        found[header] = {"raises": exception_name(value)} if isinstance(value, Exception) else tell(value)
    return found


def _identifier(value: object, sent: Sent | None) -> Json:
    if sent is not None and sent.seen:
        if value == sent.id:
            return "sent"
        return "null" if value is None else "another"
    return _shown_identifier(value)


def _shown_identifier(value: object) -> str:
    if value is None:
        return "null"
    return "an id" if isinstance(value, str) and value.startswith("ID:") else f"no id: {str(value)[:20]!r}"


def _time(env: Environment, value: Any, sent: Sent | None, name: str) -> Json:
    if sent is None:
        return "never" if value == 0 else "some time"
    if sent.seen and value == getattr(sent, name):
        return "sent"
    shown = _since_call(env, value, sent, name)
    return f"not as sent: {shown}" if sent.seen else shown


def _since_call(env: Environment, value: Any, sent: Sent, name: str) -> str:
    """Return a time by the call of the send, plus what was asked for."""
    offset = {"timestamp": 0, "expiration": sent.ttl, "delivery_time": sent.delay}[name] * env.terms.unit
    if value == 0:
        return "never"
    slack = env.terms.tolerance
    if name == "expiration" and not offset:
        return f"{value} without a time to live"
    if sent.called + offset - slack <= value <= sent.returned + offset + slack:
        return "send" if not offset else f"send + {offset // env.terms.unit} units"
    # What was set by hand is nowhere near the call.
    return f"{value - sent.called - offset} ms off" if abs(value - sent.called) < _NEAR_MS else str(value)


def sender_headers(env: Environment, message: Any, sent: Sent) -> Json:
    """Return what a send has set on the sender's message, and remember it for who receives it."""
    message = env.bare(message)
    known = {each.id for each in env.sent if each is not sent and each.seen}
    sent.message, sent.seen = message, True
    shown = _common(env, message)
    shown["JMSCorrelationID"] = tried(lambda: _correlation(env, message.jms_correlation_id))
    for name, attribute, header in (
        ("timestamp", "jms_timestamp", "JMSTimestamp"),
        ("expiration", "jms_expiration", "JMSExpiration"),
        ("delivery_time", "jms_delivery_time", "JMSDeliveryTime"),
    ):
        shown[header] = tried(partial(_remembered, env, message, sent, (name, attribute)))
    shown["JMSMessageID"] = tried(lambda: _fresh(message, sent, known))
    if sent.native:
        _native(shown, _value(message, _AS_BYTES))
    return shown


def _remembered(env: Environment, message: Any, sent: Sent, names: tuple[str, str]) -> str:
    name, attribute = names
    value = getattr(message, attribute)
    setattr(sent, name, value)
    return _since_call(env, value, sent, name)


def _fresh(message: Any, sent: Sent, known: set[object]) -> str:
    value = message.jms_message_id
    sent.id = value
    return "used before" if value is not None and value in known else _shown_identifier(value)


# -- properties --------------------------------------------------------------------------------------------------------

SUPPORTED: Final = frozenset({"JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount"})
"""The JMSX properties that every provider supports."""
_CHOSEN: Final = frozenset({"JMSXProducerTXID", "JMSXConsumerTXID", "JMSXUserID", "JMSXAppID"})
"""Text that a provider chooses: for a connection, or for a transaction."""
_HEARD: Final = "#"
"""Such text as a listener sees it, in a thread of the provider's."""


def properties(env: Environment, message: Any) -> Json:
    """Return the properties by name; values that the provider chooses by their type."""
    names = tried(lambda: sorted(str(each) for each in message.get_property_names()))
    if not isinstance(names, list):
        return names
    return {name: tried(partial(_property, env, message, name)) for name in names}


def _property(env: Environment, message: Any, name: str) -> Json:
    value = message.get_object_property(name)
    if name in _CHOSEN and isinstance(value, str) and threading.get_ident() != env.thread:
        return ["string", _HEARD]
    if name == "JMSXRcvTimestamp" and isinstance(value, int):
        return ["long", "now" if abs(env.clock.now() - value) <= env.terms.tolerance else "another time"]
    return typed(value)


def _shown_properties(env: Environment, read: Json, sent: Sent | None) -> Json:
    """Return properties with each text that the provider chooses by whether it is that of its connection or transaction."""
    if not isinstance(read, dict):
        return read
    return {name: _chosen(env, name, each, sent) if name in _CHOSEN else each for name, each in read.items()}


def _chosen(env: Environment, name: str, read: Json, sent: Sent | None) -> Json:
    if not isinstance(read, list) or read[0] != "string":
        return read
    if read[1] == _HEARD:
        return read
    if sent is None or name == "JMSXConsumerTXID":
        return ["string", "#1"]
    return ["string", env.pattern(name, read[1], sent.transaction if name == "JMSXProducerTXID" else sent.connection)]


# -- bodies ------------------------------------------------------------------------------------------------------------


def body_of(message: Any) -> Json:
    """Return the whole body of a message."""
    match kind_of(message):
        case "text":
            return typed(message.text)
        case "map":
            names = sorted(str(each) for each in message.get_map_names())
            return {name: tried(partial(_entry, message, name)) for name in names}
        case "object":
            return typed(message.object)
        case "stream":
            return _stream(message)
        case "bytes":
            return _bytes(message)
        case _:
            return None


def _entry(message: Any, name: str) -> Json:
    return typed(message.get_object(name))


def _stream(message: Any) -> Json:
    items: list[Json] = []
    while len(items) < _ITEMS:
        try:
            items.append(typed(message.read_object()))
        except api.MessageEOFException:
            break
        except Exception as error:  # noqa: BLE001 - what a read raises is what was seen
            items.append({"raises": exception_name(error)})
            break
    message.reset()
    return items


def _bytes(message: Any) -> Json:
    length = message.body_length
    buffer = bytearray(max(1, min(int(length), 1 << 20)))
    count = message.read_bytes(buffer)
    message.reset()
    return [length, count, typed(bytes(buffer[: max(0, count)]))]
