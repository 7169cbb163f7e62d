"""The factory methods of a session that change nothing else: messages and destination objects.

It also holds `SessionConnection`: the interface that a session and its parts need from the connection.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from reference_provider.messages import Kind, create
from tck.api import (
    OMITTED,
    BytesMessage,
    InvalidDestinationException,
    MapMessage,
    Message,
    ObjectMessage,
    Omitted,
    Queue,
    Session,
    StreamMessage,
    TemporaryQueue,
    TemporaryTopic,
    TextMessage,
    Topic,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference_provider.broker.broker import Broker
    from reference_provider.client.consumer_factory import ConsumerFactory
    from reference_provider.client.temporary_destinations import TemporaryDestinations
    from reference_provider.messages import MessageModel, PropertyValue


class SessionConnection(Protocol):
    """The interface that a session and its parts need from the connection; see `ReferenceConnection`."""

    broker: Broker
    model: MessageModel
    identity: str
    send_properties: Mapping[str, PropertyValue]
    temporaries: TemporaryDestinations
    consumer_factory: ConsumerFactory
    running: bool
    usable: bool
    used: bool

    def check_link(self) -> None:
        """Raise JMSException if the link is broken."""

    def use(self) -> None:
        """Check that the connection can be used, and note that it is."""

    def is_down(self) -> bool:
        """Return whether nothing can pass over the connection any more."""
        ...

    def check_commit_allowed(self) -> None:
        """Raise JMSException if an administrator has ordered that this commit fails."""

    def forget(self, session: Session) -> None:
        """Drop a session that is closed."""


class SessionFactories(Session):
    """The part of a session that creates messages and destinations."""

    __slots__ = ()

    model: MessageModel
    connection: SessionConnection

    @abstractmethod
    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session."""

    # --- messages ---------------------------------------------------------------------------------------------

    def _create(self, kind: Kind) -> Message:
        self.check_open()
        return create(kind, self.model)

    def create_message(self) -> Message:
        """Create a message without a body."""
        return self._create("message")

    def create_text_message(self, text: str | Omitted | None = OMITTED) -> TextMessage:
        """Create a text message, empty or with `text` as its body."""
        message = self._create("text")
        assert isinstance(message, TextMessage)  # noqa: S101 # what the kind means
        if text is not OMITTED:
            message.text = text
        return message

    def create_bytes_message(self) -> BytesMessage:
        """Create an empty bytes message."""
        message = self._create("bytes")
        assert isinstance(message, BytesMessage)  # noqa: S101 # what the kind means
        return message

    def create_map_message(self) -> MapMessage:
        """Create an empty map message."""
        message = self._create("map")
        assert isinstance(message, MapMessage)  # noqa: S101 # what the kind means
        return message

    def create_stream_message(self) -> StreamMessage:
        """Create an empty stream message."""
        message = self._create("stream")
        assert isinstance(message, StreamMessage)  # noqa: S101 # what the kind means
        return message

    def create_object_message(self, value: object = OMITTED) -> ObjectMessage:
        """Create an object message, empty or with `value` as its body."""
        message = self._create("object")
        assert isinstance(message, ObjectMessage)  # noqa: S101 # what the kind means
        if value is not OMITTED:
            message.object = value
        return message

    # --- destinations -----------------------------------------------------------------------------------------

    def create_queue(self, queue_name: str | None) -> Queue:
        """Create the object that names a queue; InvalidDestinationException for null or an empty name."""
        self.check_open()
        return ReferenceQueue(_checked_name(queue_name))

    def create_topic(self, topic_name: str | None) -> Topic:
        """Create the object that names a topic; InvalidDestinationException for null or an empty name."""
        self.check_open()
        return ReferenceTopic(_checked_name(topic_name))

    def create_temporary_queue(self) -> TemporaryQueue:
        """Create a queue that lives as long as the connection."""
        self.check_open()
        return self.connection.temporaries.create_queue()

    def create_temporary_topic(self) -> TemporaryTopic:
        """Create a topic that lives as long as the connection."""
        self.check_open()
        return self.connection.temporaries.create_topic()


def _checked_name(name: str | None) -> str:
    if not name:
        raise InvalidDestinationException(f"a destination needs a name, not {name!r}")
    return name
