"""`ReferenceSession`: creates messages, producers and consumers; acknowledges; commits and rolls back.

One implementation serves the classic, the domain-specific and the simplified API. One thread at a time uses a session:
the client's or its dispatcher; only `close` may come from another. Its state is guarded by the broker lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.transactions import SingleSend
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.completions import Completions
from reference_provider.client.consumer_factory import selector_text
from reference_provider.client.consumers import ReferenceConsumer, ReferenceSubscriber
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.receivers import Receiver, WaitSlot
from reference_provider.client.session_factories import SessionFactories
from reference_provider.client.session_state import SessionState
from reference_provider.messages import from_snapshot
from tck.api import (
    OMITTED,
    Destination,
    IllegalStateException,
    InvalidDestinationException,
    JMSException,
    Message,
    MessageConsumer,
    MessageListener,
    MessageProducer,
    Omitted,
    Queue,
    QueueBrowser,
    Session,
    Topic,
    TopicSubscriber,
    TransactionRolledBackException,
)

if TYPE_CHECKING:
    from reference_provider.broker.delivery import Delivery
    from reference_provider.broker.physical_destinations import PhysicalDestination
    from reference_provider.broker.stored_message import StoredMessage
    from reference_provider.broker.transactions import Work
    from reference_provider.client.session_factories import SessionConnection
    from reference_provider.clock import Waiter


class ReferenceSession(SessionFactories):
    """A session of the reference provider.

    Attributes:
        mode: the acknowledge mode it was created with.
        state: its unacknowledged deliveries and the open transaction.
        slot: where the dispatcher waits for messages of all listeners of the session.
        completions: the callbacks of asynchronous sends.
        runner: messages loaded by a connection consumer, for the session's own listener.
        closing: close has begun: nothing more is delivered; listeners that run may finish.
    """

    __slots__ = (
        "broker",
        "closed",
        "closing",
        "completions",
        "connection",
        "consumers",
        "dispatcher",
        "mode",
        "model",
        "producers",
        "runner",
        "slot",
        "state",
    )

    def __init__(self, connection: SessionConnection, mode: int) -> None:
        self.connection = connection
        self.broker = connection.broker
        self.model = connection.model
        self.mode = mode
        self.state = SessionState(self.broker, mode, self.acknowledge_from_message)
        self.closing = False
        self.closed = False
        self.slot = WaitSlot(self.broker)
        self.dispatcher: Dispatcher | None = None
        self.completions = Completions(self.broker.clock)
        self.runner = ServerSessionRunner(self)
        self.consumers: list[ReferenceConsumer] = []
        self.producers: list[ReferenceProducer] = []

    # --- state ------------------------------------------------------------------------------------------------

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session, JMSException on a broken connection."""
        if self.connection.usable and not self.closed:
            self.connection.used = True
            return
        self.connection.check_link()
        if self.closed:
            raise IllegalStateException("the session is closed", "SESSION_CLOSED")
        self.connection.use()

    @property
    def transacted(self) -> bool:
        """Return whether the session is transacted."""
        self.check_open()
        return self.mode == Session.SESSION_TRANSACTED

    @property
    def acknowledge_mode(self) -> int:
        """Return the acknowledge mode; SESSION_TRANSACTED for a transacted session."""
        self.check_open()
        return self.mode

    def in_listener(self) -> bool:
        """Return whether the calling thread runs a message listener of this session."""
        dispatching = self.dispatcher is not None and self.dispatcher.is_current_thread()
        return dispatching or self.runner.is_current_thread()

    def may_deliver(self) -> bool:
        """Return whether messages may be delivered now. Needs B."""
        return self.connection.running and not self.closing

    # --- producers --------------------------------------------------------------------------------------------

    def create_producer(self, destination: Destination | None) -> MessageProducer:
        """Create a producer for `destination`; with None each send needs a destination."""
        return self.add_producer(ReferenceProducer(self, self.checked_destination(destination)))

    def checked_destination(self, destination: Destination | None) -> Destination | None:
        """Check the destination of a producer; None stays None."""
        self.check_open()
        if destination is not None:
            with self.broker.lock:
                self.broker.physical_destination(destination)
        return destination

    def add_producer(self, producer: ReferenceProducer) -> ReferenceProducer:
        """Keep a producer made on this session."""
        self.producers.append(producer)
        return producer

    def forget_producer(self, producer: ReferenceProducer) -> None:
        """Drop a producer that is closed."""
        if producer in self.producers:
            self.producers.remove(producer)

    def submit(self, physical: PhysicalDestination, entry: StoredMessage) -> None:
        """Send a message: with the commit if a transaction is open, otherwise at once."""
        state = self.state
        if state.mode == Session.SESSION_TRANSACTED:
            state.work.sends.append((physical, entry))
        else:
            SingleSend(self.broker, physical, entry).perform()

    # --- consumers --------------------------------------------------------------------------------------------

    def create_consumer(
        self,
        destination: Destination | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Create a consumer of a queue, or of a topic with a subscription of its own."""
        receiver = self.open_plain(destination, message_selector, no_local)
        consumer = ReferenceConsumer(self, receiver)
        consumer.origin = destination
        return self.add_consumer(consumer)

    def open_plain(
        self, destination: Destination | None, selector: str | Omitted | None, no_local: bool | Omitted
    ) -> Receiver:
        """Open the receiver of a queue, or of a topic with a subscription that ends with it."""
        self.check_open()
        return self.connection.consumer_factory.open_plain(self, destination, selector, no_local)

    def create_shared_consumer(
        self,
        topic: Topic | None,
        shared_subscription_name: str | None,
        message_selector: str | Omitted | None = OMITTED,
    ) -> MessageConsumer:
        """Create a consumer on a shared non-durable subscription."""
        self.check_open()
        receiver = self.connection.consumer_factory.open_shared(topic, shared_subscription_name, message_selector)
        return self.add_consumer(ReferenceConsumer(self, receiver))

    def create_durable_consumer(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> MessageConsumer:
        """Create a consumer on an unshared durable subscription."""
        return self.add_consumer(ReferenceConsumer(self, self.open_durable(topic, name, message_selector, no_local)))

    def open_durable(
        self, topic: Topic | None, name: str | None, selector: str | Omitted | None, no_local: bool | Omitted
    ) -> Receiver:
        """Open the receiver of an unshared durable subscription."""
        self.check_open()
        return self.connection.consumer_factory.open_durable(topic, name, selector, no_local)

    def create_shared_durable_consumer(
        self, topic: Topic | None, name: str | None, message_selector: str | Omitted | None = OMITTED
    ) -> MessageConsumer:
        """Create a consumer on a shared durable subscription."""
        self.check_open()
        receiver = self.connection.consumer_factory.open_shared_durable(topic, name, message_selector)
        return self.add_consumer(ReferenceConsumer(self, receiver))

    def create_durable_subscriber(
        self,
        topic: Topic | None,
        name: str | None,
        message_selector: str | Omitted | None = OMITTED,
        no_local: bool | Omitted = OMITTED,
    ) -> TopicSubscriber:
        """Create a consumer on an unshared durable subscription, with the older type."""
        receiver = self.open_durable(topic, name, message_selector, no_local)
        made = ReferenceSubscriber(self, receiver, cast("Topic", topic))
        self.add_consumer(made)
        return made

    def add_consumer(self, consumer: ReferenceConsumer) -> ReferenceConsumer:
        """Keep a consumer made on this session."""
        with self.broker.lock:
            self.consumers.append(consumer)
        return consumer

    def unsubscribe(self, name: str | None) -> None:
        """Delete the durable subscription `name`."""
        self.check_open()
        self.connection.consumer_factory.unsubscribe(name)

    def create_browser(self, queue: Queue | None, message_selector: str | Omitted | None = OMITTED) -> QueueBrowser:
        """Create a browser of a queue."""
        self.check_open()
        text = selector_text(message_selector)
        matches = self.broker.predicate(text, self.model.version)
        with self.broker.lock:
            physical = self.broker.physical_destination(queue)
        if not isinstance(physical, PhysicalQueue) or queue is None:
            raise InvalidDestinationException(f"{queue} is no queue: only queues can be browsed")
        return ReferenceBrowser(self, queue, physical, text, matches)

    # --- receiving and acknowledging --------------------------------------------------------------------------

    def message_of(self, delivery: Delivery) -> Message:
        """Create the message object of a delivery; a new one each time."""
        return from_snapshot(delivery.entry.snapshot, delivery, self.model)

    def acknowledge_from_message(self) -> None:
        """Do what `Message.acknowledge` means here: in CLIENT_ACKNOWLEDGE acknowledge all consumed messages."""
        self.check_open()
        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            self.acknowledge_all()

    def acknowledge_all(self) -> None:
        """Acknowledge all messages that the session has consumed."""
        self.state.acknowledge_all(self.check_open)

    # --- transactions and recovery ----------------------------------------------------------------------------

    def _check_transacted(self, call: str) -> None:
        self.check_open()
        if self.mode != Session.SESSION_TRANSACTED:
            raise IllegalStateException(f"{call} needs a transacted session", "NOT_TRANSACTED")
        self._check_not_in_callback(call)

    def _check_not_in_callback(self, call: str) -> None:
        if self.completions.is_current_thread():
            raise IllegalStateException(
                f"{call} cannot be called from a completion callback of the session", "IN_CALLBACK"
            )

    def commit(self) -> None:
        """Commit the transaction, once all asynchronous sends are complete; the next one begins.

        Raises TransactionRolledBackException if it could not be committed: it is then rolled back.
        """
        self._check_transacted("commit")
        self.completions.wait_until_done()
        with self.broker.lock:
            self.check_open()  # a link that broke in the meantime has undone the transaction
            work = self.state.next_transaction_within_lock()
        try:
            self.connection.check_commit_allowed()
            work.perform()
        except JMSException as error:
            self.roll_back(work)
            raise TransactionRolledBackException(
                f"the transaction was rolled back: {error}", "ROLLED_BACK", error
            ) from error

    def rollback(self) -> None:
        """Roll the transaction back, once all asynchronous sends are complete; the next one begins."""
        self._check_transacted("rollback")
        self.completions.wait_until_done()
        self.roll_back(self.state.next_transaction())

    def roll_back(self, work: Work) -> None:
        """Roll a transaction back: messages sent are dropped, messages received are redelivered."""
        self.broker.redelivery.redeliver(work.acks)

    def recover(self) -> None:
        """Redeliver unacknowledged messages, oldest first; IllegalStateException in a transacted session."""
        self.check_open()
        if self.mode == Session.SESSION_TRANSACTED:
            raise IllegalStateException("a transacted session rolls back instead", "TRANSACTED")
        self.state.redeliver_all()
        if self.dispatcher is not None:
            self.dispatcher.recover_current()
        self.runner.recover_current()

    # --- listeners --------------------------------------------------------------------------------------------

    def ensure_dispatcher(self) -> Dispatcher:
        """Return the session's dispatcher, started when first needed."""
        if self.dispatcher is None:
            self.dispatcher = Dispatcher(self)
            self.dispatcher.start()
        return self.dispatcher

    @property
    def message_listener(self) -> MessageListener | None:
        """Get or set the session's own listener, used by application servers."""
        self.check_open()
        return self.runner.listener

    @message_listener.setter
    def message_listener(self, listener: MessageListener | None) -> None:
        self.check_open()
        self.runner.listener = listener

    def run(self) -> None:
        """Deliver the messages loaded by a connection consumer to the session's own listener, one by one."""
        self.runner.run()

    # --- the end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the session: wait for callbacks and a running listener, roll back, redeliver."""
        self.check_may_close()
        if self.shut():
            self.connection.forget(self)

    def check_may_close(self) -> None:
        """Raise IllegalStateException when called from a listener or completion callback of this session."""
        if self.closed:
            return
        if self.in_listener():
            raise IllegalStateException("a session cannot be closed by its own message listener", "IN_LISTENER")
        self._check_not_in_callback("close")

    def wait_slots(self) -> list[WaitSlot]:
        """Return all slots where a thread may wait for messages of this session. Needs B."""
        return [self.slot, self.runner.slot, *(consumer.receiver.slot for consumer in self.consumers)]

    def shut(self) -> bool:
        """Do the work of `close`; return False if close has been called before."""
        with self.broker.lock:
            if self.closing:
                return False
            self.closing = True
            self._wake()
        self.completions.wait_until_done()
        self.wait_until_idle()
        self._end()
        self.drop_unfinished()
        return True

    def abandon(self) -> None:
        """End at once because the link is broken: running listeners go on, received messages are redelivered."""
        with self.broker.lock:
            if self.closed:
                return
            self.closing = True
            self._wake()
        running = self.runner.abandon() + ([] if self.dispatcher is None else self.dispatcher.abandon())
        self._end()
        self.broker.redelivery.redeliver(running)
        self.drop_unfinished()

    def drop_unfinished(self) -> None:
        """Roll the open transaction back and redeliver unacknowledged messages."""
        self.roll_back(self.state.next_transaction())
        self.state.redeliver_all()

    def _wake(self) -> None:
        for slot in self.wait_slots():
            slot.wake()

    def _end(self) -> None:
        with self.broker.lock:
            self.closed = True
            for consumer in self.consumers:
                consumer.detach()
            self.producers.clear()
            for delivery in self.runner.drop():
                self.state.cancel_delivery(delivery)
        self.completions.stop()

    def wait_until_idle(self) -> None:
        """Wait until no receive and no listener of this session is in progress."""
        waiters: list[Waiter] = []
        with self.broker.lock:
            for slot in self.wait_slots():
                if (waiter := slot.when_returned()) is not None and waiter not in waiters:
                    waiters.append(waiter)
        if self.dispatcher is not None:
            self.dispatcher.wait_until_idle()
        self.runner.wait_until_idle()
        for waiter in waiters:
            self.broker.clock.wait(waiter)
