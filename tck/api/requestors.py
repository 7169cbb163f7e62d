"""Requestors: send a request, wait for its reply.

In Java they are classes of the API itself, written over a session. Here they are types: a provider offers them through
`Provider.queue_requestor` and `Provider.topic_requestor`, which stand for the two constructors.
"""

from __future__ import annotations

from abc import abstractmethod

from tck.api.closing import AutoCloseable
from tck.api.messages import Message

__all__ = ["QueueRequestor", "TopicRequestor"]


class QueueRequestor(AutoCloseable):
    """Send requests to a queue and wait for their replies on a temporary queue."""

    __slots__ = ()

    @abstractmethod
    def request(self, message: Message) -> Message:
        """Send a request and wait for one reply, without a limit in time."""

    @abstractmethod
    def close(self) -> None:
        """Close the requestor and its session."""


class TopicRequestor(AutoCloseable):
    """Publish requests to a topic and wait for their replies on a temporary topic."""

    __slots__ = ()

    @abstractmethod
    def request(self, message: Message) -> Message:
        """Publish a request and wait for the first reply, without a limit in time."""

    @abstractmethod
    def close(self) -> None:
        """Close the requestor and its session."""
