"""Fixtures: messages, their delivery through the stored form, destinations, a foreign implementation of every kind."""

from dataclasses import dataclass, field

import pytest

from reference_provider.messages import (
    Delivery,
    MessageModel,
    TypeRegistry,
    create,
    decode,
    encode,
    from_snapshot,
    receipt_properties,
    snapshot,
)
from tck import api


@dataclass(frozen=True)
class NamedQueue(api.Queue):
    queue_name: str = ""

    def __str__(self):
        return self.queue_name


@dataclass(frozen=True)
class NamedTopic(api.Topic):
    topic_name: str = ""

    def __str__(self):
        return self.topic_name


@dataclass(frozen=True)
class NamedTemporaryQueue(api.TemporaryQueue):
    queue_name: str = ""

    def __str__(self):
        return self.queue_name

    def delete(self):
        pass


@dataclass(frozen=True)
class NamedTemporaryTopic(api.TemporaryTopic):
    topic_name: str = ""

    def __str__(self):
        return self.topic_name

    def delete(self):
        pass


MAKERS = {
    "queue": NamedQueue,
    "topic": NamedTopic,
    "temporary-queue": NamedTemporaryQueue,
    "temporary-topic": NamedTemporaryTopic,
}


@dataclass
class TestDelivery:
    __test__ = False

    message_id: str | None = "ID:7"
    timestamp: int = 11
    destination: api.Destination | None = NamedQueue("q")
    delivery_mode: int = 1
    expiration: int = 12
    delivery_time: int = 13
    priority: int = 9
    redelivered: bool = True
    properties: dict = field(default_factory=lambda: receipt_properties(2))
    acknowledged: list = field(default_factory=list)

    def acknowledge(self):
        self.acknowledged.append(True)


@dataclass(frozen=True)
class Workshop:
    """Makes and delivers messages of one model."""

    model: MessageModel

    def create(self, kind):
        return create(kind, self.model)

    def deliver(self, message, delivery: Delivery | None = None):
        """Send a message through its stored form and give the received one."""
        stored = encode(snapshot(message, self.model), '"id":"ID:1"')
        restored, envelope = decode(*stored, lambda kind, name: MAKERS[kind](name))
        assert envelope == {"id": "ID:1"}
        assert repr(restored) == repr(snapshot(message, self.model))
        return from_snapshot(restored, delivery or TestDelivery(), self.model)


@pytest.fixture
def shop():
    return Workshop(MessageModel(TypeRegistry()))


@pytest.fixture
def make_shop():
    def make(**options):
        return Workshop(MessageModel(**options))

    return make


@pytest.fixture
def destinations():
    return MAKERS


@pytest.fixture
def delivery():
    return TestDelivery


def foreign_class(kind):
    """Make a class that implements an abstract message type and nothing else, over a message it wraps."""

    def member(name):
        if isinstance(getattr(kind, name), property):
            return property(
                lambda self: getattr(self.wrapped, name), lambda self, value: setattr(self.wrapped, name, value)
            )
        return lambda self, *arguments: getattr(self.wrapped, name)(*arguments)

    members = {name: member(name) for name in kind.__abstractmethods__}
    members["__init__"] = lambda self, wrapped: setattr(self, "wrapped", wrapped)
    return type(f"Foreign{kind.__name__}", (kind,), members)


FOREIGN = {
    "message": foreign_class(api.Message),
    "text": foreign_class(api.TextMessage),
    "bytes": foreign_class(api.BytesMessage),
    "map": foreign_class(api.MapMessage),
    "stream": foreign_class(api.StreamMessage),
    "object": foreign_class(api.ObjectMessage),
}


@pytest.fixture
def foreign():
    return lambda message: FOREIGN[message.KIND](message)
