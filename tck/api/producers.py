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
    """Send messages to one destination, or to one named with each send."""

    __slots__ = ()

    @property
    @abstractmethod
    def disable_message_id(self) -> bool:
        """Give or set the hint that message identifiers are not needed."""

    @disable_message_id.setter
    @abstractmethod
    def disable_message_id(self, disable: bool) -> None: ...

    @property
    @abstractmethod
    def disable_message_timestamp(self) -> bool:
        """Give or set the hint that timestamps are not needed."""

    @disable_message_timestamp.setter
    @abstractmethod
    def disable_message_timestamp(self, disable: bool) -> None: ...

    @property
    @abstractmethod
    def delivery_mode(self) -> int:
        """Give or set the delivery mode of sends that name none."""

    @delivery_mode.setter
    @abstractmethod
    def delivery_mode(self, delivery_mode: int) -> None: ...

    @property
    @abstractmethod
    def priority(self) -> int:
        """Give or set the priority of sends that name none, 0 to 9."""

    @priority.setter
    @abstractmethod
    def priority(self, priority: int) -> None: ...

    @property
    @abstractmethod
    def time_to_live(self) -> int:
        """Give or set the time to live of sends that name none, milliseconds; 0 means for ever."""

    @time_to_live.setter
    @abstractmethod
    def time_to_live(self, time_to_live: int) -> None: ...

    @property
    @abstractmethod
    def delivery_delay(self) -> int:
        """Give or set the delay before delivery, milliseconds."""

    @delivery_delay.setter
    @abstractmethod
    def delivery_delay(self, delivery_delay: int) -> None: ...

    @property
    @abstractmethod
    def destination(self) -> Destination | None:
        """Give the destination the producer was made for, None if it was made for none."""

    @abstractmethod
    def close(self) -> None:
        """Close the producer."""

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
        """Send `message`."""


class QueueSender(MessageProducer):
    """Send messages to queues."""

    __slots__ = ()

    @property
    @abstractmethod
    def queue(self) -> Queue | None:
        """Give the queue the sender was made for, None if it was made for none."""

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
        """Send `message`."""


class TopicPublisher(MessageProducer):
    """Publish messages to topics."""

    __slots__ = ()

    @property
    @abstractmethod
    def topic(self) -> Topic | None:
        """Give the topic the publisher was made for, None if it was made for none."""

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
        """Publish `message`."""
