"""Group commit: the first thread to come leads and commits all pending units, the others wait for it.

Two locks: M guards the list of pending units; G, the right to commit, makes a thread the leader and is handed from
thread to thread. Order: G, then M or the broker lock B, never M and B together (under M, G is only ever tried), and no
thread may wait for a commit while holding B, since the leader takes B for `after`. A follower does not wait on the
clock: its wait ends as soon as the disk allows.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from reference_provider.store.anchor import Anchor
from tck.api import JMSException, ResourceAllocationException

Statement = tuple[str, Sequence[object]]

_sql_of = itemgetter(0)


class Unit(Protocol):
    """Statements that are written all or not at all, and their effect in memory once they are written."""

    @property
    def durable(self) -> bool:
        """Return whether `commit` syncs before it returns; without, the unit does not survive a power loss."""
        ...

    def statements(self) -> Sequence[Statement]:
        """Return the statements to run; called by the leader just before, may take the broker lock."""
        ...

    def after(self) -> None:
        """Make the effect visible in memory; called under the broker lock, in commit order."""
        ...


class Cleaning:
    """A unit that only changes rows, without a sync of its own."""

    durable = False

    def __init__(self, statements: Sequence[Statement], after: Callable[[], None] | None = None) -> None:
        self._statements = statements
        self._after = after

    def statements(self) -> Sequence[Statement]:
        """Return the statements."""
        return self._statements

    def after(self) -> None:
        """Call the given function."""
        if self._after is not None:
            self._after()


class _Pending:
    __slots__ = ("action", "done", "error", "gate", "unit")

    def __init__(self, unit: Unit | None, action: Callable[[], None] | None) -> None:
        self.unit = unit
        self.action = action
        self.gate: threading.Lock | None = None
        self.done = False
        self.error: BaseException | None = None


class Committer:
    """The right to write on one connection, group by group."""

    def __init__(
        self, connection: sqlite3.Connection, broker_lock: AbstractContextManager[object], checkpoint_interval: int
    ) -> None:
        self._connection = connection
        self._run_one = connection.cursor().execute  # the connection's own `execute` creates a cursor each time
        self._anchor = Anchor(connection)
        self._broker_lock = broker_lock
        self._leadership = threading.Lock()  # G
        self._pending_lock = threading.Lock()  # M: guards _pending
        self._pending: list[_Pending] = []
        self._garbage: list[Statement] = []  # guarded by B
        self._synchronous = True
        self._since_checkpoint = 0
        self._shortest_interval = self._checkpoint_interval = checkpoint_interval
        self._broken: BaseException | None = None
        self.syncs = 0
        self.commits = 0
        self._anchor.hold()

    def commit(self, unit: Unit) -> None:
        """Write `unit` and run its `after`; return when it is durable.

        Raises JMSException if it could not be written: memory and file are then unchanged.
        """
        if not self._leadership.acquire(blocking=False):
            self._submit(_Pending(unit, None))
            return
        try:  # as a leader without followers: the usual case, without a list
            self._write(unit.statements(), durable=unit.durable)
            with self._broker_lock:
                unit.after()
            if self._since_checkpoint >= self._checkpoint_interval:
                self.checkpoint()
        except Exception as error:
            raise _as_jms(error) from error
        finally:
            self._hand_on()

    def run_with_next_commit(self, statements: Sequence[Statement]) -> None:
        """Run these with the next successful commit of any unit: they delete unneeded rows. Needs B."""
        self._garbage += statements

    def run_alone(self, action: Callable[[], None]) -> None:
        """Hold G for `action`, which works on the connection outside all units (checkpoint, close)."""
        self._submit(_Pending(None, action))

    def stop(self) -> None:
        """Refuse all further units; the connection may then be closed."""
        self._anchor.let_go()
        self._broken = JMSException("the store is closed", "STORE_CLOSED")

    def _submit(self, mine: _Pending) -> None:
        with self._pending_lock:
            self._pending.append(mine)
            if not self._leadership.acquire(blocking=False):
                mine.gate = threading.Lock()
                mine.gate.acquire()
        if mine.gate is not None:
            mine.gate.acquire()
        if not mine.done:
            self._lead()
        if mine.error is not None:
            raise _as_jms(mine.error) from mine.error

    def _lead(self) -> None:
        with self._pending_lock:
            batch, self._pending = self._pending, []
        try:
            self._run([one for one in batch if one.action is None])
            for one in batch:
                if one.action is not None:
                    one.action()
        except BaseException as error:
            for one in batch:
                one.error = one.error or error
            raise
        finally:
            for one in batch:
                one.done = True
            self._hand_on()
            for one in batch:
                if one.gate is not None and one.gate.locked():
                    one.gate.release()

    def _hand_on(self) -> None:
        """Release G; if another thread waits for a commit, hand it over.

        A thread appends itself to the pending list and then tries G: either it gets G, or it is seen here.
        """
        self._leadership.release()
        while self._pending and self._leadership.acquire(blocking=False):
            with self._pending_lock:
                gate = self._pending[0].gate if self._pending else None
            if gate is not None:
                gate.release()
                return
            self._leadership.release()

    def _run(self, batch: list[_Pending]) -> None:
        units = [one.unit for one in batch if one.unit is not None]
        try:
            statements = [statement for unit in units for statement in unit.statements()]
            self._write(statements, durable=any(unit.durable for unit in units))
        except Exception as error:  # noqa: BLE001 # each unit's own error is raised to its caller
            if len(batch) == 1:
                batch[0].error = error
            else:
                for one in batch:
                    self._run([one])
            return
        with self._broker_lock:
            for unit in units:
                unit.after()
        if self._since_checkpoint >= self._checkpoint_interval:
            self.checkpoint()

    def _write(self, statements: Sequence[Statement], *, durable: bool) -> None:
        if self._broken is not None:
            raise JMSException(
                "the store has stopped after a failed write", "STORE_STOPPED", _as_exception(self._broken)
            )
        garbage: list[Statement] = []
        if self._garbage:
            with self._broker_lock:
                garbage, self._garbage = self._garbage, []
            statements = [*statements, *garbage]
        if not statements:
            return
        try:
            if durable != self._synchronous:
                self._set_synchronous(durable)
            self._execute(statements)
        except BaseException as error:
            self._stop_if_disk_failed(error)
            self._roll_back()
            with self._broker_lock:
                self._garbage += garbage
            raise
        self.commits += 1
        self.syncs += self._synchronous
        self._since_checkpoint += 1

    def _execute(self, statements: Sequence[Statement]) -> None:
        execute = self._run_one
        try:
            if len(statements) == 1:
                execute(*statements[0])
                return
            execute("begin immediate")
        except sqlite3.OperationalError as error:
            if not self._anchor.is_behind(error):
                raise
            self._anchor.hold()  # at the newest state; nothing has been written yet
            self._execute(statements)
            return
        for sql, group in groupby(statements, _sql_of):
            self._connection.executemany(sql, [parameters for _, parameters in group])
        execute("commit")

    def _stop_if_disk_failed(self, error: BaseException) -> None:
        """Refuse further work after a failed write or sync: the disk is in doubt until the file is reopened."""
        code = getattr(error, "sqlite_errorcode", 0)
        if code & 0xFF == sqlite3.SQLITE_IOERR:
            self._broken = error

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            try:
                self._connection.execute("rollback")
            except sqlite3.Error as error:
                self._broken = error

    def _set_synchronous(self, durable: bool) -> None:
        self._connection.execute(f"pragma synchronous = {'full' if durable else 'normal'}")
        self._synchronous = durable

    def checkpoint(self) -> None:
        """Move the log into the database file as far as readers allow; wait twice as long next time if one did not."""
        try:
            self._anchor.let_go()
            _busy, log, moved = self._connection.execute("pragma wal_checkpoint(passive)").fetchone()
            self._anchor.hold()
        except sqlite3.Error as error:
            self._stop_if_disk_failed(error)
            log, moved = 1, 0  # the log keeps everything; the next one tries again
        self.syncs += 2 * (log > 0)
        self._since_checkpoint = 0
        self._checkpoint_interval = self._shortest_interval if moved >= log else self._checkpoint_interval * 2


def _as_jms(error: BaseException) -> Exception:
    if isinstance(error, JMSException):
        return error
    if isinstance(error, sqlite3.OperationalError) and "full" in str(error):
        return ResourceAllocationException(
            f"no room left to store this: {error}. Free space and try again; nothing was written", "STORE_FULL", error
        )
    return JMSException(f"the store refused the work: {error}", "STORE_FAILED", _as_exception(error))


def _as_exception(error: BaseException) -> Exception:
    return error if isinstance(error, Exception) else RuntimeError(str(error))
