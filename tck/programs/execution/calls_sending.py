"""Calls that make and change messages, and send them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tck import api
from tck.programs.execution import foreign
from tck.programs.execution.calls_clients import Call
from tck.programs.execution.environment import Environment, Options, Sent, exception_name
from tck.programs.execution.look import kind_of, sender_headers
from tck.programs.program import Json
from tck.programs.values import boxed, plain

HEADERS: Final[Mapping[str, str]] = {
    "type": "jms_type",
    "correlation": "jms_correlation_id",
    "correlation_bytes": "jms_correlation_id_as_bytes",
    "id": "jms_message_id",
    "timestamp": "jms_timestamp",
    "mode": "jms_delivery_mode",
    "priority": "jms_priority",
    "expiration": "jms_expiration",
    "delivery_time": "jms_delivery_time",
    "redelivered": "jms_redelivered",
}
"""Headers that take a plain value, by the names that programs have for them."""
_DESTINATIONS: Final = {"reply_to": "jms_reply_to", "destination": "jms_destination"}
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


# -- messages ----------------------------------------------------------------------------------------------------------


def message(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a message with headers, properties and body."""
    kind, body = args["kind"], args.get("body")
    maker = None if args.get("on") is None else env.get(args["on"])
    made = foreign.message(kind) if maker is None else _made(maker, args)
    for key, value in args.get("headers", {}).items():
        set_header(env, made, key, value)
    for each in args.get("properties", ()):
        set_property(env, made, each)
    spoils: list[Any] = []
    if body is not None and not args.get("direct"):
        fill(env, made, kind, body, spoils)
    if args.get("spoil"):
        _spoil(spoils)
    env.keep(name, made)
    return None


def _made(maker: Any, args: Mapping[str, Json]) -> Any:
    kind = args["kind"]
    if args.get("direct") and kind == "text":
        return maker.create_text_message(plain(args["body"]))
    if args.get("direct") and kind == "object":
        return maker.create_object_message(boxed(args["body"]))
    return maker.create_message() if kind == "message" else getattr(maker, f"create_{kind}_message")()


def fill(env: Environment, made: Any, kind: str, body: Sequence[Any], spoils: list[Any]) -> None:
    """Write a body; what is handed over and can be changed afterwards goes to `spoils`."""
    match kind:
        case "text":
            made.text = plain(list(body))
        case "object":
            value = env.provider.unsupported_value() if body[0] == "unsupported" else boxed(list(body))
            spoils.append(value)
            made.object = value
        case "map":
            for entry in body:
                _put(env, made, "set_{}", entry[1:], spoils, entry[0])
        case "stream" | "bytes":
            for item in body:
                _put(env, made, "write_{}", item, spoils)


def _put(env: Environment, made: Any, pattern: str, item: Sequence[Any], spoils: list[Any], *name: Any) -> None:
    """Write an entry or item ``[type, content, how, offset, length]``: by the method of its type, or as an object."""
    kind, content, *more = item
    how = more[0] if more else "typed"
    if kind == "unsupported":
        getattr(made, pattern.format("object"))(*name, env.provider.unsupported_value())
    elif how == "object" or kind == "null":
        getattr(made, pattern.format("object"))(*name, boxed([kind, content]))
    elif kind == "bytes":
        given = bytearray(plain([kind, content]))
        spoils.append(given)
        getattr(made, pattern.format("bytes"))(*name, given, *more[1:])
    else:
        getattr(made, pattern.format(kind))(*name, plain([kind, content]))


def _spoil(values: Sequence[Any]) -> None:
    """Change what was handed over: who copied it when it was given does not notice."""
    for value in values:
        if isinstance(value, bytearray):
            value[:] = bytes((each + 1) % 256 for each in value)
        elif isinstance(value, list):
            value.append("spoilt")
        elif isinstance(value, dict):
            value["spoilt"] = True


def set_header(env: Environment, made: Any, key: str, value: Json) -> None:
    """Set a header of a message."""
    if key in _DESTINATIONS:
        setattr(made, _DESTINATIONS[key], None if value is None else env.get(value))
    elif key == "correlation_of":
        made.jms_correlation_id = env.get(value).jms_message_id
    elif key == "correlation_bytes":
        made.jms_correlation_id_as_bytes = bytes.fromhex(value)
    else:
        setattr(made, HEADERS[key], value)


