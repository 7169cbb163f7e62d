"""Connection factories: administered objects, equal by kind and parameters, that connect to the present broker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueConnection, ReferenceTopicConnection
from reference_provider.client.simplified import unchecked
from reference_provider.client.xa.objects import (
    ReferenceXAConnection,
    ReferenceXAContext,
    ReferenceXAQueueConnection,
    ReferenceXATopicConnection,
)
from tck.api import (
    OMITTED,
    Connection,
    ConnectionFactory,
    JMSContext,
    Omitted,
    QueueConnection,
    QueueConnectionFactory,
    TopicConnection,
    TopicConnectionFactory,
    XAConnection,
    XAConnectionFactory,
    XAJMSContext,
    XAQueueConnection,
    XAQueueConnectionFactory,
    XATopicConnection,
    XATopicConnectionFactory,
)

if TYPE_CHECKING:
    from reference_provider.server import Server

_Credential = str | Omitted | None
_C = TypeVar("_C", bound=ReferenceConnection)


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an administrator configures in a factory, for every connection it creates.

    Attributes:
        client_id: the client identifier.
        user_name: the user, with `password`, of clients that give no credentials.
    """

    client_id: str | None = None
    user_name: str | None = None
    password: str | None = None


class Factory:
    """The part that all factories share."""

    __slots__ = ("_server", "parameters")

    def __init__(self, server: Server, parameters: Parameters | None = None) -> None:
        self._server = server
        self.parameters = parameters or Parameters()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Factory):
            return NotImplemented
        return type(self) is type(other) and other._server is self._server and other.parameters == self.parameters

    def __hash__(self) -> int:
        return hash((type(self), id(self._server), self.parameters))

    def connect(self, kind: type[_C], user_name: _Credential, password: _Credential) -> _C:
        """Check user and limits and create a connection of this kind with the configured parameters."""
        server = self._server
        user = self.credentials(user_name, password)
        server.broker.check_open()
        server.authenticate(*user)
        server.check_room()
        connection = kind(server, user[0], self.parameters.client_id)
        if self.parameters.client_id is not None:
            server.claim_client_id(self.parameters.client_id, connection)
        server.register(connection)
        return connection

    def credentials(self, user_name: _Credential, password: _Credential) -> tuple[str | None, str | None]:
        """Choose the credentials: the client's, otherwise the configured ones."""
        if (user_name is OMITTED) != (password is OMITTED):
            raise TypeError("user_name and password are given together or not at all")
        if user_name is OMITTED or password is OMITTED:
            return self.parameters.user_name, self.parameters.password
        return user_name, password


class ReferenceConnectionFactory(Factory, ConnectionFactory):
    """Creates connections of the classic and contexts of the simplified API."""

    __slots__ = ()

    def create_connection(self, user_name: _Credential = OMITTED, password: _Credential = OMITTED) -> Connection:
        """Create a connection, stopped; JMSSecurityException if the user is refused."""
        return self.connect(ReferenceConnection, user_name, password)

    def create_context(
        self,
        *,
        user_name: _Credential = OMITTED,
        password: _Credential = OMITTED,
        session_mode: int | Omitted = OMITTED,
    ) -> JMSContext:
        """Create a context with a connection of its own."""
        with unchecked:
            connection = self.connect(ReferenceConnection, user_name, password)
            return ReferenceContext.on_new_connection(connection, session_mode)


class ReferenceQueueConnectionFactory(ReferenceConnectionFactory, QueueConnectionFactory):
    """Creates connections for queues."""

    __slots__ = ()

    def create_queue_connection(
        self, user_name: _Credential = OMITTED, password: _Credential = OMITTED
    ) -> QueueConnection:
        """Create a connection for queues, stopped."""
        return self.connect(ReferenceQueueConnection, user_name, password)


class ReferenceTopicConnectionFactory(ReferenceConnectionFactory, TopicConnectionFactory):
    """Creates connections for topics."""

    __slots__ = ()

    def create_topic_connection(
        self, user_name: _Credential = OMITTED, password: _Credential = OMITTED
    ) -> TopicConnection:
        """Create a connection for topics, stopped."""
        return self.connect(ReferenceTopicConnection, user_name, password)


class ReferenceXAConnectionFactory(Factory, XAConnectionFactory):
    """Creates XA connections and XA contexts."""

    __slots__ = ()

    def create_xa_connection(self, user_name: _Credential = OMITTED, password: _Credential = OMITTED) -> XAConnection:
        """Create an XA connection, stopped."""
        return self.connect(ReferenceXAConnection, user_name, password)

    def create_xa_context(self, user_name: _Credential = OMITTED, password: _Credential = OMITTED) -> XAJMSContext:
        """Create an XA context with a connection of its own."""
        with unchecked:
            connection = self.connect(ReferenceXAConnection, user_name, password)
            return ReferenceXAContext.on_new_connection(connection, OMITTED)


class ReferenceXAQueueConnectionFactory(
    ReferenceQueueConnectionFactory, ReferenceXAConnectionFactory, XAQueueConnectionFactory
):
    """Creates XA connections for queues."""

    __slots__ = ()

    def create_xa_queue_connection(
        self, user_name: _Credential = OMITTED, password: _Credential = OMITTED
    ) -> XAQueueConnection:
        """Create an XA connection for queues, stopped."""
        return self.connect(ReferenceXAQueueConnection, user_name, password)


class ReferenceXATopicConnectionFactory(
    ReferenceTopicConnectionFactory, ReferenceXAConnectionFactory, XATopicConnectionFactory
):
    """Creates XA connections for topics."""

    __slots__ = ()

    def create_xa_topic_connection(
        self, user_name: _Credential = OMITTED, password: _Credential = OMITTED
    ) -> XATopicConnection:
        """Create an XA connection for topics, stopped."""
        return self.connect(ReferenceXATopicConnection, user_name, password)
