"""A recorded call as an expression of Java: the overload that was meant, its arguments, and the variables of its objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck import api
from tck.api.java.overloads import parameter_names, python_member, resolve_overload
from tck.api.java.rule import JavaMember, is_java_subtype
from tck.reports.reproduce.answers import plain
from tck.reports.reproduce.java.values import JavaValues, text
from tck.reports.reproduce.limits import Unwritable
from tck.reports.reproduce.recorded import FACTORIES, NEXT, Call
from tck.reports.reproduce.script import Script

_PATIENCE: Final = 10_000
"""Milliseconds that a receive without a bound may take."""
_PRODUCED: Final = re.compile(r"[^a-z0-9]+")
_MODES: Final = ("acknowledge_mode", "session_mode")
_BOXES: Final[Mapping[str, Callable[[Any], object]]] = {
    kind.__name__: kind for kind in (api.Byte, api.Short, api.Int, api.Long, api.Float, api.Double, api.Char)
}
_PACKAGES: Final[Mapping[str, str]] = {"Serializable": "java.io.", "Map": "java.util."}
_SENT: Final = ((str, "String"), (bytes, "byte[]"), (dict, "Map"))


@dataclass(slots=True)
class JavaCalls:
    """Writes calls.

    Attributes:
        script: The program.
        values: Writes the arguments.
        names: The variable of each object, by its label; filled as calls are written.
        destinations: The class whose constructor makes a destination, by kind; without one a method of the program does.
    """

    script: Script
    destinations: Mapping[str, str]
    values: JavaValues = field(init=False)
    names: dict[str, str] = field(default_factory=dict)
    factories: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values = JavaValues(self.variable)

    def variable(self, label: str) -> str | None:
        """Return the variable of an object; None for a text that is no label of this case."""
        if label in self.names:
            return self.names[label]
        if label not in self.script.recorded.labels:
            return None
        kind, colon, _ = label.partition(":")
        stem = kind if colon else label.rpartition("-")[0]
        words = [word for word in _PRODUCED.split(stem) if word]
        name = words[0] + "".join(word.title() for word in words[1:])
        if colon:
            self._numbers[kind] = number = self._numbers.get(kind, 0) + 1
        else:
            number = int(label.rpartition("-")[2])
        self.names[label] = f"{name}{number}"
        return self.names[label]

    def type_of(self, label: str) -> str:
        """Return the type of an object's variable: a message that was received is declared as a message of any kind."""
        if label.startswith("message-"):
            maker = self.script.recorded.makers.get(label)
            if maker is not None and maker.op == NEXT:
                return "Object"
            if maker is None or maker.created is None:
                return "Message"
        return self.script.recorded.type_of(label) or "Object"

    def expression(self, call: Call, *, filled: bool = False) -> str:
        """Return the call as an expression.

        Args:
            call: The call.
            filled: Whether the array that it fills is its answer.

        Raises:
            Unwritable: An argument was not recorded, or the arguments mean no overload.
        """
        if call.type == "Provider":
            return self._administered(call)
        on = self._receiver(call)
        if call.op == NEXT:
            self.values.helpers.add("next")
            return f"next({on})"
        java = self._overload(call)
        arguments = self._arguments(call, java)
        if filled:
            self.values.helpers.add("read")
            return f"read({on}, {arguments[0]})"
        if java.name in ("receive", "receiveBody") and not any(each == "long" for each in java.parameters):
            arguments.append(str(_PATIENCE))
        return f"{on}.{java.name}({', '.join(arguments)})"

    def returns(self, call: Call) -> str:
        """Return the declared type of the result, `void` if there is none."""
        if call.type == "Provider":
            return "Object"
        return "Object" if call.op == NEXT else self._overload(call).returns

    def member(self, call: Call) -> str:
        """Return the call as people name it: the Java type and member, with its arguments shortened."""
        if call.op == NEXT:
            return "Enumeration.nextElement()"
        java = self._overload(call)
        shown = ", ".join(_clipped(each) for each in self._arguments(call, java))
        return f"{call.type}.{java.name}({shown})"

    def _receiver(self, call: Call) -> str:
        name = self.variable(call.on)
        if name is None:
            raise Unwritable(f"event {call.begin} calls {call.on}, which no recorded call returned")
        declared = self.type_of(call.on)
        if call.op == NEXT or declared == call.type or is_java_subtype(declared, call.type):
            return name
        return f"(({call.type}) {name})"

    def _administered(self, call: Call) -> str:
        if call.member in FACTORIES:
            self.factories.add(call.member)
            return f"{call.member.replace('_c', 'C').replace('_f', 'F')}()"
        kind = call.member.removeprefix("create_")
        name = text(str(call.args.get("name")))
        made = self.destinations.get(kind)
        if made is None:
            self.kinds.add(kind)
            self.factories.add("connection_factory")  # a session of its connection may make it
            return f"{kind}({name})"
        return f"new {made}({name})"

    def _overload(self, call: Call) -> JavaMember:
        if call.op == "JMSProducer.send":
            return self._send(call)
        try:
            return resolve_overload(call.op, **{name: _python(value) for name, value in call.args.items()})
        except (TypeError, LookupError) as error:
            raise Unwritable(f"event {call.begin}: {error}") from error

    def _send(self, call: Call) -> JavaMember:
        overloads = {each.java.parameters[1]: each.java for each in python_member(call.op).overloads}
        body, kind = call.args.get("body"), call.args.get("body_type")
        if isinstance(kind, Mapping):
            named = {"Message": "Message", "str": "String", "bytes": "byte[]", "dict": "Map"}
            return overloads[named.get(str(kind.get("value")), "Serializable")]
        if isinstance(body, str) and self.variable(body) is not None:
            return overloads["Message"]
        value = plain(body)
        return next((overloads[name] for of, name in _SENT if isinstance(value, of)), overloads["Serializable"])

    def _arguments(self, call: Call, java: JavaMember) -> list[str]:
        member = python_member(call.op)
        found = next(each for each in (*member.overloads, *member.inherited) if each.java is java)
        names = parameter_names(call.op) or ("value",)
        given = [names[at] for at in found.fills] if found.fills else []
        written = []
        for name, java_type in zip(given, java.parameters, strict=True):
            value = call.args.get(name)
            own = self.script.own_argument(call, name)
            if own is not None:
                written.append(f"own{own}")
            elif name == "buffer" and isinstance(value, Mapping) and "len" in value:
                written.append(f"new byte[{value['len']}]")
            elif (moment := call.moment(value)) is not None:
                written.append(f"System.currentTimeMillis() + {moment}L")
            elif name in _MODES and type(value) is int:
                written.append(self.values.mode(value))
            elif value is None and len(member.overloads) > 1 and java_type not in ("int", "long", "boolean"):
                written.append(f"({_PACKAGES.get(java_type, '')}{java_type}) null")
            else:
                written.append(self.values.value(value, java_type))
        return written


def _clipped(argument: str) -> str:
    return argument if len(argument) <= 60 else f"{argument[:57]}..."


def _python(value: Any) -> object:  # noqa: ANN401 - any JSON
    """Return a rendered argument as the value by which an overload is chosen."""
    if isinstance(value, Mapping):
        box = _BOXES.get(str(value.get("type")))
        if box is not None:
            inner: Any = value["value"]
            return box(float(inner) if box in (api.Float, api.Double) else inner)
        if value.get("type") == "bytes":
            return b""
        if value.get("type") == "str":
            return "x"
    return plain(value)
