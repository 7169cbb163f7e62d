"""Connections of the classic API and the factories of both APIs."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tck.api.closing import AutoCloseable
from tck.api.context import JMSContext
from tck.api.destinations import Destination, Topic
from tck.api.listeners import ExceptionListener
from tck.api.metadata import ConnectionMetaData
from tck.api.server import ConnectionConsumer, ServerSessionPool
from tck.api.sessions import Session
from tck.api.values import OMITTED, Omitted

__all__ = ["Connection", "ConnectionFactory"]


class Connection(AutoCloseable):
    """Hold a client's link to its provider and make sessions on it."""

    __slots__ = ()

    @abstractmethod
    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Make a session."""

    @property
    @abstractmethod
    def client_id(self) -> str | None:
        """Give or set the client identifier."""

    @client_id.setter
    @abstractmethod
    def client_id(self, client_id: str | None) -> None: ...

    @property
    @abstractmethod
    def meta_data(self) -> ConnectionMetaData:
        """Give the description of the provider."""

    @property
    @abstractmethod
    def exception_listener(self) -> ExceptionListener | None:
        """Give or set the listener for problems of the connection, None for none."""

    @exception_listener.setter
    @abstractmethod
    def exception_listener(self, listener: ExceptionListener | None) -> None: ...

    @abstractmethod
    def start(self) -> None:
        """Start, or start again, the delivery of messages."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the delivery of messages; sending goes on."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection and all that was made on it."""

    @abstractmethod
    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of `destination` to the sessions of a pool."""

    @abstractmethod
    def create_shared_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared non-durable subscription to the sessions of a pool."""

    @abstractmethod
    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of an unshared durable subscription to the sessions of a pool."""

    @abstractmethod
    def create_shared_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared durable subscription to the sessions of a pool."""


class ConnectionFactory(ABC):
    """Make connections and contexts; an administered object."""

    __slots__ = ()

    @abstractmethod
    def create_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> Connection:
        """Make a connection, stopped."""

    @abstractmethod
    def create_context(
        self,
        *,
        user_name: str | Omitted | None = OMITTED,
        password: str | Omitted | None = OMITTED,
        session_mode: int | Omitted = OMITTED,
    ) -> JMSContext:
        """Make a context with a connection of its own."""
