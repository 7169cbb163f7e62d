"""The cells of an expectation: everything that a comparison looks at, each changed alone.

To change a cell and to compare is to ask, before any provider fails, whether it is compared at all and which rows own it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tck.blame.owners import judged
from tck.programs.comparing.history import History
from tck.programs.expectation import Execution, Expectation
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json, Observation

_OTHER: Final = "JMSSecurityException"
"""An exception that no step expects."""


_STRANGER: Final[Json] = {
    "kind": "text", "send": None, "headers": {}, "properties": {}, "body": ["string", "of nobody"],
}  # fmt: skip
"""A message that nobody sent."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, changed.

    Attributes:
        step: Number of the step, from 0.
        name: Where in the outcome, such as ``got header JMSPriority``.
        seen: The outcome of the step with the cell changed.
    """

    step: int
    name: str
    seen: Observation


@dataclass(frozen=True, slots=True)
class Owned:
    """A cell that is compared, and the rows that a difference there breaks; none where no row owns it."""

    step: int
    call: str
    name: str
    rows: tuple[str, ...]


def cells(expectation: Expectation) -> Iterator[Cell]:
    """Yield the cells of all outcomes, step by step."""
    for number, (step, seen) in enumerate(zip(expectation.program.steps, expectation.seen, strict=False)):
        extra = ["string", "of nobody"] if OPERATIONS[step.do].compared is Compared.BODY else _STRANGER
        for name, changed in _of_outcome(seen, extra):
            yield Cell(number, name, changed)


def owned_cells(expectation: Expectation, claimed: tuple[str, ...] = ()) -> Iterator[Owned]:
    """Yield the cells that are compared, with the rows that own them.

    Args:
        expectation: The program and the outcomes of the reference provider.
        claimed: The optional JMSX properties that the profile claims.
    """
    history = History(expectation)
    for cell in cells(expectation):
        seen = list(expectation.seen)
        seen[cell.step] = cell.seen
        execution = Execution(seen, list(expectation.sends))
        found = judged(expectation, execution, claimed, history=history).differences
        if found:
            do = expectation.program.steps[found[0].step].do
            yield Owned(cell.step, do, f"{found[0].what}", found[0].rows)


def _of_outcome(seen: Observation, extra: Json) -> Iterator[tuple[str, Observation]]:
    if "skipped" in seen:
        return
    if "raises" in seen:
        yield "accepted", {"ok": None}
        yield "exception", {**seen, "raises": _OTHER}
        return
    yield "refused", {"raises": _OTHER, "text": ""}
    for name, changed in _changes(seen.get("ok"), "", extra):
        yield name, {**seen, "ok": changed}
    delivered = seen.get("delivered", {}).get("by", {})
    for consumer in delivered:
        for name, changed in _sequence(delivered[consumer], "delivered"):
            by = {**delivered, consumer: changed}
            yield name, {**seen, "delivered": {**seen["delivered"], "by": by}}


def _changes(value: Json, path: str, extra: Json) -> Iterator[tuple[str, Json]]:
    """Yield an outcome with one cell changed, for each of its cells."""
    if _is_message(value):
        yield from _message(value, path)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key in {"hints", "total"}:  # what the other provider was asked for, not what it showed
                continue
            if key == "got" and inner is None:
                yield f"{path} extra".strip(), {**value, key: extra}
                continue
            for name, changed in _changes(inner, f"{path} {key}".strip(), extra):
                yield name, {**value, key: changed}
            if key == "got" and not (isinstance(inner, list) and all(map(_is_message, inner))):
                yield f"{path} missing".strip(), {**value, key: None}
    elif isinstance(value, list) and path.endswith(("got", "shown")) and all(map(_is_message, value)):
        yield from _sequence(value, path)
    elif value is not None or path:
        yield path, _other(value)


def _sequence(messages: Sequence[Json], path: str) -> Iterator[tuple[str, Json]]:
    for at, each in enumerate(messages):
        yield f"{path} missing".strip(), [*messages[:at], *messages[at + 1 :]]
        for name, changed in _message(each, path):
            yield name, [*messages[:at], changed, *messages[at + 1 :]]
    if len(messages) > 1:
        yield f"{path} order".strip(), [messages[-1], *messages[1:-1], messages[0]]
    yield f"{path} extra".strip(), [*messages, _STRANGER]


def _message(message: Mapping[str, Json], path: str) -> Iterator[tuple[str, Json]]:
    for key in ("headers", "properties"):
        table = message.get(key)
        if not isinstance(table, Mapping):
            continue
        for name, value in table.items():
            yield f"{path} {key} {name}".strip(), {**message, key: {**table, name: _other(value)}}
        if key == "properties":
            yield f"{path} property added".strip(), {**message, key: {**table, "strange": ["int", 1]}}
    for key in ("kind", "body", "again"):
        if key in message:
            yield f"{path} {key}".strip(), {**message, key: _other(message[key])}


def _is_message(value: Json) -> bool:
    return isinstance(value, Mapping) and "headers" in value and ("kind" in value or "send" not in value)


def _other(value: Json) -> Any:
    """Return another value of the same shape."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "~"
    if isinstance(value, list) and value:
        return [*value[:-1], _other(value[-1])]
    if isinstance(value, Mapping) and value:
        last = list(value)[-1]
        return {**value, last: _other(value[last])}
    return "~"
