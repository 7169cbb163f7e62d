"""Consumers and browsers: what receives messages or looks at them, in the classic and the domain-specific API."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from tck.api.closing import AutoCloseable
from tck.api.destinations import Queue, Topic
from tck.api.listeners import MessageListener
from tck.api.messages import Message
from tck.api.values import OMITTED, Omitted

__all__ = ["MessageConsumer", "QueueBrowser", "QueueReceiver", "TopicSubscriber"]


class MessageConsumer(AutoCloseable):
    """Receive messages from one destination."""

    __slots__ = ()

    @property
    @abstractmethod
    def message_selector(self) -> str | None:
        """Give the message selector, None if there is none."""

    @property
    @abstractmethod
    def message_listener(self) -> MessageListener | None:
        """Give or set the listener that takes the messages, None for none."""

    @message_listener.setter
    @abstractmethod
    def message_listener(self, listener: MessageListener | None) -> None: ...

    @abstractmethod
    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message, waiting up to `timeout` milliseconds for it; without one, or with 0, for ever."""

    @abstractmethod
    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there at once, else None."""

    @abstractmethod
    def close(self) -> None:
        """Close the consumer."""


class QueueReceiver(MessageConsumer):
    """Receive messages from a queue."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue(self) -> Queue:
        """Give the queue."""


class TopicSubscriber(MessageConsumer):
    """Receive messages from a topic."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic(self) -> Topic:
        """Give the topic."""

    @property
    @abstractmethod
    def no_local(self) -> bool:
        """Tell whether messages published by the subscriber's own connection are left out."""


class QueueBrowser(AutoCloseable):
    """Look at the messages on a queue without taking them."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue(self) -> Queue:
        """Give the queue."""

    @property
    @abstractmethod
    def message_selector(self) -> str | None:
        """Give the message selector, None if there is none."""

    @abstractmethod
    def get_enumeration(self) -> Iterator[Message]:
        """Give a fresh iterator over the messages, in the order a consumer would get them."""

    @abstractmethod
    def close(self) -> None:
        """Close the browser."""
