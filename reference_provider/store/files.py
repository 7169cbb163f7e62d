"""Opening the file: exclusive lock, connection settings, and a clear error for each kind of unfit file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from reference_provider.store.schema import SCHEMA_VERSION, migrate, strange_tables
from tck.api import JMSException

_PAGES_UNLIMITED = 0


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection for use by any thread that begins no transactions by itself."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How a file is opened.

    Attributes:
        max_pages: the largest size of the file in database pages, like a full disk; 0 for no limit.
        checkpoint_interval: the number of commits between two checkpoints of the log.
        connect: opens connections; the store uses their `execute`, `executemany`, `cursor`, `in_transaction` and
            `close`. Tests of power loss pass a connection to a disk that forgets.
    """

    max_pages: int = _PAGES_UNLIMITED
    checkpoint_interval: int = 400
    connect: Callable[[Path], sqlite3.Connection] = connect


class FileLock:
    """The exclusive right to a file: an advisory lock on `FILE.lock`, released by the system on exit."""

    __slots__ = ("_handle", "path")

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + ".lock")
        self._handle: IO[bytes] | None = None

    def acquire(self) -> None:
        """Take the lock; JMSException if another provider has the file."""
        try:
            handle = self.path.open("ab")
        except OSError as error:
            raise JMSException(f"cannot open {self.path}: {error.strerror}", "FILE_NOT_OPENED", error) from error
        try:
            _lock_exclusively(handle)
        except OSError as error:
            handle.close()
            raise JMSException(
                f"another provider has this file open (its lock file is {self.path}): stop it, or use another file",
                "FILE_IN_USE",
                error,
            ) from error
        self._handle = handle

    def release(self) -> None:
        """Release the lock; no effect if it is not held."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


def _lock_exclusively(handle: IO[bytes]) -> None:
    if os.name == "nt":  # pragma: no cover
        import msvcrt  # noqa: PLC0415 # exists on Windows only

        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl  # noqa: PLC0415 # exists on POSIX only

        fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_writer(path: Path, options: StoreOptions) -> sqlite3.Connection:
    """Open the only writing connection, with the tables in place and every commit synced.

    Raises JMSException for a file that is not a database, is damaged, or has a newer schema.
    """
    try:
        connection = options.connect(path)
    except sqlite3.Error as error:
        raise JMSException(f"cannot open {path}: {error}", "FILE_NOT_OPENED", error) from error
    try:
        check_schema(connection, path)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma wal_autocheckpoint = 0")
        connection.execute("pragma synchronous = off")  # the tables of a new file: synced with the first commit below
        migrate(connection)
        connection.execute("pragma synchronous = full")
        connection.execute("pragma fullfsync = on")
        if options.max_pages:
            connection.execute(f"pragma max_page_count = {options.max_pages}")
    except sqlite3.Error as error:
        connection.close()
        raise damaged(path, error) from error
    except JMSException:
        connection.close()
        raise
    return connection


def open_reader(path: Path, connect: Callable[[Path], sqlite3.Connection]) -> sqlite3.Connection:
    """Open a connection that can only read."""
    connection = connect(path)
    connection.execute("pragma query_only = on")
    connection.execute("pragma wal_autocheckpoint = 0")
    return connection


def damaged(path: Path, error: Exception) -> JMSException:
    """Return the exception for a file that cannot be read."""
    return JMSException(f"{path} is no intact database of this provider: {error}", "FILE_DAMAGED", error)


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise JMSException for a file written by a newer provider or another program; the file is not changed."""
    (version,) = connection.execute("pragma user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise JMSException(
            f"{path} has schema version {version}, this provider knows versions up to {SCHEMA_VERSION}: "
            "open it with the newer provider",
            "FILE_TOO_NEW",
        )
    strange = strange_tables(connection) if version < SCHEMA_VERSION else ()
    if strange:
        raise JMSException(
            f"{path} is the database of something else: it has the tables {', '.join(strange)}. Use another file",
            "FILE_FOREIGN",
        )
