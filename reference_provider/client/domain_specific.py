"""The domain-specific API: thin subclasses that refuse the operations of the other domain."""

from __future__ import annotations

from typing import NoReturn, cast

from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceReceiver, ReferenceSubscriber
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import (
    OMITTED,
    ConnectionConsumer,
    Destination,
    IllegalStateException,
    InvalidDestinationException,
    Message,
    MessageConsumer,
    MessageProducer,
    Omitted,
    Queue,
    QueueBrowser,
    QueueConnection,
    QueueReceiver,
    QueueSender,
    QueueSession,
    ServerSessionPool,
    Session,
    TemporaryQueue,
    TemporaryTopic,
    Topic,
    TopicConnection,
    TopicPublisher,
    TopicSession,
    TopicSubscriber,
)


class ReferenceSender(ReferenceProducer, QueueSender):
    """A sender to queues."""

    __slots__ = ()

    @property
    def queue(self) -> Queue | None:
        """Return the queue of the sender, None if it was created without one."""
        return cast("Queue | None", super().destination)


class ReferencePublisher(ReferenceProducer, TopicPublisher):
    """A publisher to topics."""

    __slots__ = ()

    @property
    def topic(self) -> Topic | None:
        """Return the topic of the publisher, None if it was created without one."""
        return cast("Topic | None", super().destination)

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
        super().send(
            message, destination=topic, delivery_mode=delivery_mode, priority=priority, time_to_live=time_to_live
        )


class ReferenceQueueSession(ReferenceSession, QueueSession):
    """A session for queues only."""

    __slots__ = ()

    def create_receiver(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueReceiver:
        """Create a receiver of a queue."""
        check_domain(queue, Queue)
        made = ReferenceReceiver(self, self.open_plain(queue, message_selector, OMITTED), cast("Queue", queue))
        self.add_consumer(made)
        return made

    def create_sender(self, queue: Queue | None) -> QueueSender:
        """Create a sender for `queue`; with None each send needs a queue."""
        if queue is not None:
            check_domain(queue, Queue)
        made = ReferenceSender(self, self.checked_destination(queue))
        self.add_producer(made)
        return made

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Create a receiver, by the common method."""
        del no_local
        return self.create_receiver(cast("Queue | None", destination), message_selector)

    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Create a sender, by the common method."""
        return self.create_sender(cast("Queue | None", destination))

    def _refuse(self, call: str) -> NoReturn:
        self.check_open()
        raise IllegalStateException(f"a queue session has no {call}", "WRONG_DOMAIN")

    def create_topic(self, topic_name: str | None) -> Topic:
        """Refuse."""
        del topic_name
        self._refuse("create_topic")

    def create_temporary_topic(self) -> TemporaryTopic:
        """Refuse."""
        self._refuse("create_temporary_topic")

    def create_durable_subscriber(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Refuse."""
        del topic, name, message_selector, no_local
        self._refuse("create_durable_subscriber")

    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Refuse."""
        del topic, name, message_selector, no_local
        self._refuse("create_durable_consumer")

    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> MessageConsumer:
        """Refuse."""
        del topic, shared_subscription_name, message_selector
        self._refuse("create_shared_consumer")

    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> MessageConsumer:
        """Refuse."""
        del topic, name, message_selector
        self._refuse("create_shared_durable_consumer")

    def unsubscribe(self, name: str | None) -> None:
        """Refuse."""
        del name
        self._refuse("unsubscribe")


class ReferenceTopicSession(ReferenceSession, TopicSession):
    """A session for topics only."""

    __slots__ = ()

    def create_subscriber(
        self,
        topic: Topic | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Create a subscriber with a subscription of its own."""
        check_domain(topic, Topic)
        made = ReferenceSubscriber(self, self.open_plain(topic, message_selector, no_local), cast("Topic", topic))
        self.add_consumer(made)
        return made

    def create_publisher(self, topic: Topic | None) -> TopicPublisher:
        """Create a publisher for `topic`; with None each publish needs a topic."""
        if topic is not None:
            check_domain(topic, Topic)
        made = ReferencePublisher(self, self.checked_destination(topic))
        self.add_producer(made)
        return made

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Create a subscriber, by the common method."""
        return self.create_subscriber(cast("Topic | None", destination), message_selector, no_local)

    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Create a publisher, by the common method."""
        return self.create_publisher(cast("Topic | None", destination))

    def _refuse(self, call: str) -> NoReturn:
        self.check_open()
        raise IllegalStateException(f"a topic session has no {call}", "WRONG_DOMAIN")

    def create_queue(self, queue_name: str | None) -> Queue:
        """Refuse."""
        del queue_name
        self._refuse("create_queue")

    def create_temporary_queue(self) -> TemporaryQueue:
        """Refuse."""
        self._refuse("create_temporary_queue")

    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Refuse."""
        del queue, message_selector
        self._refuse("create_browser")


class ReferenceQueueConnection(ReferenceConnection, QueueConnection):
    """A connection for queues only."""

    __slots__ = ()

    def create_queue_session(self, transacted: bool, acknowledge_mode: int) -> QueueSession:
        """Create a session for queues."""
        self.use()
        made = ReferenceQueueSession(self, self.session_mode(transacted, acknowledge_mode))
        self.add_session(made)
        return made

    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Create a session for queues, by the common method."""
        self.use()
        return self.add_session(ReferenceQueueSession(self, self.session_mode(transacted, session_mode)))

    def create_shared_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Refuse."""
        del topic, subscription_name, message_selector, session_pool, max_messages
        self._refuse("create_shared_connection_consumer")

    def create_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Refuse."""
        del topic, subscription_name, message_selector, session_pool, max_messages
        self._refuse("create_durable_connection_consumer")

    def create_shared_durable_connection_consumer(
        self,
        topic: Topic | None,
        subscription_name: str | None,
        message_selector: str | None,
        session_pool: ServerSessionPool | None,
        max_messages: int,
    ) -> ConnectionConsumer:
        """Refuse."""
        del topic, subscription_name, message_selector, session_pool, max_messages
        self._refuse("create_shared_durable_connection_consumer")

    def _refuse(self, call: str) -> NoReturn:
        self.use()
        raise IllegalStateException(f"a queue connection has no {call}", "WRONG_DOMAIN")


class ReferenceTopicConnection(ReferenceConnection, TopicConnection):
    """A connection for topics only."""

    __slots__ = ()

    def create_topic_session(self, transacted: bool, acknowledge_mode: int) -> TopicSession:
        """Create a session for topics."""
        self.use()
        made = ReferenceTopicSession(self, self.session_mode(transacted, acknowledge_mode))
        self.add_session(made)
        return made

    def create_session(self, *, transacted: bool | Omitted = OMITTED, session_mode: int | Omitted = OMITTED) -> Session:
        """Create a session for topics, by the common method."""
        self.use()
        return self.add_session(ReferenceTopicSession(self, self.session_mode(transacted, session_mode)))


def check_domain(destination: Destination | None, domain: type[Destination]) -> None:
    """Raise InvalidDestinationException for a destination of the other domain."""
    if not isinstance(destination, domain):
        raise InvalidDestinationException(f"{destination!r} is no {domain.__name__.lower()}")
