"""`ReferenceConnection`: start and stop, client identifier, sessions, and the end of all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.broker import Broker
from reference_provider.messages import MessageModel
from reference_provider.metadata import ReferenceMetaData
from reference_provider.sessions import ReferenceSession
from reference_provider.temporaries import Temporaries
from tck.api import (
    OMITTED,
    Connection,
    ConnectionConsumer,
    ConnectionMetaData,
    Destination,
    ExceptionListener,
    IllegalStateException,
    JMSException,
    Omitted,
    ServerSessionPool,
    Session,
    Topic,
)

if TYPE_CHECKING:
    from reference_provider.home import Home


class ReferenceConnection(Connection):
    """A connection. Its state is guarded by the broker lock.

    Attributes:
        identity: the client identifier, or something as unique; what noLocal compares.
        running: whether messages are delivered.
        lost: why the link is broken, None while it holds.
        commit_fails: an administrator has asked that the next commit fails.
    """

    __slots__ = (
        "_client_id",
        "_exception_listener",
        "broker",
        "closed",
        "commit_fails",
        "home",
        "identity",
        "lost",
        "model",
        "running",
        "sessions",
        "temporaries",
        "user",
    )

    def __init__(self, home: Home, user: str | None) -> None:
        self.home = home
        self.broker: Broker = home.broker
        self.model: MessageModel = home.model
        self.user = user
        self.identity = self.broker.unique_name("connection-")
        self.running = False
        self.closed = False
        self.lost: str | None = None
        self.commit_fails = False
        self.sessions: list[ReferenceSession] = []
        self.temporaries = Temporaries(self)
        self._client_id: str | None = None
        self._exception_listener: ExceptionListener | None = None

    # --- state ------------------------------------------------------------------------------------------------

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed connection, JMSException on a broken one."""
        if self.closed:
            raise IllegalStateException("the connection is closed", "CONNECTION_CLOSED")
        self.check_link()
        self.broker.check_open()

    def check_link(self) -> None:
        """Raise JMSException on a broken connection."""
        if self.lost is not None:
            raise JMSException(f"the connection is lost: {self.lost}", "CONNECTION_LOST")

    def is_down(self) -> bool:
        """Whether nothing can come over this connection any more."""
        return self.closed or self.lost is not None

    def check_commit_allowed(self) -> None:
        """Raise JMSException if an administrator has asked that this commit fails."""
        if self.commit_fails:
            self.commit_fails = False
            raise JMSException("an administrator has made this commit fail", "FAULT_INJECTED")

    # --- settings ---------------------------------------------------------------------------------------------

    @property
    def client_id(self) -> str | None:
        """Give or set the client identifier."""
        self.check_open()
        return self._client_id

    @client_id.setter
    def client_id(self, client_id: str | None) -> None:
        self.check_open()
        self._client_id = client_id
        self.identity = client_id or self.identity

    @property
    def meta_data(self) -> ConnectionMetaData:
        """Give the description of the provider."""
        self.check_open()
        return ReferenceMetaData(self.home.version)

    @property
    def exception_listener(self) -> ExceptionListener | None:
        """Give or set the listener for problems of the connection, None for none."""
        self.check_open()
        return self._exception_listener

    @exception_listener.setter
    def exception_listener(self, listener: ExceptionListener | None) -> None:
        self.check_open()
        self._exception_listener = listener

    # --- sessions ---------------------------------------------------------------------------------------------

    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Make a session: AUTO_ACKNOWLEDGE by default; `transacted` overrides the mode."""
        return self.add_session(ReferenceSession(self, self.session_mode(transacted, session_mode)))

    def session_mode(self, transacted: bool | Omitted, session_mode: int | Omitted) -> int:
        """Give the mode that the arguments of a session's creation mean; JMSException for an unknown one."""
        self.check_open()
        if transacted is not OMITTED and session_mode is OMITTED:
            raise TypeError("create_session takes transacted together with session_mode")
        if transacted is True:
            return Session.SESSION_TRANSACTED
        mode = Session.AUTO_ACKNOWLEDGE if session_mode is OMITTED else session_mode
        if mode not in range(4) or (transacted is False and mode == Session.SESSION_TRANSACTED):
            raise JMSException(f"{mode!r} is no acknowledge mode here: use 1, 2 or 3", "BAD_SESSION_MODE")
        return mode

    def add_session(self, session: ReferenceSession) -> ReferenceSession:
        """Keep a session made on this connection."""
        with self.broker.lock:
            self.sessions.append(session)
        return session

    def forget(self, session: ReferenceSession) -> None:
        """Drop a session that is closed."""
        with self.broker.lock:
            if session in self.sessions:
                self.sessions.remove(session)

    # --- start and stop ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start, or start again, the delivery of messages."""
        self.check_open()
        with self.broker.lock:
            self.running = True
            self._wake_all()

    def stop(self) -> None:
        """Stop the delivery of messages; returns when no listener runs any more."""
        self.check_open()
        self._check_not_in_listener("stopped")
        with self.broker.lock:
            self.running = False
            for session in self.sessions:
                for desk in session.desks():
                    desk.open = False
        self._wait_for_listeners()

    def _wake_all(self) -> None:
        for session in self.sessions:
            for desk in session.desks():
                desk.wake()

    def _wait_for_listeners(self) -> None:
        with self.broker.lock:
            dispatchers = [one.dispatcher for one in self.sessions if one.dispatcher is not None]
        for dispatcher in dispatchers:
            dispatcher.wait_until_idle()

    def _check_not_in_listener(self, what: str) -> None:
        if any(session.in_listener() for session in self.sessions):
            raise IllegalStateException(f"a connection cannot be {what} by its own message listener", "IN_LISTENER")

    # --- the end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the connection and all that was made on it; returns when no listener runs any more."""
        if self.closed:
            return
        self._check_not_in_listener("closed")
        self._shut()
        self.home.forget(self)

    def _shut(self) -> None:
        with self.broker.lock:
            self.closed = True
            self.running = False
            sessions = list(self.sessions)
            self._wake_all()
        for session in sessions:
            session.shut()
        with self.broker.lock:
            self.sessions.clear()
            self.temporaries.delete_all()

    def sever(self, why: str) -> None:
        """Break the link: what is unfinished is undone, blocked calls end, the exception listener is told."""
        with self.broker.lock:
            if self.is_down():
                return
            self.lost = why
            self.running = False
            sessions = list(self.sessions)
            self._wake_all()
        for session in sessions:
            session.shut()
        with self.broker.lock:
            self.temporaries.delete_all()
        self.home.forget(self)
        if self._exception_listener is not None:
            self._exception_listener.on_exception(JMSException(f"the connection is lost: {why}", "CONNECTION_LOST"))

    # --- connection consumers ---------------------------------------------------------------------------------

    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of `destination` to the sessions of a pool."""
        raise NotImplementedError

    def create_shared_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared non-durable subscription to the sessions of a pool."""
        raise NotImplementedError

    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of an unshared durable subscription to the sessions of a pool."""
        raise NotImplementedError

    def create_shared_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared durable subscription to the sessions of a pool."""
        raise NotImplementedError
