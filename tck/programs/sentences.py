"""A program as a story: each step as a short sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tck.programs.program import Json, Step

_LONGEST: Final = 40
"""Longer values are cut."""
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_FIELD: Final = re.compile(r"\{(\w+)\}")

WORDS: Final[Mapping[str, str]] = {
    "queue": "[{as} is ]a queue[, that of {of}][, made by {on}]",
    "topic": "[{as} is ]a topic[, that of {of}][, made by {on}]",
    "temporary": "{as} is a temporary {kind} of {on}",
    "connect": "{as} connects, {api}[, {mode}][, as client {client_id}]",
    "session": "{as} is a session of {on}[, {mode}]",
    "producer": "{as} is a producer of {on}[ for {to}]",
    "consumer": "{as} consumes from {of} on {on}[, {kind}][ subscription {name}][, selector {selector}]",
    "browser": "{as} is a browser of {of} on {on}[, selector {selector}]",
    "pool": "{as} gives messages of {of} to a server session, {session}[, {kind}][ subscription {name}][, selector {selector}]",
    "start": "{on} starts",
    "stop": "{on} stops",
    "auto_start": "{on}: auto-start {value}",
    "message": "{as} is a message, {kind}[, made by {on}][, body {body}][, headers {headers}][, properties {properties}]",
    "set": "{on}: {what} is set[ to {value}]",
    "send": "{on} sends {message}[ to {to}]",
    "send_body": "{on} sends the body {body} to {to}",
    "send_many": "{on} sends {count} texts[ to {to}]",
    "receive": "{on} receives [{as}][, {how}]",
    "receive_body": "{on} receives a body as {type}[, {how}]",
    "await": "{on} waits for a message",
    "collect": "{on}, which waited, receives [{as}]",
    "waits": "{on} still waits",
    "drain": "{on} receives all that there is",
    "listen": "{on} has a listener[ that does: {does}]",
    "unlisten": "{on} loses its listener",
    "browse": "{on} shows the queue",
    "select": "{on} browses {of} by each of {selectors}",
    "acknowledge": "{on} acknowledges",
    "recover": "{on} recovers",
    "commit": "{on} commits",
    "rollback": "{on} rolls back",
    "unsubscribe": "{on} deletes the subscription {name}",
    "delete": "{on} is deleted",
    "close": "{on} is closed",
    "close_waiting": "{of} is closed while {on} waits for a message",
    "advance": "time passes: {units} units[ and {ms} ms]",
    "restart": "the provider is restarted",
    "kill": "the provider is killed",
    "sever": "the link of {on} is cut",
}  # fmt: skip
"""By operation its sentence; text in brackets only if the step says so."""
ACTS: Final = frozenset({"connect", "restart", "kill", "sever", "rollback", "recover", "stop", "unsubscribe"})
"""Operations with which another act of a story begins."""


def sentence(step: Step) -> str:
    """Return a step as a sentence: ``p1 sends m1 to q1``."""
    given: dict[str, Json] = {**step.args, **({"as": step.name} if step.name else {})}
    default = f"{'{as} is the result of ' if step.name else ''}{step.do}{' of {on}' if 'on' in given else ''}"
    template = WORDS.get(step.do, default)
    text = _OPTIONAL.sub(
        lambda part: part[1] if all(name in given for name in _FIELD.findall(part[1])) else "", template
    )
    used = set(_FIELD.findall(text))
    rest = ", ".join(f"{name} {_short(value)}" for name, value in given.items() if name not in used and name != "as")
    text = _FIELD.sub(lambda part: _short(given.get(part[1])), text).strip()
    return f"{text} ({rest})" if rest else text


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
