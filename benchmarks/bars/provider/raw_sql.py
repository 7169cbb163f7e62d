"""The durable work of a client in raw SQL: the provider's rates are compared to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from benchmarks.bars.provider.clients import TIMEOUT, QueueClient, require_message
from benchmarks.storage.provider_files import make_file, open_file

Connect = Callable[[Path], sqlite3.Connection]


class RawSql:
    """The provider's own tables, one connection, nothing but the statements."""

    INSERT = "insert into message (id, destination, priority, expires, due, headers, body) values (?, 1, 4, 0, 0, ?, ?)"
    DELETE = "delete from message where id = ?"

    def __init__(self, file: Path, connect: Connect | None = None) -> None:
        self.headers, self.body = _stored_message(file)
        self.connection = connect(file) if connect else _connect(file)
        self.execute = self.connection.execute
        self.execute("pragma journal_mode = wal")
        self.execute("pragma synchronous = full")
        self._number = 1_000_000_000

    def pairs(self, count: int) -> None:
        """Insert and delete one by one, each with a commit."""
        execute, headers, body = self.execute, self.headers, self.body
        for number in self.numbers(count):
            execute(self.INSERT, (number, headers, body))
            execute(self.DELETE, (number,))

    def transactions(self, count: int, size: int) -> None:
        """Insert `size` rows and commit, delete them and commit."""
        many = self.connection.executemany
        for _ in range(count):
            numbers = self.numbers(size)
            self.execute("begin immediate")
            many(self.INSERT, [(number, self.headers, self.body) for number in numbers])
            self.execute("commit")
            self.execute("begin immediate")
            many(self.DELETE, [(number,) for number in numbers])
            self.execute("commit")

    def rounds(self, count: int, subscriptions: str) -> None:
        """Insert a message with its deliveries, then delete the deliveries one by one, and the message with the last."""
        execute = self.execute
        *others, last = range(1, subscriptions.count(",") + 2)
        for number in self.numbers(count):
            execute("begin immediate")
            execute(self.INSERT, (number, self.headers, self.body))
            execute(
                "insert into delivery (message, subscription) select ?, value from json_each(?)",
                (number, subscriptions),
            )
            execute("commit")
            for one in others:
                execute("delete from delivery where message = ? and subscription = ?", (number, one))
            execute("begin immediate")
            execute("delete from delivery where message = ? and subscription = ?", (number, last))
            execute(self.DELETE, (number,))
            execute("commit")

    def numbers(self, count: int) -> range:
        """Return the next row ids."""
        first, self._number = self._number, self._number + count
        return range(first, first + count)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


def raw_sql_in(folder: Path, connect: Connect | None = None) -> AbstractContextManager[RawSql]:
    """Return a context with raw SQL on a fresh file with the provider's tables in `folder`."""

    @contextmanager
    def opened() -> Iterator[RawSql]:
        file = folder / "raw.sqlite"
        raw = RawSql(file, connect)
        yield raw
        raw.close()

    return opened()


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, isolation_level=None, check_same_thread=False)


def _stored_message(file: Path) -> tuple[str, bytes]:
    """Make a file with the provider's tables; return the row that it writes for the standard message."""
    make_file(file)
    with open_file(file) as provider:
        client = QueueClient(provider)
        client.producer.send(client.message)
        headers, body = provider.store.read_one("select headers, body from message")
        require_message(client.consumer.receive(TIMEOUT))
    return headers, body
