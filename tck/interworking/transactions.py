"""Routing transactions: what a bridge, a channel and the transaction service offer each other, named after OTS and the IDL.

The transaction service belongs to whoever runs channel and bridge: it hands each of them a `Current` of its own, so that it knows
who did what. `use_transactions` hands it over; a factory without it has no transactions. What Python calls a thread is what OTS calls one:
the transaction goes along with a call of the same thread. Imports `tck.api` and this package's values only.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from typing import Final, Protocol, runtime_checkable

from tck.api import XAResource
from tck.interworking.converter import BridgeError
from tck.interworking.qos import ChannelError

ENABLE_TRANSACTION: Final = "EnableTransaction"
"""Quality of service: a bool, whether transactions are used; of the channel, an admin, or a proxy."""
TRANSACTION_EVENTS: Final = "TransactionEvents"
"""Administrative: how many single events one transaction carries, from 1."""
TRANSACTION_EVENT_SEQUENCES: Final = "TransactionEventSequences"
"""Administrative: how many batches one transaction carries, from 1."""
TRANSACTION_TIMEOUT: Final = "TransactionTimeout"
"""Administrative: the life of a transaction in seconds; 0 for no limit."""


class UnsupportedTransaction(BridgeError):  # noqa: N818 - the IDL's name
    """The channel or the provider has no distributed transactions, or the bridge none in its configuration."""


class TransactionAlreadyActive(BridgeError):  # noqa: N818 - the IDL's name
    """A routing transaction of the bridge is active."""


class TransactionActive(BridgeError):  # noqa: N818 - the IDL's name
    """A routing transaction is active; those after it are turned off all the same."""


class TransactionManagement(ABC):
    """What a bridge may be too: it switches routing transactions on and off."""

    @abstractmethod
    def enable_transaction(self, events: int, timeout: int) -> None:
        """Route by transactions from now on.

        Args:
            events: How many events, or batches where the channel carries batches, one transaction carries.
            timeout: Its life in seconds; 0 for no limit.

        Raises:
            UnsupportedTransaction: The channel or the provider cannot.
            TransactionAlreadyActive: A transaction is active.
        """

    @abstractmethod
    def disable_transaction(self) -> None:
        """Route without transactions from now on.

        Raises:
            TransactionActive: A transaction is active; later ones are turned off once it has ended.
        """


class TransactionRequired(ChannelError):  # noqa: N818 - the name in CORBA
    """The object's policy is Requires_shared, and the caller has no transaction: TRANSACTION_REQUIRED."""


class InvalidTransaction(ChannelError):  # noqa: N818 - the name in CORBA
    """The object's policy is Allows_none, and the caller has a transaction: INVALID_TRANSACTION."""


class TransactionRolledBack(ChannelError):  # noqa: N818 - the name in CORBA
    """The transaction was rolled back instead: TRANSACTION_ROLLEDBACK."""


class NoTransaction(ChannelError):  # noqa: N818 - the name in OTS
    """The thread has no transaction."""


class TransactionPolicy(enum.Enum):
    """Whether the operations of an object are called within a transaction."""

    REQUIRES_SHARED = "Requires_shared"
    ALLOWS_NONE = "Allows_none"


class Vote(enum.IntEnum):
    """What a resource answers when it is asked to prepare, numbered as in OTS."""

    COMMIT = 0
    ROLLBACK = 1
    READ_ONLY = 2


class Status(enum.IntEnum):
    """Where a transaction stands, numbered as in OTS."""

    ACTIVE = 0
    MARKED_ROLLBACK = 1
    PREPARED = 2
    COMMITTED = 3
    ROLLED_BACK = 4
    UNKNOWN = 5
    NO_TRANSACTION = 6
    PREPARING = 7
    COMMITTING = 8
    ROLLING_BACK = 9


class Resource(ABC):
    """Something whose changes a transaction decides on; the transaction service calls it, from any thread."""

    @abstractmethod
    def prepare(self) -> Vote:
        """Save what a commit needs, so that it outlives a crash, and vote."""

    @abstractmethod
    def commit(self) -> None:
        """Let the changes take effect. An exception leaves the outcome to recovery: see `Coordinator.replay_completion`."""

    @abstractmethod
    def rollback(self) -> None:
        """Undo the changes, prepared or not."""


class Coordinator(ABC):
    """One transaction, for those who take part in it. Equal for the same transaction."""

    @abstractmethod
    def get_status(self) -> Status:
        """Return where the transaction stands."""

    @abstractmethod
    def register_resource(self, resource: Resource) -> None:
        """Let a resource take part.

        Raises:
            TransactionRolledBack: Only a rollback is left.
        """

    @abstractmethod
    def enlist_resource(self, resource: XAResource) -> None:
        """Let a resource manager of JMS take part: work on it is started now for a branch, and ended before the branch is prepared or
        rolled back; this is `enlistResource` of the Java side.

        Raises:
            TransactionRolledBack: Only a rollback is left.
        """

    @abstractmethod
    def replay_completion(self, resource: Resource) -> Status:
        """Return the decision for a prepared resource after its crash, and call it again: `commit` or `rollback`."""


class Current(ABC):
    """The transaction of the calling thread, for one party: the channel, the bridge, or a client."""

    @abstractmethod
    def set_timeout(self, seconds: int) -> None:
        """Set the life of the transactions that this party begins later in this thread; 0 for no limit."""

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction and give it to the thread, which has none."""

    @abstractmethod
    def commit(self) -> None:
        """End the thread's transaction by a commit.

        Raises:
            TransactionRolledBack: It was rolled back instead.
            NoTransaction: There is none.
        """

    @abstractmethod
    def rollback(self) -> None:
        """End the thread's transaction by a rollback; raises NoTransaction."""

    @abstractmethod
    def rollback_only(self) -> None:
        """Leave nothing but a rollback to the thread's transaction; raises NoTransaction."""

    @abstractmethod
    def get_coordinator(self) -> Coordinator | None:
        """Return the thread's transaction, or None."""

    @abstractmethod
    def suspend(self) -> Coordinator | None:
        """Take the transaction from the thread and return it."""

    @abstractmethod
    def resume(self, coordinator: Coordinator | None) -> None:
        """Give a transaction to the thread, or none: for those who carry it from one process or thread to another."""


@runtime_checkable
class Transactional(Protocol):
    """What a factory of channels or of bridges is too, if it has transactions."""

    def use_transactions(self, current: Current) -> None:
        """Use a transaction service from now on; called once, before a channel or a bridge is made."""


@runtime_checkable
class Restartable(Protocol):
    """What a factory of channels is too, if its channels can be crashed: all that is not durable is lost then."""

    def crash_channel(self, channel_id: int) -> None:
        """Let a channel answer no more."""

    def restart_channel(self, channel_id: int) -> None:
        """Let a crashed channel answer again, with what was durable; transactions in doubt are asked for and completed."""
