"""Destinations: where messages go and come from, as values that clients pass around."""

from __future__ import annotations

from abc import ABC, abstractmethod

__all__ = ["Destination", "Queue", "TemporaryQueue", "TemporaryTopic", "Topic"]


class Destination(ABC):  # noqa: B024 - empty in Java too
    """Name a queue or topic of one provider; the common type of both."""

    __slots__ = ()


class Queue(Destination):
    """Name a queue: each message goes to one consumer."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue_name(self) -> str:
        """Give the provider's own name of the queue."""

    @abstractmethod
    def __str__(self) -> str:
        """Give a readable form of the queue."""


class Topic(Destination):
    """Name a topic: each message goes to every subscription."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic_name(self) -> str:
        """Give the provider's own name of the topic."""

    @abstractmethod
    def __str__(self) -> str:
        """Give a readable form of the topic."""


class TemporaryQueue(Queue):
    """Name a queue that lives as long as the connection it was made on."""

    __slots__ = ()

    @abstractmethod
    def delete(self) -> None:
        """Remove the queue and what it holds."""


class TemporaryTopic(Topic):
    """Name a topic that lives as long as the connection it was made on."""

    __slots__ = ()

    @abstractmethod
    def delete(self) -> None:
        """Remove the topic."""
