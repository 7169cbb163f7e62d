"""A disk that is watched: an SQLite file system on apsw that logs each write, truncation, sync and deletion.

`crash_points` replays a log and says what a disk could hold if the power failed there. Creating and deleting
files counts as durable at once: syncs of directories are not modelled.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw

SECTOR = 512

FileContents = dict[str, bytearray]


class Write(NamedTuple):
    """Bytes were written to a file."""

    file: str
    offset: int
    data: bytes


class Truncate(NamedTuple):
    """A file was cut or extended to a size."""

    file: str
    size: int


class Sync(NamedTuple):
    """All that was written to a file before is durable now; `failed`: the disk reported an error and forgot it."""

    file: str
    failed: bool = False


class Delete(NamedTuple):
    """A file was deleted."""

    file: str


class Told(NamedTuple):
    """Not of the disk: something the test wants to find again at its place in the log."""

    fact: Any


LogEntry = Write | Truncate | Sync | Delete | Told


@dataclass(slots=True)
class DiskLog:
    """What happened to the files of one database, by their names without folder; `initial` is durable from the start."""

    initial: dict[str, bytes] = field(default_factory=dict)
    entries: list[LogEntry] = field(default_factory=list)

    def tell(self, fact: object) -> None:
        """Note something at this place of the log."""
        self.entries.append(Told(fact))

    @property
    def syncs(self) -> int:
        """How many syncs there were."""
        return sum(isinstance(entry, Sync) for entry in self.entries)


@dataclass(slots=True)
class Wishes:
    """What a watched disk is to do beside passing all through.

    Attributes:
        keep: log what is written; without it only `syncs` is counted.
        delay: seconds each sync takes longer.
        fail_sync: asked before each sync; true makes it fail.
    """

    keep: bool = True
    delay: float = 0.0
    fail_sync: Callable[[], bool] = lambda: False
    syncs: int = 0


class _File(apsw.VFSFile):
    def __init__(self, base: str, filename: Any, flags: Any, log: DiskLog, wishes: Wishes) -> None:  # noqa: ANN401 - apsw's own types
        super().__init__(base, filename, flags)
        self._name = Path(filename.filename() if isinstance(filename, apsw.URIFilename) else filename).name
        self._log = log
        self._wishes = wishes

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        super().xWrite(data, offset)
        if self._wishes.keep:
            self._log.entries.append(Write(self._name, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        super().xTruncate(size)
        if self._wishes.keep:
            self._log.entries.append(Truncate(self._name, size))

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        wishes = self._wishes
        wishes.syncs += 1
        if wishes.delay:
            time.sleep(wishes.delay)
        failed = wishes.fail_sync()
        if not failed:
            super().xSync(flags)
        if wishes.keep:
            self._log.entries.append(Sync(self._name, failed))
        if failed:
            raise apsw.IOError("the disk failed as the test wished")


class WatchedDisk(apsw.VFS):
    """A file system for connections; close all of them before dropping it."""

    def __init__(self, name: str, wishes: Wishes | None = None) -> None:
        self.name = name
        self.log = DiskLog()
        self.wishes = wishes or Wishes()
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: Any) -> _File:  # noqa: ANN401, N802 - apsw's own types, SQLite's name
        """Open a file."""
        return _File("", name, flags, self.log, self.wishes)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        """Delete a file."""
        super().xDelete(name, syncdir)
        if self.wishes.keep:
            self.log.entries.append(Delete(Path(name).name))

    def connect(self, path: Path, synchronous: str = "full") -> sqlite3.Connection:
        """Open a database on this disk; where the store asks for commits that are synced it gets `synchronous`."""
        for file in path.parent.iterdir():
            if self.wishes.keep and file.name.startswith(path.name) and not file.name.endswith((".lock", "-shm")):
                self.log.initial.setdefault(file.name, file.read_bytes())
        return cast("sqlite3.Connection", DiskConnection(apsw.Connection(str(path), vfs=self.name), synchronous))


class DiskConnection:
    """A connection of apsw with as much of `sqlite3.Connection` as the store needs, its errors included."""

    def __init__(self, connection: apsw.Connection, synchronous: str) -> None:
        self._connection = connection
        self._synchronous = synchronous

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> apsw.Cursor:
        """Execute a statement."""
        if sql == "pragma synchronous = full":
            sql = f"pragma synchronous = {self._synchronous}"
        with _known_errors():
            return self._connection.execute(sql, parameters)

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> apsw.Cursor:
        """Execute a statement with several parameters, one after the other."""
        with _known_errors():
            return self._connection.executemany(sql, parameters)

    def cursor(self) -> DiskConnection:
        """Give what executes statements one after the other: of a cursor the store needs no more."""
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


@dataclass(slots=True)
class _Disk:
    """The disk at one point of a log: what is durable, what the system would show, and what is on its way."""

    durable: FileContents
    shown: FileContents
    pending: dict[str, list[Write | Truncate]] = field(default_factory=dict)

    def apply(self, entry: LogEntry) -> None:
        match entry:
            case Write(file) | Truncate(file):
                apply(self.shown, entry)
                self.pending.setdefault(file, []).append(entry)
            case Sync(file, failed):
                waiting = self.pending.pop(file, [])
                if not failed:
                    for one in waiting:
                        apply(self.durable, one)
            case Delete(file):
                for side in (self.durable, self.shown):
                    side.pop(file, None)
                self.pending.pop(file, None)

    def torn(self, choice: random.Random) -> FileContents:
        """Give what is durable and, by chance, parts of what is on its way, sector by sector."""
        files = {name: bytearray(content) for name, content in self.durable.items()}
        for waiting in self.pending.values():
            for entry in waiting:
                for part in _sectors(entry):
                    if choice.random() < 0.5:
                        apply(files, part)
        return files


class CrashPoint(NamedTuple):
    """A place in a log where the power may fail: before entry `place`."""

    place: int
    dropped: FileContents
    kept: FileContents
    torn: FileContents


def crash_points(log: DiskLog, stride: int, seed: int) -> Iterator[CrashPoint]:
    """Yield each `stride`-th place at which something happens to the disk, and the end, with three ways the disk may look.

    Of what was not synced all is dropped, all is kept, or a random half of the sectors is. The contents are only valid until
    the next point is asked for.
    """
    initial = {name: bytearray(content) for name, content in log.initial.items()}
    disk = _Disk(initial, {name: bytearray(content) for name, content in initial.items()})
    count = 0
    for place, entry in enumerate([*log.entries, None]):
        if isinstance(entry, Told):
            continue
        if entry is None or count % stride == 0:
            choice = random.Random(f"{seed} {place}")
            yield CrashPoint(place, disk.durable, disk.shown, disk.torn(choice))
        count += 1
        if entry is not None:
            disk.apply(entry)


def apply(files: FileContents, entry: Write | Truncate) -> None:
    """Apply one entry to contents."""
    content = files.setdefault(entry.file, bytearray())
    if isinstance(entry, Truncate):
        del content[entry.size :]
        content.extend(bytes(max(0, entry.size - len(content))))
        return
    if len(content) < entry.offset:
        content.extend(bytes(entry.offset - len(content)))
    content[entry.offset : entry.offset + len(entry.data)] = entry.data


def _sectors(entry: Write | Truncate) -> Sequence[Write | Truncate]:
    if isinstance(entry, Truncate):
        return [entry]
    return [
        Write(entry.file, entry.offset + start, entry.data[start : start + SECTOR])
        for start in range(0, len(entry.data), SECTOR)
    ]
