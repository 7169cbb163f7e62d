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
    """Send requests to a queue and wait for their replies on a temporary queue (4.1.7-1, 4.1.7-2).

    Made for a session that is not transacted, in AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE mode (4.1.7-3).
    """

    __slots__ = ()

    @abstractmethod
    def request(self, message: Message) -> Message:
        """Send a request, with the temporary queue to reply to (9.2-30), and wait without limit for the one reply
        (9.2-31).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the requestor: its session closes, its temporary queue is deleted (4.1.7-5)."""


class TopicRequestor(AutoCloseable):
    """Publish requests to a topic and wait for their replies on a temporary topic (9.2-32).

    Made for a session that is not transacted, in AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE mode (9.2-35).
    """

    __slots__ = ()

    @abstractmethod
    def request(self, message: Message) -> Message:
        """Publish a request, with the temporary topic to reply to (9.2-30), and wait without limit for the first reply;
        later ones are dropped (9.2-32, 9.2-33).
        """

    @abstractmethod
    def close(self) -> None:
        """Close the requestor and its session (9.2-34)."""
