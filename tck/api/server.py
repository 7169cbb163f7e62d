"""What application servers use: connection consumers and the pools of sessions they load."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tck.api.closing import AutoCloseable
from tck.api.sessions import Session

__all__ = ["ConnectionConsumer", "ServerSession", "ServerSessionPool"]


class ServerSession(ABC):
    """Tie a session to a thread of an application server; the server (here: the suite) implements it."""

    __slots__ = ()

    @property
    @abstractmethod
    def session(self) -> Session:
        """Give the session that the provider loads with messages."""

    @abstractmethod
    def start(self) -> None:
        """Run the session on the server's thread."""


class ServerSessionPool(ABC):
    """Hand out server sessions; the server (here: the suite) implements it."""

    __slots__ = ()

    @abstractmethod
    def get_server_session(self) -> ServerSession:
        """Take a server session out of the pool."""


class ConnectionConsumer(AutoCloseable):
    """Feed the messages of a destination to the sessions of a pool."""

    __slots__ = ()

    @property
    @abstractmethod
    def server_session_pool(self) -> ServerSessionPool:
        """Give the pool the consumer was made with."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection consumer."""
