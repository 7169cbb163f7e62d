"""`Store`: the open file; commits units and reads rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from reference_provider.store.commit import Committer, Statement, Unit
from reference_provider.store.files import FileLock, StoreOptions, damaged, open_reader, open_writer

# message id, priority, expires, due, kind and name of the destination, headers as JSON, body
Body = tuple[int, int, int, int, str, str, str, bytes | None]

_READ_BODIES = (
    "select m.id, m.priority, m.expires, m.due, d.kind, d.name, m.headers, m.body from message m"
    " join destination d on d.id = m.destination where m.id in (select value from json_each(?)) order by m.id"
)


class Store:
    """One SQLite file, open for this provider alone.

    The committing thread holds `broker_lock` while it runs the `after` of units.

    Attributes:
        commit: writes a unit; returns when its `after` has run and it is as durable as it demands.
    """

    def __init__(self, path: Path, broker_lock: AbstractContextManager[object], options: StoreOptions) -> None:
        self.path = path = path.resolve()  # one file has one lock, under any name
        self._lock = FileLock(path)
        self._lock.acquire()
        try:
            self._writer = open_writer(path, options)
        except BaseException:
            self._lock.release()
            raise
        self._reader: sqlite3.Connection | None = None
        self._connect = options.connect
        self._committer = Committer(self._writer, broker_lock, options.checkpoint_interval)
        self.commit: Callable[[Unit], None] = self._committer.commit

    @property
    def syncs(self) -> int:
        """Return the number of disk syncs since this store was opened."""
        return self._committer.syncs

    @property
    def commits(self) -> int:
        """Return the number of groups committed since this store was opened."""
        return self._committer.commits

    def run_with_next_commit(self, statements: Sequence[Statement]) -> None:
        """Run these with the next successful commit of any unit: they delete unneeded rows. Needs B."""
        self._committer.run_with_next_commit(statements)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[tuple[object, ...]]:
        """Yield the rows of a query on the writing connection; for recovery, before anything else.

        Raises JMSException for a damaged file.
        """
        try:
            yield from self._writer.execute(sql, parameters)
        except sqlite3.Error as error:
            raise damaged(self.path, error) from error

    def read_one(self, sql: str, parameters: Sequence[object] = ()) -> tuple[object, ...] | None:
        """Return the first row of a query, None if there is none; JMSException for a damaged file."""
        return next(iter(self._read(sql, parameters)), None)

    def _read(self, sql: str, parameters: Sequence[object]) -> list[Any]:
        try:
            return self._reading().execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise damaged(self.path, error) from error

    def _reading(self) -> sqlite3.Connection:
        if self._reader is None:
            self._reader = open_reader(self.path, self._connect)
        return self._reader

    def read_bodies(self, numbers: Iterable[int]) -> list[Body]:
        """Return headers and bodies of these messages in ascending order of ids; JMSException for a damaged file."""
        return self._read(_READ_BODIES, (str(list(numbers)),))

    def close(self) -> None:
        """Move the log into the database file and close it; a later commit fails."""
        self._committer.run_alone(self._close_gracefully)

    def abandon(self) -> None:
        """Close the file as a dying process would: without a checkpoint or another write."""
        self._committer.run_alone(self._drop)

    def exclusively(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Run `action` with the writing connection while nothing else is written."""
        self._committer.run_alone(lambda: action(self._writer))

    def _close_gracefully(self) -> None:
        self._committer.checkpoint()
        self._drop()

    def _drop(self) -> None:
        self._committer.stop()
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._writer.close()
        self._lock.release()
