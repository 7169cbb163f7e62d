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
    """Receive messages from one destination, by `receive` or by a listener (8.1-3).

    Every method but `close` raises IllegalStateException once the consumer is closed. Two threads must not wait in it
    at once (6.2.5-4).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def message_selector(self) -> str | None:
        """Give the message selector (8.1-6), None if there is none, also where an empty one was given (8.1-7, 8.1-8)."""

    @property
    @abstractmethod
    def message_listener(self) -> MessageListener | None:
        """Give or set the listener that takes the messages, None for none (8.7-15, 8.7-16)."""

    @message_listener.setter
    @abstractmethod
    def message_listener(self, listener: MessageListener | None) -> None: ...

    @abstractmethod
    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message (8.5-1), waiting up to `timeout` milliseconds (8.5-2).

        Without a timeout or with 0 for ever (8.5-4, 8.5-6). Returns None when the time is over (8.5-5) or the consumer
        is closed meanwhile (8.8-6).
        """

    @abstractmethod
    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there at once (8.5-3), else None (8.5-7)."""

    @abstractmethod
    def close(self) -> None:
        """Close the consumer: a waiting receive returns None, a running listener is waited for (8.8-5 to 8.8-7).

        Closing again has no effect.
        """


class QueueReceiver(MessageConsumer):
    """Receive messages from a queue (8.2-3)."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue(self) -> Queue:
        """Give the queue (8.2-6)."""


class TopicSubscriber(MessageConsumer):
    """Receive messages from a subscription to a topic (8.3.1-3)."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic(self) -> Topic:
        """Give the topic (8.3.1-17)."""

    @property
    @abstractmethod
    def no_local(self) -> bool:
        """Tell whether messages sent over the subscriber's own connection are left out (8.3.1-18)."""


class QueueBrowser(AutoCloseable):
    """Look at the messages on a queue without taking them (4.1.6-1)."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue(self) -> Queue:
        """Give the queue (4.1.6-9)."""

    @property
    @abstractmethod
    def message_selector(self) -> str | None:
        """Give the message selector (4.1.6-9), None if there is none."""

    @abstractmethod
    def get_enumeration(self) -> Iterator[Message]:
        """Give a fresh iterator over the messages there are now (4.1.6-10), in the order a consumer would get them
        (4.1.6-6).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the browser. Closing again has no effect."""
