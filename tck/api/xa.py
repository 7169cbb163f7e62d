"""Distributed transactions: the XA types of the messaging API and the three of ``javax.transaction.xa`` that they meet.

`XAException` lives with the other exceptions. The types of ``javax.transaction.xa`` are not part of the messaging API;
here they are what the suite, acting as the transaction manager, needs of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from tck.api.connections import Connection
from tck.api.context import JMSContext
from tck.api.domain import (
    QueueConnection,
    QueueConnectionFactory,
    QueueSession,
    TopicConnection,
    TopicConnectionFactory,
    TopicSession,
)
from tck.api.sessions import Session
from tck.api.values import OMITTED, Omitted

__all__ = [
    "XAConnection",
    "XAConnectionFactory",
    "XAJMSContext",
    "XAQueueConnection",
    "XAQueueConnectionFactory",
    "XAQueueSession",
    "XAResource",
    "XASession",
    "XATopicConnection",
    "XATopicConnectionFactory",
    "XATopicSession",
    "Xid",
]


@dataclass(frozen=True, slots=True)
class Xid:
    """Name one branch of a global transaction; a plain value, equal by its three parts.

    Args:
        format_id: The kind of identifier, a 32-bit int; -1 is the null identifier.
        global_transaction_id: 0 to 64 bytes, the same for all branches.
        branch_qualifier: 0 to 64 bytes, unique within the transaction.
    """

    MAXGTRIDSIZE: ClassVar[int] = 64
    MAXBQUALSIZE: ClassVar[int] = 64

    format_id: int
    global_transaction_id: bytes
    branch_qualifier: bytes

    def __post_init__(self) -> None:
        if len(self.global_transaction_id) > self.MAXGTRIDSIZE or len(self.branch_qualifier) > self.MAXBQUALSIZE:
            raise ValueError(f"an Xid holds at most 64 bytes in each part: {self!r}")


class XAResource(ABC):
    """Take part in distributed transactions as a resource manager does (11.3.5-1).

    Calls that break the XA protocol raise `XAException` with a fitting error code (11.3.5-10). Flags are ints, combined
    with ``|``.
    """

    __slots__ = ()

    TMNOFLAGS: Final = 0x00000000
    TMJOIN: Final = 0x00200000
    TMENDRSCAN: Final = 0x00800000
    TMSTARTRSCAN: Final = 0x01000000
    TMSUSPEND: Final = 0x02000000
    TMSUCCESS: Final = 0x04000000
    TMRESUME: Final = 0x08000000
    TMFAIL: Final = 0x20000000
    TMONEPHASE: Final = 0x40000000
    XA_OK: Final = 0
    XA_RDONLY: Final = 3

    @abstractmethod
    def start(self, xid: Xid | None, flags: int) -> None:
        """Begin work for the branch `xid`: `TMNOFLAGS` a new branch, `TMJOIN` one that another resource began
        (11.3.5-9), `TMRESUME` one suspended (11.3.5-8).
        """

    @abstractmethod
    def end(self, xid: Xid | None, flags: int) -> None:
        """End work for the branch: `TMSUCCESS`, `TMFAIL` (only a rollback is left, 11.3.5-14) or `TMSUSPEND` (to be
        resumed, 11.3.5-8).
        """

    @abstractmethod
    def prepare(self, xid: Xid | None) -> int:
        """Prepare to commit (11.3.5-2); return `XA_OK`, or `XA_RDONLY` if there is nothing to commit.

        A prepared branch survives any failure (11.3.5-6).
        """

    @abstractmethod
    def commit(self, xid: Xid | None, one_phase: bool) -> None:
        """Commit the branch.

        A prepared one (11.3.5-2), or with `one_phase` one that is ended and not prepared (11.3.5-3).
        """

    @abstractmethod
    def rollback(self, xid: Xid | None) -> None:
        """Roll the branch back, prepared or not (11.3.5-4)."""

    @abstractmethod
    def recover(self, flags: int) -> Sequence[Xid]:
        """List the prepared branches (11.3.5-5).

        Flags `TMSTARTRSCAN` to begin a scan, `TMENDRSCAN` to end it, both for one call, `TMNOFLAGS` to go on.
        """

    @abstractmethod
    def forget(self, xid: Xid | None) -> None:
        """Forget a branch that was completed heuristically (11.3.5-16)."""

    @abstractmethod
    def is_same_rm(self, resource: XAResource) -> bool:
        """Tell whether `resource` stands for the same resource manager, so that branches can be joined (11.3.5-9)."""

    @abstractmethod
    def get_transaction_timeout(self) -> int:
        """Get the transaction timeout in seconds. A method, as its setter returns a value."""

    @abstractmethod
    def set_transaction_timeout(self, seconds: int) -> bool:
        """Set the timeout of branches begun from now on, seconds, 0 for the default.

        Return False if the resource manager cannot (11.3.5-15).
        """


class XASession(Session):
    """Be a session whose transactions a transaction manager controls through `xa_resource` (section 11.3.3)."""

    __slots__ = ()

    @property
    @abstractmethod
    def session(self) -> Session:
        """Give the session for the application's use (11.3.3-2)."""

    @property
    @abstractmethod
    def xa_resource(self) -> XAResource:
        """Give the resource to enlist with a transaction manager (11.3.3-1)."""

    @property
    @abstractmethod
    def transacted(self) -> bool:
        """Tell that the session is transacted: always True (11.3.3-8)."""

    @abstractmethod
    def commit(self) -> None:
        """Raise TransactionInProgressException: only the transaction manager commits (11.3.3-9)."""

    @abstractmethod
    def rollback(self) -> None:
        """Raise TransactionInProgressException: only the transaction manager rolls back (11.3.3-10)."""


