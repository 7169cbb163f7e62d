"""`ReferenceSession`: makes messages, producers and consumers; owes acknowledgements; commits and rolls back.

One implementation serves the classic, the domain-specific and the simplified API. A session belongs to one thread at a
time (that of the client, or its dispatcher); only `close` may come from elsewhere. What it owes is guarded by the broker
lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.acks import Delivery
from reference_provider.browsers import ReferenceBrowser
from reference_provider.clock import Waiter
from reference_provider.consumers import ReferenceConsumer
from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from reference_provider.dispatch import Dispatcher
from reference_provider.entry import Entry
from reference_provider.messages import Kind, create, from_snapshot
from reference_provider.places import OwnedStream, Place, QueuePlace, Subscription, TopicPlace
from reference_provider.producers import ReferenceProducer
from reference_provider.receiving import Desk, Receiver
from reference_provider.transactions import DeliveryMark, Work
from tck.api import (
    OMITTED,
    BytesMessage,
    Destination,
    IllegalStateException,
    InvalidDestinationException,
    JMSException,
    MapMessage,
    Message,
    MessageConsumer,
    MessageListener,
    MessageProducer,
    ObjectMessage,
    Omitted,
    Queue,
    QueueBrowser,
    Session,
    StreamMessage,
    TemporaryQueue,
    TemporaryTopic,
    TextMessage,
    Topic,
    TopicSubscriber,
    TransactionRolledBackException,
)

if TYPE_CHECKING:
    from reference_provider.connections import ReferenceConnection


class ReferenceSession(Session):
    """A session of the reference provider.

    Attributes:
        desk: where the dispatcher waits for messages of all listeners of the session.
        owed: what CLIENT_ACKNOWLEDGE has delivered and nobody acknowledged yet.
        work: the open transaction of a transacted session.
    """

    __slots__ = (
        "broker",
        "closed",
        "connection",
        "consumers",
        "desk",
        "dispatcher",
        "mode",
        "model",
        "owed",
        "producers",
        "work",
    )

    def __init__(self, connection: ReferenceConnection, mode: int) -> None:
        self.connection = connection
        self.broker = connection.broker
        self.model = connection.model
        self.mode = mode
        self.closed = False
        self.desk = Desk(self.broker)
        self.dispatcher: Dispatcher | None = None
        self.consumers: list[ReferenceConsumer] = []
        self.producers: list[ReferenceProducer] = []
        self.owed: list[Delivery] = []
        self.work = Work(self.broker)

    # --- state ------------------------------------------------------------------------------------------------

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session, JMSException on a broken connection."""
        self.connection.check_link()
        if self.closed:
            raise IllegalStateException("the session is closed", "SESSION_CLOSED")
        self.connection.check_open()

    @property
    def transacted(self) -> bool:
        """Tell whether the session is transacted."""
        self.check_open()
        return self.mode == Session.SESSION_TRANSACTED

    @property
    def acknowledge_mode(self) -> int:
        """Give the acknowledge mode; SESSION_TRANSACTED for a transacted session."""
        self.check_open()
        return self.mode

    def in_listener(self) -> bool:
        """Whether the calling thread is the session's dispatcher, running a listener."""
        return self.dispatcher is not None and self.dispatcher.is_current_thread()

    # --- messages ---------------------------------------------------------------------------------------------

    def _create(self, kind: Kind) -> Message:
        self.check_open()
        return create(kind, self.model)

    def create_message(self) -> Message:
        """Make a message without a body."""
        return self._create("message")

    def create_text_message(self, text: str | Omitted | None = OMITTED) -> TextMessage:
        """Make a text message, empty or with `text` as its body."""
        message = self._create("text")
        assert isinstance(message, TextMessage)  # noqa: S101 # what the kind means
        if text is not OMITTED:
            message.text = text
        return message

    def create_bytes_message(self) -> BytesMessage:
        """Make an empty bytes message."""
        message = self._create("bytes")
        assert isinstance(message, BytesMessage)  # noqa: S101 # what the kind means
        return message

    def create_map_message(self) -> MapMessage:
        """Make an empty map message."""
        message = self._create("map")
        assert isinstance(message, MapMessage)  # noqa: S101 # what the kind means
        return message

    def create_stream_message(self) -> StreamMessage:
        """Make an empty stream message."""
        message = self._create("stream")
        assert isinstance(message, StreamMessage)  # noqa: S101 # what the kind means
        return message

    def create_object_message(self, value: object = OMITTED) -> ObjectMessage:
        """Make an object message, empty or with `value` as its body."""
        message = self._create("object")
        assert isinstance(message, ObjectMessage)  # noqa: S101 # what the kind means
        if value is not OMITTED:
            message.object = value
        return message

    # --- destinations -----------------------------------------------------------------------------------------

    def create_queue(self, queue_name: str | None) -> Queue:
        """Make the identity of a queue; InvalidDestinationException for null or an empty name."""
        self.check_open()
        return ReferenceQueue(_checked_name(queue_name))

    def create_topic(self, topic_name: str | None) -> Topic:
        """Make the identity of a topic; InvalidDestinationException for null or an empty name."""
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

    # --- producers --------------------------------------------------------------------------------------------

    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Make a producer for `destination`, or with None one that needs a destination at each send."""
        return self.add_producer(ReferenceProducer(self, self.checked_destination(destination)))

    def checked_destination(self, destination: Destination | None) -> Destination | None:
        """Check the destination of a producer; None stays None."""
        self.check_open()
        if destination is not None:
            with self.broker.lock:
                self.broker.place(destination)
        return destination

    def add_producer(self, producer: ReferenceProducer) -> ReferenceProducer:
        """Keep a producer made on this session."""
        self.producers.append(producer)
        return producer

    def forget_producer(self, producer: ReferenceProducer) -> None:
        """Drop a producer that is closed."""
        if producer in self.producers:
            self.producers.remove(producer)

    def submit(self, place: Place, entry: Entry) -> None:
        """Send a message: with the commit in a transacted session, else now."""
        if self.mode == Session.SESSION_TRANSACTED:
            self.work.sends.append((place, entry))
        else:
            work = Work(self.broker)
            work.sends.append((place, entry))
            work.perform()

    # --- consumers --------------------------------------------------------------------------------------------

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer of a queue, or of a topic with a subscription of its own."""
        return self.add_consumer(ReferenceConsumer(self, self.open_receiver(destination, message_selector, no_local)))

    def open_receiver(
        self, destination: Destination | None, selector: str | Omitted | None, no_local: bool | Omitted
    ) -> Receiver:
        """Open the broker's side of a consumer; a topic gets a subscription that ends with it."""
        self.check_open()
        text = None if selector is OMITTED else selector
        matches = self.broker.predicate(text, self.model.version)
        with self.broker.lock:
            place = self.broker.place(destination)
            self.connection.temporaries.check_consumable(place)
            place.consumers += 1
            if isinstance(place, QueuePlace):
                return Receiver(place.stream, text, matches, Desk(self.broker))
            assert isinstance(place, TopicPlace)  # noqa: S101 # there is no third kind
            left_out = self.connection.identity if no_local is True else None
            subscription = self.broker.add_memory_subscription(place, text, matches, left_out)
            subscription.consumers += 1
            return Receiver(subscription.stream, text, None, Desk(self.broker), subscription)

    def add_consumer(self, consumer: ReferenceConsumer) -> ReferenceConsumer:
        """Keep a consumer made on this session."""
        with self.broker.lock:
            self.consumers.append(consumer)
        return consumer

    def close_subscription(self, subscription: Subscription) -> None:
        """Note that a consumer has left a subscription; one that lived for it ends. Needs B."""
        subscription.consumers -= 1
        if subscription.consumers == 0 and subscription.durable_key is None:
            self.broker.remove_subscription(subscription)

    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer on a shared non-durable subscription."""
        raise NotImplementedError

    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Make a consumer on an unshared durable subscription."""
        raise NotImplementedError

    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> MessageConsumer:
        """Make a consumer on a shared durable subscription."""
        raise NotImplementedError

    def create_durable_subscriber(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Make a consumer on an unshared durable subscription, by the older type."""
        raise NotImplementedError

    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name`."""
        raise NotImplementedError

    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Make a browser of a queue."""
        self.check_open()
        text = None if message_selector is OMITTED else message_selector
        matches = self.broker.predicate(text, self.model.version)
        with self.broker.lock:
            place = self.broker.place(queue)
        if not isinstance(place, QueuePlace) or queue is None:
            raise InvalidDestinationException(f"{queue} is no queue: only queues can be browsed")
        return ReferenceBrowser(self, queue, place, text, matches)

    # --- what the session owes --------------------------------------------------------------------------------

    def new_delivery(self, consumer: object, stream: OwnedStream, entry: Entry) -> Delivery:
        """Note that `entry` is in the hands of `consumer`; the session owes it from now on. Needs B."""
        delivery = Delivery(stream, entry, consumer, self.acknowledge_from_message, self.broker.clock.now())
        if self.mode == Session.SESSION_TRANSACTED:
            self.work.acks.append(delivery)
        elif self.mode == Session.CLIENT_ACKNOWLEDGE:
            self.owed.append(delivery)
        return delivery

    def take_back(self, delivery: Delivery) -> None:
        """Undo a hand-over that reached nobody. Needs B."""
        for owed in (self.work.acks, self.owed):
            if delivery in owed:
                owed.remove(delivery)
        delivery.undo()

    def message_of(self, delivery: Delivery) -> Message:
        """Make the message object of a delivery; a fresh one each time."""
        return from_snapshot(delivery.entry.snapshot, delivery, self.model)

    def mark_delivered(self, delivery: Delivery, *, listener: bool) -> None:
        """Note in the file that the message is about to be delivered, where a crash could make it come again."""
        if delivery.stored and (listener or self.mode != Session.AUTO_ACKNOWLEDGE):
            self.broker.commit(DeliveryMark(delivery))

    def settle(self, delivery: Delivery) -> None:
        """Acknowledge one delivery as the mode asks when the client has it: AUTO durably, DUPS_OK lazily."""
        if self.mode == Session.AUTO_ACKNOWLEDGE:
            self._acknowledge([delivery], durable=True)
        elif self.mode == Session.DUPS_OK_ACKNOWLEDGE:
            self._acknowledge([delivery], durable=False)

    def _acknowledge(self, deliveries: list[Delivery], *, durable: bool) -> None:
        work = Work(self.broker, durable=durable)
        work.acks = deliveries
        work.perform()

    def acknowledge_from_message(self) -> None:
        """Do what `Message.acknowledge` means here: in CLIENT_ACKNOWLEDGE all consumed so far, else nothing."""
        self.check_open()
        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            self.acknowledge_all()

    def acknowledge_all(self) -> None:
        """Acknowledge all that the session has consumed."""
        with self.broker.lock:
            owed, self.owed = self.owed, []
        try:
            self._acknowledge(owed, durable=True)
        except BaseException:
            with self.broker.lock:
                self.owed[:0] = owed
            raise

    # --- transactions and recovery ----------------------------------------------------------------------------

    def _check_transacted(self, call: str) -> None:
        self.check_open()
        if self.mode != Session.SESSION_TRANSACTED:
            raise IllegalStateException(f"{call} needs a transacted session", "NOT_TRANSACTED")

    def commit(self) -> None:
        """Commit the transaction; the next one begins.

        Raises TransactionRolledBackException when it could not be committed: it is then rolled back.
        """
        self._check_transacted("commit")
        work = self._next_transaction()
        try:
            self.connection.check_commit_allowed()
            work.perform()
        except JMSException as error:
            self._roll_back(work)
            raise TransactionRolledBackException(
                f"the transaction was rolled back: {error}", "ROLLED_BACK", error
            ) from error

    def rollback(self) -> None:
        """Roll the transaction back; the next one begins."""
        self._check_transacted("rollback")
        self._roll_back(self._next_transaction())

    def _next_transaction(self) -> Work:
        with self.broker.lock:
            work, self.work = self.work, Work(self.broker)
        return work

    def _roll_back(self, work: Work) -> None:
        with self.broker.lock:
            work.give_back()

    def recover(self) -> None:
        """Deliver again what is not acknowledged, oldest first; IllegalStateException in a transacted session."""
        self.check_open()
        if self.mode == Session.SESSION_TRANSACTED:
            raise IllegalStateException("a transacted session rolls back instead", "TRANSACTED")
        self.give_back_owed()
        if self.dispatcher is not None:
            self.dispatcher.recover_current()

    def give_back_owed(self) -> None:
        """Put back what was delivered and not acknowledged, in the order it was delivered."""
        with self.broker.lock:
            owed, self.owed = self.owed, []
            for delivery in owed:
                delivery.give_back()

    # --- listeners --------------------------------------------------------------------------------------------

    def ensure_dispatcher(self) -> Dispatcher:
        """Return the session's dispatcher, started when first needed."""
        if self.dispatcher is None:
            self.dispatcher = Dispatcher(self)
            self.dispatcher.start()
        return self.dispatcher

    @property
    def message_listener(self) -> MessageListener | None:
        """Give or set the session's own listener, used by application servers."""
        raise NotImplementedError

    @message_listener.setter
    def message_listener(self, listener: MessageListener | None) -> None:
        raise NotImplementedError

    def run(self) -> None:
        """Deliver the messages a connection consumer loaded."""
        raise NotImplementedError

    # --- the end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the session: waits for a running listener, rolls back, gives back what is not acknowledged."""
        if self.in_listener():
            raise IllegalStateException("a session cannot be closed by its own message listener", "IN_LISTENER")
        if self.shut():
            self.connection.forget(self)

    def desks(self) -> list[Desk]:
        """Give all desks where a thread may wait for messages of this session. Needs B."""
        return [self.desk, *(consumer.receiver.desk for consumer in self.consumers)]

    def shut(self) -> bool:
        """Do the work of `close`; return False if the session was closed before."""
        with self.broker.lock:
            if self.closed:
                return False
            self.closed = True
            for desk in self.desks():
                desk.wake()
        self.wait_until_idle()
        with self.broker.lock:
            for consumer in self.consumers:
                consumer.detach()
            self.producers.clear()
        self.drop_unfinished()
        return True

    def wait_until_idle(self) -> None:
        """Wait until no receive and no listener of this session is in progress."""
        waiters: list[Waiter] = []
        with self.broker.lock:
            for desk in self.desks():
                if (waiter := desk.when_left()) is not None and waiter not in waiters:
                    waiters.append(waiter)
        if self.dispatcher is not None:
            self.dispatcher.wait_until_idle()
        for waiter in waiters:
            self.broker.clock.wait(waiter)

    def drop_unfinished(self) -> None:
        """Roll back the open transaction and give back what is not acknowledged."""
        self._roll_back(self._next_transaction())
        self.give_back_owed()


def _checked_name(name: str | None) -> str:
    if not name:
        raise InvalidDestinationException(f"a destination needs a name, not {name!r}")
    return name
