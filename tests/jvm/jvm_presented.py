"""The Java objects of a provider in Python: a binding in the other direction; see `jvm_loopback`.

The proxies are those of java.lang.reflect: JPype returns its own proxies to Python as the Python object behind them, and
nothing would be crossed.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from tck import api
from tck.adapters.jvm.binding import CALLBACKS, Binding
from tck.adapters.jvm.given import Given, _use
from tck.adapters.jvm.values import Values
from tck.adapters.jvm.wrappers import Wrapper
from tck.api.java.overloads import abstract_types
from tck.api.java.rule import Kind, python_api

BOXED = {
    "boolean": ("JBoolean", bool),
    "byte": ("JByte", int),
    "short": ("JShort", int),
    "int": ("JInt", int),
    "long": ("JLong", int),
    "float": ("JFloat", float),
    "double": ("JDouble", float),
    "char": ("JChar", lambda value: value.value if isinstance(value, api.Char) else value),
}
NARROW = {"byte": api.Byte, "short": api.Short, "int": api.Int, "float": api.Float}
CAST = {"String": str, "Map": dict, "byte[]": bytes, "Serializable": api.SERIALIZABLE}

BODIES: dict[str, Any] = {
    "java.lang.String": str,
    "[B": bytes,
    "java.util.Map": dict,
    "java.util.List": list,
    "java.lang.Boolean": bool,
    "java.lang.Long": int,
    "java.lang.Double": float,
    "java.lang.Object": object,
    **{each.value: each for each in api.BodyMarker},
    **{each.java_name: each for each in (api.Byte, api.Short, api.Int, api.Float, api.Char)},
}


class ProviderValues(Values):
    """Values as a provider holds them: an object that refuses to be built again is there all the same."""

    def _python_object(self, kind: type, raw: Any) -> object:
        try:
            return super()._python_object(kind, raw)
        except Exception:  # noqa: BLE001 - the type's own refusal, which the provider is to meet
            made = object.__new__(kind)
            for name, value in self.python(raw.state).items():
                object.__setattr__(made, name, value)
            return made

    def python_array(self, content: Any) -> Any:
        """Return an array that a provider in Python can keep and that changes with Java's."""
        if content is None:
            return None
        found = bytearray(memoryview(content))
        self.twins.add(found, content)
        return found

    def pull(self) -> None:
        """Carry over each change of a Java object to the one that the provider has: both are one object to a Java provider."""
        for pair in list(self.twins._pairs.values()):
            if isinstance(pair.ours, bytearray):
                pair.ours[:] = bytes(memoryview(pair.java))
            elif isinstance(pair.ours, list):
                pair.ours[:] = [
                    self._same(old, new) for old, new in zip_longest(pair.ours, pair.java) if new is not None
                ]
            elif isinstance(pair.ours, dict):
                old = dict(pair.ours)
                pair.ours.clear()
                for entry in pair.java.entrySet():
                    key = self.python(entry.getKey())
                    pair.ours[key] = self._same(old.get(key), entry.getValue())
            elif not isinstance(pair.ours, bytes):
                for entry in pair.java.state.entrySet():
                    name = self.python(entry.getKey())
                    object.__setattr__(pair.ours, name, self._same(getattr(pair.ours, name, None), entry.getValue()))

    def _same(self, ours: Any, java: Any) -> Any:
        """Return the provider's object of a Java object, which it has already if the two crossed together."""
        known = self.twins.java_of(ours)
        return (
            ours
            if known is not None
            and self.machine.type("java.lang.System").identityHashCode(known)
            == self.machine.type("java.lang.System").identityHashCode(java)
            else self.python(java)
        )


class Handler:
    """The InvocationHandler of a proxy of java.lang.reflect: one object of the reference provider."""

    def __init__(self, presented: Presented, inner: Any, methods: dict) -> None:
        self.presented, self.inner, self.methods = presented, inner, methods
        self.seen = False

    def invoke(self, proxy: Any, method: Any, arguments: Any) -> Any:
        name = str(method.getName())
        if arguments is None or len(arguments) == 0:
            key: tuple[str, ...] = (name,)
        else:
            key = (name, *(str(each.getSimpleName()) for each in method.getParameterTypes()))
        handle = self.methods.get(key)
        if handle is not None:
            return handle(self.inner, arguments)
        boxed = self.presented.machine.jpype
        if name == "equals":
            return boxed.JBoolean(self.inner == self.presented.python(arguments[0]))
        if name == "hashCode":
            return boxed.JInt(((hash(self.inner) + 2**31) % 2**32) - 2**31)
        if name == "toString":
            return self.presented.values.java_string(str(self.inner))
        missing = f"{type(self.inner).__name__} has no {key}"
        raise AssertionError(missing)


