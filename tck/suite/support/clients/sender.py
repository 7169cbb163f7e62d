"""Producers of the three interfaces under one set of names.

`set` chooses the producer's own delivery options, `send` may override them for one send: by arguments in the classic
and domain-specific interfaces, by the producer's setters in the simplified one, which has no such arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from tck import api


class Sender(ABC):
    """A MessageProducer, QueueSender, TopicPublisher or JMSProducer. All times are milliseconds."""

    def __init__(self, producer: Any) -> None:
        self.producer = producer
        self._mode: int = api.Message.DEFAULT_DELIVERY_MODE
        self._priority: int = api.Message.DEFAULT_PRIORITY
        self._ttl: int = api.Message.DEFAULT_TIME_TO_LIVE

    def set(
        self,
        *,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
        delay: int | None = None,
        disable_id: bool | None = None,
        disable_timestamp: bool | None = None,
    ) -> Sender:
        """Set the producer's own options, where given."""
        if mode is not None:
            self._mode = mode
            self._option("delivery_mode", mode)
        if priority is not None:
            self._priority = priority
            self._option("priority", priority)
        if ttl is not None:
            self._ttl = ttl
            self._option("time_to_live", ttl)
        if delay is not None:
            self._option("delivery_delay", delay)
        if disable_id is not None:
            self._option("disable_message_id", disable_id)
        if disable_timestamp is not None:
            self._option("disable_message_timestamp", disable_timestamp)
        return self

    def _option(self, name: str, value: object) -> None:
        setattr(self.producer, name, value)

    @abstractmethod
    def send(
        self,
        message: api.Message,
        *,
        to: api.Destination | None = None,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> None:
        """Send synchronously; `to` names the destination of a producer that has none of its own."""

    def _arguments(self, mode: int | None, priority: int | None, ttl: int | None) -> tuple[int, int, int] | None:
        """Return the three options of the long overload, or None where the short one is enough."""
        if mode is None and priority is None and ttl is None:
            return None
        return (
            self._mode if mode is None else mode,
            self._priority if priority is None else priority,
            self._ttl if ttl is None else ttl,
        )

    def close(self) -> None:
        """Close the producer, where the interface has that."""
        self.producer.close()


class ClassicSender(Sender):
    """A MessageProducer."""

    def send(
        self,
        message: api.Message,
        *,
        to: api.Destination | None = None,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> None:
        options: dict[str, Any] = {} if to is None else {"destination": to}
        arguments = self._arguments(mode, priority, ttl)
        if arguments is not None:
            options |= dict(zip(("delivery_mode", "priority", "time_to_live"), arguments, strict=True))
        self.producer.send(message, **options)


class DomainSender(Sender):
    """A QueueSender or a TopicPublisher, through the methods of its own domain."""

    def __init__(self, producer: Any, domain: str) -> None:
        super().__init__(producer)
        self._domain = domain

    def send(
        self,
        message: api.Message,
        *,
        to: api.Destination | None = None,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> None:
        name = "destination" if self._domain == "queue" else "topic"
        options: dict[str, Any] = {} if to is None else {name: to}
        arguments = self._arguments(mode, priority, ttl)
        if arguments is not None:
            options |= dict(zip(("delivery_mode", "priority", "time_to_live"), arguments, strict=True))
        (self.producer.send if self._domain == "queue" else self.producer.publish)(message, **options)


class SimplifiedSender(Sender):
    """A JMSProducer. The interface names a destination in each send; this class keeps one."""

    def __init__(self, producer: api.JMSProducer, destination: api.Destination | None) -> None:
        super().__init__(producer)
        self._destination = destination

    def _option(self, name: str, value: object) -> None:
        getattr(self.producer, f"set_{name}")(value)

    def send(
        self,
        message: api.Message,
        *,
        to: api.Destination | None = None,
        mode: int | None = None,
        priority: int | None = None,
        ttl: int | None = None,
    ) -> None:
        before = (self._mode, self._priority, self._ttl)
        arguments = self._arguments(mode, priority, ttl)
        if arguments is not None:
            self.set(mode=arguments[0], priority=arguments[1], ttl=arguments[2])
        self.producer.send(to if to is not None else self._destination, message)
        if arguments is not None:
            self.set(mode=before[0], priority=before[1], ttl=before[2])

    def close(self) -> None:
        """Do nothing: a JMSProducer has no close."""
