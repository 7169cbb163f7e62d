"""Bridges that route by transactions of the channel, with an XA session of the provider (sections 2.7 and 3.2 of the document).

The bridge never begins, commits or takes part in a transaction; it enlists the provider in that of its caller, and leaves only a rollback to
it when an item cannot be passed on. Choices: the properties of administration are set on the channel, which alone has `set_admin` in
the IDL; while routing transactions are on, a call from the channel without one is refused, and otherwise a call with one, both as the
policies Requires_shared and Allows_none want it; `enable_transaction` of a bridge that is transactional already sets both numbers anew,
unless a transaction is active.
"""

from __future__ import annotations

import contextlib
from typing import Final

from reference_interworking.bridge.bridges import ChannelToJms, ReferenceBridge
from reference_interworking.bridge.pulled import PulledFromJms
from reference_interworking.bridge.pushed import JmsToChannel
from tck import api as jms
from tck.interworking import StructuredEvent
from tck.interworking.bridge import JMSDestination
from tck.interworking.qos import PropertiesRefused
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    Coordinator,
    Current,
    InvalidTransaction,
    Status,
    TransactionActive,
    TransactionAlreadyActive,
    TransactionManagement,
    TransactionPolicy,
    TransactionRequired,
    UnsupportedTransaction,
)

_OVER: Final = (Status.COMMITTED, Status.ROLLED_BACK, Status.NO_TRANSACTION, Status.UNKNOWN)


