"""Values and answers as Python source, in terms of `tck.api`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck.reports.reproduce.answers import (
    AMessage,
    Answer,
    Begins,
    End,
    Filled,
    Near,
    OneOf,
    Other,
    Raises,
    Returns,
    Text,
    Value,
)
from tck.reports.reproduce.limits import Unwritable
from tck.reports.reproduce.recorded import Recorded

_BOXES: Final = frozenset({"Byte", "Short", "Int", "Long", "Float", "Double", "Char"})
_BUILTIN: Final = frozenset({"str", "bytes", "dict", "list", "bool", "int", "float", "object"})


def variable(label: str) -> str:
    """Return the name of an object: `it["session-1"]`."""
    return f"it[{label!r}]"


@dataclass(slots=True)
class PythonValues:
    """Writes values; remembers what the program has to define for them.

    Attributes:
        recorded: The case.
        classes: The suite's classes that were written, each with its fields.
        filled: Whether contents that were not recorded were replaced by others of their length.
    """

    recorded: Recorded
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    filled: bool = False

    def value(self, rendered: Any, *, plain_text: bool = False) -> str:  # noqa: ANN401 - any JSON
        """Write a rendered value; a label becomes its object unless a plain text is wanted.

        Raises:
            Unwritable: The events do not hold the value.
        """
        if isinstance(rendered, str):
            return variable(rendered) if not plain_text and rendered in self.recorded.labels else _text(rendered)
        if isinstance(rendered, float):
            return _real(rendered)
        if rendered is None or isinstance(rendered, (bool, int)):
            return repr(rendered)
        if isinstance(rendered, Mapping):
            return self._compound(rendered)
        raise Unwritable(f"the value {rendered!r} was recorded in a form that no program can read")

    def _compound(self, rendered: Mapping[str, Any]) -> str:
        kind, inner = str(rendered.get("type")), rendered.get("value")
        if "len" in rendered:
            return self._filler(kind, int(rendered["len"]))
        if kind == "bytes":
            return repr(bytes.fromhex(str(rendered["hex"])))
        if kind in _BOXES:
            number = float(inner) if kind in ("Float", "Double") else inner  # type: ignore[arg-type]  # or its name
            return f"api.{kind}({_real(number) if isinstance(number, float) else repr(number)})"
        if kind == "BodyMarker":
            return f"api.{inner}"
        if kind == "type":
            return self._type(str(inner))
        if kind == "map" and isinstance(inner, Mapping):
            return "{" + ", ".join(f"{_text(key)}: {self.value(each)}" for key, each in inner.items()) + "}"
        if kind in ("list", "set") and isinstance(inner, list):
            items = ", ".join(self.value(each) for each in inner)
            return f"[{items}]" if kind == "list" else f"set([{items}])"
        if isinstance(inner, Mapping) and all(key.isidentifier() for key in inner):
            self.classes[kind] = tuple(inner)
            return f"{kind}({', '.join(f'{key}={self.value(each)}' for key, each in inner.items())})"
        raise Unwritable(f"an object of the suite's class {kind} was passed, whose content is not recorded")

    def _type(self, name: str) -> str:
        if name in _BUILTIN:
            return name
        if name in _BOXES:
            return f"api.{name}"
        self.classes.setdefault(name, ())
        return name

    def _filler(self, kind: str, length: int) -> str:
        self.filled = True
        if kind in ("bytes", "str"):
            return f"{'bytes' if kind == 'bytes' else repr('x')}{f'({length})' if kind == 'bytes' else f' * {length}'}"
        raise Unwritable(f"a {kind} of {length} characters was passed, whose content is not recorded")

    def answer(self, answer: Answer) -> str:  # noqa: C901 - one line for each kind of answer
        """Write an answer.

        Raises:
            Unwritable: The events do not hold a value of it.
        """
        match answer:
            case Value(rendered):
                return f"value({self.value(rendered)})"
            case Raises(name):
                return f"raises({name!r})"
            case Returns():
                return "returns()"
            case Text(body):
                return f"message({_text(body)})"
            case AMessage(kind):
                return f"a_message(api.{kind})"
            case End():
                return "value(END)"
            case Near(call, after, margin):
                return f"near(began[{call}] + {after}, {margin})"
            case Filled(content):
                return f"value({content!r})"
            case Begins(start):
                return f"begins({start!r})"
            case OneOf(answers):
                return f"one_of({', '.join(self.answer(each) for each in answers)})"
            case Other():
                return "other()"


def _text(value: str) -> str:
    return ascii(value)


def _real(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value!r}")'
