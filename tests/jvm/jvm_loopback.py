"""The reference provider behind Java proxies, as a Java provider that the JVM adapter reaches.

    suite -> Binding (the adapter under test) -> Java interfaces -> Presented -> reference provider

Nothing of the suite's calls reaches the reference provider but through the types of `jakarta.jms`. `Presented` is a
binding in the other direction: it makes a Java object of each object of the reference provider.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jvm_presented import Presented

from reference_provider.adapter import open_provider as open_reference
from tck import api
from tck.adapters.jvm.binding import Binding
from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.settings import Place, read_settings
from tck.adapters.jvm.wrappers import Wrapper
from tck.profile import load_profile

JARS_OF = "artemis"
"""The profile whose lock file has the newest messaging API; the setting `jars_of` names another."""
API_JARS = ("jms-api", "jms_1.1_spec", "jboss-j2ee")
"""Parts of the names of jars that hold a messaging API."""


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

    def new_exception(self, kind: Any, reason: Any, error_code: Any = api.OMITTED, cause: Any = api.OMITTED) -> Any:
        given = [each for each in (reason, error_code, cause) if each is not api.OMITTED]
        return self._outer.failures.constructed(kind, *given)

    def link_exception(self, exception: Any, linked: Any) -> Any:
        return self._outer.failures.linked(exception, linked)

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

    def overwrite(self, value: bytes) -> bool:
        return self._outer.values.twins.overwrite(value)

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
    settings = dict(settings)
    jars_of = str(settings.pop("jars_of", JARS_OF))
    if not _bindings:
        profile = load_profile(jars_of)
        place = Place(profile.name, profile.path.resolve())
        read = read_settings(profile.adapter.settings, place)
        jars = [jar for jar in classpath(read, place).jars if any(part in jar.name for part in API_JARS)]
        machine = Machine.start(jars, (), oldest=read.java, loggers=False)
        outer = Binding(machine, read.namespace)
        _bindings.append((outer, Presented(outer)))
    outer, presented = _bindings[0]
    return Loopback(open_reference(settings, work_dir), outer, presented)
