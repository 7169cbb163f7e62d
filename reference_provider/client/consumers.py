"""`ReferenceConsumer`: receives messages from a queue or a subscription, by receive or for a listener."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from reference_provider.client.receivers import Receiver, WaitSlot
from tck.api import (
    OMITTED,
    IllegalStateException,
    JMSException,
    Message,
    MessageConsumer,
    MessageFormatException,
    MessageListener,
    Omitted,
    QueueReceiver,
    TopicSubscriber,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_provider.broker.broker import Broker
    from reference_provider.broker.delivery import Delivery
    from reference_provider.client.dispatch import Dispatcher
    from reference_provider.client.session_factories import SessionConnection
    from reference_provider.client.session_state import SessionState
    from tck.api import Destination, Queue, Topic


_T = TypeVar("_T")


class ConsumerSession(Protocol):
    """The interface that a consumer needs from its session; see `ReferenceSession`."""

    broker: Broker
    connection: SessionConnection
    state: SessionState
    mode: int
    dispatcher: Dispatcher | None
    consumers: list[ReferenceConsumer]
    closing: bool
    closed: bool

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session."""

    def may_deliver(self) -> bool:
        """Return whether messages may be delivered now. Needs B."""
        ...

    def message_of(self, delivery: Delivery) -> Message:
        """Create the message object of a delivery."""
        ...

    def ensure_dispatcher(self) -> Dispatcher:
        """Return the session's dispatcher, started when first needed."""
        ...


