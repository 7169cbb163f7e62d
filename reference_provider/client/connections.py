"""`ReferenceConnection`: start, stop, client identifier, sessions, connection consumers, close and a broken link."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.metadata import ReferenceMetaData
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.messages import PropertyValue, send_properties
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
    from collections.abc import Callable, Mapping

    from reference_provider.client.receivers import Receiver
    from reference_provider.server import Server

_LOG = logging.getLogger(__name__)


class ReferenceConnection(Connection):
    """A connection. Its state is guarded by the broker lock.

    Attributes:
        identity: the client identifier, or a unique name; noLocal compares it.
        send_properties: the JMSX properties of every message sent; never changed, only replaced.
        running: whether messages are delivered.
        closing: close has begun: nothing more is delivered; listeners that run may finish.
        used: whether the connection has been used, so that the client identifier can no longer be set.
        lost: why the link is broken, None while it holds.
        usable: whether the connection is neither closed nor broken.
        commit_fails: an administrator has ordered that the next commit fails.
    """

    __slots__ = (
        "_client_id",
        "_client_id_configured",
        "_exception_listener",
        "broker",
        "closed",
        "closing",
        "commit_fails",
        "consumer_factory",
        "consumers",
        "identity",
        "lost",
        "model",
        "running",
        "send_properties",
        "server",
        "sessions",
        "temporaries",
        "usable",
        "used",
        "user",
    )

    def __init__(self, server: Server, user: str | None, client_id: str | None = None) -> None:
        self.server = server
        self.broker = server.broker
        self.model = server.model
        self.user = user
        self.identity = client_id or self.broker.unique_name("connection-")
        self.send_properties: Mapping[str, PropertyValue] = send_properties(user=user, application=self.identity)
        self.running = False
        self.closing = False
        self.closed = False
        self.used = False
        self.usable = True
        self.lost: str | None = None
        self.commit_fails = False
        self.sessions: list[ReferenceSession] = []
        self.consumers: list[ReferenceConnectionConsumer] = []
        self.temporaries = TemporaryDestinations(self.broker)
        self.consumer_factory = ConsumerFactory(self)
        self._client_id = client_id
        self._client_id_configured = client_id is not None
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
        if self.lost is not None and not self.closed:
            raise JMSException(
                f"the connection is lost: {self.lost}", "CONNECTION_LOST", ConnectionResetError(self.lost)
            )

    def use(self) -> None:
        """Check that the connection can be used, and note that it is."""
        self.check_open()
        self.used = True

    def is_down(self) -> bool:
        """Return whether nothing can pass over this connection any more."""
        return self.closing or self.closed or self.lost is not None

    def check_commit_allowed(self) -> None:
        """Raise JMSException if an administrator has ordered that this commit fails."""
        if self.commit_fails:
            self.commit_fails = False
            raise JMSException("an administrator has made this commit fail", "FAULT_INJECTED")

    # --- settings ---------------------------------------------------------------------------------------------

    @property
    def client_id_or_none(self) -> str | None:
        """Return the client identifier, without a check of the state."""
        return self._client_id

    @property
    def client_id(self) -> str | None:
        """Get or set the client identifier; it can be set once, before the connection is used."""
        self.check_open()
        return self._client_id

    @client_id.setter
    def client_id(self, client_id: str | None) -> None:
        self.check_open()
        self.check_client_id_settable()
        self.server.claim_client_id(client_id, self)
        self._client_id = client_id
        self.identity = client_id or self.identity
        self.send_properties = send_properties(user=self.user, application=self.identity)

    def check_client_id_settable(self) -> None:
        """Raise IllegalStateException if the identifier is configured or set already, or the connection was used."""
        if self._client_id_configured:
            raise IllegalStateException("the connection factory has configured the client identifier", "CLIENT_ID_SET")
        if self._client_id is not None:
            raise IllegalStateException(f"the client identifier is {self._client_id!r} already", "CLIENT_ID_SET")
        if self.used:
            raise IllegalStateException("the connection is in use: set its identifier first of all", "CONNECTION_USED")

    @property
    def meta_data(self) -> ConnectionMetaData:
        """Return the description of the provider."""
        self.use()
        return ReferenceMetaData(self.server.version)

    @property
    def exception_listener(self) -> ExceptionListener | None:
        """Get or set the listener for problems of the connection; None for none."""
        self.check_open()
        return self._exception_listener

    @exception_listener.setter
    def exception_listener(self, listener: ExceptionListener | None) -> None:
        self.use()
        self._exception_listener = listener

    # --- sessions ---------------------------------------------------------------------------------------------

    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Create a session: AUTO_ACKNOWLEDGE by default; `transacted` overrides the mode."""
        self.use()
        return self.add_session(ReferenceSession(self, self.session_mode(transacted, session_mode)))

    def session_mode(self, transacted: bool | Omitted, session_mode: int | Omitted) -> int:
        """Return the session mode that these arguments mean; JMSException for an unknown one."""
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

    def forget(self, session: Session) -> None:
        """Drop a session that is closed."""
        with self.broker.lock:
            self.sessions = [one for one in self.sessions if one is not session]

    # --- start and stop ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start or restart the delivery of messages; no effect on a started connection."""
        self.use()
        with self.broker.lock:
            self.running = not self.closing
            self._wake_all()

    def stop(self) -> None:
        """Stop the delivery of messages; return when no listener runs. IllegalStateException in a listener."""
        self.use()
        self._check_not_in_listener("stopped")
        with self.broker.lock:
            self.running = False
            for session in self.sessions:
                for slot in session.wait_slots():
                    slot.open = False
            for consumer in self.consumers:
                consumer.slot.open = False
        self._wait_for_listeners()

    def _wake_all(self) -> None:
        for session in self.sessions:
            for slot in session.wait_slots():
                slot.wake()
        for consumer in self.consumers:
            consumer.slot.wake()

    def _wait_for_listeners(self) -> None:
        with self.broker.lock:
            sessions = list(self.sessions)
        for session in sessions:
            if session.dispatcher is not None:
                session.dispatcher.wait_until_idle()
            session.runner.wait_until_idle()

    def _check_not_in_listener(self, what: str) -> None:
        if any(session.in_listener() for session in self.sessions):
            raise IllegalStateException(f"a connection cannot be {what} by its own message listener", "IN_LISTENER")

    # --- the end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the connection and everything created on it; return when nothing of it runs any more.

        Raises IllegalStateException in a message listener or completion callback of the connection.
        """
        if self.closed:
            return
        self.check_may_close()
        with self.broker.lock:
            if self.closing:
                return
            self.closing = True
            self.running = False
            sessions, consumers = list(self.sessions), list(self.consumers)
            self._wake_all()
        for consumer in consumers:
            consumer.close()
        for session in sessions:
            session.shut()
        self._end()

    def check_may_close(self) -> None:
        """Raise IllegalStateException in a message listener or completion callback of the connection."""
        self._check_not_in_listener("closed")
        if any(session.completions.is_current_thread() for session in self.sessions):
            raise IllegalStateException("a connection cannot be closed by a completion callback of it", "IN_CALLBACK")

    def _end(self) -> None:
        with self.broker.lock:
            self.closed = True
            self.usable = False
            self.sessions.clear()
            self.temporaries.delete_all()
        self.server.forget(self)

    def sever(self, why: str) -> None:
        """Break the link: undo unfinished work, end blocked calls, call the exception listener."""
        if self.break_link(why):
            self.clean_up(why)

    def break_link(self, why: str) -> bool:
        """Mark the link as broken; return False if it was broken or closed before."""
        with self.broker.lock:
            if self.is_down():
                return False
            self.lost = why
            self.usable = False
            self.running = False
            return True

    def clean_up(self, why: str) -> None:
        """Undo the unfinished work of a broken link, end blocked calls, call the exception listener."""
        with self.broker.lock:
            sessions, consumers = list(self.sessions), list(self.consumers)
            self._wake_all()
        for consumer in consumers:
            consumer.close()
        for session in sessions:
            session.abandon()
        with self.broker.lock:
            self.temporaries.delete_all()
        self.server.forget(self)
        self.report_loss(why)

    def report_loss(self, why: str) -> None:
        """Call the exception listener on a thread of its own; no effect without one."""
        listener = self._exception_listener
        if listener is None:
            return
        problem = JMSException(f"the connection is lost: {why}", "CONNECTION_LOST", ConnectionResetError(why))

        def tell() -> None:
            try:
                listener.on_exception(problem)
            except Exception as error:  # noqa: BLE001 # a client's listener may raise anything
                _LOG.warning("an exception listener raised %s: %s", type(error).__name__, error)

        self.broker.clock.spawn(tell, "reference-provider-exceptions")

    # --- connection consumers ---------------------------------------------------------------------------------

    def create_connection_consumer(
        self,
        destination: Destination | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of `destination` to the sessions of a pool."""
        return self._serve(
            session_pool,
            max_messages,
            lambda: self.consumer_factory.open_plain(None, destination, message_selector, OMITTED),
        )

    def create_shared_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared non-durable subscription to the sessions of a pool."""
        return self._serve(
            session_pool,
            max_messages,
            lambda: self.consumer_factory.open_shared(topic, subscription_name, message_selector),
        )

    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of an unshared durable subscription to the sessions of a pool."""
        return self._serve(
            session_pool,
            max_messages,
            lambda: self.consumer_factory.open_durable(topic, subscription_name, message_selector, OMITTED),
        )

    def create_shared_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Feed the messages of a shared durable subscription to the sessions of a pool."""
        return self._serve(
            session_pool,
            max_messages,
            lambda: self.consumer_factory.open_shared_durable(topic, subscription_name, message_selector),
        )

    def _serve(
        self, pool: ServerSessionPool | None, max_messages: int, open_receiver: Callable[[], Receiver]
    ) -> ConnectionConsumer:
        self.use()
        if max_messages < 1:
            raise JMSException(
                f"a connection consumer loads at least 1 message at a time, not {max_messages}", "BAD_MAX"
            )
        receiver = open_receiver()
        if not isinstance(pool, ServerSessionPool):
            with self.broker.lock:
                self.consumer_factory.close(receiver)
            raise JMSException(f"a server session pool is needed, not {pool!r}", "NO_POOL")
        made = ReferenceConnectionConsumer(self, receiver, pool, max_messages)
        with self.broker.lock:
            self.consumers.append(made)
        made.begin()
        return made
