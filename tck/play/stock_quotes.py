"""Stock quotes on a topic: the exchange publishes five companies, each in another form of body; the person picks some."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tck import api

WAIT = 5000
"""How long the person waits for a quote, in ms."""
END = "end of quotes"


def as_stream(session: api.Session, name: str, value: float) -> api.Message:
    """Write a quote into a stream message."""
    message = session.create_stream_message()
    message.write_string(name)
    message.write_double(value)
    return message


def as_map(session: api.Session, name: str, value: float) -> api.Message:
    """Write a quote into a map message."""
    message = session.create_map_message()
    message.set_string("name", name)
    message.set_double("value", value)
    return message


def as_text(session: api.Session, name: str, value: float) -> api.Message:
    """Write a quote as a text message."""
    return session.create_text_message(f"{name} {value}")


def as_object(session: api.Session, name: str, value: float) -> api.Message:
    """Write a quote as an object message."""
    return session.create_object_message([name, value])


def as_bytes(session: api.Session, name: str, value: float) -> api.Message:
    """Write a quote as a bytes message."""
    message = session.create_bytes_message()
    message.write_utf(name)
    message.write_double(value)
    return message


COMPANIES: Mapping[str, Callable[[api.Session, str, float], api.Message]] = {
    "SUNW": as_stream,
    "MSFT": as_map,
    "IBM": as_text,
    "ORCL": as_object,
    "HWP": as_bytes,
}
"""The companies, with the form in which each is published."""


class Exchange:
    """The publisher of the quotes; the property `name` is for selectors."""

    def __init__(self, provider: api.Provider, topic: api.Topic) -> None:
        self._connection = provider.topic_connection_factory().create_topic_connection()
        self._session = self._connection.create_topic_session(False, api.Session.AUTO_ACKNOWLEDGE)
        self._publisher = self._session.create_publisher(topic)
        self._prices = dict.fromkeys(COMPANIES, 50.0)
        self._random = random.Random(1)  # noqa: S311 - prices are no secret

    def publish(self) -> None:
        """Publish a quote of each company, and the end of the quotes."""
        for name, form in COMPANIES.items():
            self._prices[name] = round(self._prices[name] + self._random.uniform(-2, 2), 2)
            self._send(form(self._session, name, self._prices[name]), name)
        self._send(self._session.create_message(), END)

    def _send(self, message: api.Message, name: str) -> None:
        message.set_string_property("name", name)
        self._publisher.publish(message)

    def close(self) -> None:
        """Close the exchange."""
        self._connection.close()


class Subscriber:
    """A person who follows some companies."""

    def __init__(self, provider: api.Provider, topic: api.Topic, companies: Iterable[str]) -> None:
        self._connection = provider.topic_connection_factory().create_topic_connection()
        session = self._connection.create_topic_session(False, api.Session.AUTO_ACKNOWLEDGE)
        names = ", ".join(f"'{name}'" for name in (*companies, END))
        self._subscriber = session.create_subscriber(topic, f"name IN ({names})", False)
        self._connection.start()

    def quotes(self) -> Iterable[str]:
        """Receive the quotes of one round."""
        while (message := self._subscriber.receive(WAIT)) is not None:
            if message.get_string_property("name") == END:
                return
            yield "{}: {} {:.2f}".format(*read(message))

    def close(self) -> None:
        """Stop following."""
        self._connection.close()


def read(message: api.Message) -> tuple[str, str, float]:
    """Return the form of a quote, the company and the value."""
    if isinstance(message, api.StreamMessage):
        return "stream", str(message.read_string()), message.read_double()
    if isinstance(message, api.MapMessage):
        return "map", str(message.get_string("name")), message.get_double("value")
    if isinstance(message, api.TextMessage):
        name, value = str(message.text).split()
        return "text", name, float(value)
    if isinstance(message, api.BytesMessage):
        return "bytes", message.read_utf(), message.read_double()
    quote: Any = message.object if isinstance(message, api.ObjectMessage) else ("nothing", 0)
    return "object", str(quote[0]), float(quote[1])


def play(
    provider: api.Provider, shape: Callable[[str], str], lines: Iterable[str], show: Callable[[str], None]
) -> None:
    """Let the person follow the companies of a line and see their next quotes, until `/quit` or the end of the lines."""
    topic = provider.create_topic(shape("StockTopic"))
    exchange = Exchange(provider, topic)
    companies = list(COMPANIES)
    show(
        f"The companies are {', '.join(companies)}. Name those to follow, or press Enter for their next quotes. /quit ends."
    )
    for line in lines:
        if line == "/quit":
            break
        companies = [name for name in line.upper().split() if name in COMPANIES] or companies
        subscriber = Subscriber(provider, topic, companies)
        exchange.publish()
        for quote in subscriber.quotes():
            show(quote)
        subscriber.close()
    exchange.close()
