"""Listeners: what a client gives to a provider to be called back."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tck.api.exceptions import JMSException
from tck.api.messages import Message

__all__ = ["CompletionListener", "ExceptionListener", "MessageListener"]


class MessageListener(ABC):
    """Receive messages as they arrive."""

    __slots__ = ()

    @abstractmethod
    def on_message(self, message: Message) -> None:
        """Take one message."""


class CompletionListener(ABC):
    """Learn how an asynchronous send ended."""

    __slots__ = ()

    @abstractmethod
    def on_completion(self, message: Message) -> None:
        """Learn that the provider has taken the message as sent."""

    @abstractmethod
    def on_exception(self, message: Message, exception: Exception) -> None:
        """Learn that the send failed, or that whether it did is not known."""


class ExceptionListener(ABC):
    """Learn of a serious problem with a connection."""

    __slots__ = ()

    @abstractmethod
    def on_exception(self, exception: JMSException) -> None:
        """Take the report of one problem."""
