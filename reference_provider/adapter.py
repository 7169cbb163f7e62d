"""The way in: `open_provider(settings, work_dir)` and the provider SPI over the provider.

Settings, all optional:

| key | value |
|---|---|
| `clock` | `"system"` (default) or `"virtual"` |
| `file` | path of the database; default `provider.sqlite` in the work directory |
| `version` | `"3.1"` (default), `"2.0"`, `"1.1"`, `"1.0.2b"`, `"1.0"`: the version of the specification to behave by |
| `users` | table of passwords by user name; without it anybody may connect |
| `redelivery_limit`, `dead_letter_queue` | how often a message is delivered at most (default 0: no limit), and the queue that then gets it |
| `saboteur` | id of an assertion to break on purpose, or name of a provider that is nearly right |
| `max_pages` | upper limit of the file, in database pages; 0 (default) for none |
| `max_body_bytes`, `max_header_bytes` | largest body, and largest header with properties, that a send accepts, in bytes (default 256 MiB and 4 MiB) |
| `max_object_depth` | how deep values may nest in the body of an object message, 1 to 100 (default) |
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast, get_args

from reference_provider.administration import Administration, connection_of
from reference_provider.broker.broker import Rules
from reference_provider.client.connection_factories import (
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
    ReferenceXAConnectionFactory,
    ReferenceXAQueueConnectionFactory,
    ReferenceXATopicConnectionFactory,
)
from reference_provider.client.metadata import PROVIDER_NAME, PROVIDER_VERSION
from reference_provider.client.requestors import ReferenceQueueRequestor, ReferenceTopicRequestor
from reference_provider.clock import ProviderClock, RealClock, VirtualClock
from reference_provider.destinations import ReferenceDestination, ReferenceQueue, ReferenceTopic
from reference_provider.messages import Limits, Version
from reference_provider.naming import Naming
from reference_provider.server import Server, Settings
from reference_provider.store import StoreOptions
from tck.api import (
    Connection,
    Destination,
    Hook,
    IllegalArgumentException,
    JMSContext,
    Provider,
    ProviderInfo,
    Queue,
    QueueConnectionFactory,
    QueueRequestor,
    QueueSession,
    Topic,
    TopicConnectionFactory,
    TopicRequestor,
    TopicSession,
    XAConnectionFactory,
    XAQueueConnectionFactory,
    XATopicConnectionFactory,
)

_KNOWN: Final = (
    "clock",
    "dead_letter_queue",
    "file",
    "max_body_bytes",
    "max_header_bytes",
    "max_object_depth",
    "max_pages",
    "redelivery_limit",
    "saboteur",
    "users",
    "version",
)

_CLOCKS: Final[dict[str, Callable[[], ProviderClock]]] = {"system": RealClock, "virtual": VirtualClock}


class ReferenceProvider(Provider):
    """The SPI of the reference provider."""

    def __init__(self, server: Server, undo: Callable[[], None]) -> None:
        self._server = server
        self._undo = undo
        self._administration = Administration(server)
        self._naming = Naming(server)
        self._closed = False

    @property
    def server(self) -> Server:
        """Give the provider behind the SPI; for tests and benchmarks."""
        return self._server

    def info(self) -> ProviderInfo:
        """Describe the provider."""
        version = ".".join(str(number) for number in PROVIDER_VERSION)
        return ProviderInfo(PROVIDER_NAME, version, "JMS TCK", self._server.version)

    @property
    def hooks(self) -> frozenset[Hook]:
        """Give the hooks on offer."""
        always = {Hook.RESTART, Hook.KILL, Hook.SEVER, Hook.PENDING, Hook.ADMINISTER, Hook.FAULT, Hook.LOAD}
        clock = {Hook.CLOCK} if self._server.clock.virtual else set()
        authentication = {Hook.AUTHENTICATION} if self._server.users else set()
        return frozenset(always | clock | authentication)

    @property
    def clock(self) -> ProviderClock:
        """Give the clock the provider lives by."""
        return self._server.clock

    @property
    def store(self) -> Any:  # noqa: ANN401 # for counters in tests; replaced at each restart
        """Give the open store: `store.syncs` counts the syncs asked of the disk since it was opened."""
        return self._server.broker.store

    def connection_factory(self) -> ReferenceConnectionFactory:
        """Give the connection factory of the classic and the simplified API."""
        return ReferenceConnectionFactory(self._server)

    def queue_connection_factory(self) -> QueueConnectionFactory:
        """Give the factory of the domain-specific API for queues."""
        return ReferenceQueueConnectionFactory(self._server)

    def topic_connection_factory(self) -> TopicConnectionFactory:
        """Give the factory of the domain-specific API for topics."""
        return ReferenceTopicConnectionFactory(self._server)

    def xa_connection_factory(self) -> XAConnectionFactory:
        """Give the factory of XA connections and contexts."""
        return ReferenceXAConnectionFactory(self._server)

    def xa_queue_connection_factory(self) -> XAQueueConnectionFactory:
        """Give the domain-specific factory of XA connections for queues."""
        return ReferenceXAQueueConnectionFactory(self._server)

    def xa_topic_connection_factory(self) -> XATopicConnectionFactory:
        """Give the domain-specific factory of XA connections for topics."""
        return ReferenceXATopicConnectionFactory(self._server)

    def queue_requestor(self, session: QueueSession | None, queue: Queue | None) -> QueueRequestor:
        """Make a requestor over a queue session."""
        return ReferenceQueueRequestor(session, queue)

    def topic_requestor(self, session: TopicSession | None, topic: Topic | None) -> TopicRequestor:
        """Make a requestor over a topic session."""
        return ReferenceTopicRequestor(session, topic)

    def lookup(self, name: str) -> object:
        """Give what is bound to a name."""
        return self._naming.lookup(name)

    def bind(self, name: str, obj: object) -> None:
        """Bind a factory or destination of this provider to a name."""
        self._naming.bind(name, obj)

    def create_queue(self, name: str) -> Queue:
        """Create a queue; its row is written with the first message that needs it."""
        return cast("Queue", self._create(ReferenceQueue(name)))

    def create_topic(self, name: str) -> Topic:
        """Create a topic; its row is written with the first message or subscription that needs it."""
        return cast("Topic", self._create(ReferenceTopic(name)))

    def _create(self, destination: ReferenceDestination) -> ReferenceDestination:
        broker = self._server.broker
        with broker.lock:
            broker.physical_destination(destination)
        return destination

    def drop(self, destination: Destination) -> None:
        """Remove a destination with all it holds."""
        self._administration.drop(destination)

    def register_types(self, *types: type) -> None:
        """Allow these types as bodies of object messages."""
        self._server.types.register(*types)  # type: ignore[attr-defined,unused-ignore]

    def restart(self) -> None:
        """Stop in good order and open again on the same file."""
        self._server.restart()

    def kill(self) -> None:
        """Lose all memory and open again on the same file."""
        self._server.kill()

    def sever(self, connection: Connection | JMSContext) -> None:
        """Break the link of one connection."""
        connection_of(connection).sever("the link was cut")

    def pending(self, destination: Destination) -> int:
        """Count the messages that `destination` holds."""
        return self._server.broker.pending(destination)

    def administer(self, action: str, **arguments: object) -> object:
        """Do what an administrator could do."""
        return self._administration.perform(action, arguments)

    def close(self) -> None:
        """Stop in good order."""
        if not self._closed:
            self._closed = True
            self._server.close()
            self._server.clock.close()
            self._undo()


def open_provider(settings: Mapping[str, object], work_dir: Path) -> ReferenceProvider:
    """Open a provider by the settings of a profile; `work_dir` holds its file unless they name one.

    Raises IllegalArgumentException for an unknown setting or value, JMSException for an unfit file.
    """
    for key in settings:
        if key not in _KNOWN:
            raise IllegalArgumentException(
                f"unknown setting {key!r} of the reference provider; it knows {list(_KNOWN)}"
            )
    clock = _CLOCKS[_choice(settings, "clock", tuple(_CLOCKS), "system")]()
    file = Path(str(settings.get("file", work_dir / "provider.sqlite")))
    undo = _sabotage(settings.get("saboteur"))
    try:
        server = Server(
            Settings(file, _rules(settings), _users(settings.get("users", {})), _limits(settings)),
            clock,
        )
    except BaseException:
        undo()
        raise
    return ReferenceProvider(server, undo)


def _rules(settings: Mapping[str, object]) -> Rules:
    dead_letter_queue = settings.get("dead_letter_queue")
    return Rules(
        cast("Version", _choice(settings, "version", get_args(Version), "3.1")),
        _number(settings, "redelivery_limit"),
        None if dead_letter_queue is None else str(dead_letter_queue),
        StoreOptions(max_pages=_number(settings, "max_pages")),
    )


def _limits(settings: Mapping[str, object]) -> Limits:
    usual = Limits()
    return Limits(
        _number(settings, "max_body_bytes", usual.body_bytes),
        _number(settings, "max_header_bytes", usual.header_bytes),
        _number(settings, "max_object_depth", usual.object_depth, range(1, usual.object_depth + 1)),
    )


def _number(settings: Mapping[str, object], key: str, default: int = 0, allowed: range = range(sys.maxsize)) -> int:
    value = settings.get(key, default)
    if type(value) is not int or value not in allowed:
        most = "on" if allowed.stop == sys.maxsize else f"to {allowed.stop - 1}"
        raise IllegalArgumentException(
            f"setting {key} = {value!r}: expected a whole number from {allowed.start} {most}"
        )
    return value


def _choice(settings: Mapping[str, object], key: str, allowed: tuple[str, ...], default: str) -> str:
    value = settings.get(key, default)
    if value not in allowed:
        raise IllegalArgumentException(f"setting {key} = {value!r}: expected one of {list(allowed)}")
    return str(value)


def _users(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise IllegalArgumentException(f"setting users = {value!r}: expected a table of passwords by user name")
    return {str(name): str(password) for name, password in value.items()}


def _sabotage(assertion: object) -> Callable[[], None]:
    if assertion is None:
        return lambda: None
    from reference_provider import saboteurs  # noqa: PLC0415 # only a sabotaged provider loads them

    patch = saboteurs.Patch()
    saboteurs.installer(str(assertion))(patch)
    undo: Callable[[], None] = patch.undo
    return undo
