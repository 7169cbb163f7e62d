"""One thread per session with listeners: it takes messages for all of them, one at a time, and calls them.

No lock is held while a listener runs. What a listener raises never reaches the thread: the message is delivered again or
not, as the acknowledge mode says.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from reference_provider.acks import Delivery
from reference_provider.clock import Waiter
from tck.api import MessageListener, Session

if TYPE_CHECKING:
    from reference_provider.consumers import ReferenceConsumer
    from reference_provider.sessions import ReferenceSession

_LOG = logging.getLogger(__name__)


class Dispatcher:
    """The thread of one session, and what it is doing. Its state is guarded by the broker lock.

    Attributes:
        consumers: those with a listener, in the order they were set; who was served goes to the end.
        current: the delivery in the hands of a listener.
    """

    __slots__ = ("_idle_waiters", "_recovered", "_session", "_thread", "consumers", "current")

    def __init__(self, session: ReferenceSession) -> None:
        self._session = session
        self._thread: int | None = None
        self._idle_waiters: list[Waiter] = []
        self._recovered = False
        self.consumers: list[ReferenceConsumer] = []
        self.current: Delivery | None = None

    def start(self) -> None:
        """Start the thread."""
        self._session.broker.clock.spawn(self._run, "reference-provider-session")

    def is_current_thread(self) -> bool:
        """Whether the calling thread is this dispatcher, inside a listener."""
        return self._thread == threading.get_ident() and self.current is not None

    def add(self, consumer: ReferenceConsumer) -> None:
        """Serve the listener of `consumer` from now on. Needs B."""
        if consumer not in self.consumers:
            self.consumers.append(consumer)
        consumer.receiver.desk = self._session.desk
        self._session.desk.wake()

    def remove(self, consumer: ReferenceConsumer) -> None:
        """Serve `consumer` no more. Needs B."""
        if consumer in self.consumers:
            self.consumers.remove(consumer)
            consumer.receiver.step_out()

    def recover_current(self) -> None:
        """Let the message now in the hands of a listener be delivered again when the listener returns."""
        self._recovered = True

    def wait_until_idle(self) -> None:
        """Wait until no listener runs; returns at once on the dispatcher's own thread."""
        with self._session.broker.lock:
            if self.current is None or self._thread == threading.get_ident():
                return
            waiter = Waiter()
            self._idle_waiters.append(waiter)
        self._session.broker.clock.wait(waiter)

    def _run(self) -> None:
        self._thread = threading.get_ident()
        session = self._session
        while not session.closed:
            delivery = self._next()
            if delivery is not None:
                self._call(delivery)

    def _next(self) -> Delivery | None:
        session = self._session
        with session.broker.lock:
            if session.closed:
                return None
            running = session.connection.running
            delivery = self._take() if running else None
            if delivery is not None:
                self.current = delivery
                return delivery
            session.desk.sit_down(ready=running)
            if running:
                for consumer in self.consumers:
                    consumer.receiver.line_up()
        session.desk.wait(None)
        with session.broker.lock:
            for consumer in self.consumers:
                consumer.receiver.step_out()
            delivery = session.desk.get_up()
            if delivery is not None and (session.closed or not session.connection.running):
                session.take_back(delivery)
                delivery = None
            self.current = delivery
            return delivery

    def _take(self) -> Delivery | None:
        for consumer in list(self.consumers):
            delivery = consumer.receiver.take()
            if delivery is not None:
                self.consumers.remove(consumer)
                self.consumers.append(consumer)
                return delivery
        return None

    def _call(self, delivery: Delivery) -> None:
        self._recovered = False
        try:
            consumer = delivery.consumer
            listener: MessageListener | None = getattr(consumer, "listener", None)
            if listener is None:  # taken away while the message was on its way
                self._give_back(delivery, counted=False)
                return
            self._session.mark_delivered(delivery, listener=True)
            failed = self._on_message(listener, delivery)
            self._after_listener(delivery, failed=failed)
        except Exception:  # noqa: BLE001 # the thread must live on for the next message
            _LOG.exception("delivery to a message listener failed")
        finally:
            self._finish()

    def _on_message(self, listener: MessageListener, delivery: Delivery) -> bool:
        try:
            listener.on_message(self._session.message_of(delivery))
        except Exception as error:  # noqa: BLE001 # a client's listener may raise anything
            _LOG.warning("a message listener raised %s: %s", type(error).__name__, error)
            return True
        return False

    def _after_listener(self, delivery: Delivery, *, failed: bool) -> None:
        """Acknowledge, or let the message come again, as the mode asks."""
        if self._session.mode not in {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}:
            return  # the client acknowledges, commits, recovers or rolls back
        if failed or self._was_recovered():
            self._give_back(delivery, counted=True)
        else:
            self._session.settle(delivery)

    def _was_recovered(self) -> bool:
        return self._recovered

    def _give_back(self, delivery: Delivery, *, counted: bool) -> None:
        with self._session.broker.lock:
            if counted:
                delivery.give_back()
            else:
                self._session.take_back(delivery)

    def _finish(self) -> None:
        with self._session.broker.lock:
            self.current = None
            waiters, self._idle_waiters = self._idle_waiters, []
        for waiter in waiters:
            self._session.broker.clock.signal(waiter)
