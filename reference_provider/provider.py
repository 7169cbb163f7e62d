"""`ReferenceProvider`: the provider SPI of the kit: factories, destinations, names, hooks.

Imports the server, administration, naming and the client's factories. Must not know saboteurs or how the settings of a
profile are read (`reference_provider.adapter`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from reference_provider.administration import Administration, connection_of
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
from reference_provider.clock import ProviderClock
from reference_provider.destinations import ReferenceDestination, ReferenceQueue, ReferenceTopic
from reference_provider.naming import Naming
from reference_provider.server import Server
from tck.api import (
    Connection,
    Destination,
    Hook,
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
        """Return the server behind the SPI; for tests and benchmarks."""
        return self._server

    def info(self) -> ProviderInfo:
        """Describe the provider."""
        version = ".".join(str(number) for number in PROVIDER_VERSION)
        return ProviderInfo(PROVIDER_NAME, version, "JMS TCK", self._server.version)

    @property
    def hooks(self) -> frozenset[Hook]:
        """Return the supported hooks."""
        always = {
            Hook.RESTART,
            Hook.KILL,
            Hook.SEVER,
            Hook.PENDING,
            Hook.ADMINISTER,
            Hook.FAULT,
            Hook.LOAD,
            Hook.SECOND_PROVIDER,
        }
        clock = {Hook.CLOCK} if self._server.clock.still else set()
        authentication = {Hook.AUTHENTICATION} if self._server.users else set()
        return frozenset(always | clock | authentication)

    @property
    def clock(self) -> ProviderClock:
        """Return the provider's clock."""
        return self._server.clock

    @property
    def store(self) -> Any:  # noqa: ANN401 # for counters in tests; replaced at each restart
        """Return the open store: `store.syncs` counts the syncs asked of the disk since it was opened."""
        return self._server.broker.store

    def connection_factory(self) -> ReferenceConnectionFactory:
        """Return the connection factory of the classic and the simplified API."""
        return ReferenceConnectionFactory(self._server)

    def queue_connection_factory(self) -> QueueConnectionFactory:
        """Return the factory of the domain-specific API for queues."""
        return ReferenceQueueConnectionFactory(self._server)

    def topic_connection_factory(self) -> TopicConnectionFactory:
        """Return the factory of the domain-specific API for topics."""
        return ReferenceTopicConnectionFactory(self._server)

    def xa_connection_factory(self) -> XAConnectionFactory:
        """Return the factory of XA connections and contexts."""
        return ReferenceXAConnectionFactory(self._server)

    def xa_queue_connection_factory(self) -> XAQueueConnectionFactory:
        """Return the domain-specific factory of XA connections for queues."""
        return ReferenceXAQueueConnectionFactory(self._server)

    def xa_topic_connection_factory(self) -> XATopicConnectionFactory:
        """Return the domain-specific factory of XA connections for topics."""
        return ReferenceXATopicConnectionFactory(self._server)

    def queue_requestor(self, session: QueueSession | None, queue: Queue | None) -> QueueRequestor:
        """Create a requestor over a queue session."""
        return ReferenceQueueRequestor(session, queue)

    def topic_requestor(self, session: TopicSession | None, topic: Topic | None) -> TopicRequestor:
        """Create a requestor over a topic session."""
        return ReferenceTopicRequestor(session, topic)

    def lookup(self, name: str) -> object:
        """Return the object bound to a name."""
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
        """Perform an administrative action."""
        return self._administration.perform(action, arguments)

    def close(self) -> None:
        """Stop in good order."""
        if not self._closed:
            self._closed = True
            self._server.close()
            self._server.clock.close()
            self._undo()
