"""Operations that make and set producers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck.programs.observing.environment import Environment, Options
from tck.programs.operations.messages import HEADERS, NATIVE, check_bytes
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    OpenOutcome,
    Producer,
)
from tck.programs.state.state import State
from tck.programs.values import boxed, plain


def producer(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a producer."""
    parent, kind = env.get(args["on"]), env.api_of(args["on"])
    to = env.target(args)
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


def _check_producer(state: State, args: Mapping[str, Json]) -> None:
    session = state.usable(args["on"])
    state.reachable(args.get("to"), session.connection)


def _note_producer(state: State, step: Step, _: object) -> None:
    to = step.args.get("to")
    name, session = step.name or "", state.sessions[step.args["on"]]
    state.producers[name] = Producer(name, session, None if to is None else state.destinations[to])
    state.producers[name].publisher = session.connection.api == "topic" and not step.args.get("plain")


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
    if what in {"type", "correlation", NATIVE}:
        chained = getattr(found, f"set_{HEADERS[what]}")(bytes.fromhex(str(value)) if what == NATIVE else value)
        if what != "type":
            options.correlates = "" if value is None else what
        env.native |= {args["on"]} if what == NATIVE else set()
        return {"chained": chained == found}
    if what == "reply_to":
        return {"chained": found.set_jms_reply_to(None if value is None else env.get(value)) == found}
    given: Any = value * env.terms.unit if value and what in {"ttl", "delay"} else value
    chained = {}
    if simplified:
        chained = {"chained": getattr(found, f"set_{_SET[what]}")(given) == found}
        shown = getattr(found, f"get_{_SET[what]}")()
    else:
        setattr(found, _SET[what], given)
        shown = getattr(found, _SET[what])
    if what.startswith("disable"):
        (options.disabled.add if value else options.disabled.discard)(what)
    else:
        setattr(options, what, value)
    return {"kept": shown == given, **chained}


def _set_property(env: Environment, found: Any, args: Mapping[str, Json], options: Options) -> Json:
    name, kind, value = args["name"], args["type"], args.get("value")
    if kind == "unsupported":
        chained = found.set_object_property(name, env.provider.unsupported_value())
    elif args.get("how") == "object":
        chained = found.set_object_property(name, boxed([kind, value]))
    else:
        chained = found.set_property(name, plain([kind, value]) if kind == "string" else boxed([kind, value]))
    if name == "n":
        options.tag = value
    return {"chained": chained == found}


def _check_set(state: State, args: Mapping[str, Json]) -> None:
    found = state.producers[args["on"]]
    state.usable(found.session.name)
    if found.session.connection.simplified and found.state != "open":
        raise OpenOutcome("only send is said to fail on a JMSProducer of a closed context")  # 6.1.8-43
    if args["what"] == NATIVE:
        check_bytes(state)
    if args["what"] in {"correlation", NATIVE}:
        _check_correlation(found, args)
    if args["what"] == "delay" and not state.capabilities.modern:
        raise OpenOutcome("the version has no delays")
    if args["what"].startswith("disable") and args.get("value") and state.exact:
        raise OpenOutcome("a selector asks for what is left out then, or not")  # 7.4-13
    if args["what"].startswith("disable") and args.get("value") and state.native:
        raise OpenOutcome("it could not be known whose bytes a correlation identifier is")


def _check_correlation(found: Producer, args: Mapping[str, Json]) -> None:
    if found.correlates not in {"", args["what"]}:
        raise OpenOutcome("whether a JMSProducer puts its text or its bytes on a message is left open")
    if args["what"] == NATIVE and args.get("value") is None:
        raise OpenOutcome("nothing to be learned")


def _note_set(state: State, step: Step, _: object) -> None:
    found, what, value = state.producers[step.args["on"]], step.args["what"], step.args.get("value")
    if what == "ttl":
        found.ttl = int(value or 0)
    elif what == "delay":
        found.delay = int(value or 0)
    elif what in {"correlation", NATIVE}:
        found.correlates = "" if value is None else what
        state.native |= what == NATIVE
    elif what.startswith("disable"):
        state.disabling |= bool(value)
    elif what == "property":
        found.properties.add(step.args["name"])
    elif what == "clear_properties":
        found.properties.clear()


OPTIONS: Final[Mapping[str, str]] = {
    **_SET, "type": "jms_type", "correlation": "jms_correlation_id", NATIVE: HEADERS[NATIVE], "reply_to": "jms_reply_to",
}  # fmt: skip
"""The options of a JMSProducer by the names that programs have for them, its headers among them."""
_MADE: Final[Mapping[str, tuple[str, str]]] = {
    "JMSContext": ("create_producer", "JMSProducer"), "QueueSession": ("create_sender", "QueueSender"),
    "TopicSession": ("create_publisher", "TopicPublisher"),
}  # fmt: skip


def _made(step: Step, on: str) -> tuple[str, str]:
    """Return the method that makes a producer, and the class of the producer."""
    plain = bool(step.args.get("plain")) and on != "JMSContext"
    return ("create_producer", "MessageProducer") if plain or on not in _MADE else _MADE[on]


def _set_member(step: Step, on: str) -> str:
    what = step.args["what"]
    if what == "clear_properties":
        return f"{on}.clear_properties"
    if what == "property":
        return f"{on}.set_{'object_' if step.args.get('how') == 'object' else ''}property"
    return f"{on}.{'set_' if on == 'JMSProducer' else ''}{OPTIONS.get(what, what)}"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "producer", producer, check=_check_producer, note=_note_producer,
        member=lambda step, on: f"{on}.{_made(step, on)[0]}", makes=lambda step, on: _made(step, on)[1],
    ),
    Operation("set", set_, check=_check_set, note=_note_set, member=_set_member, changes=True),
)  # fmt: skip
