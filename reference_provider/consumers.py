"""`ReferenceConsumer`: receives messages from a queue or from a subscription."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_provider.acks import Delivery
from reference_provider.receiving import Desk, Receiver
from tck.api import (
    OMITTED,
    IllegalStateException,
    JMSException,
    Message,
    MessageConsumer,
    MessageListener,
    Omitted,
)

if TYPE_CHECKING:
    from reference_provider.sessions import ReferenceSession


class ReferenceConsumer(MessageConsumer):
    """A consumer of the classic API; the others are made over it."""

    __slots__ = ("closed", "listener", "receiver", "session")

    def __init__(self, session: ReferenceSession, receiver: Receiver) -> None:
        self.session = session
        self.receiver = receiver
        self.closed = False
        self.listener: MessageListener | None = None
        receiver.deliver = lambda stream, entry: session.new_delivery(self, stream, entry)

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed consumer or session."""
        if self.closed:
            raise IllegalStateException("the consumer is closed", "CONSUMER_CLOSED")
        self.session.check_open()

    @property
    def message_selector(self) -> str | None:
        """Give the message selector, None if there is none."""
        self.check_open()
        return self.receiver.selector or None

    # --- synchronous receipt ----------------------------------------------------------------------------------

    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message, waiting up to `timeout` milliseconds; without one, or with 0, for ever."""
        if timeout is OMITTED or timeout == 0:
            return self._receive(None)
        if timeout < 0:
            raise JMSException(f"a time to wait cannot be negative: {timeout} ms", "BAD_TIMEOUT")
        return self._receive(timeout)

    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there at once, else None."""
        return self._receive(0)

    def _receive(self, timeout: int | None) -> Message | None:
        self.check_open()
        self._check_synchronous()
        delivery = self.next_delivery(timeout)
        return None if delivery is None else self.hand_out(delivery)

    def _check_synchronous(self) -> None:
        dispatcher = self.session.dispatcher
        if dispatcher is not None and dispatcher.consumers:
            raise IllegalStateException(
                "the session has a message listener: it cannot receive synchronously", "ASYNCHRONOUS_SESSION"
            )

    def hand_out(self, delivery: Delivery) -> Message:
        """Acknowledge as the mode asks and make the message object."""
        self.session.mark_delivered(delivery, listener=False)
        self.session.settle(delivery)
        return self.session.message_of(delivery)

    def next_delivery(self, timeout: int | None) -> Delivery | None:
        """Take the next message, waiting up to `timeout` ms (None: for ever); None when the time is over or all closed."""
        broker = self.session.broker
        deadline = None if timeout is None else broker.clock.now() + timeout
        while True:
            remaining = None if deadline is None else deadline - broker.clock.now()
            with broker.lock:
                if self._is_shut():
                    return None
                running = self.session.connection.running
                broker.release_due_now()
                delivery = self.receiver.take() if running else None
                if delivery is not None:
                    return delivery
                if remaining is not None and remaining <= 0:
                    return None
                self._sit_down(ready=running)
            self.receiver.desk.wait(remaining)
            with broker.lock:
                delivery = self._get_up()
                if delivery is not None:
                    return delivery

    def _is_shut(self) -> bool:
        return self.closed or self.session.closed or self.session.connection.is_down()

    def _sit_down(self, *, ready: bool) -> None:
        self.receiver.desk.sit_down(ready=ready)
        if ready:
            self.receiver.line_up()

    def _get_up(self) -> Delivery | None:
        self.receiver.step_out()
        delivery = self.receiver.desk.get_up()
        if delivery is not None and (self._is_shut() or not self.session.connection.running):
            self.session.take_back(delivery)
            return None
        return delivery

    # --- listeners --------------------------------------------------------------------------------------------

    @property
    def message_listener(self) -> MessageListener | None:
        """Give or set the listener that takes the messages, None for none."""
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
                self.receiver.desk = Desk(broker)
            return
        dispatcher = self.session.ensure_dispatcher()
        with broker.lock:
            self.listener = listener
            dispatcher.add(self)

    # --- the end ----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the consumer: a blocked receive returns None, a running listener ends first."""
        broker = self.session.broker
        with broker.lock:
            if self.closed or self.session.closed:
                self.closed = True
                return
            self.closed = True
            self.receiver.desk.wake()
            leaver = None if self.listener is not None else self.receiver.desk.when_left()
        if leaver is not None:
            broker.clock.wait(leaver)
        if self.session.dispatcher is not None and self.listener is not None:
            self.session.dispatcher.wait_until_idle()
        with broker.lock:
            self.detach()
            if self in self.session.consumers:
                self.session.consumers.remove(self)

    def detach(self) -> None:
        """Leave the broker: the stream, and a subscription that lived for this consumer. Needs B."""
        if self.receiver.closed:
            return
        self.closed = True
        self.receiver.close()
        self.receiver.place.consumers -= 1
        if self.session.dispatcher is not None:
            self.session.dispatcher.remove(self)
        if self.receiver.subscription is not None:
            self.session.close_subscription(self.receiver.subscription)
