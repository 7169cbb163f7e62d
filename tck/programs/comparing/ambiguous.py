"""Outcomes that the text of the specification lets differ since it can be read in two ways, or since time is real. Imports `program` alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tck.programs.program import Json, Step

_TYPE: Final = "serializable"
_TAKEN_FOR_IT: Final = frozenset({"bytes", "dict"})
_WHEN: Final = "property JMSXRcvTimestamp"
_NOW: Final = {"['long', 'now']", "['long', 'another time']"}
COUNT: Final = "JMSXDeliveryCount"
OURS: Final = ("JMSException", "JMSRuntimeException")
"""The JMSX property that became mandatory with 2.0."""
OLDER: Final[Json] = {"raises": "UnsupportedOperationException"}
"""The outcome of a call that the API of an older version has not; a provider may have it all the same."""
_EMPTY: Final[tuple[Json, ...]] = (["null", None], ["bytes", ""], ["dict", []])
"""The body of a bytes or map message that has none."""
_WRITES: Final = frozenset({"message", "write"})
_UNTOLD: Final = {"raises": "UnicodeDecodeError"}
_SIGNS: Final = re.compile(r"^[^'\"]*[\w)]\s*--\s*\w+\s*$")
"""A selector that ends with an operand after two signs: ``i = 1 -- note``."""


def accepted(steps: Sequence[Step], number: int, got: Json) -> str | None:
    """Return why a call may succeed though it is expected to raise: ``serializable``, ``signs``, ``closed``; None if it must raise.

    A selector with two signs in a row is no comment (3.8.1.3-5), but it can be arithmetic: one taken away from minus the other.
    Of calls on a consumer that was closed by itself no sentence says that they raise; it must not get messages (8.8-2). Nor of
    the enumeration of a browser that was closed.

    Args:
        steps: The program.
        number: The number of the step that succeeded.
        got: Its outcome.
    """
    step = steps[number]
    if _closed_alone(steps, number) and not (isinstance(got, dict) and got.get("got")):
        return "closed"
    text = step.args.get("selector")
    if isinstance(text, str) and _SIGNS.match(text):
        return "signs"
    return "serializable" if serializable(step, got) else None


def any_exception(steps: Sequence[Step], number: int, wanted: str, *, older: bool) -> str | None:
    """Return why any JMSException is as good as the expected one: ``temporary``, ``closed``, ``older``; None if it must be that one.

    The exception is not named where a consumer of another connection's temporary destination is refused, nor for calls on a
    consumer that was closed by itself, nor before the exception was named for a durable subscription without a client identifier (8.3.3-13,
    8.3.3-14).

    Args:
        steps: The program.
        number: The number of the step that raised.
        wanted: The exception of the reference provider.
        older: Whether the program runs by a version before that.
    """
    earlier, step = steps[:number], steps[number]
    made = {each.name: each for each in earlier if each.name is not None}
    of = made.get(str(step.args.get("of")))
    if wanted.startswith("InvalidDestination") and of is not None and of.do == "temporary":
        return "temporary"
    if older and wanted.startswith("IllegalState") and step.do == "consumer" and step.args.get("kind") == "durable":
        return "older"
    return "closed" if wanted.startswith("IllegalState") and _closed_alone(steps, number) else None


def _closed_alone(steps: Sequence[Step], number: int) -> bool:
    """Return whether a step is on a consumer that was closed by itself, and not with its session or connection, or reads on in a browser's enumeration."""
    if steps[number].do == "next":  # an Enumeration of Java, which no chapter speaks of
        return True
    earlier = steps[:number]
    made = {each.name: each for each in earlier if each.name is not None}
    on = made.get(str(steps[number].args.get("on")))
    if on is None or on.do != "consumer":
        return False
    closed = {
        each.args["of" if each.do == "close_waiting" else "on"]
        for each in earlier
        if each.do in {"close", "close_waiting"}
    }
    session = made.get(str(on.args.get("on")))
    owners = set() if session is None else {session.name, session.args.get("on")}
    return on.name in closed and not owners & closed


def serializable(step: Step, got: Json) -> bool:
    """Return whether `receiveBody` gave the body of a bytes or map message as Serializable.

    The API names the types that one asks for (byte[], Map, Object), and says that others fail if the body cannot be assigned to
    them: an array of bytes can be, and so can most maps.
    """
    asked = step.do == "receive_body" and step.args.get("type") == _TYPE
    return asked and isinstance(got, dict) and _kind(got["got"]) in _TAKEN_FOR_IT


def browsed(steps: Sequence[Step], number: int) -> bool:
    """Return whether a temporary queue is deleted that a browser is still open on: who is its receiver then is not said (4.1.5-9)."""
    name, earlier = steps[number].args.get("on"), steps[:number]
    closed = {each.args["on"] for each in earlier if each.do == "close"}
    browsers = [each for each in earlier if each.do == "browser" and each.args["of"] == name]
    return steps[number].do == "delete" and any(not {each.name, each.args["on"]} & closed for each in browsers)


