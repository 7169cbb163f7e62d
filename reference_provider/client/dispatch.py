"""Message listeners: one thread per session takes messages for all its listeners, one at a time, and calls them.

No lock is held while a listener runs. An exception of a listener never reaches the thread: the message is redelivered
or not, according to the acknowledge mode.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.delivery import Delivery
from reference_provider.clock import Waiter
from tck.api import MessageListener

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.client.receivers import Receiver, WaitSlot
    from reference_provider.client.session_factories import SessionConnection
    from reference_provider.client.session_state import SessionState
    from tck.api import Message

_LOG = logging.getLogger(__name__)
_PAUSE_MS = 500  # after an acknowledgement has failed


class ListeningConsumer(Protocol):
    """The interface that the dispatcher needs from a consumer with a listener."""

    receiver: Receiver
    closed: bool


class DispatchingSession(Protocol):
    """The interface that the dispatcher needs from its session; see `ReferenceSession`."""

    broker: Broker
    connection: SessionConnection
    state: SessionState
    slot: WaitSlot
    closing: bool

    def may_deliver(self) -> bool:
        """Return whether messages may be delivered now. Needs B."""
        ...

    def message_of(self, delivery: Delivery) -> Message:
        """Create the message object of a delivery."""
        ...


class Dispatcher:
    """The listener thread of one session. Its state is guarded by the broker lock.

    Attributes:
        consumers: those with a listener; a consumer that was served goes to the end.
        current: the delivery whose listener runs.
    """

    __slots__ = (
        "_abandoned",
        "_idle_waiters",
        "_recovered",
        "_thread",
        "_unfinished",
        "consumers",
        "current",
        "session",
    )

    def __init__(self, session: DispatchingSession) -> None:
        self.session = session
        self._thread: int | None = None
        self._idle_waiters: list[Waiter] = []
        self._recovered = False
        self._abandoned = False
        self._unfinished = False  # whether the last search for a message was cut short
        self.consumers: list[ListeningConsumer] = []
        self.current: Delivery | None = None

    def start(self) -> None:
        """Start the thread."""
        self.session.broker.clock.spawn(self._run, "reference-provider-session")

    def is_current_thread(self) -> bool:
        """Return whether the calling thread is this dispatcher, inside a listener."""
        return self._thread == threading.get_ident() and self.current is not None

    def add(self, consumer: ListeningConsumer) -> None:
        """Serve the listener of `consumer` from now on. Needs B."""
        if consumer not in self.consumers:
            self.consumers.append(consumer)
        consumer.receiver.slot = self.session.slot
        self.session.slot.wake()

    def remove(self, consumer: ListeningConsumer) -> None:
        """Stop serving `consumer`. Needs B."""
        if consumer in self.consumers:
            self.consumers.remove(consumer)
            consumer.receiver.leave_line()

    def recover_current(self) -> None:
        """Redeliver the message whose listener runs, when the listener returns."""
        self._recovered = True

    def abandon(self) -> list[Delivery]:
        """Abandon a running listener; return its delivery if the mode would have acknowledged it."""
        with self.session.broker.lock:
            self._abandoned = True
            held = self.current
            return [held] if held is not None and self.session.state.settles(held) else []

    def wait_until_idle(self, consumer: object = None) -> None:
        """Wait until no listener runs, of all consumers or of one; return at once on the dispatcher's own thread."""
        with self.session.broker.lock:
            if self.current is None or self._thread == threading.get_ident():
                return
            if consumer is not None and self.current.consumer is not consumer:
                return
            waiter = Waiter()
            self._idle_waiters.append(waiter)
        self.session.broker.clock.wait(waiter)

    def _run(self) -> None:
        self._thread = threading.get_ident()
        session = self.session
        while not session.closing:
            delivery = self._next()
            if delivery is not None:
                self.deliver(delivery)

    def _next(self) -> Delivery | None:
        session = self.session
        with session.broker.lock:
            if session.closing:
                return None
            running = session.may_deliver()
            session.broker.release_due_now()
            delivery = self._take() if running else None
            if delivery is not None:
                self.current = delivery
                return delivery
            unfinished = running and self._unfinished
            if not unfinished:
                session.slot.begin_wait(ready=running)
                if running:
                    for consumer in self.consumers:
                        consumer.receiver.join_line()
        if unfinished:
            session.broker.clock.give_way()
            return None
        session.slot.wait(None)
        with session.broker.lock:
            for consumer in self.consumers:
                consumer.receiver.leave_line()
            delivery = session.slot.end_wait()
            session.slot.signal_returned()
            if delivery is not None and not (session.may_deliver() and _is_open(delivery)):
                session.state.cancel_delivery(delivery)
                delivery = None
            self.current = delivery
            return delivery

    def _take(self) -> Delivery | None:
        self._unfinished = False
        for consumer in list(self.consumers):
            if consumer.closed:  # about to be removed; its close may have checked already that no listener runs
                continue
            delivery = consumer.receiver.take()
            self._unfinished |= consumer.receiver.delivery_queue.cut_short
            if delivery is not None:
                self.consumers.remove(consumer)
                self.consumers.append(consumer)
                return delivery
        return None

    def deliver(self, delivery: Delivery) -> None:
        """Deliver a message to its listener, and again at once if the acknowledge mode demands it."""
        try:
            while (listener := self._listener_of(delivery)) is not None:
                self._recovered = False
                self.session.state.mark(delivery, listener=True)
                failed = self.call_listener(listener, delivery)
                if not self._after_listener(delivery, failed=failed):
                    return
            with self.session.broker.lock:  # the listener was removed after the message was taken
                self.session.state.cancel_delivery(delivery)
        except Exception:  # noqa: BLE001 # the thread must live on for the next message
            _LOG.exception("delivery to a message listener failed")
            if not self.session.closing:  # redelivered later: the disk may be full
                self.session.broker.clock.wait(Waiter(), _PAUSE_MS)
        finally:
            self._finish()

    def _listener_of(self, delivery: Delivery) -> MessageListener | None:
        listener: MessageListener | None = getattr(delivery.consumer, "listener", None)
        return listener

    def call_listener(self, listener: MessageListener, delivery: Delivery) -> bool:
        """Call a message listener; return whether it raised."""
        try:
            listener.on_message(self.session.message_of(delivery))
        except Exception as error:  # noqa: BLE001 # a client's listener may raise anything
            _LOG.warning("a message listener raised %s: %s", type(error).__name__, error)
            return True
        return False

    def _after_listener(self, delivery: Delivery, *, failed: bool) -> bool:
        """Acknowledge or redeliver as the mode demands; return whether to deliver again at once."""
        if self._is_abandoned() or not self.session.state.settles(delivery):
            return False  # the client acknowledges, commits, recovers or rolls back; or the link is broken
        if failed and self.may_repeat(delivery):
            delivery.repeat(self.session.broker.clock.now())
            return True
        if failed or self._was_recovered():
            self.session.broker.redelivery.redeliver([delivery])
        else:
            self.session.state.settle_or_return(delivery)
        return False

    def may_repeat(self, delivery: Delivery) -> bool:
        """Return whether a message whose listener failed is delivered again at once, before any other."""
        session = self.session
        with session.broker.lock:
            consumer_open = delivery.consumer in self.consumers
            return consumer_open and session.may_deliver() and not session.broker.redelivery.is_exhausted(delivery)

    def _is_abandoned(self) -> bool:
        return self._abandoned

    def _was_recovered(self) -> bool:
        return self._recovered

    def _finish(self) -> None:
        with self.session.broker.lock:
            self.current = None
            waiters, self._idle_waiters = self._idle_waiters, []
        for waiter in waiters:
            self.session.broker.clock.signal(waiter)


def _is_open(delivery: Delivery) -> bool:
    """Return whether the consumer of a delivery is still open: it may have been closed in between."""
    return not getattr(delivery.consumer, "closed", False)
