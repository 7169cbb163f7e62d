"""What application servers use: connection consumers and the pools of sessions they load."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tck.api.closing import AutoCloseable
from tck.api.sessions import Session

__all__ = ["ConnectionConsumer", "ServerSession", "ServerSessionPool"]


class ServerSession(ABC):
    """Tie a session to a thread of an application server.

    The server, here the suite, implements it (section 11.2.2).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def session(self) -> Session:
        """Give the session that the provider loads with messages.

        Always the same one, of the consumer's connection (11.2.2-1, 11.2.2-3).
        """

    @abstractmethod
    def start(self) -> None:
        """Make the server's thread call `Session.run`; the provider calls this after loading (11.2.2-2)."""


class ServerSessionPool(ABC):
    """Hand out server sessions; the server, here the suite, implements it (section 11.2.3)."""

    __slots__ = ()

    @abstractmethod
    def get_server_session(self) -> ServerSession:
        """Take a server session out of the pool for one or more messages (11.2.3-1).

        May block while there is none (11.2.3-2).
        """


class ConnectionConsumer(AutoCloseable):
    """Feed the messages of a destination to the sessions of a pool (section 11.2.4)."""

    __slots__ = ()

    @property
    @abstractmethod
    def server_session_pool(self) -> ServerSessionPool:
        """Give the pool the consumer was made with (11.2.4-15)."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection consumer: it loads no further messages (11.2.4-16). Closing again has no effect."""