def set_property(env: Environment, made: Any, given: Sequence[Any]) -> None:
    """Set a property ``[name, type, content, how]``, by the method of its type or as an object."""
    name, kind, content, *how = given
    if kind == "unsupported":
        made.set_object_property(name, env.provider.unsupported_value())
    elif how == ["object"] or kind == "null":
        made.set_object_property(name, boxed([kind, content]))
    else:
        getattr(made, f"set_{kind}_property")(name, plain([kind, content]))


def header(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Change a header of a message."""
    set_header(env, env.get(args["on"]), args["what"], args["value"])


def property_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Change a property of a message."""
    set_property(
        env,
        env.get(args["on"]),
        [args["name"], args["type"], args.get("value"), *([args["how"]] if "how" in args else ())],
    )


def write(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Write to the body of a message."""
    found = env.get(args["on"])
    spoils: list[Any] = []
    fill(env, found, kind_of(env.bare(found)), args["body"], spoils)
    if args.get("spoil"):
        _spoil(spoils)


def clear_body(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Clear the body of a message."""
    env.get(args["on"]).clear_body()


def clear_properties(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Clear the properties of a message."""
    env.get(args["on"]).clear_properties()


def reset(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Reset a bytes or stream message."""
    env.get(args["on"]).reset()


# -- producers ---------------------------------------------------------------------------------------------------------


def producer(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a producer."""
    parent, kind = env.get(args["on"]), env.api_of(args["on"])
    to = env.find(args, "to")
    if kind == "simplified":
        made: Any = parent.create_producer()
    elif kind == "queue" and not args.get("plain"):
        made = parent.create_sender(to)
    elif kind == "topic" and not args.get("plain"):
        made = parent.create_publisher(to)
    else:
        made = parent.create_producer(to)
    env.keep(name, made, args["on"])
    env.options[name or ""] = Options()
    env.targets[name or ""] = args.get("to")
    return None


_SET: Final[Mapping[str, str]] = {
    "mode": "delivery_mode",
    "priority": "priority",
    "ttl": "time_to_live",
    "delay": "delivery_delay",
    "disable_id": "disable_message_id",
    "disable_time": "disable_message_timestamp",
}


def set_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Set an option of a producer; on a JMSProducer also a property or a header."""
    found, what, value = env.get(args["on"]), args["what"], args.get("value")
    options = env.options[args["on"]]
    simplified = env.api_of(args["on"]) == "simplified"
    if what == "property":
        return _set_property(env, found, args, options)
    if what == "clear_properties":
        found.clear_properties()
        options.tag = None
        return None
    if what in {"type", "correlation"}:
        chained = getattr(found, f"set_{HEADERS[what]}")(value)
        return {"chained": chained == found}
    if what == "reply_to":
        return {"chained": found.set_jms_reply_to(None if value is None else env.get(value)) == found}
    given: Any = value * env.terms.unit if value and what in {"ttl", "delay"} else value
    if simplified:
        getattr(found, f"set_{_SET[what]}")(given)
        shown = getattr(found, f"get_{_SET[what]}")()
    else:
        setattr(found, _SET[what], given)
        shown = getattr(found, _SET[what])
    if what.startswith("disable"):
        (options.disabled.add if value else options.disabled.discard)(what)
    else:
        setattr(options, what, value)
    return {"kept": shown == given}


def _set_property(env: Environment, found: Any, args: Mapping[str, Json], options: Options) -> Json:
    name, kind, value = args["name"], args["type"], args.get("value")
    if kind == "unsupported":
        found.set_object_property(name, env.provider.unsupported_value())
    elif args.get("how") == "object":
        found.set_object_property(name, boxed([kind, value]))
    else:
        found.set_property(name, plain([kind, value]) if kind == "string" else boxed([kind, value]))
    if name == "n":
        options.tag = value
    return None


# -- sends -------------------------------------------------------------------------------------------------------------


class _Completion(api.CompletionListener):
    """Waits for the outcome of an asynchronous send."""

    def __init__(self, env: Environment, done: Callable[[Any], Json]) -> None:
        self.env = env
        self.calls: list[Json] = []
        self._done = done

    def on_completion(self, message: api.Message) -> None:
        """Look at the message: its headers are set by now (7.3.6-1)."""
        self.calls.append({"completed": self._done(message)})
        self.env.ring()

    def on_exception(self, message: api.Message, exception: Exception) -> None:
        """Record the failure."""
        del message
        self.calls.append({"failed": exception_name(exception)})
        self.env.ring()


def send(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a message."""
    found, given = env.get(args["on"]), env.find(args, "message")
    record = record_of(env, args)
    record.tag = _tag(env, args, given)
    keywords = _keywords(env, args)
    if env.api_of(args["on"]) == "simplified":
        return _send_simplified(env, args, record, (found, given))
    if not args.get("async"):
        if args.get("publish"):
            keywords = {("topic" if key == "destination" else key): value for key, value in keywords.items()}
            found.publish(given, **keywords)
        else:
            found.send(given, **keywords)
        return done(env, record, given)
    listener = _Completion(env, lambda message: done(env, record, message))
    found.send(given, **keywords, completion_listener=listener)
    return _completed(env, listener)


def _send_simplified(env: Environment, args: Mapping[str, Json], record: Sent, both: tuple[Any, Any]) -> Json:
    found, given = both
    listener = _Completion(env, lambda message: done(env, record, message)) if args.get("async") else None
    if listener is not None:
        found.set_async(listener)
    try:
        found.send(env.find(args, "to"), given)
    finally:
        if listener is not None:
            found.set_async(None)
    return done(env, record, given) if listener is None else _completed(env, listener)


def send_body(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a body with a JMSProducer, which makes the message."""
    found, body = env.get(args["on"]), args["body"]
    record = record_of(env, args)
    record.tag = env.options[args["on"]].tag
    value = boxed(body)
    if body[0] == "null":
        found.send(env.find(args, "to"), None, body_type=BODY_CLASSES[args["type"]])
    else:
        found.send(env.find(args, "to"), value)
    record.returned = env.clock.now()
    env.sent.append(record)
    hints = sorted(env.options[record.producer].disabled)
    return {"hints": hints} if hints else None


def record_of(env: Environment, args: Mapping[str, Json]) -> Sent:
    """Begin the record of a send."""
    name = args["on"]
    options = env.options[name]
    return Sent(
        number=len(env.sent),
        producer=name,
        destination=args.get("to") or env.targets[name] or "",
        mode=args.get("mode", options.mode),
        priority=args.get("priority", options.priority),
        ttl=args.get("ttl", options.ttl),
        delay=options.delay,
        called=env.clock.now(),
        returned=0,
        given=args.get("message"),
    )


def _tag(env: Environment, args: Mapping[str, Json], given: Any) -> int | None:
    """Find the number of a message, or that the producer puts on it."""
    own = env.options[args["on"]].tag
    if own is not None or given is None:
        return own
    try:
        value = env.bare(given).get_object_property("n")
    except Exception:  # noqa: BLE001 - then it cannot be told by it
        return None
    number = getattr(value, "value", value)
    return number if isinstance(number, int) else None


def _keywords(env: Environment, args: Mapping[str, Json]) -> dict[str, Any]:
    keywords: dict[str, Any] = {}
    if "to" in args:
        keywords["destination"] = env.find(args, "to")
    if "mode" in args:
        keywords |= {"delivery_mode": args["mode"], "priority": args["priority"]}
        keywords["time_to_live"] = args["ttl"] * env.terms.unit
    return keywords


def done(env: Environment, record: Sent, given: Any) -> Json:
    """Record a send that returned, and tell the headers that it has set."""
    record.returned = env.clock.now()
    record.number = len(env.sent)
    env.sent.append(record)
    hints = sorted(env.options[record.producer].disabled)
    return {"headers": sender_headers(env, given, record), **({"hints": hints} if hints else {})}


def _completed(env: Environment, listener: _Completion) -> Json:
    expected = env.terms.deadline if env.generating else env.patience()
    if not env.until(lambda: bool(listener.calls), expected):
        env.disappointed()
        return {"callback": None}
    return {"callback": listener.calls[0]}


CALLS: Final[Mapping[str, Call]] = {
    **{
        each.__name__: each
        for each in (
            message, header, write, clear_body, clear_properties, reset, producer, send, send_body,
        )
    },
    "property": property_,
    "set": set_,
}  # fmt: skip
