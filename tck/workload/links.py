"""A link: one connection with one session, each call of it recorded, and its end, orderly or not.

Every actor has one link at a time and makes a new one after a failure. May import the shared; knows nothing of what is
sent or received.
"""

from __future__ import annotations

import contextlib
from typing import Final

from tck import api
from tck.check.columns import AUTO, CLIENT, DUPS_OK, NONE, TRANSACTED, Op, Out
from tck.record.packed import OPEN
from tck.workload.content import FAILURES
from tck.workload.shared_state import SharedState

MODES: Final = {"transacted": TRANSACTED, "auto": AUTO, "client": CLIENT, "dups-ok": DUPS_OK, "xa": TRANSACTED}
"""Acknowledge modes by their names in plans; an XA session counts as transacted."""
_CALLBACK_MS: Final = 2
"""How long an exception listener takes, so that a second call that should wait for it does not fit in between unseen."""


class _ExceptionRecorder(api.ExceptionListener):
    """Records what the provider says about a connection."""

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
    """One connection and one session of it.

    Args:
        shared: The workload.
        label: Who uses it.
        mode: Acknowledge mode of the session, as plans name it.
        client: The client identifier to take, if any.
        simplified: Use a JMSContext for both.

    Raises:
        JMSException, JMSRuntimeException: The provider refuses.
    """

    def __init__(
        self, shared: SharedState, label: str, mode: str, client: str | None = None, *, simplified: bool = False
    ) -> None:
        self.shared = shared
        self.recorder = shared.recorder
        self.label = label
        self.mode = MODES[mode]
        self.xa = mode == "xa"
        self.over = False
        self.lost = False
        self.broken_at: int | None = None
        """When a fault of ours ended it."""
        self.epoch = 0
        self._branch = NONE
        self.unit = NONE
        """The unit of work that a send or delivery now belongs to."""
        self.auto_settled = self.mode in (AUTO, DUPS_OK)
        """Whether a delivery is settled by its own return."""
        self.last_alive = self.recorder.now()
        """The last moment at which it surely lived."""
        self.wake = shared.provider.clock.event()
        self.connection: api.Connection | None = None
        self.context: api.JMSContext | None = None
        self._session: api.Session | None = None
        self.xa_session: api.XASession | None = None
        with shared.between_faults():
            self._open(client, simplified=simplified)
        self.maker = self._maker()
        """What makes messages."""
        self._renew()

    def _open(self, client: str | None, *, simplified: bool) -> None:
        shared, rec = self.shared, self.recorder
        began = rec.now()
        if simplified:
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
        self.number = rec.register("session", conn=self.conn, mode=self.mode, label=self.label)
        self.last_alive = rec.now()
        shared.links.add(self)

    # -- what belongs to it --------------------------------------------------------------------------------------

    @property
    def session(self) -> api.Session:
        """The session; a link with a context has none."""
        if self._session is None:
            raise TypeError(f"{self.label} has a context and no session")
        return self._session

    def _maker(self) -> api.Session | api.JMSContext:
        return self.session if self.context is None else self.context

    def join_branch(self, branch: int) -> None:
        """Have sends and deliveries belong to a branch from now on; NONE for none."""
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
        """Have everything unacknowledged delivered again."""
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
        """Close session and connection in good order."""
        if self.over:
            return
        # Which unit it ends is known when it has returned: a listener that still runs may settle one meanwhile.
        row = self.recorder.begin(Op.CLOSE, self.number, self.conn)
        out = Out.UNKNOWN
        try:
            (self.connection or self.context).close()  # type: ignore[union-attr]
            out = Out.OK
        finally:
            if not self.xa:
                self.recorder.set_unit(row, self.unit)
            self.recorder.end(row, out)
            self.over = True
            self.shared.links.discard(self)

    def abandon(self) -> None:
        """Give up a link that broke: what it held is free from the moment the fault broken_at, or it was last fine.

        The row is written when no call of it is under way any more, since what those did comes first.
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
    """A further session, with automatic acknowledgement, of the connection of a link. It ends with that at the latest.

    Args:
        link: Whose connection it uses, in the same thread.

    Raises:
        JMSException: The provider refuses.
    """

    def __init__(self, link: Link) -> None:
        self._owner = link
        super().__init__(link.shared, f"{link.label} beside", "auto")

    def _open(self, client: str | None, *, simplified: bool) -> None:
        del client, simplified
        owner, rec = self._owner, self.recorder
        if owner.connection is None:
            raise TypeError(f"{owner.label} has a context and no connection")
        self.connection, self.pseudo_session, self.conn = owner.connection, owner.pseudo_session, owner.conn
        self._session = owner.connection.create_session(session_mode=self.mode)
        self.number = rec.register("session", conn=self.conn, mode=self.mode, label=self.label)
        self.last_alive = rec.now()

    def close(self) -> None:
        """Close the session."""
        row = self.recorder.begin(Op.CLOSE, self.number, self.conn)
        self.session.close()
        self.recorder.end(row)
        self.over = True
