"""Bridges that route by transactions of the channel, with an XA session of the provider (sections 2.7 and 3.2 of the document).

The bridge never begins, commits or takes part in a transaction; it enlists the provider in that of its caller, and leaves only a rollback to
it when an item cannot be passed on. Choices: the properties of administration are set on the channel, which alone has `set_admin` in
the IDL; while routing transactions are on, a call from the channel without one is refused, and otherwise a call with one, both as the
policies Requires_shared and Allows_none want it; `enable_transaction` of a bridge that is transactional already sets both numbers anew,
unless a transaction is active.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final

from reference_interworking.bridge.bridges import ReferenceBridge
from tck import api as jms
from tck.interworking import transactions as ots
from tck.interworking.qos import PropertiesRefused

OVER: Final = (ots.Status.COMMITTED, ots.Status.ROLLED_BACK, ots.Status.NO_TRANSACTION, ots.Status.UNKNOWN)
"""How a transaction stands that has ended, or is not known any more."""


class Untransacted:
    """The unit of work of a bridge that itself asks or pushes: none, since a bridge begins no transaction (section 2.7.2)."""

    enabled = working = False
    joined: ots.Coordinator | None = None

    def __init__(self, bridge: ReferenceBridge, current: ots.Current | None = None) -> None:
        self.bridge, self.current = bridge, current

    def enable(self, events: int, timeout: int) -> None:
        """Refuse."""
        raise ots.UnsupportedTransaction(
            f"for {events} events within {timeout} s or others the channel has to push or pull"
        )

    def work(self) -> AbstractContextManager[None]:
        """Carry an item in nothing."""
        return contextlib.nullcontext()

    def nothing(self) -> None:
        """Do nothing: there are no transactions."""

    disable = within = start = stop = close = renew = nothing


class Transacting:
    """The unit of work of a bridge that the channel calls: the caller's transaction, while routing transactions are on.

    Attributes:
        enabled: Whether they are.
        current: The transaction service; None for none.
        joined: The transaction that the XA session works in, or the last one.
    """

    def __init__(self, bridge: ReferenceBridge, current: ots.Current | None = None) -> None:
        self.bridge, self.current = bridge, current
        self.enabled = False
        self.joined: ots.Coordinator | None = None
        self._xa_connection: jms.XAConnection | None = None
        self._xa_session: jms.XASession
        self._plain_session: jms.Session | None = None  # while the XA session stands for it

    @property
    def working(self) -> bool:
        """Whether the XA session does the work."""
        return self._plain_session is not None

    @property
    def transaction_policy(self) -> ots.TransactionPolicy:
        """Whether the channel calls the bridge within a transaction."""
        return ots.TransactionPolicy.REQUIRES_SHARED if self.enabled else ots.TransactionPolicy.ALLOWS_NONE

    @property
    def routing(self) -> bool:
        """Whether a transaction is active."""
        return self.joined is not None and self.joined.get_status() not in OVER

    def enable(self, events: int, timeout: int) -> None:
        """Route by transactions. Needs the locks."""
        if self.routing:
            raise ots.TransactionAlreadyActive("a routing transaction has not ended")
        if self.current is None:
            raise ots.UnsupportedTransaction("there is no transaction service")
        self._open_xa()
        try:
            self._set(events, timeout)
        except PropertiesRefused as error:
            if not self.enabled:
                self.close()
            raise ots.UnsupportedTransaction(f"the channel has no transactions: {error}") from error
        if not self.enabled:
            self._to_xa()
        self.enabled = True

    def _set(self, events: int, timeout: int) -> None:
        """Set the properties of the channel's side."""
        self.bridge.proxy.set_qos({ots.ENABLE_TRANSACTION: True})
        self.bridge.channel.set_admin({self._counted: events, ots.TRANSACTION_TIMEOUT: timeout})

    @property
    def _counted(self) -> str:
        return ots.TRANSACTION_EVENT_SEQUENCES if self.bridge.sequences else ots.TRANSACTION_EVENTS

    def disable(self) -> None:
        """Route without transactions, once a transaction that is active has ended. Needs the locks."""
        active = self.routing
        if self.enabled:
            self.bridge.proxy.set_qos({ots.ENABLE_TRANSACTION: False})
            self.enabled = False
            if not active:
                self._from_xa()
        if active:
            raise ots.TransactionActive("a routing transaction has not ended; there will be no other after it")

    def _open_xa(self) -> None:
        """Connect with an XA session, if there is none."""
        if self._xa_connection is not None:
            return
        if self.bridge.subscription:
            raise ots.UnsupportedTransaction(
                "the bridge receives by a durable subscription, which its XA session cannot take over"
            )
        try:
            connection = self._xa_factory().create_xa_connection()
            self._xa_session = connection.create_xa_session()
        except (jms.JMSException, jms.JavaException, NotImplementedError) as error:
            raise ots.UnsupportedTransaction(f"the provider has no distributed transactions: {error}") from error
        self._xa_connection = connection

    def _xa_factory(self) -> jms.XAConnectionFactory:
        """Return the XA factory that the end point names, or the provider's default one."""
        name = self.bridge.place.factory_name
        if not name:
            return self.bridge.provider.xa_connection_factory()
        found = self.bridge.provider.lookup(name)
        if not isinstance(found, jms.XAConnectionFactory):
            raise ots.UnsupportedTransaction(f"{name} makes no XA connections")
        return found

    def close(self) -> None:
        """Close the connection of the XA session."""
        connection, self._xa_connection = self._xa_connection, None
        if connection is not None:
            with contextlib.suppress(jms.JMSException):
                connection.close()

    def _to_xa(self) -> None:
        """Let the XA session do the work."""
        self._plain_session, self.bridge.session = self.bridge.session, self._xa_session.session
        self._reopen()
        if self.bridge.started:
            self.start()

    def _from_xa(self) -> None:
        """Let the plain session do the work again."""
        if self._plain_session is not None:
            self.bridge.session, self._plain_session = self._plain_session, None
        self.joined = None
        self._reopen()
        self.close()

    def renew(self) -> None:
        """Connect with an XA session once more, after the connections to JMS were lost. Needs the lock."""
        self.close()
        self.joined = self._plain_session = None
        if self.enabled:
            self._open_xa()
            self._plain_session, self.bridge.session = self.bridge.session, self._xa_session.session

    def _reopen(self) -> None:
        """Make producer or consumer anew, on the session that does the work."""
        self.bridge.jms_end.close()
        self.bridge.jms_end.prepare()

    def within(self) -> ots.Coordinator | None:
        """Return the caller's transaction, in which the session works from now on; None for none. Needs the lock.

        Raises:
            TransactionRequired: There is none, and the policy wants one.
            InvalidTransaction: There is one, and the policy wants none.
        """
        found = None if self.current is None else self.current.get_coordinator()
        ending = found is not None and found == self.joined
        if not ending and not self.enabled and self._xa_connection is not None and not self.routing:
            self._from_xa()
        if found is None:
            if self.transaction_policy == ots.TransactionPolicy.REQUIRES_SHARED:
                raise ots.TransactionRequired("the bridge is called within a transaction only")
        elif not ending:
            if self.transaction_policy == ots.TransactionPolicy.ALLOWS_NONE:
                raise ots.InvalidTransaction("the bridge is not called within a transaction")
            self.enlist(found)
            self.joined = found
        return found

    def enlist(self, found: ots.Coordinator) -> None:
        """Let the provider take part in a transaction."""
        found.enlist_resource(self._xa_session.xa_resource)

    def give_up(self) -> None:
        """Leave only a rollback to the transaction in which an item could not be passed on."""
        if self.current is not None and self.current.get_coordinator() is not None:
            self.current.rollback_only()

    @contextlib.contextmanager
    def work(self) -> Iterator[None]:
        """Carry an item in the caller's transaction."""
        with self.bridge.lock:
            self.within()
            try:
                yield
            except Exception:
                self.give_up()
                raise

    def start(self) -> None:
        """Start the connection of the XA session, if there is one. Needs the lock."""
        if self._xa_connection is not None:
            self._xa_connection.start()

    def stop(self) -> None:
        """Stop it. Needs the lock."""
        if self._xa_connection is not None:
            self._xa_connection.stop()
