"""Destinations: where messages go and come from, as values that clients pass around."""

from __future__ import annotations

from abc import ABC, abstractmethod

__all__ = ["Destination", "Queue", "TemporaryQueue", "TemporaryTopic", "Topic"]


class Destination(ABC):  # noqa: B024 - empty in Java too
    """Name a queue or topic of one provider; the common type of both.

    A value that any number of threads may share (5.2-4). It names, it does not create: making one sends nothing to the
    provider.
    """

    __slots__ = ()


class Queue(Destination):
    """Name a queue: each message goes to one consumer (4.1.2-4)."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue_name(self) -> str:
        """Give the provider's own name of the queue (4.1.4-1); it need not be portable."""

    @abstractmethod
    def __str__(self) -> str:
        """Give a readable form of the queue, for people and logs."""


class Topic(Destination):
    """Name a topic: each subscription gets a copy of each message (4.2.2-3)."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic_name(self) -> str:
        """Give the provider's own name of the topic (4.2.6-1); it need not be portable."""

    @abstractmethod
    def __str__(self) -> str:
        """Give a readable form of the topic, for people and logs."""


class TemporaryQueue(Queue):
    """Name a queue that lives as long as the connection it was made on, and that only this connection may consume
    (4.1.5-4, 4.1.5-5).
    """

    __slots__ = ()

    @abstractmethod
    def delete(self) -> None:
        """Delete the queue and what it holds (4.1.5-8).

        Raises:
            JMSException: A consumer of it is still open (4.1.5-9).
        """


class TemporaryTopic(Topic):
    """Name a topic that lives as long as the connection it was made on, and that only this connection may consume
    (4.2.7-3, 4.2.7-4).
    """

    __slots__ = ()

    @abstractmethod
    def delete(self) -> None:
        """Delete the topic and its subscriptions (4.2.7-8).

        Raises:
            JMSException: A consumer of it is still open (4.2.7-9).
        """
