"""`ReferenceContext`: a connection and a session in one object; several contexts may share the connection."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSConsumer, ReferenceJMSProducer, unchecked
from tck.api import (
    OMITTED,
    BytesMessage,
    ConnectionMetaData,
    Destination,
    ExceptionListener,
    IllegalStateException,
    JMSConsumer,
    JMSContext,
    JMSProducer,
    MapMessage,
    Message,
    MessageConsumer,
    ObjectMessage,
    Omitted,
    Queue,
    QueueBrowser,
    StreamMessage,
    TemporaryQueue,
    TemporaryTopic,
    TextMessage,
    Topic,
)

if TYPE_CHECKING:
    from reference_provider.client.connections import ReferenceConnection


class SharedConnection:
    """A connection and how many open contexts use it; the last one closes it."""

    __slots__ = ("_lock", "_users", "connection")

    def __init__(self, connection: ReferenceConnection) -> None:
        self.connection = connection
        self._users = 0
        self._lock = threading.Lock()  # guards the count; no other lock is taken under it

    def join(self) -> None:
        """Count one more context."""
        with self._lock:
            self._users += 1

    def leave(self) -> bool:
        """Count one context fewer; return whether it was the last."""
        with self._lock:
            self._users -= 1
            return self._users == 0


class ReferenceContext(JMSContext):
    """A context of the reference provider."""

    __slots__ = ("_auto_start", "_closed", "connection", "session", "shared")

    def __init__(self, shared: SharedConnection, session_mode: int | Omitted) -> None:
        self.shared = shared
        self.connection = shared.connection
        self.session = self.make_session(session_mode)
        self._auto_start = True
        self._closed = False
        shared.join()

    @classmethod
    def on_new_connection(cls, connection: ReferenceConnection, session_mode: int | Omitted) -> Self:
        """Create the first context of a connection; the connection is closed if the mode is refused."""
        try:
            return cls(SharedConnection(connection), session_mode)
        except BaseException:
            connection.close()
            raise

    def make_session(self, session_mode: int | Omitted) -> ReferenceSession:
        """Create the session of this context; JMSException for an unknown mode."""
        connection = self.connection
        return connection.add_session(ReferenceSession(connection, connection.session_mode(OMITTED, session_mode)))

    def create_context(self, session_mode: int) -> JMSContext:
        """Create another context on the same connection."""
        with unchecked:
            self.session.check_open()
            return type(self)(self.shared, session_mode)

    def create_producer(self) -> JMSProducer:
        """Create a producer."""
        with unchecked:
            self.session.check_open()
            return ReferenceJMSProducer(self.session)

    # --- the connection ---------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        """Raise IllegalStateException on a closed context, whose connection may be open; no use of the connection."""
        if self.session.closed:
            self.connection.check_link()
            raise IllegalStateException("the context is closed", "CONTEXT_CLOSED")

    @property
    def client_id(self) -> str | None:
        """Get or set the client identifier."""
        with unchecked:
            self._check_open()
            return self.connection.client_id

    @client_id.setter
    def client_id(self, client_id: str | None) -> None:
        with unchecked:
            self._check_open()
            self.connection.client_id = client_id

    @property
    def meta_data(self) -> ConnectionMetaData:
        """Return the description of the provider."""
        with unchecked:
            self._check_open()
            return self.connection.meta_data

    @property
    def exception_listener(self) -> ExceptionListener | None:
        """Get or set the listener for problems of the connection, None for none."""
        with unchecked:
            self._check_open()
            return self.connection.exception_listener

    @exception_listener.setter
    def exception_listener(self, listener: ExceptionListener | None) -> None:
        with unchecked:
            self._check_open()
            self.connection.exception_listener = listener

    def start(self) -> None:
        """Start, or start again, the delivery of messages."""
        with unchecked:
            self.session.check_open()
            self.connection.start()

    def stop(self) -> None:
        """Stop the delivery of messages; sending continues."""
        with unchecked:
            self.session.check_open()
            self.connection.stop()

    @property
    def auto_start(self) -> bool:
        """Get or set whether creating a consumer starts the connection."""
        with unchecked:
            self.session.check_open()
        return self._auto_start

    @auto_start.setter
    def auto_start(self, auto_start: bool) -> None:
        with unchecked:
            self.session.check_open()
        self._auto_start = bool(auto_start)

    def close(self) -> None:
        """Close the context; the last context on a connection closes the connection too."""
        with unchecked:
            if self._closed:
                return
            self.session.check_may_close()
            self._closed = True
            self.session.close()
            if self.shared.leave():
                self.connection.close()

    # --- messages and destinations ----------------------------------------------------------------------------

    def create_bytes_message(self) -> BytesMessage:
        """Create an empty bytes message."""
        with unchecked:
            return self.session.create_bytes_message()

    def create_map_message(self) -> MapMessage:
        """Create an empty map message."""
        with unchecked:
            return self.session.create_map_message()

    def create_message(self) -> Message:
        """Create a message without a body."""
        with unchecked:
            return self.session.create_message()

    def create_object_message(self, value: object = OMITTED) -> ObjectMessage:
        """Create an object message, empty or with `value` as its body."""
        with unchecked:
            return self.session.create_object_message(value)

    def create_stream_message(self) -> StreamMessage:
        """Create an empty stream message."""
        with unchecked:
            return self.session.create_stream_message()

    def create_text_message(self, text: str | Omitted | None = OMITTED) -> TextMessage:
        """Create a text message, empty or with `text` as its body."""
        with unchecked:
            return self.session.create_text_message(text)

    def create_queue(self, queue_name: str | None) -> Queue:
        """Create the identity of a queue."""
        with unchecked:
            return self.session.create_queue(queue_name)

    def create_topic(self, topic_name: str | None) -> Topic:
        """Create the identity of a topic."""
        with unchecked:
            return self.session.create_topic(topic_name)

    def create_temporary_queue(self) -> TemporaryQueue:
        """Create a temporary queue that lives as long as the connection."""
        with unchecked:
            return self.session.create_temporary_queue()

    def create_temporary_topic(self) -> TemporaryTopic:
        """Create a temporary topic that lives as long as the connection."""
        with unchecked:
            return self.session.create_temporary_topic()

    # --- acknowledgement and transactions ---------------------------------------------------------------------

    @property
    def transacted(self) -> bool:
        """Return whether the context is transacted."""
        with unchecked:
            return self.session.transacted

    @property
    def session_mode(self) -> int:
        """Return the session mode."""
        with unchecked:
            return self.session.acknowledge_mode

    def commit(self) -> None:
        """Commit the transaction; the next one begins."""
        with unchecked:
            self.session.commit()

    def rollback(self) -> None:
        """Roll the transaction back; the next one begins."""
        with unchecked:
            self.session.rollback()

    def recover(self) -> None:
        """Redeliver the messages that are not acknowledged, oldest first."""
        with unchecked:
            self.session.recover()

    def acknowledge(self) -> None:
        """Acknowledge all messages that the context has consumed; no effect except in CLIENT_ACKNOWLEDGE."""
        with unchecked:
            self.session.acknowledge_from_message()

    # --- consumers --------------------------------------------------------------------------------------------

    def _consumer(self, made: MessageConsumer) -> JMSConsumer:
        self._start_if_wanted()
        return ReferenceJMSConsumer(made)  # type: ignore[arg-type] # sessions create no others

    def _start_if_wanted(self) -> None:
        if self._auto_start:
            self.connection.start()

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> JMSConsumer:
        """Create a consumer of a queue, or of a topic with a subscription of its own."""
        with unchecked:
            return self._consumer(self.session.create_consumer(destination, message_selector, no_local))

    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> JMSConsumer:
        """Create a consumer on a shared non-durable subscription."""
        with unchecked:
            return self._consumer(
                self.session.create_shared_consumer(topic, shared_subscription_name, message_selector)
            )

    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> JMSConsumer:
        """Create a consumer on an unshared durable subscription."""
        with unchecked:
            return self._consumer(self.session.create_durable_consumer(topic, name, message_selector, no_local))

    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> JMSConsumer:
        """Create a consumer on a shared durable subscription."""
        with unchecked:
            return self._consumer(self.session.create_shared_durable_consumer(topic, name, message_selector))

    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Create a browser of a queue."""
        with unchecked:
            browser = self.session.create_browser(queue, message_selector)
            self._start_if_wanted()
            return browser

    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name`."""
        with unchecked:
            self.session.unsubscribe(name)
