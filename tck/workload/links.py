"""A link: one connection with one session, every call recorded, and its end, orderly or not.

Every actor has one link at a time and makes a new one after a failure. May import the shared state; knows nothing of
messages.
"""

from __future__ import annotations

import contextlib
from typing import Final

from tck import api
from tck.check.columns import AUTO, CLIENT, DUPS_OK, NONE, TRANSACTED, Closer, Op, Out
from tck.record.packed import OPEN
from tck.workload.content import FAILURES
from tck.workload.shared_state import SharedState

MODES: Final = {"transacted": TRANSACTED, "auto": AUTO, "client": CLIENT, "dups-ok": DUPS_OK, "xa": TRANSACTED}
"""Acknowledge modes by their names in plans; an XA session counts as transacted."""
_CALLBACK_MS: Final = 2
"""Duration of an exception listener's call, so that a wrongly concurrent second call shows."""


class _ExceptionRecorder(api.ExceptionListener):
    """Records the calls of an exception listener."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def on_exception(self, exception: api.JMSException) -> None:  # noqa: ARG002 - the interface
        link = self._link
        if link.recorder.closed:
            return
        row = link.recorder.begin(Op.EXCEPTION, link.pseudo_session, link.conn)
        link.shared.provider.clock.event().wait(_CALLBACK_MS)
        link.recorder.end(row)
        link.lost = True
        link.wake.set()


class Link:
    """One connection with one session.

    Args:
        shared: The shared state.
        label: Name of its user.
        mode: Acknowledge mode of the session, as in plans.
        client: The client identifier, if any.
        closer: What its close closes first: CONTEXT uses a JMSContext for both, SESSION leaves the connection for last.

    Raises:
        JMSException, JMSRuntimeException: The provider refuses.
    """

    def __init__(
        self, shared: SharedState, label: str, mode: str, client: str | None = None, *, closer: int = Closer.CONNECTION
    ) -> None:
        self.shared = shared
        self.recorder = shared.recorder
        self.label = label
        self.mode = MODES[mode]
        self.xa = mode == "xa"
        self.closer = closer
        self.over = False
        self.lost = False
        self.broken_at: int | None = None
        """When an injected fault ended it."""
        self.epoch = 0
        self._branch = NONE
        self.unit = NONE
        """The unit of work to which sends and deliveries currently belong."""
        self.auto_settled = self.mode in (AUTO, DUPS_OK)
        """Whether a delivery is settled by its own return."""
        self.last_alive = self.recorder.now()
        """The last time at which it was certainly alive."""
        self.wake = shared.provider.clock.event()
        self.connection: api.Connection | None = None
        self.context: api.JMSContext | None = None
        self._session: api.Session | None = None
        self.xa_session: api.XASession | None = None
        with shared.between_faults():
            self._open(client)
        self.maker = self._maker()
        """Creates messages: the session or the context."""
        self._renew()

    def _open(self, client: str | None) -> None:
        shared, rec = self.shared, self.recorder
        began = rec.now()
        if self.closer == Closer.CONTEXT:
            self.context = shared.provider.connection_factory().create_context(session_mode=self.mode)
            self.context.exception_listener = _ExceptionRecorder(self)
        elif self.xa:
            self.connection = shared.provider.xa_connection_factory().create_xa_connection()
        else:
            self.connection = shared.provider.connection_factory().create_connection()
        try:
            if self.connection is not None:
                if client is not None:
                    self.connection.client_id = client
                self.connection.exception_listener = _ExceptionRecorder(self)
            self.pseudo_session = rec.register("session", conn=NONE, mode=NONE, label=f"connection of {self.label}")
            self.conn = rec.register(
                "connection", session=self.pseudo_session, label=f"connection of {self.label}", client=client
            )
            rec.add(OPEN, self.pseudo_session, self.conn, began, rec.now())
            if self.xa:
                self.xa_session = self.connection.create_xa_session()  # type: ignore[union-attr]
                self._session = self.xa_session.session
            elif self.connection is not None:
                transacted = self.mode == TRANSACTED
                self._session = self.connection.create_session(transacted=transacted, session_mode=self.mode)
        except BaseException:
            with contextlib.suppress(Exception):
                (self.connection or self.context).close()  # type: ignore[union-attr]
            raise
        self.number = rec.register("session", conn=self.conn, mode=self.mode, label=self.label, closer=self.closer)
        self.last_alive = rec.now()
        shared.links.add(self)

    # -- session and unit of work --------------------------------------------------------------------------------------

    @property
    def session(self) -> api.Session:
        """The session; a link with a context has none."""
        if self._session is None:
            raise TypeError(f"{self.label} has a context and no session")
        return self._session

    def _maker(self) -> api.Session | api.JMSContext:
        return self.session if self.context is None else self.context

    def join_branch(self, branch: int) -> None:
        """Assign sends and deliveries to a branch from now on; NONE for none."""
        self._branch = branch
        self._renew()

    def _renew(self) -> None:
        if self._branch != NONE:
            self.unit = self._branch
        else:
            self.unit = NONE if self.xa else (self.number << 32) | self.epoch

    def _next_unit(self) -> None:
        self.epoch += 1
        self._renew()

    def alive(self) -> bool:
        """Whether nothing is known to have ended it."""
        return self.broken_at is None and not self.lost and not self.over

    # -- calls ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the connection."""
        row = self.recorder.begin(Op.START, self.pseudo_session, self.conn)
        (self.connection or self.context).start()  # type: ignore[union-attr]
        self.recorder.end(row)

    def stop(self) -> None:
        """Stop the connection."""
        row = self.recorder.begin(Op.STOP, self.pseudo_session, self.conn)
        (self.connection or self.context).stop()  # type: ignore[union-attr]
        self.recorder.end(row)

    def commit(self) -> bool:
        """Commit; False if the provider says that it rolled back instead."""
        row = self.recorder.begin(Op.COMMIT, self.number, self.conn, unit=self.unit)
        self._next_unit()
        try:
            self.maker.commit()
        except (api.TransactionRolledBackException, api.TransactionRolledBackRuntimeException) as error:
            self.recorder.end(row, Out.FAIL)
            self.shared.count_failure(error)
            return False
        except BaseException:
            self.recorder.end_unknown(row)
            raise
        self.last_alive = self.recorder.end(row)
        return True

    def rollback(self) -> None:
        """Roll back."""
        self._settle(Op.ROLLBACK, self.maker.rollback)

    def recover(self) -> None:
        """Recover: everything unacknowledged is redelivered."""
        self._settle(Op.RECOVER, self.maker.recover)

    def acknowledge(self, message: api.Message) -> None:
        """Acknowledge everything received so far."""
        self._settle(Op.ACK, message.acknowledge)

    def _settle(self, op: int, call: object) -> None:
        row = self.recorder.begin(op, self.number, self.conn, unit=self.unit)
        self._next_unit()
        try:
            call()  # type: ignore[operator]
        except BaseException:
            self.recorder.end_unknown(row)
            raise
        self.last_alive = self.recorder.end(row)

    # -- the end -------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close session and connection in order."""
        if self.over:
            return
        # The unit it ends is known only when it has returned: a listener that still runs may settle one meanwhile.
        row = self.recorder.begin(Op.CLOSE, self.number, self.conn)
        out = Out.UNKNOWN
        try:
            (self._session if self.closer == Closer.SESSION else self.connection or self.context).close()  # type: ignore[union-attr]
            out = Out.OK
        finally:
            if not self.xa:
                self.recorder.set_unit(row, self.unit)
            self.recorder.end(row, out)
            self.over = True
            self.shared.links.discard(self)
        if self.closer == Closer.SESSION:
            self.connection.close()  # type: ignore[union-attr]  # it has a session

    def abandon(self) -> None:
        """Abandon a broken link: its messages are free from the time of the fault, or from its last sign of life.

        The row is written when no call of the link is open any more, since the effects of those come first.
        """
        if self.over:
            return
        self.over = True
        self.shared.links.discard(self)
        with contextlib.suppress(*FAILURES, Exception):
            (self.connection or self.context).close()  # type: ignore[union-attr]
        since = self.last_alive if self.broken_at is None else min(self.broken_at, self.recorder.now())
        unit = NONE if self.xa else self.unit
        self.recorder.add(Op.CRASH, self.number, self.conn, since, self.recorder.now(), unit=unit)


class ExtraSession(Link):
    """One more session, with AUTO_ACKNOWLEDGE, on the connection of a link. It ends with that connection at the latest.

    Args:
        link: The link, of the same thread.

    Raises:
        JMSException: The provider refuses.
    """

    def __init__(self, link: Link) -> None:
        self._owner = link
        super().__init__(link.shared, f"{link.label} beside", "auto", closer=Closer.SESSION)

    def _open(self, client: str | None) -> None:
        del client
        owner, rec = self._owner, self.recorder
        if owner.connection is None:
            raise TypeError(f"{owner.label} has a context and no connection")
        self.connection, self.pseudo_session, self.conn = owner.connection, owner.pseudo_session, owner.conn
        self._session = owner.connection.create_session(transacted=False, session_mode=self.mode)
        self.number = rec.register("session", conn=self.conn, mode=self.mode, label=self.label, closer=self.closer)
        self.last_alive = rec.now()

    def close(self) -> None:
        """Close the session."""
        row = self.recorder.begin(Op.CLOSE, self.number, self.conn)
        self.session.close()
        self.recorder.end(row)
        self.over = True
