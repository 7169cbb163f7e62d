"""Desks: a session as bystanders use it, of the classic or the simplified interface; `domains` has those of one domain.

Bystanders work on the provider's own objects, which are not recorded: the events of a case are its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from tck import api

SETTINGS: Final = {"delivery_mode": api.DeliveryMode.NON_PERSISTENT, "priority": 7, "time_to_live": 3_600_000}
"""What a bystander's producer is set to: none of it a default. An hour is longer than any case lasts, in ms."""


class Desk(Protocol):
    """A session with what a bystander needs of it."""

    transacted: bool

    def send(self, destination: api.Destination, text: str) -> None:
        """Send a text, PERSISTENT."""

    def consumer(self, destination: api.Destination) -> Any:
        """Open a consumer of a queue or topic."""

    def durable(self, topic: api.Topic, name: str) -> Any:
        """Open a consumer of a durable subscription."""

    def unsubscribe(self, name: str) -> None:
        """Delete a durable subscription."""

    def producer(self, destination: api.Destination) -> Any:
        """Open a producer with `SETTINGS`."""

    def settings(self, producer: Any) -> dict[str, object]:
        """Return the settings of such a producer."""
        ...

    def send_by(self, producer: Any, destination: api.Destination, text: str) -> None:
        """Send a text by such a producer."""

    def browse(self, queue: api.Queue) -> Iterator[Any]:
        """Open an enumeration of a queue."""
        ...

    def commit(self) -> None:
        """Commit, if the session is transacted."""

    def close(self) -> None:
        """Close the session, and its connection if the desk has made it."""


class ClassicDesk:
    """A desk of the classic interface."""

    def __init__(self, session: api.Session, closing: Callable[[], None]) -> None:
        self.session = session
        self.transacted = session.transacted
        self._closing = closing

    def send(self, destination: api.Destination, text: str) -> None:
        """Send a text, PERSISTENT."""
        producer = self.session.create_producer(destination)
        producer.send(self.session.create_text_message(text))
        producer.close()

    def consumer(self, destination: api.Destination) -> api.MessageConsumer:
        """Open a consumer."""
        return self.session.create_consumer(destination)

    def durable(self, topic: api.Topic, name: str) -> api.MessageConsumer:
        """Open a consumer of a durable subscription."""
        return self.session.create_durable_subscriber(topic, name)

    def unsubscribe(self, name: str) -> None:
        """Delete a durable subscription."""
        self.session.unsubscribe(name)

    def producer(self, destination: api.Destination) -> api.MessageProducer:
        """Open a producer with `SETTINGS`."""
        made = self.session.create_producer(destination)
        for name, value in SETTINGS.items():
            setattr(made, name, value)
        return made

    def settings(self, producer: api.MessageProducer) -> dict[str, object]:
        """Return the settings of a producer."""
        return {name: getattr(producer, name) for name in SETTINGS}

    def send_by(self, producer: api.MessageProducer, destination: api.Destination, text: str) -> None:
        """Send a text by a producer of `destination`."""
        del destination
        producer.send(self.session.create_text_message(text))

    def browse(self, queue: api.Queue) -> Iterator[Any]:
        """Open an enumeration."""
        return self.session.create_browser(queue).get_enumeration()

    def commit(self) -> None:
        """Commit, if the session is transacted."""
        if self.transacted:
            self.session.commit()

    def close(self) -> None:
        """Close what the desk has made."""
        self._closing()


class SimplifiedDesk:
    """A desk of the simplified interface."""

    def __init__(self, context: api.JMSContext, closing: Callable[[], None]) -> None:
        self.context = context
        self.transacted = context.transacted
        self._closing = closing

    def send(self, destination: api.Destination, text: str) -> None:
        """Send a text, PERSISTENT, at once and without end, also where a fresh producer is not as new."""
        producer = self.context.create_producer()
        for name in ("time_to_live", "delivery_delay"):
            if getattr(producer, f"get_{name}")():
                getattr(producer, f"set_{name}")(0)
        producer.send(destination, text)

    def consumer(self, destination: api.Destination) -> api.JMSConsumer:
        """Open a consumer."""
        return self.context.create_consumer(destination)

    def durable(self, topic: api.Topic, name: str) -> api.JMSConsumer:
        """Open a consumer of a durable subscription."""
        return self.context.create_durable_consumer(topic, name)

    def unsubscribe(self, name: str) -> None:
        """Delete a durable subscription."""
        self.context.unsubscribe(name)

    def producer(self, destination: api.Destination) -> api.JMSProducer:
        """Open a producer with `SETTINGS`."""
        del destination
        made = self.context.create_producer()
        for name, value in SETTINGS.items():
            getattr(made, f"set_{name}")(value)
        return made

    def settings(self, producer: api.JMSProducer) -> dict[str, object]:
        """Return the settings of a producer."""
        return {name: getattr(producer, f"get_{name}")() for name in SETTINGS}

    def send_by(self, producer: api.JMSProducer, destination: api.Destination, text: str) -> None:
        """Send a text by a producer."""
        producer.send(destination, text)

    def browse(self, queue: api.Queue) -> Iterator[Any]:
        """Open an enumeration."""
        return self.context.create_browser(queue).get_enumeration()

    def commit(self) -> None:
        """Commit, if the session is transacted."""
        if self.transacted:
            self.context.commit()

    def close(self) -> None:
        """Close what the desk has made."""
        self._closing()