class Names:
    """The methods of java.util.Set that an unmodifiable view of it calls, for a live set of the reference provider."""

    def __init__(self, found: Any, binding: Any) -> None:
        self._found = found
        self._binding = binding

    def _now(self) -> Any:
        return self._binding.machine.type("java.util.ArrayList")([self._binding.java(each) for each in self._found])

    def size(self) -> int:
        return len(self._found)

    def toArray(self, *_: object) -> Any:  # noqa: N802 - the name of Java
        return self._now().toArray()

    def iterator(self) -> Any:
        return self._now().iterator()


class Elements:
    """An Enumeration of Java over an iterator of Python; it asks for the next element as late as it can."""

    def __init__(self, iterator: Any, presented: Presented) -> None:
        self.iterator, self.presented, self.ahead = iterator, presented, []

    def hasMoreElements(self) -> bool:  # noqa: N802
        try:
            if not self.ahead:
                self.ahead.append(next(self.iterator))
        except StopIteration:
            return False
        except Exception as error:
            raise self.presented.failures.java(error) from error
        return True

    def nextElement(self) -> Any:  # noqa: N802
        if not self.hasMoreElements():
            raise self.presented.machine.type("java.util.NoSuchElementException")()  # noqa: RSE102 - JPype raises objects
        return self.presented.java(self.ahead.pop())


