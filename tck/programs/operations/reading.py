"""Operations that read messages: all of one, single values as other types, items in order, the body as each type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.observing.look import kind_of, own, received, tried
from tck.programs.operations.bodies import BODY_CLASSES
from tck.programs.operations.operation import Compared, Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    OpenOutcome,
)
from tck.programs.state.state import State
from tck.programs.values import BODY_TYPES, PROPERTY_TYPES, number_text, typed, typed_as


def look(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Return all of a message, as it is now; with `spoil` change what was read, and tell the body again."""
    found = env.get(args["on"])
    shown = received(env, found) if args.get("received") else own(env, found)
    if args.get("spoil"):
        shown["again"] = tried(partial(_spoilt, env.bare(found)))
    return shown


def _spoilt(message: Any) -> Json:
    """Change values that were read from a message, and read them again."""
    kind = kind_of(message)
    reads: list[Callable[[], Any]] = []
    if kind == "map":
        for name in sorted(message.get_map_names()):
            reads += [partial(message.get_object, name)]
        reads.append(lambda: message.get_body(dict))
    elif kind == "object":
        reads = [lambda: message.object, lambda: message.get_body(api.OBJECT)]
    elif kind == "bytes":
        reads = [lambda: message.get_body(bytes)]
    for read in reads:
        _change(tried(read))
    return [tried(lambda: typed(read())) for read in reads]  # noqa: B023 - called at once


def _change(value: Any) -> None:
    if isinstance(value, bytearray):
        value[:] = bytes(len(value))
    elif isinstance(value, list):
        value.append("spoilt")
    elif isinstance(value, dict):
        value["spoilt"] = True


_PARTS: Final = 4
"""Size in bytes of the buffer for arrays that are read part by part."""


def items(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read items of a stream or bytes message in order, each as a type; failed reads are shown and leave the position."""
    found = env.bare(env.get(args["on"]))
    return [tried(partial(item, found, kind)) for kind in args["types"]]


def item(found: Any, kind: str) -> Json:
    """Read the next item as a type; some words ask for something else."""
    if kind == "bytes":
        buffer = bytearray(_PARTS)
        count = found.read_bytes(buffer)
        return ["bytes", count, bytes(buffer[: max(0, count)]).hex()]
    if kind == "too_many":
        return ["bytes", found.read_bytes(bytearray(2), 3), ""]
    if kind == "length":
        return ["length", found.body_length]
    if kind == "reset":
        return found.reset()
    if kind == "object":
        return typed(found.read_object())
    value = getattr(found, f"read_{kind}")()
    shown = typed_as(kind, value)
    return ["text", number_text(value)] if kind == "string" and isinstance(value, str) else shown


def check_own(state: State, args: Mapping[str, Json]) -> None:
    """Refuse a step on a foreign message."""
    if state.messages[args["on"]].foreign:
        raise OpenOutcome("what a foreign message does is its own affair")


_ITEMS: Final = 60
"""At most so many items of a stream are read."""


def reads(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read every property, or every entry of a map, as every type; and one that is not there."""
    found = env.bare(env.get(args["on"]))
    entries = args["what"] == "entry"
    names = found.get_map_names() if entries else found.get_property_names()
    kinds = (*BODY_TYPES, "object") if entries else (*PROPERTY_TYPES, "object")
    own = sorted(
        name for name in map(str, names) if entries or name.startswith("JMSXGroup") or not name.startswith("JMSX")
    )
    own.sort(key=lambda name: name not in (env.expected_ok or ()))  # those that a provider adds take no place of others
    pattern = "get_{}" if entries else "get_{}_property"
    exists = found.item_exists if entries else found.property_exists
    return {
        name: {
            **{kind: tried(partial(_cell, found, pattern, kind, name)) for kind in kinds},
            "exists": tried(partial(_is, exists, name)),
        }
        for name in [*own[:12], "never"]
    }


def _is(exists: Callable[[str], bool], name: str) -> Json:
    return bool(exists(name))


def _cell(found: Any, pattern: str, kind: str, name: str) -> Json:
    value = getattr(found, pattern.format(kind))(name)
    if kind == "object":
        return typed(value)
    if kind == "string" and isinstance(value, str):
        # How a real number is written is the provider's affair, what it says is not.
        source = getattr(found, pattern.format("object"))(name)
        if isinstance(getattr(source, "value", source), float):
            return ["number", number_text(value)]
    return typed_as(kind, value)


def _check_reads(state: State, args: Mapping[str, Json]) -> None:
    producer = state.producers.get(args["on"])
    if producer is None:
        check_own(state, args)
    elif producer.state != "open" or producer.session.running:
        raise OpenOutcome("what it says then is left open")


def attempts(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read each item of a stream or bytes message as one type after the other until one succeeds."""
    found = env.bare(env.get(args["on"]))
    shown: list[Json] = []
    while len(shown) < _ITEMS:
        cells: dict[str, Json] = {}
        for kind in args["types"]:
            cells[kind] = tried(partial(item, found, kind))
            if not (isinstance(cells[kind], dict) and "raises" in cells[kind]):
                break
        else:
            last = tried(partial(item, found, "object")) if kind_of(found) == "stream" else {"raises": "none fits"}
            cells["object"] = last
            shown.append(cells)
            if isinstance(last, dict):
                break
            continue
        shown.append(cells)
    return shown


def bodies(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Ask for the body as every type, and whether it can be had so."""
    found = env.bare(env.get(args["on"]))
    return {
        name: {"body": tried(partial(_body, found, kind)), "assignable": tried(partial(_assignable, found, kind))}
        for name, kind in BODY_CLASSES.items()
    }


def _body(found: Any, kind: Any) -> Json:
    return typed(found.get_body(kind))


def _assignable(found: Any, kind: Any) -> Json:
    return bool(found.is_body_assignable_to(kind))


def body_member(_: Step, on: str) -> str:
    """Return the member that reads, or writes, the body of a message."""
    names = {"MapMessage": "get_object", "TextMessage": "text", "ObjectMessage": "object"}
    return f"{on}.{names.get(on, 'read_object')}" if on != "Message" else "Message.get_body"


def _reads_member(step: Step, on: str) -> str:
    if on == "JMSProducer":
        return "JMSProducer.get_object_property"
    return "MapMessage.get_object" if step.args.get("what") == "entry" else "Message.get_string_property"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("look", look, compared=Compared.CONTENT, member=body_member),
    Operation("items", items, check=check_own, member=body_member),
    Operation("reads", reads, check=_check_reads, member=_reads_member),
    Operation("attempts", attempts, check=check_own, member=body_member),
    Operation("bodies", bodies, check=check_own, member="Message.get_body"),
)
