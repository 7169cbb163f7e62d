"""The moves of random programs on messages: change one, look at it, read it in every way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.programs.program import Json
from tck.programs.state.objects import Message
from tck.programs.values import BODY_TYPES, PROPERTY_NAMES, PROPERTY_TYPES

_BINARY: Final = (
    "boolean", "byte", "short", "int", "long", "float", "double", "char", "utf", "unsigned_byte", "unsigned_short", "bytes", "too_many",
    "length", "reset",
)  # fmt: skip
_CHANGES: Final = (
    "header", "header", "property", "property", "write", "clear_body", "clear_body", "clear_properties", "reset",
)  # fmt: skip


def tweak(draft: Draft) -> None:
    """Change a message after it was made, sent or received, and look at it."""
    found = draft.one(draft.messages())
    if found is not None:
        for _ in range(draft.one((1, 1, 2))):
            tweak_one(draft, found)
        look(draft, found)


def look(draft: Draft, found: Message) -> None:
    """Return all of a message."""
    args: dict[str, Json] = {"received": True} if found.receiver is not None else {}
    if draft.chance(0.3):
        args["spoil"] = True
    draft.do("look", on=found.name, **args)


def tweak_one(draft: Draft, found: Message) -> None:
    """Change a message in one way."""
    contents, name = draft.contents, found.name
    match draft.one(_CHANGES):
        case "header":
            what, value = draft.one((("type", "Car"), ("correlation", "other"), ("type", None), ("reply_to", None), ("priority", 9),
                                     ("redelivered", True), ("expiration", 5), ("id", "ID:mine"), ("timestamp", 7), ("mode", 1)))  # fmt: skip
            draft.do("header", on=name, what=what, value=value)
        case "property":
            kind = draft.one((*PROPERTY_TYPES, "null", "string"))
            value = None if kind == "null" else contents.value(kind)[1]
            how = {"how": "object"} if draft.chance(0.4) else {}
            draft.do("property", on=name, name=draft.one(PROPERTY_NAMES)[0], type=kind, value=value, **how)
        case "write" if found.kind != "message":
            body = contents.body(found.kind)
            draft.do("write", on=name, body=body, **({"spoil": True} if draft.chance(0.2) else {}))
        case "reset" if found.kind in {"bytes", "stream"}:
            draft.do("reset", on=name)
        case "clear_properties":
            draft.do("clear_properties", on=name)
            if draft.chance(0.6):
                draft.do("property", on=name, name="a", type="int", value=1)
            if draft.chance(0.3) and found.kind != "message":
                draft.do("write", on=name, body=contents.body(found.kind))
        case _:
            draft.do("clear_body", on=name)
            if draft.chance(0.2):
                draft.do("property", on=name, name="a", type="int", value=1)
            if found.kind != "message" and draft.chance(0.7):
                draft.do("write", on=name, body=contents.body(found.kind))


def read(draft: Draft) -> None:
    """Read some message."""
    found = draft.one([each for each in draft.messages() if not each.foreign])
    if found is not None:
        read_one(draft, found)


def read_one(draft: Draft, found: Message) -> None:
    """Read a message: its properties, entries or items as every type, its body as every type."""
    match draft.one(("property", "kind", "kind", "body")):
        case "property":
            draft.do("reads", on=found.name, what="property")
        case "body":
            draft.do("bodies", on=found.name)
        case _:
            _read_kind(draft, found)


def _read_kind(draft: Draft, found: Message) -> None:
    name = found.name
    if found.kind == "map":
        draft.do("reads", on=name, what="entry")
        return
    if found.kind not in {"stream", "bytes"}:
        draft.do("bodies", on=name)
        return
    if draft.chance(0.2 if found.receiver is not None else 0.7):
        draft.do("reset", on=name)
    kinds = (*BODY_TYPES, "object") if found.kind == "stream" else _BINARY
    if found.kind == "stream" and draft.chance(0.7):
        order = list(BODY_TYPES)
        draft.random.shuffle(order)
        draft.do("attempts", on=name, types=order)
    else:
        types = [draft.one(kinds) for _ in range(draft.one((2, 4, 8)))]
        if draft.chance(0.3):
            types = ["bytes"] * len(types)
        draft.do("items", on=name, types=types)


MOVES: Final[Mapping[str, Move]] = {"tweak": tweak, "read": read}
