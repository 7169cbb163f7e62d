"""Binds the messaging API of the jars to `tck.api`: the classes of one namespace, identity, wrapping and unwrapping.

A Java object has one wrapper as long as that is referenced; a listener, pool or message of the suite has one proxy.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, Self

from tck import api
from tck.adapters.jvm.failures import Failures, absent
from tck.adapters.jvm.given import Given, GivenXid, given_class
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.name_sets import JavaNames
from tck.adapters.jvm.objects import Registry
from tck.adapters.jvm.values import Values, character_of, python_bytes, whole
from tck.adapters.jvm.wrappers import Wrapper, wrapper_class
from tck.adapters.jvm.xa import JvmXAResource
from tck.api.java.overloads import abstract_types
from tck.api.java.rule import JavaMember, java_api

Convert = Callable[[Any], Any]

_MESSAGES: Final = ("TextMessage", "BytesMessage", "MapMessage", "StreamMessage", "ObjectMessage")
_DESTINATIONS: Final = ("TemporaryQueue", "TemporaryTopic", "Queue", "Topic")
_OPEN: Final = {
    "Message": _MESSAGES,
    "Destination": _DESTINATIONS,
    "Queue": _DESTINATIONS[:1],
    "Topic": _DESTINATIONS[1:2],
}
"""Types whose objects are inspected at run time; for others the declared type counts, as in Java source."""

_IMPLIED: Final = {"TemporaryQueue": "Queue", "TemporaryTopic": "Topic"}
CALLBACKS: Final = frozenset(
    {"MessageListener", "CompletionListener", "ExceptionListener", "ServerSessionPool", "ServerSession"}
)
_PRIMITIVE: Final = frozenset({"boolean", "byte", "short", "int", "long", "float", "double", "char", "void"})
_PLATFORM: Final = {
    "String": "java.lang.String",
    "Object": "java.lang.Object",
    "Class": "java.lang.Class",
    "Map": "java.util.Map",
    "Serializable": "java.io.Serializable",
}
_XA: Final = "javax.transaction.xa."


class JavaIterator(Iterator[Any]):
    """Yields the elements of a Java Enumeration."""

    __slots__ = ("_binding", "_raw")

    def __init__(self, raw: Any, binding: Binding) -> None:
        self._raw = raw
        self._binding = binding

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        binding = self._binding
        try:
            more = binding.enumeration.hasMoreElements(self._raw)
            element = binding.enumeration.nextElement(self._raw) if more else None
        except binding.failures.throwable as error:
            failure = binding.failures.python(error)
        else:
            if not more:
                raise StopIteration
            return binding.python(element)
        raise failure


class WeakValues:
    """Values by key, held weakly.

    Not weakref's own dictionary: its callbacks run wherever a Java object is released, also while JPype handles an
    exception, and disturb that.
    """

    def __init__(self) -> None:
        self._found: dict[Any, weakref.ref[Any]] = {}
        self._enough = 256

    def get(self, key: Any) -> Any:
        """Return a value that is still referenced, else None."""
        reference = self._found.get(key)
        return None if reference is None else reference()

    def put(self, key: Any, value: Any) -> None:
        """Keep a value; remove dead ones now and then."""
        self._found[key] = weakref.ref(value)
        if len(self._found) > self._enough:
            self._found = {key: each for key, each in self._found.items() if each() is not None}
            self._enough = 2 * len(self._found) + 256

    def values(self) -> list[Any]:
        """Return all values that are still referenced."""
        return [value for each in list(self._found.values()) if (value := each()) is not None]


class Binding:
    """The messaging API of the provider's jars."""

    def __init__(self, machine: Machine, namespace: str) -> None:
        self.machine = machine
        self.package = f"{namespace}.jms"
        self.registry = Registry(machine.classes)
        self.values = Values(machine, self.registry)
        self.failures = Failures(machine, self.package)
        self.enumeration = machine.type("java.util.Enumeration")
        self.types: dict[str, Any] = {}
        self._members: dict[str, frozenset[tuple[str, ...]]] = {}
        self.wrapper_classes: dict[tuple[type, ...], type[Wrapper]] = {}
        self.given_classes: dict[type, type[Given]] = {}
        for each in java_api().values():
            name = f"{self.package}.{each.name}"
            if each.kind != "annotation" and machine.has(name):
                self.types[each.name] = machine.type(name)
        xa = f"{_XA}XAResource"
        machine.prepare([*self.types.values(), *([machine.type(xa)] if machine.has(xa) else [])])
        self._identity = machine.type("java.lang.System").identityHashCode
        self._kinds: dict[tuple[type, str], type[Wrapper]] = {}
        self._wrappers = WeakValues()
        self._given = WeakValues()
        self._xids: dict[api.Xid, Any] = {}
        self.open = WeakValues()
        """Connections and contexts that are still referenced; closed ones among them."""
        # Guards the three maps above; no call to the provider is made while it is held, except equals of equal hash.
        self._lock = threading.Lock()

    # -- outward -------------------------------------------------------------------------------------------------

    def wrap(self, raw: Any, declared: str) -> Any:
        """Return the wrapper of a Java object with this declared type."""
        if raw is None:
            return None
        if isinstance(raw, Given):
            return raw.inner
        kind = self._kinds.get((type(raw), declared)) or self._kind(raw, declared)
        key = (self._identity(raw), kind)
        with self._lock:
            known: Any = self._wrappers.get(key)
            if known is not None and known.java_ == raw:
                return known
            made = kind(raw)
            self._wrappers.put(key, made)
            if isinstance(made, (api.Connection, api.JMSContext)):
                self.open.put(id(made), made)
            return made

    def _kind(self, raw: Any, declared: str) -> type[Wrapper]:
        narrower = _OPEN.get(declared, ())
        names = [name for name in narrower if name in self.types and isinstance(raw, self.types[name])]
        implied = {_IMPLIED.get(name) for name in names}
        names = [name for name in names if name not in implied] or [declared]
        kind = self.kind_of(tuple(names))
        self._kinds[type(raw), declared] = kind
        return kind

    def kind_of(self, names: tuple[str, ...]) -> type[Wrapper]:
        """Return the wrapper class for some types of the API."""
        return wrapper_class(self, tuple(abstract_types()[name] for name in names))

    def python(self, value: Any) -> Any:
        """Convert an Object of Java: to a wrapper for an object of the API, else to a value."""
        if isinstance(value, Given):
            return value.inner
        found = self.values.python(value)
        if found is value and value is not None:
            for name in ("Message", "Destination"):
                if isinstance(value, self.types[name]):
                    return self.wrap(value, name)
        return found

    # -- inward --------------------------------------------------------------------------------------------------

    def unwrap(self, value: Any, declared: str) -> Any:
        """Return the Java object behind a wrapper, or the proxy of an object of the suite."""
        if isinstance(value, Wrapper):
            return value.java_
        if value is None:
            return self.values.null(self.types[declared])
        if isinstance(value, abstract_types()[declared]):
            return self.given(value).proxy
        return value

    def given(self, value: Any) -> Given:
        """Return the proxy of an object of the suite for Java."""
        with self._lock:
            known: Given | None = self._given.get(id(value))
            if known is None or known.inner is not value:
                known = given_class(self, type(value))(value)
                self._given.put(id(value), known)
            return known

    def java_xid(self, xid: Any) -> Any:
        """Return the Xid of Java for one of the suite."""
        if not isinstance(xid, api.Xid):
            return self.values.null(self.machine.type(f"{_XA}Xid")) if xid is None else xid
        with self._lock:
            known = self._xids.get(xid)
            if known is None:
                known = self._xids[xid] = GivenXid(self, xid)
        return known.proxy

    def python_xid(self, raw: Any) -> Any:
        """Return the value of an Xid of Java."""
        if raw is None or isinstance(raw, GivenXid):
            return raw if raw is None else raw.inner
        parts = (raw.getGlobalTransactionId(), raw.getBranchQualifier())
        return api.Xid(int(raw.getFormatId()), *(python_bytes(part) or b"" for part in parts))

    # -- conversions by type -------------------------------------------------------------------------------------

    def into_java(self, java_type: str, *, exact: bool = False) -> Convert:
        """Return the conversion of an argument to a type of Java; `exact` where overloads differ by type alone."""
        jpype, values = self.machine.jpype, self.values
        if java_type in ("byte", "short", "int", "long"):
            exactly = {"byte": jpype.JByte, "short": jpype.JShort, "int": jpype.JInt, "long": jpype.JLong}[java_type]
            if exact:
                return lambda value: exactly(whole(java_type, _plain(value)))
            return lambda value: whole(java_type, value)
        simple: dict[str, Convert] = {
            "boolean": lambda value: jpype.JBoolean(bool(value)),
            "float": lambda value: jpype.JFloat(_plain(value)),
            "double": lambda value: jpype.JDouble(_plain(value)),
            "char": lambda value: jpype.JChar(_plain(value)),
            "String": values.java_string,
            "byte[]": values.java_bytes,
            "Object": values.java,
            "T": values.java,
            "Serializable": values.java_serializable,
            "Map": values.java_map,
            "Class": values.java_class,
            "Xid": self.java_xid,
            "void": lambda _: None,
            "Enumeration": self._java_enumeration,
            "Exception": self.failures.java,
            "JMSException": self.failures.java,
        }
        convert = simple.get(java_type) or partial(self.unwrap, declared=java_type)
        return self._as(java_type, convert) if exact else convert

    def _as(self, java_type: str, convert: Convert) -> Convert:
        """Return a conversion whose results have exactly the declared type, as a cast in Java source does."""
        declared = _PLATFORM.get(java_type) or f"{self.package}.{java_type}"
        if java_type in _PRIMITIVE or java_type == "byte[]" or not self.machine.has(declared):
            return convert
        cast, kind = self.machine.jpype.JObject, self.machine.type(declared)
        return lambda value: cast(convert(value), kind)

    def into_python(self, java_type: str) -> Convert:
        """Return the conversion of a result of a type of Java."""
        simple: dict[str, Convert] = {
            "void": lambda _: None,
            "boolean": bool,
            "byte": int,
            "short": int,
            "int": int,
            "long": int,
            "float": float,
            "double": float,
            "char": character_of,
            "String": self.values.python_string,
            "byte[]": self.values.python_array,
            "Object": self.python,
            "Serializable": self.python,
            "T": self.python,
            "Set<String>": lambda found: None if found is None else JavaNames(found, self.values, self.failures),
            "Enumeration": lambda found: None if found is None else JavaIterator(found, self),
            "Xid": self.python_xid,
            "XAResource": self._resource,
            "Exception": self.failures.python,
            "JMSException": self.failures.python,
        }
        if java_type in simple:
            return simple[java_type]
        if java_type in CALLBACKS:
            return lambda found: found.inner if isinstance(found, Given) else found
        return partial(self.wrap, declared=java_type)

    def _java_enumeration(self, elements: Any) -> Any:
        made = self.machine.type("java.util.ArrayList")()
        for each in elements or ():
            made.add(self.values.java(each))
        return self.machine.type("java.util.Collections").enumeration(made)

    def _resource(self, raw: Any) -> Any:
        return None if raw is None else JvmXAResource(raw, self)

    def has(self, member: JavaMember) -> bool:
        """Return whether the API of the jars has a method, in the overload given: an old one lacks what came later."""
        owner = self.types.get(member.type)
        if owner is None:
            return False
        if member.type not in self._members:
            self._members[member.type] = frozenset(
                (str(each.getName()), *(str(taken.getSimpleName()) for taken in each.getParameterTypes()))
                for each in (*owner.class_.getMethods(), *self.values.object_type.class_.getMethods())
            )
        return (member.name, *member.parameters) in self._members[member.type]

    def caller(self, java: JavaMember, *, exact: bool = False) -> Callable[..., Any]:
        """Return a function that calls a method of Java on a raw object with arguments of the suite.

        That of a method which the API of the jars lacks raises `NoSuchMethodError`, and calls no other overload.
        """
        if not self.has(java):
            return _absent(f"{self.package}.{java.type}.{java}")
        function = getattr(self.types[java.type], java.name)
        buffer = java.name == "readBytes"
        converts = [self.into_java(each, exact=exact) for each in java.parameters]
        back = self.into_python(java.returns)
        if buffer:
            return self._buffer_caller(function, converts[1:], back)
        return self._caller(function, converts, back)

    def _caller(self, function: Any, converts: list[Convert], back: Convert) -> Callable[..., Any]:
        throwable, python = self.failures.throwable, self.failures.python
        carry_over = self.values.twins.carry_over
        if not converts:

            def call(raw: Any) -> Any:
                carry_over()
                try:
                    found = function(raw)
                except throwable as error:
                    failure = python(error)
                else:
                    return back(found)
                raise failure

        else:

            def call(raw: Any, *given: Any) -> Any:  # type: ignore[misc]
                carry_over()
                arguments = [convert(each) for convert, each in zip(converts, given, strict=True)]
                try:
                    found = function(raw, *arguments)
                except throwable as error:
                    failure = python(error)
                else:
                    return back(found)
                raise failure

        return call

    def _buffer_caller(self, function: Any, converts: list[Convert], back: Convert) -> Callable[..., Any]:
        """Call a method that fills an array: copy Java's array into the suite's buffer afterwards."""
        throwable, python = self.failures.throwable, self.failures.python

        def call(raw: Any, buffer: Any, *given: Any) -> Any:
            self.values.twins.carry_over()
            array = self.values.java_bytes(buffer)
            try:
                found = function(raw, array, *[convert(each) for convert, each in zip(converts, given, strict=True)])
            except throwable as error:
                failure = python(error)
            else:
                if buffer is not None:
                    buffer[:] = python_bytes(array) or b""
                    self.values.twins.add(buffer, array)
                return back(found)
            raise failure

        return call


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, api.Box) else value


def _absent(what: str) -> Callable[..., Any]:
    def call(*_: Any) -> Any:
        raise absent(what)

    return call
