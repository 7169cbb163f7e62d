"""Outcomes that the text of the specification lets differ since it can be read in two ways, or since time is real. Imports `program` alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tck.programs.program import Json, Step

_TYPE: Final = "serializable"
_TAKEN_FOR_IT: Final = frozenset({"bytes", "dict"})
_WHEN: Final = "property JMSXRcvTimestamp"
_NOW: Final = {"['long', 'now']", "['long', 'another time']"}
_WRITES: Final = frozenset({"message", "write"})


def serializable(step: Step, got: Json) -> bool:
    """Return whether `receiveBody` gave the body of a bytes or map message as Serializable.

    The API names the types that one asks for (byte[], Map, Object), and says that others fail if the body cannot be assigned to
    them: an array of bytes can be, and so can most maps.
    """
    asked = step.do == "receive_body" and step.args.get("type") == _TYPE
    return asked and isinstance(got, dict) and _kind(got["got"]) in _TAKEN_FOR_IT


def bodies(expected: Json, seen: Json) -> tuple[Json, Json]:
    """Return the bodies that `getBody` gave by type, without the one as Serializable where it is ambiguous, as in `serializable`."""
    if _kind((seen.get(_TYPE) or {}).get("body")) not in _TAKEN_FOR_IT:
        return expected, seen
    left = [{name: body for name, body in each.items() if name != _TYPE} for each in (expected, seen)]
    return left[0], left[1]


def nul(steps: Sequence[Step], sends: Mapping[int, Json], message: Json) -> bool:
    """Return whether a text with NUL was written into a bytes message by writeUTF: its documentation has NUL as one byte, that of
    readUTF as two (3.11-15).

    Args:
        steps: The program.
        sends: Its sends by number.
        message: The message, as it was shown.
    """
    given = sends.get(message.get("send"), {}).get("given")
    written = [each for each in steps if each.do in _WRITES and given in {each.name, each.args.get("on")}]
    items = [item for each in written for item in each.args.get("body") or ()]
    return message.get("kind") == "bytes" and any(item[0] == "utf" and "\0" in str(item[1]) for item in items)


def passed(what: str, ours: str, theirs: str) -> bool:
    """Return whether a message says now of the time of its receipt, and another time of it when it is looked at again."""
    return what == _WHEN and {ours, theirs} == _NOW


def _kind(value: Json) -> str:
    """Return the type of a typed value; empty of none, and of what a read raised."""
    return str(value[0]) if isinstance(value, list) and value else ""
