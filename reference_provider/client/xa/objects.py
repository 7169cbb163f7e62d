"""The XA forms of connections, sessions and contexts: thin subclasses driven by a transaction manager."""

from __future__ import annotations

from typing import NoReturn

from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import (
    ReferenceQueueConnection,
    ReferenceQueueSession,
    ReferenceTopicConnection,
    ReferenceTopicSession,
)
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import unchecked
from reference_provider.client.xa.resource import ReferenceXAResource
from tck.api import (
    JMSContext,
    Omitted,
    QueueSession,
    Session,
    TopicSession,
    TransactionInProgressException,
    XAConnection,
    XAJMSContext,
    XAQueueConnection,
    XAQueueSession,
    XAResource,
    XASession,
    XATopicConnection,
    XATopicSession,
)


class ReferenceXASession(ReferenceSession, XASession):
    """A session whose transactions a transaction manager controls; its `session` is itself."""

    __slots__ = ("resource",)

    def __init__(self, connection: ReferenceConnection) -> None:
        super().__init__(connection, Session.SESSION_TRANSACTED)
        self.resource = ReferenceXAResource(self)

    @property
    def session(self) -> Session:
        """Return the session for the application's use: this one."""
        self.check_open()
        return self

    @property
    def xa_resource(self) -> XAResource:
        """Return the resource to enlist with a transaction manager."""
        self.check_open()
        return self.resource

    @property
    def transacted(self) -> bool:
        """Return True: an XA session is always transacted."""
        self.check_open()
        return True

    def commit(self) -> None:
        """Refuse: only the transaction manager commits."""
        self._refuse_to("commit")

    def rollback(self) -> None:
        """Refuse: only the transaction manager rolls back."""
        self._refuse_to("rollback")

    def _refuse_to(self, call: str) -> NoReturn:
        self.check_open()
        raise TransactionInProgressException(f"{call} is up to the transaction manager", "XA")

    def drop_unfinished(self) -> None:
        """Leave a branch in progress, which can then only be rolled back; ended and prepared branches stay."""
        self.resource.disconnect()
        super().drop_unfinished()


class ReferenceXAQueueSession(ReferenceXASession, ReferenceQueueSession, XAQueueSession):
    """An XA session for queues only."""

    __slots__ = ()

    @property
    def queue_session(self) -> QueueSession:
        """Return the session for the application's use: this one."""
        self.check_open()
        return self


class ReferenceXATopicSession(ReferenceXASession, ReferenceTopicSession, XATopicSession):
    """An XA session for topics only."""

    __slots__ = ()

    @property
    def topic_session(self) -> TopicSession:
        """Return the session for the application's use: this one."""
        self.check_open()
        return self


class ReferenceXAConnection(ReferenceConnection, XAConnection):
    """A connection that makes XA sessions."""

    __slots__ = ()

    def create_xa_session(self) -> XASession:
        """Create an XA session."""
        self.use()
        made = ReferenceXASession(self)
        self.add_session(made)
        return made


class ReferenceXAQueueConnection(ReferenceQueueConnection, ReferenceXAConnection, XAQueueConnection):
    """An XA connection for queues only."""

    __slots__ = ()

    def create_xa_queue_session(self) -> XAQueueSession:
        """Create an XA session for queues."""
        self.use()
        made = ReferenceXAQueueSession(self)
        self.add_session(made)
        return made

    def create_xa_session(self) -> XASession:
        """Create an XA session for queues, by the common method."""
        return self.create_xa_queue_session()


class ReferenceXATopicConnection(ReferenceTopicConnection, ReferenceXAConnection, XATopicConnection):
    """An XA connection for topics only."""

    __slots__ = ()

    def create_xa_topic_session(self) -> XATopicSession:
        """Create an XA session for topics."""
        self.use()
        made = ReferenceXATopicSession(self)
        self.add_session(made)
        return made

    def create_xa_session(self) -> XASession:
        """Create an XA session for topics, by the common method."""
        return self.create_xa_topic_session()


class ReferenceXAContext(ReferenceContext, XAJMSContext):
    """A context whose transactions a transaction manager controls; its `context` is itself."""

    __slots__ = ()

    def make_session(self, session_mode: int | Omitted) -> ReferenceSession:
        """Create an XA session; the mode is ignored."""
        del session_mode
        return self.connection.add_session(ReferenceXASession(self.connection))

    @property
    def context(self) -> JMSContext:
        """Return the context for the application's use: this one."""
        with unchecked:
            self.session.check_open()
        return self

    @property
    def xa_resource(self) -> XAResource:
        """Return the resource to enlist with a transaction manager."""
        with unchecked:
            self.session.check_open()
        assert isinstance(self.session, ReferenceXASession)  # noqa: S101 # see make_session
        return self.session.resource

    @property
    def transacted(self) -> bool:
        """Return True: an XA context is always transacted."""
        with unchecked:
            return self.session.transacted

    def commit(self) -> None:
        """Refuse: only the transaction manager commits."""
        with unchecked:
            self.session.commit()

    def rollback(self) -> None:
        """Refuse: only the transaction manager rolls back."""
        with unchecked:
            self.session.rollback()

    def create_context(self, session_mode: int) -> JMSContext:
        """Create an ordinary context on the same connection."""
        with unchecked:
            self.session.check_open()
            return ReferenceContext(self.shared, session_mode)
