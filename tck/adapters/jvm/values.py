"""Values between Python and Java, exactly: boxes, strings to the last surrogate, byte arrays, collections, body types.

The rule is that of `tck.api.values`. A value without a counterpart in Java becomes a bare ``java.lang.Object``, so
that the provider refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

from tck import api
from tck.adapters.jvm.classes import PACKAGE
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.objects import CannotTravel, Registry, marked, put_together, taken_apart, unmarked
from tck.adapters.jvm.twins import Twins

_LAST_UNIT: Final = "\uffff"
_RANGES: Final = {"byte": 8, "short": 16, "int": 32, "long": 64}


class Values:
    """Conversions for the JVM of this process."""

    def __init__(self, machine: Machine, registry: Registry) -> None:
        self.machine = machine
        self.registry = registry
        self.twins = Twins(self._fill, lambda kind: registry.class_of(kind) is not None)
        jpype = machine.jpype
        self._cast = jpype.JObject
        self._bytes_type = jpype.JArray(jpype.JByte)
        self._string = machine.type("java.lang.String")
        self._builder = machine.type("java.lang.StringBuilder")
        self._map = machine.type("java.util.LinkedHashMap")
        self._list = machine.type("java.util.ArrayList")
        self.object_type = machine.type("java.lang.Object")
        self._serializable = machine.type("java.io.Serializable")
        boxed = {
            name: machine.type(f"java.lang.{name}") for name in ("Byte", "Short", "Integer", "Long", "Float", "Double")
        }
        character, boolean = machine.type("java.lang.Character"), machine.type("java.lang.Boolean")
        machine.prepare([*boxed.values(), character, boolean, self._string, self._builder, self._map, self._list])
        self._to_java: dict[type, Callable[[Any], Any]] = {
            bool: boolean.valueOf,
            int: lambda value: boxed["Long"].valueOf(jpype.JLong(whole("long", value))),
            float: lambda value: boxed["Double"].valueOf(jpype.JDouble(value)),
            str: self.java_string,
            bytes: self.java_bytes,
            bytearray: self.java_bytes,
            api.Byte: lambda box: boxed["Byte"].valueOf(jpype.JByte(box.value)),
            api.Short: lambda box: boxed["Short"].valueOf(jpype.JShort(box.value)),
            api.Int: lambda box: boxed["Integer"].valueOf(jpype.JInt(box.value)),
            api.Long: lambda box: boxed["Long"].valueOf(jpype.JLong(box.value)),
            api.Float: lambda box: boxed["Float"].valueOf(jpype.JFloat(box.value)),
            api.Double: lambda box: boxed["Double"].valueOf(jpype.JDouble(box.value)),
            api.Char: lambda box: character.valueOf(jpype.JChar(box.value)),
            list: self._java_list,
            dict: self._java_dict,
        }
        self._to_python: dict[type, Callable[[Any], object]] = {
            self._string: self.python_string,
            boolean: bool,
            boxed["Byte"]: lambda box: api.Byte(int(box)),
            boxed["Short"]: lambda box: api.Short(int(box)),
            boxed["Integer"]: lambda box: api.Int(int(box)),
            boxed["Long"]: int,
            boxed["Float"]: lambda box: api.Float(float(box)),
            boxed["Double"]: float,
            character: lambda box: api.Char(character_of(box)),
            self._bytes_type: self.python_array,
        }
        self._collections = (
            (machine.type("java.util.Map"), self._python_map),
            (machine.type("java.util.List"), self._python_list),
            (machine.type("java.util.Set"), lambda found: {self.python(each) for each in found}),
            (jpype.JArray(self.object_type), lambda found: [self.python(each) for each in found]),
        )
        self._bodies: dict[object, str] = {
            str: "java.lang.String",
            bytes: "[B",
            dict: "java.util.Map",
            list: "java.util.List",
            bool: "java.lang.Boolean",
            int: "java.lang.Long",
            float: "java.lang.Double",
            object: "java.lang.Object",
        }

    # -- to Java -------------------------------------------------------------------------------------------------

    def null(self, java_type: Any) -> Any:
        """Return a null of a type, so that the overload with that type is called."""
        return self._cast(None, java_type)

    def java_string(self, text: str | None) -> Any:
        """Return a string; half surrogate pairs, which Java allows, are kept."""
        if text is None:
            return self.null(self._string)
        try:
            return self.machine.jpype.JString(text)
        except UnicodeEncodeError:
            builder = self._builder()
            for unit in text:
                builder.appendCodePoint(self.machine.jpype.JInt(ord(unit)))
            return builder.toString()

    def java_bytes(self, content: bytes | bytearray | None) -> Any:
        """Return a byte array; that of a bytearray that crossed before is the same one."""
        if content is None:
            return self.null(self._bytes_type)
        known = self.twins.java_of(content) if isinstance(content, bytearray) else None
        if known is not None and len(known) == len(content):
            return known
        return self.twins.add(content, self._bytes_type(bytes(content)))

    def java(self, value: object) -> Any:
        """Return the Java value of an Object argument."""
        if value is None:
            return self.null(self.object_type)
        convert = self._to_java.get(type(value))
        if convert is not None:
            return convert(value)
        if isinstance(value, self.object_type):
            return value
        if isinstance(value, (str, int, float)) and not isinstance(value, Enum):
            return self.java(next(kind for kind in (str, int, float) if isinstance(value, kind))(value))
        name = self.registry.class_of(type(value))
        if name is not None:
            return self._java_object(name, value)
        apart = marked(value)
        if apart is not None or isinstance(value, Mapping):
            return self._java_map(apart or value)  # type: ignore[arg-type]
        return self.object_type()

    def _java_object(self, name: str, value: object) -> Any:
        """Return an object of a registered type; it refuses writing or reading if the type does."""
        try:
            state = taken_apart(value)
        except CannotTravel:
            return self.object_type()
        known = self.twins.java_of(value)
        if known is not None:
            return known
        made = self.machine.type(name)()
        self.twins.add(value, made)
        made.state = self._java_state(state)
        try:
            put_together(type(value), state)
        except Exception:  # noqa: BLE001 - whatever the type raises, it refuses to be built
            made.broken = True
        return made

    def _java_state(self, state: object) -> Any:
        """Return the state of an object, which nothing but the object holds."""
        return self._java_map(state) if type(state) is dict else self.java(state)

    def _python_object(self, kind: type, raw: Any) -> object:
        made = put_together(kind, self.python(raw.state))
        self.twins.add(made, raw)
        return made

    def _fill(self, ours: Any, java: Any) -> None:
        """Give a Java object the content that its twin has now."""
        if isinstance(ours, bytearray):
            java[:] = self._bytes_type(bytes(ours))
        elif isinstance(ours, list):
            java.clear()
            for each in ours:
                java.add(self.java(each))
        elif isinstance(ours, dict):
            java.clear()
            for key, each in ours.items():
                java.put(self.java(key), self.java(each))
        else:
            java.state = self._java_state(taken_apart(ours))

    def java_serializable(self, value: object) -> Any:
        """Return the Java value of a body; one that cannot be serialised goes into an array, which a compiler would
        accept.
        """
        found = self.java(value)
        if not isinstance(found, self._serializable) and found is not None and value is not None:
            found = self.machine.jpype.JArray(self.object_type)([found])
        return self._cast(found, self._serializable)

    def java_map(self, value: Mapping[Any, object] | None) -> Any:
        """Return a map."""
        if value is None:
            return self.null(self.machine.type("java.util.Map"))
        if isinstance(value, self.object_type):
            return value
        return self._java_dict(value) if type(value) is dict else self._java_map(value)

    def _java_dict(self, value: dict[Any, object]) -> Any:
        known = self.twins.java_of(value)
        return known if known is not None else self.twins.add(value, self._java_map(value))

    def _java_map(self, value: Mapping[Any, object]) -> Any:
        made = self._map()
        for key, each in value.items():
            made.put(self.java(key), self.java(each))
        return made

    def _java_list(self, value: list[object]) -> Any:
        known = self.twins.java_of(value)
        if known is not None:
            return known
        made = self._list()
        for each in value:
            made.add(self.java(each))
        return self.twins.add(value, made)

    def java_class(self, body_type: object) -> Any:
        """Return the class of a body type; for an impossible body type, a class that no body has."""
        if body_type is None:
            return self.null(self.machine.type("java.lang.Class"))
        if isinstance(body_type, api.BodyMarker):
            name = body_type.value
        elif isinstance(body_type, type) and issubclass(body_type, api.Box):
            name = body_type.java_name
        else:
            name = self.registry.class_of(body_type) or self._bodies.get(body_type, "java.lang.Thread")
        return self._bytes_type.class_ if name == "[B" else self.machine.type(name).class_

    # -- to Python -----------------------------------------------------------------------------------------------

    def python_string(self, text: Any) -> str | None:
        """Return a string; half surrogate pairs are kept."""
        if text is None:
            return None
        try:
            found = str(text)
        except UnicodeDecodeError:
            return self._by_code_points(text)
        # a low half before a high one would become one character of another plane
        return found if found.isascii() or max(found) <= _LAST_UNIT else self._by_code_points(text)

    @staticmethod
    def _by_code_points(text: Any) -> str:
        return "".join(map(chr, text.codePoints().toArray()))

    def python(self, value: Any) -> Any:
        """Return the Python value of an Object of Java; a value without a counterpart is unchanged."""
        if value is None:
            return None
        convert = self._to_python.get(type(value))
        if convert is not None:
            return convert(value)
        name = str(value.getClass().getName()) if isinstance(value, self.object_type) else ""
        if name.startswith(f"{PACKAGE}."):
            return self._python_object(self.registry.types()[name], value)
        for kind, convert in self._collections:
            if isinstance(value, kind):
                return convert(value)
        return value

    def _python_map(self, found: Any) -> object:
        content = {self.python(entry.getKey()): self.python(entry.getValue()) for entry in found.entrySet()}
        unpacked = unmarked(content)
        self.twins.add(unpacked, found)
        return unpacked

    def _python_list(self, found: Any) -> list[object]:
        content = [self.python(each) for each in found]
        self.twins.add(content, found)
        return content

    def python_array(self, content: Any) -> bytes | None:
        """Return a byte array that a call returned; `Twins.overwrite` reaches the array itself."""
        if content is None:
            return None
        found = bytes(memoryview(content))
        self.twins.add_array(found, content)
        return found


def python_bytes(content: Any) -> bytes | None:
    """Return a byte array."""
    return None if content is None else bytes(memoryview(content))


def character_of(value: Any) -> str:
    """Return the one UTF-16 unit of a char."""
    return chr(ord(str(value)))


def whole(java_type: str, value: object) -> int:
    """Check that a value is a whole number in the range of a type of Java.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"expected an int for Java's {java_type}, not {type(value).__name__} {value!r}")
    limit = 1 << (_RANGES[java_type] - 1)
    if not -limit <= value < limit:
        raise ValueError(f"{value} is out of range for Java's {java_type}: {-limit} to {limit - 1}")
    return int(value)