class ReferenceConsumer(MessageConsumer):
    """A consumer of the classic API; those of the other APIs are built on it."""

    __slots__ = ("closed", "listener", "origin", "receiver", "session")

    def __init__(self, session: ConsumerSession, receiver: Receiver) -> None:
        self.session = session
        self.receiver = receiver
        self.closed = False
        self.listener: MessageListener | None = None
        self.origin: Destination | None = None  # keeps a temporary destination alive while it has a consumer
        receiver.deliver = partial(session.state.open_delivery, self)

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed consumer or session."""
        self.session.check_open()
        if self.closed:
            raise IllegalStateException("the consumer is closed", "CONSUMER_CLOSED")

    @property
    def message_selector(self) -> str | None:
        """Return the message selector, None if there is none."""
        self.check_open()
        return self.receiver.selector or None

    # --- synchronous receipt ----------------------------------------------------------------------------------

    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message, waiting up to `timeout` milliseconds; omitted or 0 means forever."""
        return self.receive_as(self.timeout(timeout), self.hand_out)

    def timeout(self, timeout: int | Omitted) -> int | None:
        """Return the timeout of a receive in ms; None, forever, if it is omitted or 0."""
        if timeout is OMITTED or timeout == 0:
            return None
        if timeout < 0:
            raise JMSException(f"a time to wait cannot be negative: {timeout} ms", "BAD_TIMEOUT")
        return timeout

    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there, otherwise None."""
        return self.receive_as(0, self.hand_out)

    def receive_as(self, timeout: int | None, hand_out: Callable[[Delivery], _T]) -> _T | None:
        """Receive the next message as `hand_out` returns it; `timeout` in ms, None for no limit."""
        self.check_open()
        dispatcher = self.session.dispatcher
        if dispatcher is not None and dispatcher.consumers:
            raise IllegalStateException(
                "the session has a message listener: it cannot receive synchronously", "ASYNCHRONOUS_SESSION"
            )
        slot = self.receiver.slot
        try:
            delivery = self.next_delivery(timeout)
            return None if delivery is None else hand_out(delivery)
        finally:
            slot.leave()

    def hand_out(self, delivery: Delivery) -> Message:
        """Acknowledge as the mode demands and create the message object."""
        self._settle(delivery)
        return self.session.message_of(delivery)

    def _settle(self, delivery: Delivery) -> None:
        """Acknowledge as the mode demands; if that fails, the message was not received and can be received again."""
        state = self.session.state
        state.mark(delivery, listener=False)
        try:
            state.settle(delivery)
        except JMSException:
            with self.session.broker.lock:
                state.cancel_delivery(delivery)
            raise

    def hand_out_body(self, delivery: Delivery, read: Callable[[Message], _T]) -> _T:
        """Read the body and acknowledge as the mode demands.

        If it cannot be read, the delivery counts as not made in AUTO and DUPS_OK, and as made in the other modes.
        """
        state = self.session.state
        message = self.session.message_of(delivery)
        try:
            body = read(message)
        except MessageFormatException:
            if state.settles(delivery):
                with self.session.broker.lock:
                    state.cancel_delivery(delivery)
            else:
                state.mark(delivery, listener=False)
            raise
        self._settle(delivery)
        return body

    def next_delivery(self, timeout: int | None) -> Delivery | None:
        """Take the next message, waiting up to `timeout` ms (None: forever); None at the timeout or on close."""
        broker = self.session.broker
        remaining: float | None = timeout
        deadline: float | None = None
        while True:
            with broker.lock:
                if self._is_shut():
                    return None
                running = self.session.may_deliver()
                broker.release_due_now()
                delivery = self.receiver.take() if running else None
                if delivery is not None:
                    return delivery
                unfinished = running and self.receiver.delivery_queue.cut_short
                if not unfinished:
                    if remaining is not None and remaining <= 0:
                        return None
                    self._begin_wait(ready=running)
            if unfinished:
                broker.clock.give_way()
                continue
            if timeout is not None and deadline is None:
                deadline = broker.clock.now() + timeout
            self.receiver.slot.wait(remaining)
            with broker.lock:
                delivery = self._end_wait()
                if delivery is not None:
                    return delivery
            if deadline is not None:
                remaining = deadline - broker.clock.now()

    def _is_shut(self) -> bool:
        return self.closed or self.session.closing or self.session.connection.is_down()

    def _begin_wait(self, *, ready: bool) -> None:
        self.receiver.slot.begin_wait(ready=ready)
        if ready:
            self.receiver.join_line()

    def _end_wait(self) -> Delivery | None:
        self.receiver.leave_line()
        delivery = self.receiver.slot.end_wait()
        if delivery is not None and (self.closed or not self.session.may_deliver()):
            self.session.state.cancel_delivery(delivery)
            return None
        return delivery

    # --- listeners --------------------------------------------------------------------------------------------

    @property
    def message_listener(self) -> MessageListener | None:
        """Get or set the listener of this consumer; None for none."""
        self.check_open()
        return self.listener

    @message_listener.setter
    def message_listener(self, listener: MessageListener | None) -> None:
        self.check_open()
        broker = self.session.broker
        if listener is None:
            with broker.lock:
                self.listener = None
                if self.session.dispatcher is not None:
                    self.session.dispatcher.remove(self)
                self.receiver.slot = WaitSlot(broker)
            return
        dispatcher = self.session.ensure_dispatcher()
        with broker.lock:
            self.listener = listener
            dispatcher.add(self)

    # --- the end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the consumer: a blocked receive returns None, a running listener finishes first."""
        broker = self.session.broker
        with broker.lock:
            if self.closed or self.session.closed:
                self.closed = True
                return
            self.closed = True
            self.receiver.slot.wake()
            waiter = None if self.listener is not None else self.receiver.slot.when_returned()
        if waiter is not None:
            broker.clock.wait(waiter)
        if self.session.dispatcher is not None and self.listener is not None:
            self.session.dispatcher.wait_until_idle(self)
        with broker.lock:
            self.detach()
            if self in self.session.consumers:
                self.session.consumers.remove(self)

    def detach(self) -> None:
        """Leave the delivery queue, and end a subscription that existed for this consumer. Needs B."""
        self.closed = True
        if self.session.dispatcher is not None:
            self.session.dispatcher.remove(self)
        self.session.connection.consumer_factory.close(self.receiver)


class ReferenceReceiver(ReferenceConsumer, QueueReceiver):
    """A receiver of a queue."""

    __slots__ = ("_queue",)

    def __init__(self, session: ConsumerSession, receiver: Receiver, queue: Queue) -> None:
        super().__init__(session, receiver)
        self._queue = queue

    @property
    def queue(self) -> Queue:
        """Return the queue."""
        self.check_open()
        return self._queue


class ReferenceSubscriber(ReferenceConsumer, TopicSubscriber):
    """A subscriber of a topic."""

    __slots__ = ("_topic",)

    def __init__(self, session: ConsumerSession, receiver: Receiver, topic: Topic) -> None:
        super().__init__(session, receiver)
        self._topic = topic

    @property
    def topic(self) -> Topic:
        """Return the topic."""
        self.check_open()
        return self._topic

    @property
    def no_local(self) -> bool:
        """Return whether messages of the subscriber's own connection are left out."""
        self.check_open()
        subscription = self.receiver.subscription
        return subscription is not None and subscription.no_local is not None
