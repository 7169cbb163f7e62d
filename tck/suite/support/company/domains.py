"""Desks of the domain-specific interfaces, which are the only ones before 1.1: a session of queues, and one of topics."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tck import api
from tck.suite.support.company.desks import SETTINGS


class DomainDesk:
    """A desk of the domain-specific interfaces: a session of each domain in which it is used.

    Args:
        opening: Opens the session of a domain, "queue" or "topic".
        closing: Closes them.
        transacted: Whether they are transacted.
    """

    def __init__(self, opening: Callable[[str], Any], closing: Callable[[], None], *, transacted: bool) -> None:
        self.transacted = transacted
        self._opening = opening
        self._closing = closing
        self._sessions = dict[str, Any]()

    def of(self, domain: str) -> Any:
        """Return the session of a domain."""
        if domain not in self._sessions:
            self._sessions[domain] = self._opening(domain)
        return self._sessions[domain]

    def send(self, destination: api.Destination, text: str) -> None:
        """Send a text, PERSISTENT."""
        producer = made_for(self.of(domain_of(destination)), destination)
        self.send_by(producer, destination, text)
        producer.close()

    def consumer(self, destination: api.Destination) -> Any:
        """Open a consumer."""
        session = self.of(domain_of(destination))
        make = session.create_receiver if isinstance(destination, api.Queue) else session.create_subscriber
        return make(destination)

    def durable(self, topic: api.Topic, name: str) -> Any:
        """Open a consumer of a durable subscription."""
        return self.of("topic").create_durable_subscriber(topic, name)

    def unsubscribe(self, name: str) -> None:
        """Delete a durable subscription."""
        self.of("topic").unsubscribe(name)

    def producer(self, destination: api.Destination) -> Any:
        """Open a producer with `SETTINGS`."""
        made = made_for(self.of(domain_of(destination)), destination)
        for name, value in SETTINGS.items():
            setattr(made, name, value)
        return made

    def settings(self, producer: api.MessageProducer) -> dict[str, object]:
        """Return the settings of a producer."""
        return {name: getattr(producer, name) for name in SETTINGS}

    def send_by(self, producer: Any, destination: api.Destination, text: str) -> None:
        """Send a text by a producer of `destination`."""
        send = producer.send if isinstance(destination, api.Queue) else producer.publish
        send(self.of(domain_of(destination)).create_text_message(text))

    def browse(self, queue: api.Queue) -> Iterator[Any]:
        """Open an enumeration."""
        enumeration: Iterator[Any] = self.of("queue").create_browser(queue).get_enumeration()
        return enumeration

    def commit(self) -> None:
        """Commit, if the sessions are transacted."""
        if self.transacted:
            for each in self._sessions.values():
                each.commit()

    def close(self) -> None:
        """Close what the desk has made."""
        self._closing()


def connected(
    provider: api.Provider, mode: int, *, transacted: bool = False, client_id: str | None = None
) -> DomainDesk:
    """Return the desk of connections by the domains' factories, which are opened when they are used.

    A client identifier is that of the connection for topics: queues need none, and two connections may not share one.
    """
    stack = contextlib.ExitStack()

    def opened(domain: str) -> Any:
        connection = open_connection(provider, domain)
        stack.callback(connection.close)
        if client_id is not None and domain == "topic":
            connection.client_id = client_id
        connection.start()
        return open_session(connection, mode, transacted=transacted)

    desk = DomainDesk(opened, stack.close, transacted=transacted)
    if client_id is not None:
        desk.of("topic")
    return desk


def of_domain(session: Any, closing: Callable[[], None]) -> DomainDesk:
    """Return the desk of one QueueSession or TopicSession, for the destinations of its domain."""
    return DomainDesk({domain_of(session): session}.__getitem__, closing, transacted=session.transacted)


def open_connection(provider: api.Provider, domain: str) -> Any:
    """Open a connection by the factory of a domain; it is not started."""
    if domain == "queue":
        return provider.queue_connection_factory().create_queue_connection()
    return provider.topic_connection_factory().create_topic_connection()


def open_session(connection: Any, mode: int, *, transacted: bool) -> Any:
    """Open a session of a connection, by the method that its interface has always had."""
    if isinstance(connection, api.QueueConnection):
        return connection.create_queue_session(transacted, mode)
    if isinstance(connection, api.TopicConnection):
        return connection.create_topic_session(transacted, mode)
    return connection.create_session(transacted=transacted, session_mode=mode)


def made_for(session: Any, destination: api.Destination | None) -> Any:
    """Open a producer of a QueueSession or TopicSession, for a destination or for any."""
    make = session.create_sender if domain_of(session) == "queue" else session.create_publisher
    return make(destination)


def domain_of(value: object) -> str:
    """Return the domain of a destination, connection or session of one, "queue" or "topic"."""
    return "queue" if isinstance(value, api.Queue | api.QueueConnection | api.QueueSession) else "topic"
