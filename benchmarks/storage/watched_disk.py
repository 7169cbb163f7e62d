"""A watched disk: an SQLite file system on apsw that logs each write, truncation, sync and deletion."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw
import apsw.ext

_SYNCING_THE_FOLDER = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL


class Write(NamedTuple):
    """Bytes were written to a file."""

    file: str
    offset: int
    data: bytes


class Create(NamedTuple):
    """A file was created."""

    file: str


class Truncate(NamedTuple):
    """A file was cut or extended to a size."""

    file: str
    size: int


class Sync(NamedTuple):
    """All earlier writes to the file are durable now; `failed`: the disk reported an error and lost them.

    `folder`: the folder was synced too, so the existence of files is durable.
    """

    file: str
    failed: bool = False
    folder: bool = False


class Delete(NamedTuple):
    """A file was deleted; `durable`: permanently, since the folder was synced."""

    file: str
    durable: bool = True


class Note(NamedTuple):
    """Not a disk operation: a fact that the test needs at this place in the log."""

    fact: Any


LogEntry = Create | Write | Truncate | Sync | Delete | Note


@dataclass(slots=True)
class DiskLog:
    """The operations on the files of one database, by file name without folder; `initial` is durable from the start."""

    initial: dict[str, bytes] = field(default_factory=dict)
    entries: list[LogEntry] = field(default_factory=list)

    def note(self, fact: object) -> None:
        """Add a fact at this place of the log."""
        self.entries.append(Note(fact))

    @property
    def syncs(self) -> int:
        """The number of syncs."""
        return sum(isinstance(entry, Sync) for entry in self.entries)


@dataclass(slots=True)
class DiskControls:
    """Settings of a watched disk, and its count of syncs.

    Attributes:
        keep: log all operations; without it only `syncs` is counted.
        delay: delay of each sync, in seconds.
        fail_sync: called before each sync; true makes the sync fail.
    """

    keep: bool = True
    delay: float = 0.0
    fail_sync: Callable[[], bool] = lambda: False
    syncs: int = 0


class _File(apsw.VFSFile):
    def __init__(self, base: str, filename: Any, flags: Any, log: DiskLog, controls: DiskControls) -> None:  # noqa: ANN401 - apsw's own types
        path = Path(filename.filename() if isinstance(filename, apsw.URIFilename) else filename)
        is_new = not path.exists()
        super().__init__(base, filename, flags)
        self._name = path.name
        self._log = log
        self._controls = controls
        self._syncs_folder = bool(flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & _SYNCING_THE_FOLDER)
        if is_new and controls.keep:
            log.entries.append(Create(self._name))

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        super().xWrite(data, offset)
        if self._controls.keep:
            self._log.entries.append(Write(self._name, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        super().xTruncate(size)
        if self._controls.keep:
            self._log.entries.append(Truncate(self._name, size))

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        controls = self._controls
        controls.syncs += 1
        if controls.delay:
            time.sleep(controls.delay)
        failed = controls.fail_sync()
        if not failed:
            super().xSync(flags)
        if controls.keep:
            self._log.entries.append(Sync(self._name, failed, self._syncs_folder and not failed))
            self._syncs_folder = self._syncs_folder and failed
        if failed:
            raise apsw.IOError("the disk failed as the test requested")


class WatchedDisk(apsw.VFS):
    """A file system for connections; close all of them before dropping it."""

    def __init__(self, name: str, controls: DiskControls | None = None) -> None:
        self.name = name
        self.log = DiskLog()
        self.controls = controls or DiskControls()
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> _File:  # noqa: ANN401, N802 - apsw's own types, SQLite's name
        """Open a file."""
        return _File("", name, flags, self.log, self.controls)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        """Delete a file."""
        super().xDelete(name, syncdir)
        if self.controls.keep:
            self.log.entries.append(Delete(Path(name).name, syncdir))

    def connect(self, path: Path, synchronous: str = "full") -> sqlite3.Connection:
        """Open a database on this disk; `synchronous` replaces the store's own setting of synced commits."""
        for file in path.parent.iterdir():
            if self.controls.keep and file.name.startswith(path.name) and not file.name.endswith((".lock", "-shm")):
                self.log.initial.setdefault(file.name, file.read_bytes())
        return cast("sqlite3.Connection", DiskConnection(apsw.Connection(str(path), vfs=self.name), synchronous))


class DiskCursor:
    """The rows of one statement: the part of `sqlite3.Cursor` that the store and its migrations use."""

    def __init__(self, connection: apsw.Connection, sql: str, rows: apsw.Cursor) -> None:
        self._connection = connection
        self._sql = sql
        self._rows = rows
        self.fetchone = rows.fetchone
        self.fetchall = rows.fetchall
        self.close = rows.close
        self.lastrowid = connection.last_insert_rowid()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    @property
    def description(self) -> Sequence[tuple[str, ...]]:
        """The columns; apsw's own cursor forgets them when there are no rows."""
        return apsw.ext.query_info(self._connection, self._sql).description


class DiskConnection:
    """A connection of apsw with the part of `sqlite3.Connection` that the store uses, its errors included."""

    def __init__(self, connection: apsw.Connection, synchronous: str) -> None:
        self._connection = connection
        self._synchronous = synchronous

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> DiskCursor:
        """Execute a statement."""
        if sql == "pragma synchronous = full":
            sql = f"pragma synchronous = {self._synchronous}"
        with _known_errors():
            return DiskCursor(self._connection, sql, self._connection.execute(sql, parameters))

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> apsw.Cursor:
        """Execute a statement with several parameter sets."""
        with _known_errors():
            return self._connection.executemany(sql, parameters)

    def cursor(self) -> DiskConnection:
        """Return an object that executes statements; the store needs no more of a cursor."""
        return self

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._connection.in_transaction

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@contextmanager
def _known_errors() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        known = sqlite3.OperationalError(str(error))
        known.sqlite_errorcode = getattr(error, "extendedresult", 0)
        raise known from error