class Presented(Binding):
    """The binding of a provider in Python that is to be used from Java."""

    def __init__(self, outer: Binding) -> None:
        super().__init__(outer.machine, outer.package.partition(".")[0])
        self.registry = outer.registry
        self.values = ProviderValues(outer.machine, outer.registry)
        machine = outer.machine
        self._proxy = machine.type("java.lang.reflect.Proxy")
        self._invocation = machine.type("java.lang.reflect.InvocationHandler")
        self._class = machine.type("java.lang.Class")
        self._loader = self.types["Message"].class_.getClassLoader()
        self._enumeration_type = machine.type("java.util.Enumeration")
        self._methods: dict[type, tuple[Any, dict]] = {}
        self._made: dict[int, tuple[Any, Any]] = {}
        self._foreign: dict[int, tuple[Any, Any]] = {}
        self._handlers: dict[tuple, Any] = {}
        machine.prepare([self._proxy, self._invocation, machine.type("java.lang.reflect.Method")])

    # -- reference provider to Java --------------------------------------------------------------------------------

    def present(self, value: Any) -> Any:
        """Return the Java object of an object of the reference provider; always the same."""
        known = self._made.get(id(value))
        if known is None:
            interfaces, methods = self._methods_of(type(value))
            handler = Handler(self, value, methods)
            handle = self.machine.jpype.JProxy("java.lang.reflect.InvocationHandler", inst=handler, convert=True)
            proxy = self._proxy.newProxyInstance(self._loader, interfaces, handle)
            known = self._made[id(value)] = (value, proxy)
        return known[1]

    def unwrap(self, value: Any, declared: str) -> Any:
        if value is None:
            return self.values.null(self.types[declared])
        if isinstance(value, Wrapper):
            return value.java_
        return self.present(value)

    def java(self, value: Any) -> Any:
        if isinstance(value, Wrapper):
            return value.java_
        if isinstance(value, (api.Message, api.Destination)):
            return self.present(value)
        return self.values.java(value)

    def into_java(self, java_type: str, *, exact: bool = False) -> Any:
        if java_type in BOXED:
            name, kind = BOXED[java_type]
            box = getattr(self.machine.jpype, name)
            return lambda value: self.machine.jpype.JObject(box(kind(value)))
        if java_type == "Set<String>":
            return self._java_names
        if java_type in ("Object", "T"):
            return self.java
        return super().into_java(java_type, exact=exact)

    def _java_names(self, found: Any) -> Any:
        live = self.machine.jpype.JProxy("java.util.Set", inst=Names(found, self), convert=False)
        return self.machine.type("java.util.Collections").unmodifiableSet(live)

    def _java_enumeration(self, elements: Any) -> Any:
        if elements is None:
            return None
        return self.machine.jpype.JProxy(self._enumeration_type, inst=Elements(iter(elements), self), convert=False)

    def _methods_of(self, kind: type) -> tuple[Any, dict]:
        known = self._methods.get(kind)
        if known is not None:
            return known
        types = [each for name, each in abstract_types().items() if issubclass(kind, each) and name in self.types]
        nearest = [each for each in types if not any(other is not each and issubclass(other, each) for other in types)]
        methods: dict = {}
        for each in types:
            for member in python_api()[each.__name__].values():
                if member.kind in (Kind.METHOD, Kind.PROPERTY):
                    for overload in member.overloads:
                        key = (overload.java.name, *overload.java.parameters)
                        if key not in methods:
                            methods[key] = self._handle(member, overload)
        interfaces = self.machine.jpype.JArray(self._class)([self.types[each.__name__].class_ for each in nearest])
        found = self._methods[kind] = interfaces, methods
        return found

    def _handle(self, member: Any, overload: Any) -> Any:
        java = overload.java
        back = self.into_java(java.returns)
        into = [self.into_python(each) for each in java.parameters]
        use = _use(member, overload)
        if member.exception == "set-property" and java.parameters[1] in NARROW:
            into[1] = NARROW[java.parameters[1]]
        if member.exception == "send-body" and java.parameters[1] in CAST:
            use = _send_body(CAST[java.parameters[1]])
        buffer = java.name == "readBytes"

        def handle(inner: Any, arguments: Any) -> Any:
            try:
                self.values.pull()
                given = [convert(arguments[at]) for at, convert in enumerate(into)]
                if buffer and given[0] is not None:
                    given[0] = bytearray(given[0])
                found = use(inner, given)
                if buffer and given[0] is not None:
                    arguments[0][:] = self.values.java_bytes(given[0])
                return back(found)
            except BaseException as error:
                raise self.failures.java(error) from error

        return handle

    def caller(self, java: Any, *, exact: bool = False) -> Any:
        """Leave out what the reference provider does to a foreign message by a method that came with a later API."""
        if java.name == "setJMSDeliveryTime" and not self.has(java):
            return lambda *_: None
        return super().caller(java, exact=exact)

    # -- Java to reference provider --------------------------------------------------------------------------------

    def wrap(self, raw: Any, declared: str) -> Any:
        if raw is None:
            return None
        if isinstance(raw, Given):
            return self._of_suite(raw)
        handler = self._handler_of(raw)
        if handler is not None:
            return handler.inner
        return super().wrap(raw, declared)

    def python(self, value: Any) -> Any:
        if isinstance(value, Given):
            return self._of_suite(value)
        handler = self._handler_of(value)
        if handler is not None:
            return handler.inner
        return super().python(value)

    def _body_type(self, java_class: Any) -> Any:
        """Return the body type of Python for a class of Java."""
        if java_class is None:
            return None
        name = str(java_class.getName())
        return self.registry.types().get(name) or BODIES.get(name, Handler)

    def into_python(self, java_type: str) -> Any:
        if java_type == "Class":
            return self._body_type
        if java_type == "Map":
            return self.python
        if java_type in CALLBACKS:
            return lambda found: self.wrap(found, java_type)
        return super().into_python(java_type)

    def _handler_of(self, raw: Any) -> Any:
        if isinstance(raw, self._proxy):
            found = self._proxy.getInvocationHandler(raw)
            return found if isinstance(found, Handler) else None
        return None

    def _of_suite(self, given: Given) -> Any:
        """Return a listener, message or destination of the suite as the provider sees it: through Java again."""
        known = self._foreign.get(id(given))
        if known is None:
            types = [
                each for name, each in abstract_types().items() if isinstance(given.inner, each) and name in self.types
            ]
            nearest = [e for e in types if not any(o is not e and issubclass(o, e) for o in types)]
            made = self.kind_of(tuple(each.__name__ for each in nearest))(given.proxy)
            known = self._foreign[id(given)] = (given, made)
        return known[1]


def _send_body(cast: Any) -> Any:
    def use(inner: Any, given: list[Any]) -> Any:
        options = {"body_type": cast} if given[1] is None else {}
        return inner.send(given[0], given[1], **options)

    return use
