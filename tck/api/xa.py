"""Distributed transactions: the XA types of the messaging API and the three of ``javax.transaction.xa`` that they meet.

`XAException` lives with the other exceptions. The types of ``javax.transaction.xa`` are not part of the messaging API; here they are what
the suite, acting as the transaction manager, needs of them.
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
    """Take part in distributed transactions as a resource manager does."""

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
        """Begin work for `xid`; flags `TMNOFLAGS`, `TMJOIN` or `TMRESUME`."""

    @abstractmethod
    def end(self, xid: Xid | None, flags: int) -> None:
        """End work for `xid`; flags `TMSUCCESS`, `TMFAIL` or `TMSUSPEND`."""

    @abstractmethod
    def prepare(self, xid: Xid | None) -> int:
        """Prepare to commit; return `XA_OK`, or `XA_RDONLY` if nothing is to commit."""

    @abstractmethod
    def commit(self, xid: Xid | None, one_phase: bool) -> None:
        """Commit the branch, without a prepare before it if `one_phase`."""

    @abstractmethod
    def rollback(self, xid: Xid | None) -> None:
        """Roll the branch back."""

    @abstractmethod
    def recover(self, flags: int) -> Sequence[Xid]:
        """List the branches that are prepared; flags `TMSTARTRSCAN`, `TMENDRSCAN`, both or `TMNOFLAGS`."""

    @abstractmethod
    def forget(self, xid: Xid | None) -> None:
        """Forget a branch that was completed heuristically."""

    @abstractmethod
    def is_same_rm(self, resource: XAResource) -> bool:
        """Tell whether `resource` stands for the same resource manager."""

    @abstractmethod
    def get_transaction_timeout(self) -> int:
        """Get the transaction timeout in seconds."""

    @abstractmethod
    def set_transaction_timeout(self, seconds: int) -> bool:
        """Set the transaction timeout in seconds, 0 for the default; return False if the resource manager cannot."""


class XASession(Session):
    """Be a session whose transactions a transaction manager controls."""

    __slots__ = ()

    @property
    @abstractmethod
    def session(self) -> Session:
        """Give the session for the application's use."""

    @property
    @abstractmethod
    def xa_resource(self) -> XAResource:
        """Give the resource to enlist with a transaction manager."""

    @property
    @abstractmethod
    def transacted(self) -> bool:
        """Tell that the session is transacted: always true."""

    @abstractmethod
    def commit(self) -> None:
        """Refuse: only the transaction manager commits."""

    @abstractmethod
    def rollback(self) -> None:
        """Refuse: only the transaction manager rolls back."""


class XAQueueSession(XASession):
    """Be an XA session for queues only."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue_session(self) -> QueueSession:
        """Give the session for the application's use."""


class XATopicSession(XASession):
    """Be an XA session for topics only."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic_session(self) -> TopicSession:
        """Give the session for the application's use."""


class XAJMSContext(JMSContext):
    """Be a context whose transactions a transaction manager controls."""

    __slots__ = ()

    @property
    @abstractmethod
    def context(self) -> JMSContext:
        """Give the context for the application's use."""

    @property
    @abstractmethod
    def xa_resource(self) -> XAResource:
        """Give the resource to enlist with a transaction manager."""

    @property
    @abstractmethod
    def transacted(self) -> bool:
        """Tell that the context is transacted: always true."""

    @abstractmethod
    def commit(self) -> None:
        """Refuse: only the transaction manager commits."""

    @abstractmethod
    def rollback(self) -> None:
        """Refuse: only the transaction manager rolls back."""


class XAConnection(Connection):
    """Be a connection that makes XA sessions."""

    __slots__ = ()

    @abstractmethod
    def create_xa_session(self) -> XASession:
        """Make an XA session."""

    @abstractmethod
    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Make a session that takes no part in distributed transactions."""


class XAConnectionFactory(ABC):
    """Make XA connections and XA contexts; an administered object."""

    __slots__ = ()

    @abstractmethod
    def create_xa_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XAConnection:
        """Make an XA connection, stopped."""

    @abstractmethod
    def create_xa_context(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XAJMSContext:
        """Make an XA context with a connection of its own."""


class XAQueueConnection(XAConnection, QueueConnection):
    """Be an XA connection for queues only."""

    __slots__ = ()

    @abstractmethod
    def create_xa_queue_session(self) -> XAQueueSession:
        """Make an XA session for queues."""

    @abstractmethod
    def create_queue_session(self, transacted: bool, acknowledge_mode: int) -> QueueSession:
        """Make a session for queues that takes no part in distributed transactions."""


class XAQueueConnectionFactory(XAConnectionFactory, QueueConnectionFactory):
    """Make XA connections for queues; an administered object."""

    __slots__ = ()

    @abstractmethod
    def create_xa_queue_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XAQueueConnection:
        """Make an XA connection for queues, stopped."""


class XATopicConnection(XAConnection, TopicConnection):
    """Be an XA connection for topics only."""

    __slots__ = ()

    @abstractmethod
    def create_xa_topic_session(self) -> XATopicSession:
        """Make an XA session for topics."""

    @abstractmethod
    def create_topic_session(self, transacted: bool, acknowledge_mode: int) -> TopicSession:
        """Make a session for topics that takes no part in distributed transactions."""


class XATopicConnectionFactory(XAConnectionFactory, TopicConnectionFactory):
    """Make XA connections for topics; an administered object."""

    __slots__ = ()

    @abstractmethod
    def create_xa_topic_connection(
        self, user_name: str | Omitted | None = OMITTED, password: str | Omitted | None = OMITTED
    ) -> XATopicConnection:
        """Make an XA connection for topics, stopped."""
