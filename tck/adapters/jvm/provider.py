"""A Java provider as the suite sees it: the SPI of `tck.api` over a broker driver, factories and the wrappers."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from tck import api
from tck.adapters.jvm.binding import Binding
from tck.adapters.jvm.brokers import Broker, begin, find_driver, open_broker
from tck.adapters.jvm.classpath import check_classes, classpath
from tck.adapters.jvm.factories import Factories, kind_by_action
from tck.adapters.jvm.machine import Machine, find_java
from tck.adapters.jvm.settings import Place, read_settings
from tck.adapters.jvm.wrappers import Wrapper
from tck.api.java.rule import JavaMember
from tck.catalogue.versions import OLDEST, TABLE, offers
from tck.profile.errors import ProviderUnreachable

PATIENCE: Final = 3.0
"""Seconds that each step of closing may take before it is abandoned."""

_CREATE_CONNECTION: Final = JavaMember("ConnectionFactory", "createConnection", "method", (), "Connection", ())
_BROUGHT: Final = {
    "classic": _CREATE_CONNECTION,
    "simplified": JavaMember("ConnectionFactory", "createContext", "method", (), "JMSContext", ()),
}
"""For a part of the specification, a method by which one sees that an API has it."""


def api_version(namespace: str, has: Callable[[JavaMember], bool]) -> str:
    """Return the newest version of a namespace whose parts an API has, by its answer to whether it has a method."""
    lacking = {part for part, member in _BROUGHT.items() if not has(member)}
    fitting = [
        each.name
        for each in TABLE
        if each.namespace == namespace and not each.draft_of and not any(offers(each.name, part) for part in lacking)
    ]
    return next(reversed(fitting), OLDEST)


_bindings: dict[str, Binding] = {}
"""One binding for each namespace, kept for the process: classes are generated once."""


def open_provider(settings: Mapping[str, object], work_dir: Path, *, name: str, file: Path) -> JvmProvider:
    """Open the provider of a profile with ``kind = "jvm"``.

    Args:
        settings: The profile's ``[adapter.settings]``.
        work_dir: An empty directory for the broker's files.
        name: The profile's name.
        file: The profile's file, the base of relative paths.

    Raises:
        AdapterError: The settings, the jars or the Java of this machine do not fit.
        ProviderUnreachable: The broker does not start, or cannot be connected to.
    """
    place = Place(name, file, str(settings.get("release", "")))
    read = read_settings(settings, place)
    path = classpath(read, place)
    machine = Machine.start(path.jars, read.options, oldest=read.java, loggers=read.loggers)
    package = f"{read.namespace}.jms"
    machine.type(f"{package}.Message")  # reports jars of the other namespace
    if read.namespace not in _bindings:
        _bindings[read.namespace] = Binding(machine, read.namespace)
    binding = _bindings[read.namespace]
    broker = open_broker(machine, read.broker, place, work_dir, path.homes)
    factories = Factories(machine, binding.types, read, place, broker)
    others = Factories(machine, binding.types, read.of_second(), place, broker) if read.second else None
    provider = JvmProvider(binding, broker, factories, others)
    try:
        begin(broker)
        for each in filter(None, (factories, others)):
            each.check()
        provider.connect()
    except Exception:
        provider.close()
        raise
    return provider


def check_settings(settings: Mapping[str, object], *, name: str, file: Path) -> None:
    """Check settings, lock file, jars and the Java of this machine, without starting it; arguments as above.

    Raises:
        AdapterError: Something is missing; with the advice.
    """
    place = Place(name, file)
    read = read_settings(settings, place)
    find_driver(read.broker, place)
    check_classes(read, place, classpath(read, place).jars)
    find_java(read.java)


_BLOCKED: Final = frozenset({"WAITING", "TIMED_WAITING", "BLOCKED"})
"""States of a Java thread in which it does nothing."""


class JvmClock(api.SystemClock):
    """Real time; a thread that was an actor detaches from Java at the end."""

    __slots__ = ("_machine", "_threads", "stay")

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self._machine = machine
        self._threads: dict[threading.Thread, Any] = {}
        """Java's object of each actor."""
        self.stay: set[int] = set()
        """The threads that stay attached: each runs many cases."""

    def interrupted(self) -> AbstractContextManager[object]:
        """Interrupt the calling thread in Java within the block."""
        return self._machine.interrupted()

    def blocked(self, thread: threading.Thread) -> bool | None:
        """Return whether an actor waits in Java: for a notification, for a time or for a lock."""
        found = self._threads.get(thread)
        return None if found is None else str(found.getState()) in _BLOCKED

    @contextlib.contextmanager
    def actor(self) -> Iterator[None]:
        """Count the calling thread as an actor, and detach it from Java at the end."""
        self._threads[here := threading.current_thread()] = self._machine.current_thread()
        try:
            yield
        finally:
            self._threads.pop(here, None)
            if here is not threading.main_thread() and here.ident not in self.stay:
                self._machine.detach()


