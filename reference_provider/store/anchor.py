"""A read that stays open on the writing connection, so that SQLite keeps its snapshot lock from commit to commit.

Without it each commit takes and releases that lock: two system calls, a quarter of the cost of a small commit where
syncs are free. It does not block readers, nor they it. Two rules follow: no checkpoint may run while the read is open,
and after a write by another process, which should not happen, the read must be reopened.
"""

from __future__ import annotations

import sqlite3

_READ = "select 1 from sqlite_master"  # of any table, with more than one row


class Anchor:
    """The open read. Used only by the thread with the right to commit."""

    __slots__ = ("_connection", "_cursor")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._cursor: sqlite3.Cursor | None = None

    def hold(self) -> None:
        """Open the read at the newest state of the file; an open one is closed first."""
        self.let_go()
        self._cursor = self._connection.execute(_READ)

    def let_go(self) -> None:
        """Close the read; no effect if it is closed."""
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None

    def is_behind(self, error: BaseException) -> bool:
        """Return whether a write failed because another process has written since the read was opened."""
        return (
            self._cursor is not None
            and getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) == sqlite3.SQLITE_BUSY_SNAPSHOT
        )
