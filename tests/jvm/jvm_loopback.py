"""The reference provider behind Java proxies, as a Java provider that the JVM adapter reaches.

    suite -> Binding (the adapter under test) -> Java interfaces -> Presented -> reference provider

Nothing of the suite's calls reaches the reference provider but through the types of `jakarta.jms`. `Presented` is a
binding in the other direction: it makes a Java object of each object of the reference provider. The proxies are those of
java.lang.reflect: JPype returns its own proxies to Python as the Python object behind them, and nothing would be crossed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reference_provider.adapter import open_provider as open_reference
from tck import api
from tck.adapters.jvm.binding import CALLBACKS, Binding
from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.given import Given, _use
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.settings import Place, read_settings
from tck.adapters.jvm.values import Values
from tck.adapters.jvm.wrappers import Wrapper
from tck.api.java.overloads import abstract_types
from tck.api.java.rule import Kind, python_api
from tck.profile import load_profile

JARS_OF = "artemis"
"""The profile whose lock file has the messaging API of `jakarta`."""

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
        super().__init__(outer.machine, "jakarta")
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
            return lambda found: self.machine.type("java.util.HashSet")([self.java(each) for each in found])
        if java_type in ("Object", "T"):
            return self.java
        return super().into_java(java_type, exact=exact)

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


class Loopback(api.Provider):
    """The provider: administration goes straight to the reference provider, the messaging API through Java."""

    def __init__(self, inner: Any, outer: Binding, presented: Presented) -> None:
        self._inner, self._outer, self._presented = inner, outer, presented

    def _out(self, value: Any, declared: str) -> Any:
        return self._outer.wrap(self._presented.present(value), declared)

    def _in(self, value: Any) -> Any:
        return self._presented.python(value.java_) if isinstance(value, Wrapper) else value

    def info(self) -> api.ProviderInfo:
        return self._inner.info()

    @property
    def hooks(self) -> frozenset[api.Hook]:
        return self._inner.hooks

    @property
    def clock(self) -> api.Clock:
        return self._inner.clock

    def connection_factory(self) -> Any:
        return self._out(self._inner.connection_factory(), "ConnectionFactory")

    def queue_connection_factory(self) -> Any:
        return self._out(self._inner.queue_connection_factory(), "QueueConnectionFactory")

    def topic_connection_factory(self) -> Any:
        return self._out(self._inner.topic_connection_factory(), "TopicConnectionFactory")

    def xa_connection_factory(self) -> Any:
        return self._inner.xa_connection_factory()

    def xa_queue_connection_factory(self) -> Any:
        return self._inner.xa_queue_connection_factory()

    def xa_topic_connection_factory(self) -> Any:
        return self._inner.xa_topic_connection_factory()

    def queue_requestor(self, session: Any, queue: Any) -> Any:
        return self._requestor("QueueRequestor", "QueueSession", "Queue", session, queue)

    def topic_requestor(self, session: Any, topic: Any) -> Any:
        return self._requestor("TopicRequestor", "TopicSession", "Topic", session, topic)

    def _requestor(self, kind: str, session_type: str, destination_type: str, session: Any, destination: Any) -> Any:
        """Make the class of the API jar over the provider's sessions, as a user of Java does."""
        outer = self._outer
        try:
            made = outer.types[kind](outer.unwrap(session, session_type), outer.unwrap(destination, destination_type))
        except outer.failures.throwable as error:
            failure = outer.failures.python(error)
        else:
            return outer.wrap(made, kind)
        raise failure

    def lookup(self, name: str) -> object:
        found = self._inner.lookup(name)
        declared = next((n for n in FOUND if isinstance(found, getattr(api, n))), None)
        return found if declared is None else self._out(found, declared)

    def bind(self, name: str, obj: object) -> None:
        self._inner.bind(name, self._in(obj))

    def create_queue(self, name: str) -> Any:
        return self._out(self._inner.create_queue(name), "Queue")

    def create_topic(self, name: str) -> Any:
        return self._out(self._inner.create_topic(name), "Topic")

    def drop(self, destination: Any) -> None:
        self._inner.drop(self._in(destination))

    def unsupported_value(self) -> object:
        return self._outer.values.object_type()

    def register_types(self, *types: type) -> None:
        self._outer.registry.register(*types)
        self._inner.register_types(*types)

    def restart(self) -> None:
        self._inner.restart()

    def kill(self) -> None:
        self._inner.kill()

    def sever(self, connection: Any) -> None:
        self._inner.sever(self._in(connection))

    def pending(self, destination: Any) -> int:
        return self._inner.pending(self._in(destination))

    def administer(self, action: str, **arguments: object) -> object:
        return self._inner.administer(action, **{key: self._in(value) for key, value in arguments.items()})

    def close(self) -> None:
        self._inner.close()


FOUND = ("QueueConnectionFactory", "TopicConnectionFactory", "ConnectionFactory", "Queue", "Topic")

_bindings: list[tuple[Binding, Presented]] = []


def open_provider(settings: dict[str, object], work_dir: Path) -> Loopback:
    """Open the reference provider with these settings, behind Java."""
    if not _bindings:
        profile = load_profile(JARS_OF)
        place = Place(profile.name, profile.path.resolve())
        read = read_settings(profile.adapter.settings, place)
        jars = [jar for jar in classpath(read, place).jars if "jms-api" in jar.name]
        machine = Machine.start(jars, (), oldest=read.java, loggers=False)
        outer = Binding(machine, "jakarta")
        _bindings.append((outer, Presented(outer)))
    outer, presented = _bindings[0]
    return Loopback(open_reference(settings, work_dir), outer, presented)