class JvmProvider(api.Provider):
    """A provider in the Java virtual machine of this process, or reached from it."""

    def __init__(self, binding: Binding, broker: Broker, factories: Factories, others: Factories | None = None) -> None:
        self._binding = binding
        self._machine = binding.machine
        self._broker = broker
        self._factories = factories
        self._second = None if others is None else JvmProvider(binding, broker, others)
        self._clock: JvmClock = JvmClock(binding.machine) if self._second is None else self._second._clock  # noqa: SLF001 - its own class
        self._info: api.ProviderInfo | None = None
        self._naming: Any = None

    def connect(self) -> None:
        """Connect once, to read the provider's description.

        Raises:
            ProviderUnreachable: It cannot be connected to; with the native text.
        """
        try:
            self.info()
        except (api.JMSException, api.JMSRuntimeException, api.JavaException) as error:
            url = self._broker.placeholders["url"]
            raise ProviderUnreachable(
                f"the provider cannot be connected to{f' at {url}' if url else ''}: {type(error).__name__}: {error}; "
                "start it, or correct broker and factory in [adapter.settings]"
            ) from error

    # -- description ---------------------------------------------------------------------------------------------

    def info(self) -> api.ProviderInfo:
        """Describe the provider as its connections do."""
        if self._info is None:
            raw = self._factories.factory("ConnectionFactory")
            with self._any_connection() as connection:
                data = connection.meta_data
                package = raw.getClass().getPackage()
                vendor = package.getImplementationVendor() if package is not None else None
                name = str(data.jms_provider_name)
                self._info = api.ProviderInfo(
                    name, str(data.provider_version), str(vendor or name), str(data.jms_version), "java"
                )
        return self._info

    @property
    def hooks(self) -> frozenset[api.Hook]:
        """Return the hooks of the broker's driver; a factory with parameters is an administrator's work, too."""
        return self._broker.hooks | ({api.Hook.ADMINISTER} if self._factories.parameters else set())

    @property
    def clock(self) -> api.Clock:
        """Return the clock of this machine."""
        return self._clock

    def _any_connection(self, kind: str = "") -> api.Connection:
        """Make a connection by the common interfaces; where the jars' API has none, by one for `queue`s or `topic`s."""
        common = self.connection_factory()
        if self._binding.has(_CREATE_CONNECTION):
            return common.create_connection()
        makers: dict[str, Callable[[], api.Connection]] = {
            "queue": lambda: self.queue_connection_factory().create_queue_connection(),
            "topic": lambda: self.topic_connection_factory().create_topic_connection(),
        }
        try:
            return makers[kind or "queue"]()
        except api.UnsupportedOperationException:  # a provider of one domain
            if kind:
                raise
            return makers["topic"]()

    @property
    def java_api(self) -> str:
        """Return the newest version whose parts the API of the jars has, as `tck.catalogue.versions` names it."""
        return api_version(self._binding.package.partition(".")[0], self._binding.has)

    @property
    def java_api_jar(self) -> str:
        """Return the file name of the jar that the API was loaded from; empty if Java does not tell."""
        source = self._binding.types["Message"].class_.getProtectionDomain().getCodeSource()
        return str(source.getLocation()).rstrip("/").rpartition("/")[2] if source is not None else ""

    # -- administered objects ------------------------------------------------------------------------------------

    def _factory(self, kind: str) -> Any:
        return self._binding.wrap(self._factories.factory(kind), kind)

    def connection_factory(self) -> api.ConnectionFactory:
        """Return the factory of the classic and the simplified API."""
        return self._factory("ConnectionFactory")  # type: ignore[no-any-return]

    def queue_connection_factory(self) -> api.QueueConnectionFactory:
        """Return the factory of the domain-specific API for queues."""
        return self._factory("QueueConnectionFactory")  # type: ignore[no-any-return]

    def topic_connection_factory(self) -> api.TopicConnectionFactory:
        """Return the factory of the domain-specific API for topics."""
        return self._factory("TopicConnectionFactory")  # type: ignore[no-any-return]

    def xa_connection_factory(self) -> api.XAConnectionFactory:
        """Return the factory of XA connections and contexts."""
        return self._factory("XAConnectionFactory")  # type: ignore[no-any-return]

    def xa_queue_connection_factory(self) -> api.XAQueueConnectionFactory:
        """Return the domain-specific factory of XA connections for queues."""
        return self._factory("XAQueueConnectionFactory")  # type: ignore[no-any-return]

    def xa_topic_connection_factory(self) -> api.XATopicConnectionFactory:
        """Return the domain-specific factory of XA connections for topics."""
        return self._factory("XATopicConnectionFactory")  # type: ignore[no-any-return]

    def queue_requestor(self, session: api.QueueSession | None, queue: api.Queue | None) -> api.QueueRequestor:
        """Make a requestor of the provider's own jars."""
        return self._requestor("Queue", session, queue)  # type: ignore[no-any-return]

    def topic_requestor(self, session: api.TopicSession | None, topic: api.Topic | None) -> api.TopicRequestor:
        """Make a requestor of the provider's own jars."""
        return self._requestor("Topic", session, topic)  # type: ignore[no-any-return]

    def new_exception(
        self,
        kind: type[api.JMSException | api.JMSRuntimeException],
        reason: str | None,
        error_code: str | api.Omitted | None = api.OMITTED,
        cause: Exception | api.Omitted | None = api.OMITTED,
    ) -> api.JMSException | api.JMSRuntimeException:
        """Make an exception by a constructor of the provider's own jars."""
        given = [each for each in (reason, error_code, cause) if not isinstance(each, api.Omitted)]
        return self._binding.failures.constructed(kind, *given)

    def link_exception(self, exception: api.JMSException, linked: Exception | None) -> api.JMSException:
        """Link an exception by setLinkedException of the provider's own jars."""
        return self._binding.failures.linked(exception, linked)

    def _requestor(self, kind: str, session: object, destination: object) -> Any:
        binding = self._binding
        java_type = binding.types[f"{kind}Requestor"]
        with binding.failures.translated():
            made = java_type(binding.unwrap(session, f"{kind}Session"), binding.unwrap(destination, kind))
        return binding.wrap(made, f"{kind}Requestor")

    def create_queue(self, name: str) -> api.Queue:
        """Create a queue and return the provider's own object."""
        return self._destination("queue", name)  # type: ignore[no-any-return]

    def create_topic(self, name: str) -> api.Topic:
        """Create a topic and return the provider's own object."""
        return self._destination("topic", name)  # type: ignore[no-any-return]

    def _destination(self, kind: str, name: str) -> Any:
        with self._binding.failures.translated():
            self._broker.create(kind, name)
            raw = self._factories.destination(kind, name)
        if raw is not None:
            return self._binding.wrap(raw, kind.title())
        made: api.QueueSession | api.TopicSession | api.Session
        with self._any_connection(kind) as connection:
            if isinstance(connection, api.QueueConnection):
                made = connection.create_queue_session(False, api.Session.AUTO_ACKNOWLEDGE)
            elif isinstance(connection, api.TopicConnection):
                made = connection.create_topic_session(False, api.Session.AUTO_ACKNOWLEDGE)
            else:
                made = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
            return made.create_queue(name) if kind == "queue" else made.create_topic(name)

    def drop(self, destination: api.Destination) -> None:
        """Remove a destination; ignore a refusal of the broker."""
        with contextlib.suppress(self._machine.jpype.JException):
            self._broker.drop(*_named(destination))

    def unsupported_value(self) -> object:
        """Return a bare object of Java."""
        return self._binding.values.object_type()

    def register_types(self, *types: type) -> None:
        """Allow objects of these types in object messages."""
        self._binding.registry.register(*types)

    def overwrite(self, value: bytes) -> bool:
        """Overwrite the Java array that some bytes were read from."""
        return self._binding.values.twins.overwrite(value)

    def second(self) -> JvmProvider | None:
        """Return the broker as the second client library of the profile reaches it."""
        return self._second

    def remains(self, value: object) -> Callable[[], bool]:
        """Say whether Java has collected an object."""
        assert isinstance(value, Wrapper)  # noqa: S101 - a destination that the provider made
        return self._machine.remains(value.java_)

    def apart(self) -> None:
        """Keep the calling thread, which begins a case beside others, apart from theirs."""
        self._clock.stay.add(threading.get_ident())
        self._binding.values.twins.apart()

    # -- hooks ---------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Stop the broker and start it again on the same data."""
        if api.Hook.RESTART not in self.hooks:
            super().restart()
        with self._binding.failures.translated():
            self._broker.restart()

    def kill(self) -> None:
        """Kill the broker and start it again on the same data."""
        if api.Hook.KILL not in self.hooks:
            super().kill()
        with self._binding.failures.translated():
            self._broker.kill()

    def sever(self, connection: api.Connection | api.JMSContext) -> None:
        """Break the link of a connection."""
        if api.Hook.SEVER not in self.hooks or not isinstance(connection, Wrapper):
            super().sever(connection)
            return
        with self._binding.failures.translated():
            self._broker.sever(connection.java_)

    def pending(self, destination: api.Destination) -> int:
        """Count the messages that a destination holds."""
        if api.Hook.PENDING not in self.hooks:
            return super().pending(destination)
        with self._binding.failures.translated():
            return self._broker.pending(*_named(destination))

    def administer(self, action: str, **arguments: object) -> object:
        """Do what an administrator could do."""
        if self.hooks.isdisjoint({api.Hook.ADMINISTER, api.Hook.FAULT}):
            return super().administer(action, **arguments)
        if action == "factory":
            kind = kind_by_action(str(arguments.pop("kind")))
            return self._binding.wrap(self._factories.configured(kind, arguments), kind)
        with self._binding.failures.translated():
            return self._broker.administer(action, {key: self._given(value) for key, value in arguments.items()})

    def _given(self, value: object) -> object:
        """Return an argument of an action as drivers expect it."""
        if isinstance(value, api.Destination):
            return _named(value)
        if isinstance(value, api.Xid):
            return self._binding.java_xid(value)
        return value.java_ if isinstance(value, Wrapper) else value

    # -- a call that hangs ---------------------------------------------------------------------------------------

    def interrupt(self) -> None:
        """Interrupt the Java call that the main thread is blocked in."""
        self._machine.interrupt_main()
        self._machine.detach()

    def stacks(self) -> str:
        """Return the stacks of all Java threads."""
        return self._machine.stacks()

    # -- the end -------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close open connections, stop the broker, and free everything that would keep the process alive."""
        for each in self._binding.open.values():
            self._patiently(each.close)
        self._patiently(self._broker.stop)
        self._patiently(self._broker.leave)

    def _patiently(self, step: Callable[[], object]) -> None:
        """Do a step of closing, for a bounded time; its errors are ignored."""

        def run() -> None:
            with contextlib.suppress(Exception):
                step()
            self._machine.detach()

        thread = threading.Thread(target=run, name="tck-close", daemon=True)
        thread.start()
        thread.join(PATIENCE)


def _named(destination: api.Destination) -> tuple[str, str]:
    if isinstance(destination, api.Queue):
        return "queue", destination.queue_name
    if isinstance(destination, api.Topic):
        return "topic", destination.topic_name
    raise TypeError(f"{destination!r} is neither a queue nor a topic")
