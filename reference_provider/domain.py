"""The domain-specific API: thin subclasses that refuse what belongs to the other domain."""

from __future__ import annotations

from typing import NoReturn, cast

from reference_provider.connections import ReferenceConnection
from reference_provider.consumers import ReferenceConsumer
from reference_provider.producers import ReferenceProducer
from reference_provider.sessions import ReferenceSession
from tck.api import (
    OMITTED,
    Destination,
    IllegalStateException,
    JMSException,
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
    Session,
    TemporaryQueue,
    TemporaryTopic,
    Topic,
    TopicConnection,
    TopicPublisher,
    TopicSession,
    TopicSubscriber,
    UnsupportedOperationException,
)


class ReferenceReceiver(ReferenceConsumer, QueueReceiver):
    """A receiver of a queue."""

    __slots__ = ()

    @property
    def queue(self) -> Queue:
        """Give the queue."""
        self.check_open()
        return cast("Queue", self.receiver.place.destination)


class ReferenceSubscriber(ReferenceConsumer, TopicSubscriber):
    """A subscriber of a topic."""

    __slots__ = ()

    @property
    def topic(self) -> Topic:
        """Give the topic."""
        self.check_open()
        return cast("Topic", self.receiver.place.destination)

    @property
    def no_local(self) -> bool:
        """Tell whether messages of the subscriber's own connection are left out."""
        self.check_open()
        subscription = self.receiver.subscription
        return subscription is not None and subscription.no_local is not None


class ReferenceSender(ReferenceProducer, QueueSender):
    """A sender to queues."""

    __slots__ = ()

    @property
    def queue(self) -> Queue | None:
        """Give the queue the sender was made for, None if it was made for none."""
        return cast("Queue | None", self.destination)


class ReferencePublisher(ReferenceProducer, TopicPublisher):
    """A publisher to topics."""

    __slots__ = ()

    @property
    def topic(self) -> Topic | None:
        """Give the topic the publisher was made for, None if it was made for none."""
        return cast("Topic | None", self.destination)

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
        self.send(message, destination=topic, delivery_mode=delivery_mode, priority=priority, time_to_live=time_to_live)


class ReferenceQueueSession(ReferenceSession, QueueSession):
    """A session for queues only."""

    __slots__ = ()

    def create_receiver(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueReceiver:
        """Make a receiver of a queue."""
        made = ReferenceReceiver(self, self.open_receiver(queue, message_selector, OMITTED))
        self.add_consumer(made)
        return made

    def create_sender(self, queue: Queue | None) -> QueueSender:
        """Make a sender for `queue`, or with None one that needs a queue at each send."""
        made = ReferenceSender(self, self.checked_destination(queue))
        self.add_producer(made)
        return made

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a receiver, by the common method."""
        del no_local
        return self.create_receiver(cast("Queue | None", destination), message_selector)

    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Make a sender, by the common method."""
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
        """Make a subscriber with a subscription of its own."""
        made = ReferenceSubscriber(self, self.open_receiver(topic, message_selector, no_local))
        self.add_consumer(made)
        return made

    def create_publisher(self, topic: Topic | None) -> TopicPublisher:
        """Make a publisher for `topic`, or with None one that needs a topic at each publish."""
        made = ReferencePublisher(self, self.checked_destination(topic))
        self.add_producer(made)
        return made

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a subscriber, by the common method."""
        return self.create_subscriber(cast("Topic | None", destination), message_selector, no_local)

    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Make a publisher, by the common method."""
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
        """Make a session for queues."""
        made = ReferenceQueueSession(self, self.session_mode(transacted, acknowledge_mode))
        self.add_session(made)
        return made


class ReferenceTopicConnection(ReferenceConnection, TopicConnection):
    """A connection for topics only."""

    __slots__ = ()

    def create_topic_session(self, transacted: bool, acknowledge_mode: int) -> TopicSession:
        """Make a session for topics."""
        made = ReferenceTopicSession(self, self.session_mode(transacted, acknowledge_mode))
        self.add_session(made)
        return made


__all__ = [
    "JMSException",
    "ReferenceQueueConnection",
    "ReferenceTopicConnection",
    "Session",
    "UnsupportedOperationException",
]
