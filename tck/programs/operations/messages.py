"""Operations that make and change messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tck.programs.foreign import foreign_message
from tck.programs.foreign.common import Common
from tck.programs.observing.environment import Environment
from tck.programs.observing.look import kind_of
from tck.programs.operations.operation import Operation
from tck.programs.operations.reading import body_member, check_own
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Message,
    OpenOutcome,
)
from tck.programs.state.state import State
from tck.programs.values import boxed, plain

HEADERS: Final[Mapping[str, str]] = {
    "type": "jms_type",
    "correlation": "jms_correlation_id",
    "correlation_bytes": "jms_correlation_id_as_bytes",
    "correlation_native": "jms_correlation_id_as_bytes",
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


def message(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a message with headers, properties and body."""
    kind, body = args["kind"], args.get("body")
    maker = None if args.get("on") is None else env.get(args["on"])
    made = foreign_message(kind) if maker is None else _made(maker, args)
    for key, value in args.get("headers", {}).items():
        set_header(env, made, key, value, args.get("on"))
    for each in args.get("properties", ()):
        set_property(env, made, each)
    spoils: list[Any] = []
    if body is not None and not args.get("direct"):
        fill(env, made, kind, body, spoils)
    if args.get("spoil"):
        _spoil(spoils)
    env.part = ""
    env.keep(name, made)
    if NATIVE in args.get("headers", {}):
        env.native.add(name or "")
    return None


NATIVE: Final = "correlation_native"
"""A correlation identifier in bytes of which the receiver is shown the bytes; of ``correlation_bytes`` it is shown the text."""
NATIVE_FEATURE: Final = "native-correlation-id"


def _check_message(state: State, args: Mapping[str, Json]) -> None:
    if args.get("on") is not None:
        state.usable(args["on"])
    if NATIVE in args.get("headers", {}):
        _check_native(state, args)


def _check_native(state: State, args: Mapping[str, Json]) -> None:
    if args.get("on") is None or any(each.startswith("correlation") for each in args["headers"] if each != NATIVE):
        raise OpenOutcome("what bytes are of a foreign message, or beside text, is left open")
    check_bytes(state)


def check_bytes(state: State) -> None:
    """Refuse a correlation identifier in bytes where the provider claims none, or somebody may ask for it as text.

    Raises:
        OpenOutcome: It is so.
    """
    if NATIVE_FEATURE not in state.capabilities.features:
        raise OpenOutcome("the provider claims no native correlation identifiers")  # 3.4.5-4
    if state.disabling or state.correlating:
        raise OpenOutcome("it could not be known whose bytes they are, or a selector asks for them as text")  # 3.4.5-5


def _note_message(state: State, step: Step, _: object) -> None:
    name = step.name or ""
    numbered = any(each[0] == "n" for each in step.args.get("properties", ()))
    state.native |= NATIVE in step.args.get("headers", {})
    made = Message(name, step.args["kind"], step.args.get("on") is None, numbered=numbered)
    state.messages[name] = made


def _made(maker: Any, args: Mapping[str, Json]) -> Any:
    kind = args["kind"]
    if args.get("direct") and kind == "text":
        return maker.create_text_message(plain(args["body"]))
    if args.get("direct") and kind == "object":
        return maker.create_object_message(boxed(args["body"]))
    return maker.create_message() if kind == "message" else getattr(maker, f"create_{kind}_message")()


def fill(env: Environment, made: Any, kind: str, body: Sequence[Any], spoils: list[Any]) -> None:
    """Write a body; what is handed over and can be changed afterwards goes to `spoils`."""
    env.part = f"body {kind}"
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
    env.part = f"{env.part.partition(',')[0]}, {kind}"
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


def set_header(env: Environment, made: Any, key: str, value: Json, maker: str | None = None) -> None:
    """Set a header of a message, which a session or context of this name has made."""
    env.part = f"header {key}"
    if key in _DESTINATIONS:
        destination = env.target({"on": maker, "of": value}, "of")
        # the provider itself reads a foreign message, and is to find its own object there
        setattr(made, _DESTINATIONS[key], env.bare(destination) if isinstance(made, Common) else destination)
    elif key == "correlation_of":
        made.jms_correlation_id = env.get(value).jms_message_id
    elif key in {"correlation_bytes", "correlation_native"}:
        made.jms_correlation_id_as_bytes = bytes.fromhex(value)
    else:
        setattr(made, HEADERS[key], value)


def set_property(env: Environment, made: Any, given: Sequence[Any]) -> None:
    """Set a property ``[name, type, content, how]``, by the method of its type or as an object."""
    name, kind, content, *how = given
    env.part = f"property, {kind}"
    if kind == "unsupported":
        made.set_object_property(name, env.provider.unsupported_value())
    elif how == ["object"] or kind == "null":
        made.set_object_property(name, boxed([kind, content]))
    else:
        getattr(made, f"set_{kind}_property")(name, plain([kind, content]))


def header(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Change a header of a message."""
    if args["what"].startswith("correlation"):
        env.native.discard(args["on"])
    set_header(env, env.get(args["on"]), args["what"], args["value"])


def property_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Change a property of a message."""
    set_property(
        env,
        env.get(args["on"]),
        [args["name"], args["type"], args.get("value"), *([args["how"]] if "how" in args else ())],
    )


def _check_header(_: State, args: Mapping[str, Json]) -> None:
    if args["what"] == NATIVE:
        raise OpenOutcome("only a message that is being made gets one")


def _check_property(state: State, args: Mapping[str, Json]) -> None:
    found = state.messages[args["on"]]
    if found.foreign and (found.sent or args["name"] in {"", None} or args["type"] == "unsupported"):
        raise OpenOutcome("what a foreign message refuses is its own affair")


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


def _message_member(step: Step, on: str) -> str | None:
    if step.args.get("on") is None:
        return None
    kind = step.args["kind"]
    return f"{on}.create_message" if kind == "message" else f"{on}.create_{kind}_message"


def _message_class(step: Step, _: str) -> str:
    kind = step.args["kind"]
    return f"{kind.capitalize()}Message" if kind in {"text", "bytes", "map", "stream", "object"} else "Message"


def _header_member(step: Step, _: str) -> str:
    what = step.args["what"]
    member = HEADERS.get("correlation" if what == "correlation_of" else what, f"jms_{what}")
    return f"Message.{member.removesuffix('_as_bytes')}"


def _property_member(step: Step, _: str) -> str:
    kind = step.args.get("type")
    untyped = step.args.get("how") == "object" or kind in {"null", "unsupported"}
    return f"Message.set_{'object' if untyped else kind}_property"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "message", message, check=_check_message, note=_note_message,
        member=_message_member, makes=_message_class, keeps_browsers=True,
    ),
    Operation("header", header, check=_check_header, member=_header_member, changes=True),
    Operation("property", property_, check=_check_property, member=_property_member, changes=True),
    Operation("write", write, check=check_own, member=body_member, changes=True),
    Operation("clear_body", clear_body, check=check_own, member="Message.clear_body", changes=True),
    Operation("clear_properties", clear_properties, check=check_own, member="Message.clear_properties", changes=True),
    Operation("reset", reset, check=check_own, member="BytesMessage.reset", changes=True),
)  # fmt: skip