def readings(
    steps: Sequence[Step], number: int, expected: Json, seen: Json, *, older: bool = False
) -> tuple[Json, Json]:
    """Return what a step should have read, and what it has, without what is open: as in `bodies`, after a read beyond the end,
    where what was raised cannot be expectation, since the bridge to Java cannot carry the text of the exception, and, by a version
    before 2.0, whether JMSXDeliveryCount is announced.
    """
    step = steps[number]
    if step.do == "bodies":
        expected, seen = bodies(expected, seen)
    elif step.do == "items" and len(expected) == len(seen):
        expected = _until_the_end(step.args["types"], expected, seen)
    elif step.do == "reads" and step.args["what"] == "property":
        seen = {name: each for name, each in seen.items() if name in expected or not added(steps, name)}
    elif older and "jmsx" in seen:
        expected, seen = (
            {**each, "jmsx": [name for name in each["jmsx"] if name != COUNT]} for each in (expected, seen)
        )
    return _tellable(expected, seen), seen


def added(steps: Sequence[Step], name: str) -> bool:
    """Return whether a provider added a property: the program sets none of that name. It is judged where the whole message is shown."""
    return not name.startswith("JMSX") and not any(
        step.args.get("name") == name or any(each[0] == name for each in step.args.get("properties", ()))
        for step in steps
        if step.do in {"message", "property", "set"}
    )


def _until_the_end(kinds: Sequence[str], expected: Json, seen: Json) -> Json:
    """Return what is expected of reads, and after one beyond the end what was seen: where the position is then is free (3.11-12)."""
    lost, found = False, []
    for kind, ours, theirs in zip(kinds, expected, seen, strict=True):
        lost = lost and kind != "reset"
        found.append(theirs if lost and kind != "length" else ours)
        lost = lost or ours == {"raises": "MessageEOFException"}
    return found


def _tellable(expected: Json, seen: Json) -> Json:
    """Return what is expected, and what was seen where nobody can tell what was raised."""
    if seen == _UNTOLD:
        return seen
    if isinstance(expected, dict) and isinstance(seen, dict):
        return {key: _tellable(each, seen[key]) if key in seen else each for key, each in expected.items()}
    return expected


def bodies(expected: Json, seen: Json) -> tuple[Json, Json]:
    """Return the bodies that `getBody` gave by type, without the one as Serializable where it is ambiguous, as in `serializable`.

    There are none to compare where the version has no `getBody`.
    """
    if any(each["body"] == OLDER for each in expected.values()):
        return {}, {}
    if _kind((seen.get(_TYPE) or {}).get("body")) not in _TAKEN_FOR_IT:
        return expected, seen
    left = [{name: body for name, body in each.items() if name != _TYPE} for each in (expected, seen)]
    return left[0], left[1]


def attribute(name: str, expected: Json) -> bool:
    """Return whether an attribute is open: the client identifier of a connection that was given none, and what an older version has not.

    Args:
        name: The attribute.
        expected: Its value on the reference provider.
    """
    return (name == "client_id" and expected is None) or bool(expected == OLDER)


def again(expected: Json, seen: Json) -> tuple[Json, Json]:
    """Return what was read twice of a message, without the reads whose outcome is open.

    Those are reads by a call that the version has not, and the body of a bytes or map message without one: it may be null or
    empty (3.11-36).

    Args:
        expected: What the reads gave on the reference provider.
        seen: What they gave on the other one.
    """
    if not (isinstance(expected, list) and isinstance(seen, list) and len(expected) == len(seen)):
        return expected, seen
    pairs = [(ours, theirs) for ours, theirs in zip(expected, seen, strict=True) if not _open(ours, theirs)]
    return [ours for ours, _ in pairs], [theirs for _, theirs in pairs]


def _open(ours: Json, theirs: Json) -> bool:
    return bool(ours == OLDER or (ours in _EMPTY and theirs in _EMPTY))


def nul(steps: Sequence[Step], sends: Mapping[int, Json], message: Json, on: object = None) -> bool:
    """Return whether a text with NUL was written into a bytes message by writeUTF: its documentation has NUL as one byte, that of
    readUTF as two (3.11-15).

    Args:
        steps: The program.
        sends: Its sends by number.
        message: The message, as it was shown.
        on: The object that was asked for it: the sender's own message, where it is not one that came.
    """
    given = sends.get(message.get("send"), {}).get("given", on)
    if given is None or message.get("kind") != "bytes":
        return False
    written = [each for each in steps if each.do in _WRITES and given in {each.name, each.args.get("on")}]
    items = [item for each in written for item in each.args.get("body") or ()]
    return any(item[0] == "utf" and "\0" in str(item[1]) for item in items)


def passed(what: str, ours: str, theirs: str) -> bool:
    """Return whether a message says now of the time of its receipt, and another time of it when it is looked at again."""
    return what == _WHEN and {ours, theirs} == _NOW


def _kind(value: Json) -> str:
    """Return the type of a typed value; empty of none, and of what a read raised."""
    return str(value[0]) if isinstance(value, list) and value else ""
