"""What benchmarks do with a provider, and the same durable work in raw SQL.

The message is always the same: a text of 200 bytes and five properties. A pair is one send and one receive with its
acknowledgement.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from benchmarks.providers import make_file, open_file
from reference_provider.provider import ReferenceProvider
from tck.api import Message, MessageConsumer, Queue, Session

BODY = "x" * 200
TIMEOUT = 10_000  # ms; a message that is there is received at once

Connect = Callable[[Path], sqlite3.Connection]
Pairs = Callable[[], None]


def standard_message(session: Session) -> Message:
    """Make the message that all benchmarks send."""
    message = session.create_text_message(BODY)
    message.set_string_property("customer", "c17")
    message.set_string_property("region", "north")
    message.set_int_property("quantity", 25)
    message.set_double_property("price", 17.5)
    message.set_boolean_property("urgent", False)
    return message


class QueueScene:
    """One session with a producer and a consumer of one queue."""

    def __init__(
        self,
        provider: ReferenceProvider,
        mode: int = Session.AUTO_ACKNOWLEDGE,
        *,
        name: str = "benchmark",
        selector: str | None = None,
    ) -> None:
        self.provider = provider
        self.connection = provider.connection_factory().create_connection()
        self.session = self.connection.create_session(session_mode=mode)
        self.queue: Queue = provider.create_queue(name)
        self.producer = self.session.create_producer(self.queue)
        self.consumer = self.session.create_consumer(self.queue, selector)
        self.message = standard_message(self.session)
        self.connection.start()

    def pairs(self, count: int) -> None:
        """Send and receive one by one."""
        send, receive, message = self.producer.send, self.consumer.receive, self.message
        for _ in range(count):
            send(message)
            got(receive(TIMEOUT))

    def transactions(self, count: int, size: int) -> None:
        """Send `size` messages and commit, receive them and commit."""
        for _ in range(count):
            for _ in range(size):
                self.producer.send(self.message)
            self.session.commit()
            for _ in range(size):
                got(self.consumer.receive(TIMEOUT))
            self.session.commit()


class TopicScene:
    """One session with a producer and consumers on some durable subscriptions of one topic."""

    def __init__(self, provider: ReferenceProvider, subscriptions: int) -> None:
        connection = provider.connection_factory().create_connection()
        connection.client_id = "benchmark"
        session = connection.create_session()
        topic = provider.create_topic("benchmark")
        self.producer = session.create_producer(topic)
        self.consumers: list[MessageConsumer] = [
            session.create_durable_consumer(topic, f"s{number}") for number in range(subscriptions)
        ]
        self.message = standard_message(session)
        connection.start()

    def rounds(self, count: int) -> None:
        """Send one message and receive it on each subscription."""
        for _ in range(count):
            self.producer.send(self.message)
            for consumer in self.consumers:
                got(consumer.receive(TIMEOUT))


def got(message: Message | None) -> Message:
    """Make sure that a message has come; AssertionError if not."""
    if message is None:
        raise AssertionError("expected a message that was sent to be received, saw none")
    return message


@contextmanager
def scene_in(folder: Path, mode: int = Session.AUTO_ACKNOWLEDGE) -> Iterator[QueueScene]:
    """Give a queue scene on a fresh provider in `folder`."""
    with open_file(folder / "provider.sqlite") as provider:
        yield QueueScene(provider, mode)


class RawSql:
    """The same durable work by hand: the provider's own tables, one connection, nothing but the statements."""

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
        """Insert a message with its deliveries, then delete one delivery after the other, the message with the last."""
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
        """Give the next row ids."""
        first, self._number = self._number, self._number + count
        return range(first, first + count)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


def raw_in(folder: Path, connect: Connect | None = None) -> AbstractContextManager[RawSql]:
    """Give raw SQL on a fresh file with the provider's tables in `folder`."""

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
    """Make a file with the provider's tables; give what it writes for the standard message."""
    make_file(file)
    with open_file(file) as provider:
        scene = QueueScene(provider)
        scene.producer.send(scene.message)
        headers, body = provider.store.read_one("select headers, body from message")
        got(scene.consumer.receive(TIMEOUT))
    return headers, body
