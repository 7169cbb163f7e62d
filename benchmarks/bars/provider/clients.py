"""Clients of the provider under measurement: one on a queue, one on a topic.

The message is always the same: a text of 200 bytes and five properties. A pair is one send and one receive with its
acknowledgement.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.storage.provider_files import open_file
from reference_provider.provider import ReferenceProvider
from tck.api import Message, MessageConsumer, Queue, Session

BODY = "x" * 200
TIMEOUT = 10_000  # ms; a message that is already there is received at once


def standard_message(session: Session) -> Message:
    """Create the message that all bars send."""
    message = session.create_text_message(BODY)
    message.set_string_property("customer", "c17")
    message.set_string_property("region", "north")
    message.set_int_property("quantity", 25)
    message.set_double_property("price", 17.5)
    message.set_boolean_property("urgent", False)
    return message


class QueueClient:
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
            require_message(receive(TIMEOUT))

    def transactions(self, count: int, size: int) -> None:
        """Send `size` messages and commit, receive them and commit."""
        for _ in range(count):
            for _ in range(size):
                self.producer.send(self.message)
            self.session.commit()
            for _ in range(size):
                require_message(self.consumer.receive(TIMEOUT))
            self.session.commit()


class TopicClient:
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
                require_message(consumer.receive(TIMEOUT))


def require_message(message: Message | None) -> Message:
    """Return the message.

    Raises:
        AssertionError: there is none.
    """
    if message is None:
        raise AssertionError("expected to receive a message that was sent, saw none")
    return message


@contextmanager
def client_in(folder: Path, mode: int = Session.AUTO_ACKNOWLEDGE) -> Iterator[QueueClient]:
    """Yield a queue client of a fresh provider in `folder`."""
    with open_file(folder / "provider.sqlite") as provider:
        yield QueueClient(provider, mode)
