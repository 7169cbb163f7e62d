"""A read that is kept open on the writing connection, so that SQLite keeps the lock of its snapshot from commit to commit.

Without it each commit takes that lock and gives it back: two system calls, a quarter of what a small commit costs where
syncs are free. Readers are not in the way of it, nor it of them. Two things have to be minded, and are here: no checkpoint
is made beside the open read, and another writer, which there should not be, leaves it behind the file's newest state.
"""

from __future__ import annotations

import sqlite3

_READ = "select 1 from sqlite_master"  # of any table, with more than one row


class Anchor:
    """The open read. Belongs to whoever has the right to commit."""

    __slots__ = ("_connection", "_cursor")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._cursor: sqlite3.Cursor | None = None

    def hold(self) -> None:
        """Open the read, at the newest state of the file; an open one is closed first."""
        self.let_go()
        self._cursor = self._connection.execute(_READ)

    def let_go(self) -> None:
        """Close the read; nothing happens if it is closed."""
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None

    def is_behind(self, error: BaseException) -> bool:
        """Whether a write has failed because somebody else has written since the read was opened."""
        return (
            self._cursor is not None
            and getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) == sqlite3.SQLITE_BUSY_SNAPSHOT
        )
