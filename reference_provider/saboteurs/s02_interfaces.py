"""Faults in 2.3 to 2.12 and 2.16: domains, sets of interfaces, and what each of them can do."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
    Subscription,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connection_factories import (
    Factory,
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
)
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext, SharedConnection
from reference_provider.client.domain_specific import (
    ReferencePublisher,
    ReferenceQueueSession,
    ReferenceSender,
    ReferenceTopicSession,
)
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.session_factories import SessionFactories
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSConsumer, ReferenceJMSProducer
from reference_provider.saboteurs.faults import connection_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import (
    OMITTED,
    Destination,
    IllegalStateException,
    IllegalStateRuntimeException,
    InvalidDestinationException,
    InvalidSelectorException,
    InvalidSelectorRuntimeException,
    JMSContext,
    JMSException,
    JMSProducer,
    Message,
    MessageFormatException,
    ResourceAllocationException,
    Topic,
    UnsupportedOperationException,
)


def _refuse(patch: Patch, owner: type, name: str, why: str) -> None:
    """Have a method raise UnsupportedOperationException."""

    def refused(self: object, *arguments: object, **options: object) -> object:
        raise UnsupportedOperationException(why)

    patch.replace(owner, name, refused)


@saboteur("2.3-1", "no connection before a vendor's setter has been called on the factory")
def _(patch: Patch) -> None:
    def connect(self: Factory, *arguments: object) -> ReferenceConnection:
        raise JMSException("call set_broker_address first")

    patch.replace(Factory, "connect", connect)


@saboteur("2.4-1", "there are no connections for topics")
def _(patch: Patch) -> None:
    _refuse(patch, ReferenceTopicConnectionFactory, "create_topic_connection", "topics are not supported")


@saboteur(
    "2.5-1",
    "there are no connections for queues alone",
    collateral={"2.5-2": "its messages and destinations come from all interfaces"},
)
def _(patch: Patch) -> None:
    _refuse(patch, ReferenceQueueConnectionFactory, "create_queue_connection", "the old interfaces are not supported")


@saboteur("2.4-2", "a session with a consumer of a queue cannot publish to a topic")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        queued = any(isinstance(consumer.receiver.physical, PhysicalQueue) for consumer in self.consumers)
        if queued and isinstance(physical, PhysicalTopic) and type(self) is ReferenceSession:
            raise IllegalStateException("the session is used for queues")
        original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur("2.4-3", "createConsumer with a selector takes queues alone")
def _(patch: Patch) -> None:
    original = ReferenceSession.create_consumer

    def create_consumer(
        self: ReferenceSession, destination: Any, message_selector: Any = OMITTED, no_local: Any = OMITTED
    ) -> Any:
        if isinstance(destination, Topic) and message_selector is not OMITTED:
            raise InvalidDestinationException("a selector needs a queue")
        return original(self, destination, message_selector, no_local)

    patch.replace(ReferenceSession, "create_consumer", create_consumer)


@saboteur("2.4-4", "consumers of a topic compete for its messages")
def _(patch: Patch) -> None:
    def route(self: PhysicalTopic, entry: StoredMessage) -> list[StoredDeliveryQueue]:
        wanting: list[Subscription] = [one for one in self.subscriptions if one.wants(entry)]
        return [one.delivery_queue for one in wanting[:1]]

    patch.replace(PhysicalTopic, "route", route)


@saboteur("2.5-2", "a MessageProducer refuses messages that a JMSContext has made")
def _(patch: Patch) -> None:
    made: list[Message] = []
    creating, sending = ReferenceContext.create_text_message, ReferenceProducer.send

    def create_text_message(self: ReferenceContext, text: Any = OMITTED) -> Any:
        message = creating(self, text)
        made.append(message)
        return message

    def send(self: ReferenceProducer, message: Message, **options: Any) -> None:
        if any(message is one for one in made):
            raise MessageFormatException("the message is of another interface")
        sending(self, message, **options)

    patch.replace(ReferenceContext, "create_text_message", create_text_message)
    patch.replace(ReferenceProducer, "send", send)


@saboteur("2.6-1", "JMSContext.createStreamMessage is not supported")
def _(patch: Patch) -> None:
    _refuse(patch, ReferenceContext, "create_stream_message", "a context makes no stream messages")


@saboteur("2.6-2", "createProducer takes administered destinations alone")
def _(patch: Patch) -> None:
    made: list[Destination] = []
    for name in ("create_queue", "create_topic", "create_temporary_queue", "create_temporary_topic"):
        _note_made(patch, name, made)
    original = ReferenceSession.checked_destination

    def checked_destination(self: ReferenceSession, destination: Destination | None) -> Destination | None:
        if any(destination is one for one in made):
            raise InvalidDestinationException(f"{destination} is not administered")
        return original(self, destination)

    patch.replace(ReferenceSession, "checked_destination", checked_destination)


def _note_made(patch: Patch, name: str, made: list[Destination]) -> None:
    original = getattr(SessionFactories, name)

    def make(self: SessionFactories, *arguments: object) -> Destination:
        destination: Destination = original(self, *arguments)
        made.append(destination)
        return destination

    patch.replace(SessionFactories, name, make)


@saboteur("2.7-1", "a factory that has made a Connection makes no JMSContext")
def _(patch: Patch) -> None:
    used: list[ReferenceConnectionFactory] = []
    connecting, creating = ReferenceConnectionFactory.create_connection, ReferenceConnectionFactory.create_context

    def create_connection(self: ReferenceConnectionFactory, *arguments: Any, **options: Any) -> Any:
        used.append(self)
        return connecting(self, *arguments, **options)

    def create_context(self: ReferenceConnectionFactory, **options: Any) -> JMSContext:
        if any(self is one for one in used):
            raise IllegalStateRuntimeException("the factory makes connections")
        return creating(self, **options)

    patch.replace(ReferenceConnectionFactory, "create_connection", create_connection)
    patch.replace(ReferenceConnectionFactory, "create_context", create_context)


@saboteur("2.8-1", "JMSContext.createBrowser is not supported")
def _(patch: Patch) -> None:
    _refuse(patch, ReferenceContext, "create_browser", "a context makes no browsers")


@saboteur("2.8.1-1", "the delivery delay of a JMSProducer is ignored")
def _(patch: Patch) -> None:
    patch.replace(ReferenceJMSProducer, "set_delivery_delay", lambda self, delivery_delay: self)


@saboteur("2.8.1-2", "send(destination, byte[]) sends an empty message")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.message_for

    def message_for(self: ReferenceJMSProducer, body: object, body_type: Any) -> Message:
        return original(self, b"" if isinstance(body, bytes) else body, body_type)

    patch.replace(ReferenceJMSProducer, "message_for", message_for)


@saboteur("2.8.2-1", "a JMSProducer goes on sending to the destination of its first send")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.send
    bound: dict[ReferenceJMSProducer, Destination | None] = {}

    def send(self: ReferenceJMSProducer, destination: Destination | None, body: object, **options: Any) -> JMSProducer:
        return original(self, bound.setdefault(self, destination), body, **options)

    patch.replace(ReferenceJMSProducer, "send", send)


@saboteur("2.8.2-2", "a JMSConsumer takes a listener and never calls it")
def _(patch: Patch) -> None:
    patch.replace(ReferenceJMSConsumer, "message_listener", property(lambda self: None, lambda self, listener: None))


@saboteur("2.8.2-5", "a connection has two sessions at most")
def _(patch: Patch) -> None:
    original = ReferenceConnection.add_session

    def add_session(self: ReferenceConnection, session: ReferenceSession) -> ReferenceSession:
        if len(self.sessions) >= 2:
            raise ResourceAllocationException("the connection has two sessions already")
        return original(self, session)

    patch.replace(ReferenceConnection, "add_session", add_session)


@saboteur("2.8.2-6", "a context made from a context gets a connection of its own")
def _(patch: Patch) -> None:
    def create_context(self: ReferenceContext, session_mode: int) -> JMSContext:
        connection = ReferenceConnection(self.connection.server, self.connection.user)
        return type(self)(SharedConnection(connection), session_mode)

    patch.replace(ReferenceContext, "create_context", create_context)


@saboteur("2.8.2-7", "the tenth message of a connection's second context is lost")
def _(patch: Patch) -> None:
    original = ReferenceSession.submit
    sent: Counter[ReferenceSession] = Counter()

    def submit(self: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage) -> None:
        sent[self] += 1
        if sent[self] != 10 or connection_of(self).sessions[:1] == [self]:
            original(self, physical, entry)

    patch.replace(ReferenceSession, "submit", submit)


@saboteur("2.8.2-8", "JMSContext.createConsumer throws a checked exception for a bad selector")
def _(patch: Patch) -> None:
    original = ReferenceContext.create_consumer

    def create_consumer(self: ReferenceContext, *arguments: Any) -> Any:
        try:
            return original(self, *arguments)
        except InvalidSelectorRuntimeException as error:
            raise InvalidSelectorException(str(error)) from error

    patch.replace(ReferenceContext, "create_consumer", create_consumer)


def _third_is_lost(patch: Patch, owner: type, name: str) -> None:
    original = getattr(owner, name)
    sent: Counter[object] = Counter()

    def send(self: object, message: Message, **options: Any) -> None:
        sent[self] += 1
        if sent[self] != 3:
            original(self, message, **options)

    patch.replace(owner, name, send)


@saboteur("2.9-1", "the third message of a QueueSender is lost")
def _(patch: Patch) -> None:
    _third_is_lost(patch, ReferenceSender, "send")


@saboteur("2.9-2", "the third message of a TopicPublisher is lost")
def _(patch: Patch) -> None:
    _third_is_lost(patch, ReferencePublisher, "publish")


@saboteur("2.9-5", "publish(topic, message) publishes twice")
def _(patch: Patch) -> None:
    original = ReferencePublisher.publish

    def publish(self: ReferencePublisher, message: Message, **options: Any) -> None:
        original(self, message, **options)
        if options.get("topic", OMITTED) is not OMITTED:
            original(self, message, **options)

    patch.replace(ReferencePublisher, "publish", publish)


@saboteur("2.9-6", "QueueSession.createTemporaryQueue is illegal")
def _(patch: Patch) -> None:
    _refuse(patch, ReferenceQueueSession, "create_temporary_queue", "a queue session makes no temporary queues")


@saboteur("2.9-7", "TopicSession.unsubscribe does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceTopicSession, "unsubscribe", lambda self, name: None)


def _end_acknowledges(patch: Patch, kind: type[ReferenceSession]) -> None:
    def drop_unfinished(self: ReferenceSession) -> None:
        self.state.acknowledge_all(lambda: None)
        ReferenceSession.drop_unfinished(self)

    patch.replace(kind, "drop_unfinished", drop_unfinished)


@saboteur("2.9-8", "the close of a QueueSession acknowledges what it has received")
def _(patch: Patch) -> None:
    _end_acknowledges(patch, ReferenceQueueSession)


@saboteur("2.9-9", "the close of a TopicSession acknowledges what it has received")
def _(patch: Patch) -> None:
    _end_acknowledges(patch, ReferenceTopicSession)


@saboteur("2.10-1", "a QueueSession or TopicSession has no createConsumer")
def _(patch: Patch) -> None:
    for session in (ReferenceQueueSession, ReferenceTopicSession):
        _refuse(patch, session, "create_consumer", "use the method of the domain")


@saboteur("2.12.1-1", "a connection is started when it is created")
def _(patch: Patch) -> None:
    original = ReferenceConnection.__init__

    def init(self: ReferenceConnection, *arguments: Any) -> None:
        original(self, *arguments)
        self.running = True

    patch.replace(ReferenceConnection, "__init__", init)


@saboteur(
    "2.12.1-2",
    "start() takes effect for consumers created later",
    collateral={
        "2.12.1-1": "its consumer is created before start()",
        "2.12.1-3": "a context creates its consumer and starts then",
    },
)
def _(patch: Patch) -> None:
    original, deaf = ReferenceConsumer.__init__, set[ReferenceConsumer]()

    def init(self: ReferenceConsumer, session: ReferenceSession, *arguments: Any) -> None:
        original(self, session, *arguments)
        if not session.connection.running:
            deaf.add(self)

    taking = ReferenceConsumer.next_delivery

    def next_delivery(self: ReferenceConsumer, timeout: int | None) -> Any:
        return None if self in deaf and self.session.connection.running else taking(self, timeout)

    patch.replace(ReferenceConsumer, "__init__", init)
    patch.replace(ReferenceConsumer, "next_delivery", next_delivery)


@saboteur("2.12.1-3", "a JMSContext waits for a call of start()")
def _(patch: Patch) -> None:
    patch.replace(ReferenceContext, "_start_if_wanted", lambda self: None)


@saboteur("2.16-2", "a correlation identifier that is a message identifier is replaced by a number")
def _(patch: Patch) -> None:
    original = ReferenceProducer.prepare

    def prepare(self: ReferenceProducer, message: Message, *arguments: Any) -> Any:
        if (message.jms_correlation_id or "").startswith("ID:"):
            message.jms_correlation_id = "4711"
        return original(self, message, *arguments)

    patch.replace(ReferenceProducer, "prepare", prepare)
