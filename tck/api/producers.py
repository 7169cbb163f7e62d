"""Producers: what sends messages, in the classic and the domain-specific API."""

from __future__ import annotations

from abc import abstractmethod

from tck.api.closing import AutoCloseable
from tck.api.destinations import Destination, Queue, Topic
from tck.api.listeners import CompletionListener
from tck.api.messages import Message
from tck.api.values import OMITTED, Omitted

__all__ = ["MessageProducer", "QueueSender", "TopicPublisher"]


class MessageProducer(AutoCloseable):
    """Send messages to one destination, or to one named with each send (7.1-1, 7.1-2).

    Every method but `close` raises IllegalStateException once the producer is closed (7.1-14).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def disable_message_id(self) -> bool:
        """Give or set the hint that message identifiers are not needed, False at first.

        The provider may ignore it (7.4-14).
        """

    @disable_message_id.setter
    @abstractmethod
    def disable_message_id(self, disable: bool) -> None: ...

    @property
    @abstractmethod
    def disable_message_timestamp(self) -> bool:
        """Give or set the hint that timestamps are not needed, False at first; the provider may ignore it (7.4-15)."""

    @disable_message_timestamp.setter
    @abstractmethod
    def disable_message_timestamp(self, disable: bool) -> None: ...

    @property
    @abstractmethod
    def delivery_mode(self) -> int:
        """Give or set the delivery mode of sends that name none; PERSISTENT at first (7.4-1, 7.4-10).

        Raises:
            JMSException: The mode is none (7.4-13).
        """

    @delivery_mode.setter
    @abstractmethod
    def delivery_mode(self, delivery_mode: int) -> None: ...

    @property
    @abstractmethod
    def priority(self) -> int:
        """Give or set the priority of sends that name none, 0 to 9; 4 at first (7.4-2, 7.4-10).

        Raises:
            JMSException: The priority is out of range (7.4-13).
        """

    @priority.setter
    @abstractmethod
    def priority(self, priority: int) -> None: ...

    @property
    @abstractmethod
    def time_to_live(self) -> int:
        """Give or set the time to live of sends that name none, milliseconds.

        0, as at first, means for ever (7.4-3, 7.4-10).
        """

    @time_to_live.setter
    @abstractmethod
    def time_to_live(self, time_to_live: int) -> None: ...

    @property
    @abstractmethod
    def delivery_delay(self) -> int:
        """Give or set the delay before delivery of each message sent, milliseconds; 0 at first (7.4-4)."""

    @delivery_delay.setter
    @abstractmethod
    def delivery_delay(self, delivery_delay: int) -> None: ...

    @property
    @abstractmethod
    def destination(self) -> Destination | None:
        """Give the destination the producer was made for, None if it was made for none (7.1-13)."""

    @abstractmethod
    def close(self) -> None:
        """Close the producer; waits for asynchronous sends (7.3.4-1). Closing again has no effect."""

    @abstractmethod
    def send(
        self,
        message: Message,
        *,
        destination: Destination | Omitted | None = OMITTED,
        delivery_mode: int | Omitted = OMITTED,
        priority: int | Omitted = OMITTED,
        time_to_live: int | Omitted = OMITTED,
        completion_listener: CompletionListener | Omitted | None = OMITTED,
    ) -> None:
        """Send `message`; return when it is sent (7.2-4).

        Give a destination exactly when the producer was made without one (7.1-3, 7.1-4). Delivery mode, priority and
        time to live (milliseconds) come together or not at all, and hold for this message only (7.4-5 to 7.4-8). With a
        completion listener the call may return before the message is sent, and the listener hears of the outcome from
        another thread (7.3.8-5); until then the message must be left alone (7.3.9-1).

        Raises:
            TypeError: No Java overload takes these arguments together.
            UnsupportedOperationException: A destination is given and the producer has one, or neither (7.1-3, 7.1-4).
            InvalidDestinationException: The destination is null or not understood (7.1-10).
            MessageFormatException: The message is null or unusable (7.1-11).
            JMSException: The send failed (7.2-5).
            IllegalArgumentException: The completion listener is null (7.3-5).
        """


class QueueSender(MessageProducer):
    """Send messages to queues (9.2-20)."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue(self) -> Queue | None:
        """Give the queue the sender was made for, None if it was made for none (9.2-20)."""

    @abstractmethod
    def send(
        self,
        message: Message,
        *,
        destination: Destination | Omitted | None = OMITTED,
        delivery_mode: int | Omitted = OMITTED,
        priority: int | Omitted = OMITTED,
        time_to_live: int | Omitted = OMITTED,
        completion_listener: CompletionListener | Omitted | None = OMITTED,
    ) -> None:
        """Send `message` to a queue; return when it is sent (7.2-2).

        Give a destination exactly when the producer was made without one (7.1-3, 7.1-4). Delivery mode, priority and
        time to live (milliseconds) come together or not at all, and hold for this message only (7.4-5 to 7.4-8). With a
        completion listener the call may return before the message is sent (7.3-2).

        Raises:
            TypeError: No Java overload takes these arguments together.
            UnsupportedOperationException: A destination is given and the sender has one, or neither (9.2-21, 9.2-22).
            InvalidDestinationException: The destination is null or not understood (7.1-10).
            MessageFormatException: The message is null or unusable (7.1-11).
            JMSException: The send failed (7.2-5).
            IllegalArgumentException: The completion listener is null (7.3-5).
        """


class TopicPublisher(MessageProducer):
    """Publish messages to topics; `send` does the same as `publish` (9.2-23)."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic(self) -> Topic | None:
        """Give the topic the publisher was made for, None if it was made for none (9.2-20)."""

    @abstractmethod
    def publish(
        self,
        message: Message,
        *,
        topic: Topic | Omitted | None = OMITTED,
        delivery_mode: int | Omitted = OMITTED,
        priority: int | Omitted = OMITTED,
        time_to_live: int | Omitted = OMITTED,
    ) -> None:
        """Publish `message`; return when it is sent (7.2-3).

        Give a topic exactly when the producer was made without one (7.1-3, 7.1-4). Delivery mode, priority and time to
        live (milliseconds) come together or not at all, and hold for this message only (7.4-5 to 7.4-8).

        Raises:
            TypeError: No Java overload takes these arguments together.
            UnsupportedOperationException: A topic is given and the publisher has one, or neither (9.2-21, 9.2-22).
            InvalidDestinationException: The topic is null or not understood (9.2-27).
            MessageFormatException: The message is null or unusable (9.2-26).
            JMSException: The send failed (7.2-5).
        """
