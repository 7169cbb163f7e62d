"""The answers to a call: the recorded one, and the one that is right. Values only.

`Value` holds a rendered value as events do; the printers of programs know how each answer is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tck import api
from tck.record.events import render
from tck.reports.reproduce.recorded import Call


@dataclass(frozen=True, slots=True, eq=True)
class Value:
    """The call returns this value, rendered as in events."""

    rendered: object

    def __hash__(self) -> int:
        return hash(repr(self.rendered))


@dataclass(frozen=True, slots=True)
class Raises:
    """The call raises this type, named as events name it."""

    type: str


@dataclass(frozen=True, slots=True)
class Returns:
    """The call returns, whatever it returns."""


@dataclass(frozen=True, slots=True)
class Text:
    """The call returns a message with this text as its body."""

    text: str


@dataclass(frozen=True, slots=True)
class AMessage:
    """The call returns a message of this type, or one of any type."""

    type: str = "Message"


@dataclass(frozen=True, slots=True)
class End:
    """The enumeration has no further element."""


@dataclass(frozen=True, slots=True)
class Near:
    """The call returns a time so many milliseconds after the beginning of another call, give or take a margin."""

    call: int
    after_ms: int
    margin_ms: int


@dataclass(frozen=True, slots=True)
class Filled:
    """The call fills the array that it is given with these bytes."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Begins:
    """The call returns a text that begins so: an identifier is another one in each run."""

    text: str


@dataclass(frozen=True, slots=True)
class Other:
    """The call answers in another way than it did: the verdict refuses what was recorded and names no value for this call."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """The call answers in one of these ways."""

    answers: tuple[Any, ...]


Answer: TypeAlias = Value | Raises | Returns | Text | AMessage | End | Near | Filled | Begins | OneOf | Other


def answer_of(call: Call) -> Answer:
    """Return the recorded answer to a call that ended."""
    if call.error is not None:
        return Raises(str(call.error["type"]).rpartition(".")[2])
    if call.ended:
        return End()
    label = call.value
    if isinstance(label, str) and call.message is not None and call.message.get("label") == label:
        body = call.message.get("body")
        if call.message.get("kind") == "text" and isinstance(body, str):
            return Text(body)
        kind = str(call.message.get("kind"))
        return AMessage("Message" if kind == "message" else f"{kind.title()}Message")
    if call.created is not None:
        return Returns()
    if isinstance(label, str) and label.startswith("ID:"):
        return Begins("ID:")
    return Value(label)


def rendered(value: object) -> object:
    """Return a value of a verdict's text as events render it."""
    return render(value)


def plain(value: object) -> object:
    """Return a rendered value as Python has it; boxes become plain numbers, what cannot be told from its rendering itself."""
    if not isinstance(value, Mapping):
        return value
    kind, inner = value.get("type"), value.get("value")
    if kind == "bytes" and "hex" in value:
        return bytes.fromhex(str(value["hex"]))
    if kind in ("Float", "Double", "Byte", "Short", "Int", "Long"):
        return float(inner) if isinstance(inner, str) else inner
    if kind == "Char":
        return inner
    if kind == "map" and isinstance(inner, Mapping):
        return {key: plain(each) for key, each in inner.items()}
    if kind in ("list", "set") and isinstance(inner, list):
        return [plain(each) for each in inner]
    return value


def bare(value: Any) -> object:  # noqa: ANN401 - any value of a text
    """Return a value of a verdict's text without its boxes, to compare it with a plain one."""
    if isinstance(value, api.Box):
        return value.value
    if isinstance(value, dict):
        return {str(key): bare(each) for key, each in value.items()}
    return [bare(each) for each in value] if isinstance(value, (list, tuple)) else value
