"""Calls that read messages: all of one, single values as other types, items in order, bodies as a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tck import api
from tck.programs.execution.calls_clients import Call
from tck.programs.execution.environment import Environment
from tck.programs.execution.look import kind_of, own, received, tried
from tck.programs.program import Json
from tck.programs.values import number_text, typed, typed_as


def look(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Return all of a message, as it is now; with `spoil` change what was read, and tell the body again."""
    found = env.get(args["on"])
    told = received(env, found) if args.get("received") else own(env, found)
    if args.get("spoil"):
        told["again"] = tried(partial(_spoilt, env.bare(found)))
    return told


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
    """Read items of a stream or bytes message in order, each as a type; failed reads are told and leave the position."""
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
    told = typed_as(kind, value)
    return ["text", number_text(value)] if kind == "string" and isinstance(value, str) else told


CALLS: Final[Mapping[str, Call]] = {each.__name__: each for each in (look, items)}