class XAQueueSession(XASession):
    """Be an XA session for queues only (11.3.2-2)."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue_session(self) -> QueueSession:
        """Give the session for the application's use (11.3.3-3)."""


class XATopicSession(XASession):
    """Be an XA session for topics only (11.3.2-2)."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic_session(self) -> TopicSession:
        """Give the session for the application's use (11.3.3-3)."""


class XAJMSContext(JMSContext):
    """Be a context whose transactions a transaction manager controls through `xa_resource` (section 11.3.4)."""

    __slots__ = ()

    @property
    @abstractmethod
    def context(self) -> JMSContext:
        """Give the context for the application's use (11.3.4-2)."""

    @property
    @abstractmethod
    def xa_resource(self) -> XAResource:
        """Give the resource to enlist with a transaction manager (11.3.4-1)."""

    @property
    @abstractmethod
    def transacted(self) -> bool:
        """Tell that the context is transacted: always True (11.3.4-4)."""

    @abstractmethod
    def commit(self) -> None:
        """Raise TransactionInProgressRuntimeException: only the transaction manager commits (11.3.4-5)."""

    @abstractmethod
    def rollback(self) -> None:
        """Raise TransactionInProgressRuntimeException: only the transaction manager rolls back (11.3.4-6)."""


class XAConnection(Connection):
    """Be a connection that makes XA sessions (11.3.2-3), stopped at first (11.3.1-7)."""

    __slots__ = ()

    @abstractmethod
    def create_xa_session(self) -> XASession:
        """Make an XA session (11.3.2-1)."""

    @abstractmethod
    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Make an ordinary session.

        What the arguments mean is left to the provider (11.3.2-4), how they combine is as in
        `Connection.create_session`.
        """


class XAConnectionFactory(ABC):
    """Make XA connections and XA contexts; an administered object (11.3.1-6)."""

    __slots__ = ()

    @abstractmethod
    def create_xa_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XAConnection:
        """Make an XA connection, stopped (11.3.1-1, 11.3.1-7).

        Raises:
            JMSSecurityException: The credentials are refused (11.3.1-5).
            TypeError: No Java overload takes these arguments together.
        """

    @abstractmethod
    def create_xa_context(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XAJMSContext:
        """Make an XA context with a connection of its own, which its first consumer starts (11.3.1-2, 11.3.1-8).

        Raises:
            JMSSecurityRuntimeException: The credentials are refused (11.3.1-5).
            TypeError: No Java overload takes these arguments together.
        """


class XAQueueConnection(XAConnection, QueueConnection):
    """Be an XA connection for queues only (11.3.2-2)."""

    __slots__ = ()

    @abstractmethod
    def create_xa_queue_session(self) -> XAQueueSession:
        """Make an XA session for queues (11.3.2-2)."""

    @abstractmethod
    def create_queue_session(self, transacted: bool, acknowledge_mode: int) -> QueueSession:
        """Make an ordinary session for queues; what the arguments mean is left to the provider (11.3.2-4)."""


class XAQueueConnectionFactory(XAConnectionFactory, QueueConnectionFactory):
    """Make XA connections for queues; an administered object (11.3.1-3, 11.3.1-6)."""

    __slots__ = ()

    @abstractmethod
    def create_xa_queue_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XAQueueConnection:
        """Make an XA connection for queues, stopped (11.3.1-3, 11.3.1-7).

        Raises:
            JMSSecurityException: The credentials are refused (11.3.1-5).
            TypeError: No Java overload takes these arguments together.
        """


class XATopicConnection(XAConnection, TopicConnection):
    """Be an XA connection for topics only (11.3.2-2)."""

    __slots__ = ()

    @abstractmethod
    def create_xa_topic_session(self) -> XATopicSession:
        """Make an XA session for topics (11.3.2-2)."""

    @abstractmethod
    def create_topic_session(self, transacted: bool, acknowledge_mode: int) -> TopicSession:
        """Make an ordinary session for topics; what the arguments mean is left to the provider (11.3.2-4)."""


class XATopicConnectionFactory(XAConnectionFactory, TopicConnectionFactory):
    """Make XA connections for topics; an administered object (11.3.1-3, 11.3.1-6)."""

    __slots__ = ()

    @abstractmethod
    def create_xa_topic_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XATopicConnection:
        """Make an XA connection for topics, stopped (11.3.1-3, 11.3.1-7).

        Raises:
            JMSSecurityException: The credentials are refused (11.3.1-5).
            TypeError: No Java overload takes these arguments together.
        """
