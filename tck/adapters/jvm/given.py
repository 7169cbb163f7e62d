"""Proxies for objects of the suite that Java holds: listeners, pools, foreign messages and destinations, and Xids.

A proxy has the names of Java's methods and passes each call to its object. An exception arrives in Java as the
corresponding one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from tck import api
from tck.adapters.jvm.failures import Failures
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.values import Values
from tck.api.java.overloads import abstract_types, parameter_names
from tck.api.java.rule import Kind, Overload, PythonMember, python_api

Handler = Callable[..., Any]


class Given:
    """The target of a Java proxy: an object of the suite."""

    __slots__ = ("__weakref__", "inner", "proxy")
    interfaces: ClassVar[tuple[Any, ...]] = ()
    binding: ClassVar[Any]

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.proxy = self.binding.machine.jpype.JProxy(list(self.interfaces), inst=self, convert=True)


class Conversions(Protocol):
    """The part of the binding that proxies use."""

    machine: Machine
    values: Values
    failures: Failures
    types: dict[str, Any]
    given_classes: dict[type, type[Given]]

    def into_java(self, java_type: str) -> Handler:
        """Return the conversion of a value of the suite to a type of Java."""
        ...

    def into_python(self, java_type: str) -> Handler:
        """Return the conversion of a value of a type of Java."""
        ...


def given_class(binding: Conversions, kind: type) -> type[Given]:
    """Return the class for objects of a type of the suite; made once for each binding."""
    made = binding.given_classes.get(kind)
    if made is None:
        made = binding.given_classes[kind] = _make(binding, kind)
    return made


def _make(binding: Conversions, kind: type) -> type[Given]:
    types = [each for name, each in abstract_types().items() if issubclass(kind, each) and name in binding.types]
    nearest = [each for each in types if not any(other is not each and issubclass(other, each) for other in types)]
    handlers: dict[str, dict[int, Handler]] = {}
    for each in types:
        for member in python_api()[each.__name__].values():
            if member.kind in (Kind.METHOD, Kind.PROPERTY):
                for overload in member.overloads:
                    java = overload.java
                    by_count = handlers.setdefault(java.name, {})
                    by_count.setdefault(len(java.parameters), _handler(binding, member, overload))
    methods = {name: _method(name, by_count) for name, by_count in handlers.items()}
    interfaces = tuple(binding.types[each.__name__] for each in nearest)
    return type(
        "Given" + "And".join(each.__name__ for each in nearest),
        (Given,),
        {"__slots__": (), "binding": binding, "interfaces": interfaces, **methods},
    )


def _method(name: str, by_count: dict[int, Handler]) -> Handler:
    def method(self: Given, *arguments: Any) -> Any:
        return by_count[len(arguments)](self.inner, arguments)

    method.__name__ = name
    return method


def _handler(binding: Conversions, member: PythonMember, overload: Overload) -> Handler:
    java = overload.java
    back = _with_default(java.returns, binding.into_java(java.returns))
    into = [binding.into_python(each) for each in java.parameters]
    use = _use(member, overload)
    buffer = java.name == "readBytes"

    def handle(inner: Any, arguments: tuple[Any, ...]) -> Any:
        try:
            given: list[Any] = [convert(each) for convert, each in zip(into, arguments, strict=True)]
            if buffer and given[0] is not None:
                given[0] = bytearray(given[0])
            found = use(inner, given)
            if buffer and given[0] is not None:
                arguments[0][:] = binding.values.java_bytes(given[0])
            return back(found)
        except BaseException as error:
            raise binding.failures.java(error) from error

    return handle


def _with_default(java_type: str, convert: Handler) -> Handler:
    """Return Java's default for a primitive that an object of the suite never set."""
    if java_type not in ("boolean", "byte", "short", "int", "long", "float", "double"):
        return convert
    return lambda value: convert(0 if value is None else value)


def _use(member: PythonMember, overload: Overload) -> Callable[[Any, list[Any]], Any]:
    if member.kind is Kind.PROPERTY:
        if not overload.fills:
            return lambda inner, _: getattr(inner, member.name)
        return lambda inner, given: setattr(inner, member.name, given[0])
    names = parameter_names(f"{member.type}.{member.name}")
    keywords = {at: names[at] for at in overload.fills if member.parameters[at].keyword_only}

    def call(inner: Any, given: list[Any]) -> Any:
        placed = dict(zip(overload.fills, given, strict=True))
        plain = [value for at, value in sorted(placed.items()) if at not in keywords]
        return getattr(inner, member.name)(*plain, **{name: placed[at] for at, name in keywords.items()})

    return call


class GivenXid(Given):
    """The target of a Java proxy: an Xid of the suite."""

    __slots__ = ("_binding",)

    def __init__(self, binding: Conversions, xid: api.Xid) -> None:
        self._binding = binding
        self.inner = xid
        self.proxy = binding.machine.jpype.JProxy("javax.transaction.xa.Xid", inst=self, convert=True)

    def getFormatId(self) -> int:  # noqa: N802, D102 - a method of Java
        return int(self.inner.format_id)

    def getGlobalTransactionId(self) -> Any:  # noqa: N802, D102 - a method of Java
        return self._binding.values.java_bytes(self.inner.global_transaction_id)

    def getBranchQualifier(self) -> Any:  # noqa: N802, D102 - a method of Java
        return self._binding.values.java_bytes(self.inner.branch_qualifier)
