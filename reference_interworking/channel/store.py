"""The file of a factory of channels: what a kill of the process may not take, as rows of one SQLite table.

A channel's rows are written in one synced transaction whenever its lock is released and they differ from those written before: so
before the call returns that promised something. Rows are those of `snapshot`; keys and states are JSON, events CDR. One process at
a time has the file. Imports `tck.interworking` only.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from tck.interworking import PROPERTY_SEQ, Any_, Kind, Property, StructuredEvent, TypeCode, decode, encode, struct_of
from tck.interworking.events import EventHeader, EventType, FixedEventHeader
from tck.interworking.qos import ChannelError

SCHEMA_VERSION: Final = 1
_APPLICATION: Final = 0x69776368
_TABLE: Final = """create table if not exists part (
    channel integer, key text, state text not null, event blob, primary key (channel, key)) strict, without rowid"""
_TEXT: Final = TypeCode(Kind.STRING)
_EVENT: Final = struct_of(
    "Event", domain=_TEXT, type=_TEXT, name=_TEXT, header=PROPERTY_SEQ, data=PROPERTY_SEQ, body=TypeCode(Kind.ANY)
)

Key: TypeAlias = tuple[Any, ...]
Row: TypeAlias = tuple[Any, StructuredEvent | None]
Rows: TypeAlias = dict[Key, Row]


class StoreError(ChannelError):
    """A file cannot be used or written, or it cannot keep an event."""


def check(event: StructuredEvent) -> None:
    """Raise StoreError for an event that could not be read again."""
    try:
        decode(_octets(event))
    except ValueError as error:
        raise StoreError(
            f"{event.header.fixed_header} cannot be kept in a file, change its contents: {error}"
        ) from error


def _octets(event: StructuredEvent) -> bytes:
    fixed, type_ = event.header.fixed_header, event.header.fixed_header.event_type
    both = (event.header.variable_header, event.filterable_data)
    items = (tuple((each.name, each.value) for each in part) for part in both)
    return encode(Any_(_EVENT, (type_.domain_name, type_.type_name, fixed.event_name, *items, event.remainder_of_body)))


def _event(octets: bytes) -> StructuredEvent:
    value: Any = decode(octets).value
    domain, type_, name, *both, body = value
    header, data = (tuple(Property(*each) for each in part) for part in both)
    return StructuredEvent(EventHeader(FixedEventHeader(EventType(domain, type_), name), header), data, body)


class KeepingLock:
    """A lock that calls `keep` before each release; its error goes to the caller, once the lock is released."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.keep: Callable[[], None] = lambda: None

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        try:
            self.keep()
        finally:
            self._lock.release()


class Store:
    """An open file; made if there is none, or an empty one.

    Raises:
        StoreError: It is no file of channels, it is of a newer version, or another factory has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()  # guards the two below; taken behind a channel lock
        self._written: dict[int, Mapping[Key, Row | None]] = {}
        try:
            self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreError(f"cannot open {path}, name a file in a folder that can be written: {error}") from error
        try:
            self._claim()
        except (sqlite3.Error, StoreError) as error:
            self._connection.close()
            busy = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            fault = "another factory uses it; close that one, or" if busy else f"{error};"
            raise StoreError(f"{path} cannot keep channels: {fault} name another file") from error

    def _claim(self) -> None:
        """Take the file for this process, see whether it is ours, and make the table."""
        run = self._connection.execute
        run("pragma locking_mode = exclusive")
        run("begin exclusive")
        (application,), (version,) = run("pragma application_id").fetchone(), run("pragma user_version").fetchone()
        (tables,) = run("select count(*) from sqlite_master").fetchone()
        if application != _APPLICATION and (application or version or tables):
            raise StoreError("it is the database of another program")
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"it has version {version}, and {SCHEMA_VERSION} is known here: open it with the newer kit"
            )
        run(_TABLE)
        run(f"pragma application_id = {_APPLICATION}")
        run(f"pragma user_version = {SCHEMA_VERSION}")
        run("commit")
        run("pragma journal_mode = wal")
        run("pragma synchronous = full")

    def read(self) -> dict[int, Rows]:
        """Return the rows of each channel, those of the factory under 0; a key comes behind those that it begins with."""
        found = defaultdict[int, Rows](dict)
        try:
            for channel, key, state, octets in self._connection.execute("select * from part"):
                event = None if octets is None else _event(octets)
                found[channel][tuple(json.loads(key))] = json.loads(state), event
        except (sqlite3.Error, ValueError) as error:
            self._connection.close()
            raise StoreError(f"{self._path} is damaged, restore it or name another file: {error}") from error
        self._written = {channel: dict.fromkeys(rows) for channel, rows in found.items()}
        return {channel: dict(sorted(rows.items())) for channel, rows in found.items()}

    def write(self, channel: int, rows: Rows) -> None:
        """Let the file hold these rows of a channel and no others; StoreError if it cannot be written."""
        with self._lock:
            before = self._written.get(channel, {})
            gone = [(channel, json.dumps(key)) for key in before.keys() - rows.keys()]
            fresh = [
                (channel, json.dumps(key), json.dumps(row[0]), None if row[1] is None else _octets(row[1]))
                for key, row in rows.items()
                if before.get(key) != row
            ]
            if not fresh and not gone:
                return
            try:
                with self._connection:
                    self._connection.execute("begin")
                    self._connection.executemany("delete from part where channel = ? and key = ?", gone)
                    self._connection.executemany("insert or replace into part values (?, ?, ?, ?)", fresh)
            except sqlite3.Error as error:
                raise StoreError(f"{self._path} cannot be written: {error}") from error
            self._written[channel] = rows

    def close(self) -> None:
        """Give the file up, with all that was written."""
        with self._lock:
            self._connection.close()