class Transacting(ReferenceBridge, TransactionManagement):
    """A bridge with routing transactions.

    Attributes:
        current: The transaction service; None for none.
    """

    current: Current | None = None
    _xa_connection: jms.XAConnection | None = None
    _xa_session: jms.XASession
    _enabled = False
    _joined: Coordinator | None = None

    @property
    def transaction_policy(self) -> TransactionPolicy:
        """Whether the channel calls the bridge within a transaction."""
        return TransactionPolicy.REQUIRES_SHARED if self._enabled else TransactionPolicy.ALLOWS_NONE

    @property
    def _routing(self) -> bool:
        """Whether a transaction is active."""
        return self._joined is not None and self._joined.get_status() not in _OVER

    def enable_transaction(self, events: int, timeout: int) -> None:
        """Route by transactions."""
        with self._life, self._lock:
            self._alive()
            if self._routing:
                raise TransactionAlreadyActive("a routing transaction has not ended")
            if self.current is None:
                raise UnsupportedTransaction("there is no transaction service")
            self._open_xa()
            try:
                self._set(events, timeout)
            except PropertiesRefused as error:
                if not self._enabled:
                    self._close_xa()
                raise UnsupportedTransaction(f"the channel has no transactions: {error}") from error
            if not self._enabled:
                self._to_xa()
            self._enabled = True

    def _set(self, events: int, timeout: int) -> None:
        """Set the properties of the channel's side."""
        self._proxy.set_qos({ENABLE_TRANSACTION: True})
        self._channel.set_admin({self._counted: events, TRANSACTION_TIMEOUT: timeout})

    @property
    def _counted(self) -> str:
        return TRANSACTION_EVENT_SEQUENCES if self._sequences else TRANSACTION_EVENTS

    def disable_transaction(self) -> None:
        """Route without transactions, once a transaction that is active has ended."""
        with self._life, self._lock:
            self._alive()
            active = self._routing
            if self._enabled:
                self._proxy.set_qos({ENABLE_TRANSACTION: False})
                self._enabled = False
                if not active:
                    self._from_xa()
            if active:
                raise TransactionActive("a routing transaction has not ended; there will be no other after it")

    def _open_xa(self) -> None:
        """Connect with an XA session, if there is none."""
        if self._xa_connection is not None:
            return
        if self._subscription:
            raise UnsupportedTransaction(
                "the bridge receives by a durable subscription, which its XA session cannot take over"
            )
        try:
            connection = self._xa_factory().create_xa_connection()
            self._xa_session = connection.create_xa_session()
        except (jms.JMSException, jms.JavaException, NotImplementedError) as error:
            raise UnsupportedTransaction(f"the provider has no distributed transactions: {error}") from error
        self._xa_connection = connection

    def _xa_factory(self) -> jms.XAConnectionFactory:
        """Return the XA factory that the end point names, or the provider's default one."""
        point = self._source.connector if isinstance(self._sink.connector, int) else self._sink.connector
        assert isinstance(point, JMSDestination)  # noqa: S101 - the factory of bridges has looked
        if not point.factory_name:
            return self._provider.xa_connection_factory()
        found = self._provider.lookup(point.factory_name)
        if not isinstance(found, jms.XAConnectionFactory):
            raise UnsupportedTransaction(f"{point.factory_name} makes no XA connections")
        return found

    def _close_xa(self) -> None:
        connection, self._xa_connection = self._xa_connection, None
        if connection is not None:
            with contextlib.suppress(jms.JMSException):
                connection.close()

    def _to_xa(self) -> None:
        """Let the XA session do the work."""
        self._plain_session, self._session = self._session, self._xa_session.session
        self._reopen()
        if self._started and self._xa_connection is not None:
            self._xa_connection.start()

    def _from_xa(self) -> None:
        """Let the plain session do the work again."""
        self._session = self._plain_session
        self._joined = None
        self._reopen()
        self._close_xa()

    def _reopen(self) -> None:
        """Make producer or consumer anew, on the session that does the work."""
        raise NotImplementedError

    def within(self) -> Coordinator | None:
        """Return the caller's transaction, in which the session works from now on; None for none. Needs the lock.

        Raises:
            TransactionRequired: There is none, and the policy wants one.
            InvalidTransaction: There is one, and the policy wants none.
        """
        found = None if self.current is None else self.current.get_coordinator()
        ending = found is not None and found == self._joined
        if not ending and not self._enabled and self._xa_connection is not None and not self._routing:
            self._from_xa()
        if found is None:
            if self.transaction_policy == TransactionPolicy.REQUIRES_SHARED:
                raise TransactionRequired("the bridge is called within a transaction only")
        elif not ending:
            if self.transaction_policy == TransactionPolicy.ALLOWS_NONE:
                raise InvalidTransaction("the bridge is not called within a transaction")
            self.enlist(found)
            self._joined = found
        return found

    def enlist(self, found: Coordinator) -> None:
        """Let the provider take part in a transaction."""
        found.enlist_resource(self._xa_session.xa_resource)

    def give_up(self) -> None:
        """Leave only a rollback to the transaction in which an item could not be passed on."""
        if self.current is not None and self.current.get_coordinator() is not None:
            self.current.rollback_only()

    def _start_connection(self) -> None:
        super()._start_connection()
        with self._lock:
            if self._xa_connection is not None:
                self._xa_connection.start()

    def _stop_connection(self) -> None:
        super()._stop_connection()
        with self._lock:
            if self._xa_connection is not None:
                self._xa_connection.stop()

    def destroy(self) -> None:
        """End the connections."""
        super().destroy()
        with self._lock:
            self._close_xa()


class TransactedToJms(Transacting, ChannelToJms):
    """The channel pushes within a transaction, and the bridge sends in it."""

    def _reopen(self) -> None:
        self._prepare()

    def carry(self, event: StructuredEvent) -> None:
        """Send the message of an event."""
        with self._lock:
            self.within()
            try:
                super().carry(event)
            except Exception:
                self.give_up()
                raise


class TransactedFromJms(Transacting, PulledFromJms):
    """The channel pulls within a transaction, and the bridge receives in it."""

    def _reopen(self) -> None:
        self._consumer.close()
        self._consumer = self._session.create_consumer(self._destination)

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        """Return the event of the next message; a call that waits does so without the lock of the bridge."""
        if wait:
            with self._lock:
                self.within()
            return super().next_event(wait=True)
        with self._lock:
            self.within()
            return super().next_event(wait=False)


class UntransactedToChannel(JmsToChannel, TransactionManagement):
    """A listener pushes: a configuration without routing transactions (section 2.7.2)."""

    def enable_transaction(self, events: int, timeout: int) -> None:
        """Refuse."""
        raise UnsupportedTransaction(
            f"the channel has to push or pull, for {events} events within {timeout} s or others"
        )

    def disable_transaction(self) -> None:
        """Do nothing: there are no transactions."""
        self._alive()
