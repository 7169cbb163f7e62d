"""Values and answers as Java source."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck import api
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

_BODY_TYPES: Final[Mapping[str, str]] = {
    "str": "String", "bytes": "byte[]", "dict": "java.util.Map", "list": "java.util.List", "bool": "Boolean",
    "int": "Long", "Long": "Long", "float": "Double", "Double": "Double", "Byte": "Byte", "Short": "Short",
    "Int": "Integer", "Float": "Float", "Char": "Character", "object": "Object",
}  # fmt: skip
_MODES: Final[Mapping[int, str]] = {
    0: "Session.SESSION_TRANSACTED",
    1: "Session.AUTO_ACKNOWLEDGE",
    2: "Session.CLIENT_ACKNOWLEDGE",
    3: "Session.DUPS_OK_ACKNOWLEDGE",
}
_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_BOXES: Final = {"Byte": "byte", "Short": "short", "Int": "int", "Long": "long", "Float": "float", "Double": "double"}


def text(value: str) -> str:
    """Return a string literal of ASCII characters."""
    return '"' + "".join(_unit(char) for char in value) + '"'


def _unit(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if " " <= char <= "~":
        return char
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[at : at + 2].hex()}" if char >= " " else f"\\{ord(char):03o}" for at in range(0, len(units), 2)
    )


def character(value: str) -> str:
    """Return a char literal."""
    return "'\\''" if value == "'" else "'" + ('"' if value == '"' else _unit(value)) + "'"


@dataclass(slots=True)
class JavaValues:
    """Writes values; remembers what the program has to define for them.

    Attributes:
        variable: Returns the variable of an object, None for a text that is no label.
        classes: The names of the suite's classes that were written.
        filled: Whether contents that were not recorded were replaced by others of their length.
        helpers: The names of helper methods that were written.
    """

    variable: Callable[[str], str | None]
    classes: set[str] = field(default_factory=set)
    filled: bool = False
    helpers: set[str] = field(default_factory=set)

    def value(self, rendered: Any, java_type: str) -> str:  # noqa: ANN401 - any JSON
        """Write a rendered value where Java expects a type.

        Raises:
            Unwritable: The events do not hold the value.
        """
        if rendered is None:
            return "null"
        if isinstance(rendered, bool):
            return "true" if rendered else "false"
        if isinstance(rendered, str):
            return self._text(rendered, java_type)
        if isinstance(rendered, (int, float)):
            return self._number(rendered, java_type)
        if isinstance(rendered, Mapping):
            return self._compound(rendered, java_type)
        raise Unwritable(f"the value {rendered!r} was recorded in a form that no program can read")

    def _text(self, value: str, java_type: str) -> str:
        if java_type in ("char", "Character"):
            return character(value)
        label = self.variable(value) if java_type != "String" else None
        return label if label is not None else text(value)

    @staticmethod
    def _number(value: float, java_type: str) -> str:
        if java_type in ("int", "Integer", "byte", "short"):
            return f"{value}" if java_type in ("int", "Integer") else f"({java_type}) {value}"
        real = java_type in ("float", "double") or type(value) is float
        return _real(float(value), "float" if java_type == "float" else "double") if real else f"{value}L"

    def _compound(self, rendered: Mapping[str, Any], java_type: str) -> str:
        kind, inner = str(rendered.get("type")), rendered.get("value")
        if "len" in rendered:
            return self._filler(kind, int(rendered["len"]))
        if kind == "bytes":
            return self.bytes(bytes.fromhex(str(rendered["hex"])))
        if kind in _BOXES:
            return self._box(kind, inner, java_type)
        if kind == "Char":
            return character(str(inner))
        if kind in ("type", "BodyMarker"):
            return f"{self._body_type(kind, str(inner))}.class"
        if kind in ("map", "list", "set") and inner is not None:
            return self._collection(kind, inner)
        if isinstance(inner, Mapping):
            self.classes.add(kind)
            self.helpers.add("map")
            return f"new {kind}({self._map(inner)})"
        raise Unwritable(
            f"an object of the suite's class {kind} was passed ({java_type}), whose content is not recorded"
        )

    def _box(self, kind: str, inner: object, java_type: str) -> str:
        if kind in ("Float", "Double"):
            return _real(float(inner), java_type if java_type in ("float", "double") else _BOXES[kind])  # type: ignore[arg-type]  # a number, or the name of one
        name = _BOXES[kind]
        return {"int": f"{inner}", "long": f"{inner}L"}.get(name, f"({name}) {inner}")

    def _body_type(self, kind: str, name: str) -> str:
        if kind == "BodyMarker":
            return api.BodyMarker[name].value.removeprefix("java.lang.")
        found = _BODY_TYPES.get(name)
        if found is None:
            self.classes.add(name)
        return found or name

    def _collection(self, kind: str, inner: Any) -> str:  # noqa: ANN401 - a JSON object or array
        if kind == "map":
            self.helpers.add("map")
            return self._map(inner)
        items = ", ".join(self.value(each, "Object") for each in inner)
        name = "ArrayList" if kind == "list" else "HashSet"
        return f"new java.util.{name}<Object>(java.util.Arrays.<Object>asList({items}))"

    def _map(self, inner: Mapping[str, Any]) -> str:
        entries = [f"{text(key)}, {self.value(each, 'Object')}" for key, each in inner.items()]
        return f"map({', '.join(entries)})"

    def bytes(self, content: bytes) -> str:
        """Write a byte array."""
        if content and not any(content):
            return f"new byte[{len(content)}]"
        return f"new byte[] {{{', '.join(str(each - 256 if each > 127 else each) for each in content)}}}"

    def _filler(self, kind: str, length: int) -> str:
        self.filled = True
        if kind == "bytes":
            return f"new byte[{length}]"
        if kind == "str":
            return f'"x".repeat({length})'
        raise Unwritable(f"a {kind} of {length} characters was passed, whose content is not recorded")

    def mode(self, number: int) -> str:
        """Write an acknowledge mode by its name."""
        return _MODES.get(number, str(number))

    # -- answers -------------------------------------------------------------------------------------------------

    def answer(self, answer: Answer, java_type: str, times: Callable[[int], str]) -> str:  # noqa: C901 - one line for each kind of answer
        """Write an answer; `times` returns the variable that holds when a call began.

        Raises:
            Unwritable: The events do not hold a value of it.
        """
        match answer:
            case Value(rendered):
                if isinstance(rendered, Mapping) and "len" in rendered:
                    raise Unwritable(
                        f"the verdict rests on a {rendered.get('type')} of {rendered['len']} characters or bytes, whose content is not recorded"
                    )
                return f"value({self.value(rendered, java_type)})"
            case Raises(name):
                return f"raises({text(name)})"
            case Returns():
                return "returns()"
            case Text(body):
                return f"message({text(body)})"
            case AMessage(kind):
                return f"aMessage({kind}.class)"
            case End():
                return "end()"
            case Near(call, after, margin):
                return f"near({times(call)} + {after}L, {margin})"
            case Filled(content):
                return f"value({self.bytes(content)})"
            case Begins(start):
                return f"begins({text(start)})"
            case OneOf(answers):
                self.helpers.add("oneOf")
                return f"oneOf({', '.join(self.answer(each, java_type, times) for each in answers)})"
            case Other():
                return "other()"


def _real(value: float, java_type: str) -> str:
    name = "Float" if java_type == "float" else "Double"
    if math.isnan(value):
        return f"{name}.NaN"
    if math.isinf(value):
        return f"{name}.{'POSITIVE' if value > 0 else 'NEGATIVE'}_INFINITY"
    return f"{value!r}f" if java_type == "float" else repr(value)
