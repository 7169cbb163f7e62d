"""Connection factories: administered objects, equal by kind, that make connections on the present broker."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_provider.connections import ReferenceConnection
from reference_provider.context import ReferenceContext
from reference_provider.domain import ReferenceQueueConnection, ReferenceTopicConnection
from reference_provider.simplified import as_runtime
from tck.api import (
    OMITTED,
    Connection,
    ConnectionFactory,
    JMSContext,
    JMSException,
    Omitted,
    QueueConnection,
    QueueConnectionFactory,
    TopicConnection,
    TopicConnectionFactory,
)

if TYPE_CHECKING:
    from reference_provider.home import Home

_Credential = str | Omitted | None
_C = TypeVar("_C", bound=ReferenceConnection)


class ReferenceConnectionFactory(ConnectionFactory):
    """Makes connections of all APIs."""

    __slots__ = ("_home",)

    def __init__(self, home: Home) -> None:
        self._home = home

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReferenceConnectionFactory) and type(self) is type(other) and other._home is self._home

    def __hash__(self) -> int:
        return hash((type(self), id(self._home)))

    def create_connection(self, user_name: _Credential = OMITTED, password: _Credential = OMITTED) -> Connection:
        """Make a connection, stopped; JMSSecurityException when the user is refused."""
        return self.connect(ReferenceConnection, user_name, password)

    def connect(self, kind: type[_C], user_name: _Credential, password: _Credential) -> _C:
        """Check the user and make a connection of this kind."""
        user = _given(user_name, password)
        self._home.broker.check_open()
        self._home.authenticate(user[0], user[1])
        connection = kind(self._home, user[0])
        self._home.register(connection)
        return connection

    def create_context(
        self,
        *,
        user_name: _Credential = OMITTED,
        password: _Credential = OMITTED,
        session_mode: int | Omitted = OMITTED,
    ) -> JMSContext:
        """Make a context with a connection of its own."""
        try:
            connection = self.connect(ReferenceConnection, user_name, password)
            return ReferenceContext.on_new_connection(connection, session_mode)
        except JMSException as error:
            raise as_runtime(error) from error


class ReferenceQueueConnectionFactory(ReferenceConnectionFactory, QueueConnectionFactory):
    """Makes connections for queues."""

    __slots__ = ()

    def create_queue_connection(
        self, user_name: _Credential = OMITTED, password: _Credential = OMITTED
    ) -> QueueConnection:
        """Make a connection for queues, stopped."""
        return self.connect(ReferenceQueueConnection, user_name, password)


class ReferenceTopicConnectionFactory(ReferenceConnectionFactory, TopicConnectionFactory):
    """Makes connections for topics."""

    __slots__ = ()

    def create_topic_connection(
        self, user_name: _Credential = OMITTED, password: _Credential = OMITTED
    ) -> TopicConnection:
        """Make a connection for topics, stopped."""
        return self.connect(ReferenceTopicConnection, user_name, password)


def _given(user_name: _Credential, password: _Credential) -> tuple[str | None, str | None]:
    if (user_name is OMITTED) != (password is OMITTED):
        raise TypeError("user_name and password are given together or not at all")
    return (None if user_name is OMITTED else user_name), (None if password is OMITTED else password)
