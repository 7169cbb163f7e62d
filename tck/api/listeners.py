"""Listeners: what a client gives to a provider to be called back."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tck.api.exceptions import JMSException
from tck.api.messages import Message

__all__ = ["CompletionListener", "ExceptionListener", "MessageListener"]


class MessageListener(ABC):
    """Receive messages as they arrive (4.1.2-2).

    One listener may serve several consumers of a session; calls come one at a time (6.2.13-2).
    """

    __slots__ = ()

    @abstractmethod
    def on_message(self, message: Message) -> None:
        """Take one message; must return normally, else section 8.7 says what becomes of the message (8.7-12)."""


class CompletionListener(ABC):
    """Learn how an asynchronous send ended.

    Exactly one of the two methods is called for each send that did not raise (7.3-6).
    """

    __slots__ = ()

    @abstractmethod
    def on_completion(self, message: Message) -> None:
        """Learn that the message was sent, as far as a synchronous send would have made sure (7.3.1-2).

        Headers are set by now (7.3.6-1).
        """

    @abstractmethod
    def on_exception(self, message: Message, exception: Exception) -> None:
        """Learn that the send failed, or that its outcome is not known (7.3-10, 7.3.2-4)."""


class ExceptionListener(ABC):
    """Learn of a serious problem with a connection that no call reported (6.1.7-1, 6.1.7-10).

    Calls come one at a time (6.1.7-7).
    """

    __slots__ = ()

    @abstractmethod
    def on_exception(self, exception: JMSException) -> None:
        """Take the report of one problem (6.1.7-2)."""
