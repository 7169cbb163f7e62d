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
    """Hold a client's link to its provider and make sessions on it; several threads may use it at once (6.1-11).

    It is made stopped (6.1.4-1). Every method but `close` raises IllegalStateException once it is closed (6.1.8-38).
    """

    __slots__ = ()

    @abstractmethod
    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Make a session.

        Without arguments in AUTO_ACKNOWLEDGE mode (6.2-1), with a mode alone in that mode (6.2-2). With both arguments
        `session_mode` counts only if `transacted` is False (6.2-3). `transacted` alone is no overload.

        Raises:
            TypeError: No Java overload takes these arguments together.
            JMSException: The mode is none (6.2-5).
        """

    @property
    @abstractmethod
    def client_id(self) -> str | None:
        """Give or set the client identifier; None if there is none.

        Setting it must be the first thing done with a connection (6.1.2-5).

        Raises:
            IllegalStateException: It is already set, by an administrator or a call (6.1.2-4, 6.1.2-9), or too late
                (6.1.2-6 to 6.1.2-8).
            InvalidClientIDException: The value is refused (6.1.2-16) or in use (6.1.2-13).
        """

    @client_id.setter
    @abstractmethod
    def client_id(self, client_id: str | None) -> None: ...

    @property
    @abstractmethod
    def meta_data(self) -> ConnectionMetaData:
        """Give the description of the provider (6.1.6-1)."""

    @property
    @abstractmethod
    def exception_listener(self) -> ExceptionListener | None:
        """Give or set the listener for problems of the connection, None for none (6.1.7-3, 6.1.7-4)."""

    @exception_listener.setter
    @abstractmethod
    def exception_listener(self, listener: ExceptionListener | None) -> None: ...

    @abstractmethod
    def start(self) -> None:
        """Start, or start again, the delivery of messages (6.1.4-5, 6.1.5-6); ignored when started (6.1.5-10)."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the delivery of messages, to listeners and receives alike.

        Sending goes on (6.1.5-1, 6.1.5-2, 6.1.5-7). Ignored when stopped (6.1.5-9). Returns when running listeners have
        returned (6.1.5-14). Called by a listener of its own it either raises IllegalStateException or stops, and never
        hangs (6.1.5-18).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connection and all that was made on it (6.1.8-13, 6.1.8-14).

        Waits for listeners and receives (6.1.8-10, 6.1.8-11) and rolls back open transactions (6.1.8-26). Closing again
        has no effect (6.1.8-47). Called by a listener of its own it either raises IllegalStateException or closes, and
        never hangs (6.1.8-21).
        """

    @abstractmethod
    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of `destination` to the sessions of a pool (11.2.4-1).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The destination is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """

    @abstractmethod
    def create_shared_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared non-durable subscription to the sessions of a pool (11.2.4-9).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The topic is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """

    @abstractmethod
    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of an unshared durable subscription to the sessions of a pool (11.2.4-8).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The topic is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """

    @abstractmethod
    def create_shared_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared durable subscription to the sessions of a pool (11.2.4-10).

        It works while the connection is started (11.2.4-7). At most `max_messages` are loaded into a session at once
        (11.2.4-5). A selector that is null or empty is none (11.2.4-14).

        Raises:
            InvalidDestinationException: The topic is null or not understood (11.2.4-11).
            InvalidSelectorException: The selector has wrong syntax (11.2.4-12).
            JMSException: The pool is null or unusable (11.2.4-13).
        """


class ConnectionFactory(ABC):
    """Make connections and contexts; an administered object that any number of threads may share (5.3-6)."""

    __slots__ = ()

    @abstractmethod
    def create_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> Connection:
        """Make a connection, stopped (6.1.4-1): for the default user (6.1-1) or for `user_name` (6.1-2).

        Raises:
            JMSSecurityException: The credentials are refused (6.1.1-3).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_context(
        self,
        *,
        user_name: str | Omitted | None = OMITTED,
        password: str | Omitted | None = OMITTED,
        session_mode: int | Omitted = OMITTED,
    ) -> JMSContext:
        """Make a context with a connection of its own, stopped until its first consumer (6.1-3 to 6.1-5, 6.1.4-2).

        Without a session mode it is AUTO_ACKNOWLEDGE.

        Raises:
            JMSSecurityRuntimeException: The credentials are refused (6.1.1-4).
            JMSRuntimeException: The mode is none (6.2-5).
            TypeError: No Java overload takes these arguments together.
        """
